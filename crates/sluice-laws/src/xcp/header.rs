//! The congestion header (Katabi's thesis, figure 4-1).
//!
//! The thesis leaves the representation open (section 9.3.3), so it is that of
//! draft-falk-xcp-spec-03, with ticks of 2^-28 s: H_throughput is carried as X = s / r, the time between two packets of
//! the flow, which spares the router its divisions (last paragraph of Appendix A).

use crate::wire::{Coding, Form};
use crate::{WireHeader, router};

/// XCP's congestion header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct XcpHeader {
    /// Time between two packets of the flow, s / r, in ticks; 0 states no throughput.
    pub x: u32,
    /// The sender's RTT estimate (H_rtt) in ticks; 0 before the first sample. (The thesis writes
    /// -1; Appendix A then adds that -1 to its sums.)
    pub rtt: u32,
    /// H_feedback of a data packet: the change of throughput that the sender requests and the
    /// path still grants, in bytes a second.
    pub delta: i32,
    /// In an acknowledgement: the sum of `delta` since the last one, in bytes a
    /// second.
    pub reverse: i32,
}

impl XcpHeader {
    /// Whether the packet states what its flow sends: not before the first RTT sample, and not in
    /// an acknowledgement.
    pub const fn states_throughput(&self) -> bool {
        self.x != 0 && self.rtt != 0
    }
}

impl router::LawHeader for XcpHeader {
    const FORM: Form = Form { law: 2, forward: 3, echo: Coding::Feedback };

    #[inline]
    fn from_wire(wire: WireHeader) -> Self {
        let [x, rtt, delta, reverse] = wire.get();
        Self { x, rtt, delta: delta as i32, reverse: reverse as i32 }
    }

    #[inline]
    fn to_wire(self) -> WireHeader {
        WireHeader::new([self.x, self.rtt, self.delta as u32, self.reverse as u32])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::router::LawHeader as _;

    #[test]
    fn words_are_the_drafts_fields_in_order() {
        let wire = WireHeader::new([7, 1 << 28, (-3_i32) as u32, i32::MAX as u32]);
        let header = XcpHeader::from_wire(wire);
        assert_eq!(header, XcpHeader { x: 7, rtt: 1 << 28, delta: -3, reverse: i32::MAX });
        assert_eq!(header.to_wire(), wire);
    }

    #[test]
    fn without_a_throughput_or_an_rtt_nothing_is_stated() {
        let data = XcpHeader { x: 5, rtt: 9, ..XcpHeader::default() };
        assert!(data.states_throughput());
        assert!(!XcpHeader { x: 0, ..data }.states_throughput());
        assert!(!XcpHeader { rtt: 0, ..data }.states_throughput());
    }
}
