//! What a flow sends without a guarantee, as XCP does (thesis section 6.4.3): all of a flow that was denied and
//! reverted to best effort, or what an admitted one sends above its profile.
//!
//! "The sender can send more than its profile by simulating two flows: 1) an in-profile flow sending at the
//! profile rate; 2) an out-of-profile flow that adjusts its sending rate to the feedback it receives." Both
//! carry one stream of data, so the sender has one window and one pace: it paces at the sum of their rates, and
//! a packet is in the profile if that has room for it (`InProfile`). The second flow's rate is its window over
//! the RTT, where XCP's sender would send as acknowledgements arrive.

use sluice_units::{Bytes, Rate, Span, Time};

use super::header::GuaranteedHeader;
use crate::WireHeader;
use crate::host::{AckEvent, HostLaw, SendEvent};
use crate::router::LawHeader as _;
use crate::xcp::header::XcpHeader;

/// Packets of the profile that may leave late.
const MOST_ALLOWED: f64 = 2.0;

/// The packets of an admitted flow that are in its profile: a token bucket.
#[derive(Clone, Copy, Debug)]
pub(super) struct InProfile {
    /// Bytes that may leave in the profile, as of an instant.
    allowed: f64,
    since: Time,
}

impl InProfile {
    /// The first packet is in it.
    pub(super) fn new(packet: u32) -> Self {
        Self { allowed: f64::from(packet), since: Time::ZERO }
    }

    /// Whether a packet that leaves now is in the profile, of which data packets may take this rate.
    pub(super) fn takes(&mut self, now: Time, bytes: u32, rate: Rate) -> bool {
        let bytes = f64::from(bytes);
        let earned = rate.as_bytes_per_sec_f64() * now.since(self.since).as_secs_f64();
        self.allowed = (self.allowed + earned).min(MOST_ALLOWED * bytes);
        self.since = now;
        // Bytes are earned in fractions.
        let takes = self.allowed > bytes - 1e-3;
        if takes {
            self.allowed -= bytes;
        }
        takes
    }
}

/// A sender of XCP beside an in-profile flow, or in place of one.
pub(super) struct OutOfProfile {
    law: Box<dyn HostLaw>,
    packet: Bytes,
}

impl core::fmt::Debug for OutOfProfile {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("OutOfProfile").field("packet", &self.packet).finish_non_exhaustive()
    }
}

impl OutOfProfile {
    /// Sends packets of this size as `law` says.
    pub(super) fn new(law: Box<dyn HostLaw>, packet: Bytes) -> Self {
        Self { law, packet }
    }

    /// Its law, to report losses to.
    pub(super) fn law(&mut self) -> &mut dyn HostLaw {
        &mut *self.law
    }

    /// Its law, to read windows and rates from.
    pub(super) fn state(&self) -> &dyn HostLaw {
        &*self.law
    }

    /// An answer arrives whose header has no feedback.
    pub(super) fn on_answer(&mut self, event: &AckEvent) {
        self.law.on_ack(&AckEvent { header: WireHeader::default(), ..*event });
    }

    /// An acknowledgement arrives, with `in_profile` of the packets in flight those of the other flow.
    pub(super) fn on_ack(&mut self, event: &AckEvent, in_profile: u32) {
        let reverse = GuaranteedHeader::from_wire(event.header).echo;
        let header = XcpHeader { reverse, ..XcpHeader::default() }.to_wire();
        let [in_flight, used] =
            [event.in_flight, event.used].map(|packets| packets.saturating_sub(in_profile));
        self.law.on_ack(&AckEvent { header, in_flight, used, ..*event });
    }

    /// "The H_throughput field in the out-of-profile packets should be set to the out-of-profile throughput":
    /// the header of one, of which `in_profile` packets in flight are the other flow's.
    pub(super) fn header(&mut self, out: &SendEvent, in_profile: u32) -> WireHeader {
        let in_flight = out.in_flight.saturating_sub(in_profile);
        self.law.header(&SendEvent { in_flight, ..*out })
    }

    /// The rate of the second flow: its window over this RTT.
    pub(super) fn rate(&self, srtt: Span) -> Rate {
        let bytes = self.law.mean_window() * self.packet.as_f64();
        Rate::from_bps_f64(bytes * 8.0 / srtt.max(Span::NANO).as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROFILE: Rate = Rate::from_bps(1_500_000);

    fn at(micros: u64) -> Time {
        Time::ZERO + Span::from_micros(micros)
    }

    #[test]
    fn packets_are_in_the_profile_up_to_its_rate_however_many_leave() {
        // One each 5.333 ms is the profile; packets leave at a multiple of that that is no whole number.
        for gap in [700, 1_900, 5_333] {
            let mut bucket = InProfile::new(1000);
            let packets = 10_000_000 / gap;
            let taken = (0..packets).filter(|n| bucket.takes(at(n * gap), 1000, PROFILE)).count();
            // 1875 in 10 s.
            assert!((1873..=1876).contains(&taken), "{taken} at {gap} us");
        }
    }

    #[test]
    fn a_pause_earns_two_packets_at_most() {
        let mut bucket = InProfile::new(1000);
        assert!(bucket.takes(at(0), 1000, PROFILE));
        let taken = (0..10).filter(|n| bucket.takes(at(60_000_000 + n), 1000, PROFILE)).count();
        assert_eq!(taken, 2);
    }
}
