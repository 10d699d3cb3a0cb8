//! The congestion header with an admission control bit and a profile (thesis section 6.4.2).
//!
//! "Since guaranteed flows receive no congestion feedback they need not use the fields H_rtt and
//! H_feedback" (footnote 4): it has neither. H_throughput is carried as in XCP's header. Out-of-profile packets
//! have XCP's header, whose H_profile is "zero" (section 6.4.3).

use sluice_units::Rate;

use crate::wire::{Coding, Form};
use crate::{WireHeader, router};

/// Bits a second in a unit of H_profile.
pub(super) const UNIT: u64 = 100;

/// The header of a flow with a profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GuaranteedHeader {
    /// H_profile, "the minimum throughput the flow would accept", in units of 100 b/s.
    pub profile: u32,
    /// H_throughput as the time between two packets of the flow, s / r, in ticks of 2^-28 s; 0 states
    /// no throughput.
    pub x: u32,
    /// The admission control (AC) bit: asks for admission until a router denies it.
    pub request: bool,
    /// In an answer to a request: 1 if it was admitted. In other acknowledgements: the feedback of out-of-profile
    /// packets, in bytes a second. In packets towards the receiver: 1, which none with XCP's header has.
    pub echo: i32,
}

/// The echo of packets towards the receiver, which reads two kinds of header: XCP's is 0 there. On the wire, the
/// option's law distinguishes them.
pub(super) const FORWARD: i32 = 1;
/// The echo that answers an admitted request.
pub(super) const ADMITTED: i32 = 1;

/// A profile as a header states it: rounded up, so that no flow sends more than it reserved.
pub(super) fn units(profile: Rate) -> u32 {
    u32::try_from(profile.as_bps().div_ceil(UNIT)).unwrap_or(u32::MAX)
}

impl router::LawHeader for GuaranteedHeader {
    /// The echo is XCP's feedback, or a bit.
    const FORM: Form = Form { law: 5, forward: 3, echo: Coding::Feedback };

    #[inline]
    fn from_wire(wire: WireHeader) -> Self {
        let [profile, x, request, echo] = wire.get();
        Self { profile, x, request: request & 1 == 1, echo: echo as i32 }
    }

    #[inline]
    fn to_wire(self) -> WireHeader {
        WireHeader::new([self.profile, self.x, u32::from(self.request), self.echo as u32])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::router::LawHeader as _;

    #[test]
    fn words_are_profile_spacing_the_request_and_what_comes_back() {
        let header = GuaranteedHeader { profile: 15_000, x: 7, request: true, echo: -3 };
        assert_eq!(header.to_wire(), WireHeader::new([15_000, 7, 1, (-3_i32) as u32]));
        assert_eq!(GuaranteedHeader::from_wire(header.to_wire()), header);
        assert_eq!(GuaranteedHeader::FORM.echo.rounded(ADMITTED as u32), ADMITTED as u32);
    }

    #[test]
    fn a_profile_is_rounded_up_to_units() {
        assert_eq!(units(Rate::from_bps(1_500_000)), 15_000);
        assert_eq!(units(Rate::from_bps(1)), 1);
        assert_eq!(units(Rate::from_bps(101)), 2);
        assert_eq!(units(Rate::MAX), u32::MAX);
    }
}
