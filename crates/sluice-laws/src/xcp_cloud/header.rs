//! The header of a control packet, in the three parts of its way: from the agent at the ingress node to the queue of its
//! macro-flow (a report), from there to the egress (a statement), and back (an answer).

use sluice_units::Span;

use crate::WireHeader;
use crate::wire::ticks::{span, ticks};
use crate::xcp::header::XcpHeader;

/// Fraction bits of [`CloudHeader::x`]: 2^-16 s (15 us) to 65536 s, since the time is multiplied by the weight. What is
/// below the unit is carried to the next statement, and what is above the range is cut ([`CloudHeader::is_capped`]).
pub const X_FRACTION_BITS: u32 = 16;

/// The header of a control packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CloudHeader {
    /// w T, in 2^-16 s: the time since the control packet before, times the weight of the macro-flow. 0 states no
    /// throughput: in reports and answers, and of a macro-flow that had nothing to forward.
    pub x: u32,
    /// H_rtt, the measured propagation delay between ingress and egress and back, in 2^-28 s; 0 before the first
    /// measurement.
    pub rtt: u32,
    /// H_feedback in bytes a second: in a report, what the path granted last; in a statement, the request, and what is
    /// left of it.
    pub delta: i32,
    /// In a statement, S: the bytes forwarded since the control packet before, at most 2^32 - 1. In an answer, the
    /// feedback as in [`XcpHeader::reverse`]. In a report, 1 after a control packet that was lost.
    pub last: u32,
}

impl CloudHeader {
    /// What the agent knows: the RTT, the feedback since its last report, and whether a control packet was lost since.
    pub fn report(rtt: Option<Span>, feedback: i32, lost: bool) -> Self {
        let rtt = rtt.map_or(0, |rtt| ticks(rtt.as_secs_f64()));
        Self { x: 0, rtt, delta: feedback, last: u32::from(lost) }
    }

    /// The answer of the egress to this statement.
    pub const fn answer(self) -> Self {
        Self { x: 0, rtt: 0, delta: 0, last: self.delta as u32 }
    }

    /// Whether this statement has less than all of w T or S, since these exceed their words. Routers then grant the
    /// macro-flow too little increase, or decrease.
    pub const fn is_capped(self) -> bool {
        self.x != 0 && (self.x == u32::MAX || self.last == u32::MAX)
    }

    /// The feedback of an answer, in bytes a second.
    pub const fn feedback(self) -> i32 {
        self.last as i32
    }

    /// The RTT; `None` before the first measurement.
    pub fn rtt(self) -> Option<Span> {
        (self.rtt != 0).then(|| span(self.rtt))
    }

    /// Reads the header from the wire.
    #[inline]
    pub const fn from_wire(wire: WireHeader) -> Self {
        let [x, rtt, delta, last] = wire.get();
        Self { x, rtt, delta: delta as i32, last }
    }

    /// Writes the header to the wire.
    #[inline]
    pub const fn to_wire(self) -> WireHeader {
        WireHeader::new([self.x, self.rtt, self.delta as u32, self.last])
    }

    /// The header of the packets that a statement stands for, as XCP's routers read it, but with X in 2^-16 s.
    pub(super) const fn as_xcp(self) -> XcpHeader {
        XcpHeader { x: self.x, rtt: self.rtt, delta: self.delta, reverse: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_returns_the_feedback_and_states_nothing() {
        for delta in [i32::MIN, -7, 0, 7, i32::MAX] {
            let statement = CloudHeader { x: 9, rtt: 8, delta, last: 1000 };
            let answer = CloudHeader::from_wire(statement.answer().to_wire());
            assert_eq!(answer.feedback(), delta);
            assert!(!answer.as_xcp().states_throughput());
        }
    }

    #[test]
    fn a_report_states_nothing_and_keeps_what_it_reports() {
        let report = CloudHeader::report(Some(Span::from_millis(125)), -5, true);
        let read = CloudHeader::from_wire(report.to_wire());
        assert!(!read.as_xcp().states_throughput());
        assert_eq!((read.rtt(), read.delta, read.last), (Some(Span::from_millis(125)), -5, 1));
        assert_eq!(CloudHeader::report(None, 0, false).rtt(), None);
    }
}
