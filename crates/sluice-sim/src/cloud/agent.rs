//! The agent of a macro-flow at its ingress node, which exchanges control packets with the egress node.

use sluice_laws::WireHeader;
use sluice_laws::transport::Rto;
use sluice_laws::xcp_cloud::CloudHeader;
use sluice_units::{Span, Time};

/// The time-out before the first RTT, and the least one (RFC 6298 (2.1), and Linux's least).
const TIME_OUTS: (Span, Span) = (Span::from_secs(1), Span::from_millis(200));

/// Sends a control packet as the one before is back, or is taken for lost.
#[derive(Clone, Debug)]
pub(crate) struct Agent {
    min_interval: Span,
    rto: Rto,
    /// Control packets sent.
    sent: u64,
    /// When the last one left.
    at: Time,
    /// Whether it has not come back.
    awaits: bool,
    /// When its timer fires.
    due: Time,
    /// The feedback returned since the last one left, in bytes a second.
    feedback: i32,
}

impl Agent {
    /// The agent of a macro-flow whose first control packet leaves at `start`.
    pub(crate) fn new(min_interval: Span, start: Time) -> Self {
        let rto = Rto::new(TIME_OUTS.0, TIME_OUTS.1);
        Self { min_interval, rto, sent: 0, at: start, awaits: false, due: start, feedback: 0 }
    }

    /// When its timer fires.
    pub(crate) fn due(&self) -> Time {
        self.due
    }

    /// Its timer fires at `now`: the number of the control packet that leaves, and its report.
    pub(crate) fn send(&mut self, now: Time) -> (u64, WireHeader) {
        let lost = self.awaits;
        if lost {
            self.rto.back_off();
        }
        let report = CloudHeader::report(self.rtt(), self.feedback, lost);
        self.feedback = 0;
        self.sent += 1;
        (self.at, self.awaits) = (now, true);
        self.due = now + self.rto.current();
        (self.sent, report.to_wire())
    }

    /// H_rtt, once it is measured: the propagation delay, or the least interval if that is longer. Routers take it for the
    /// delay of their loop, and in an interval below that between two statements they would have none to share by.
    fn rtt(&self) -> Option<Span> {
        Some(self.rto.min_rtt()?.max(self.min_interval))
    }

    /// A control packet that left at `sent` comes back at `now`. One that was taken for lost returns its feedback
    /// all the same.
    pub(crate) fn answered(&mut self, now: Time, number: u64, sent: Time, answer: WireHeader) {
        self.feedback = self.feedback.saturating_add(CloudHeader::from_wire(answer).feedback());
        self.rto.sample(now.since(sent));
        if number == self.sent {
            self.awaits = false;
            self.due = now.max(self.at + self.min_interval);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Time {
        Time::ZERO + Span::from_millis(ms)
    }

    fn answer(feedback: i32) -> WireHeader {
        CloudHeader { delta: feedback, ..CloudHeader::default() }.answer().to_wire()
    }

    fn read(wire: WireHeader) -> CloudHeader {
        CloudHeader::from_wire(wire)
    }

    #[test]
    fn a_control_packet_leaves_as_the_one_before_is_back() {
        let mut agent = Agent::new(Span::from_millis(1), ms(5));
        let (number, report) = agent.send(agent.due());
        assert_eq!(read(report), CloudHeader::default());
        agent.answered(ms(130), number, ms(5), answer(700));
        assert_eq!(agent.due(), ms(130));
        let (_, report) = agent.send(ms(130));
        assert_eq!((read(report).rtt(), read(report).delta), (Some(Span::from_millis(125)), 700));
    }

    #[test]
    fn within_the_least_interval_none_leaves() {
        // 2^-6 s, which a header states exactly.
        let least = Span::from_micros(15_625);
        let mut agent = Agent::new(least, ms(0));
        let (number, _) = agent.send(ms(0));
        agent.answered(ms(2), number, ms(0), answer(0));
        assert_eq!(agent.due(), ms(0) + least);
        let (_, report) = agent.send(ms(0) + least);
        assert_eq!(read(report).rtt(), Some(least));
    }

    #[test]
    fn one_that_is_lost_is_reported_and_what_comes_late_is_not_lost() {
        let mut agent = Agent::new(Span::from_millis(1), ms(0));
        let (first, _) = agent.send(ms(0));
        assert_eq!(agent.due(), ms(1000), "RFC 6298 (2.1)");
        let (second, report) = agent.send(ms(1000));
        assert_eq!(read(report).last, 1);
        assert_eq!(agent.due(), ms(3000), "RFC 6298 (5.5)");
        agent.answered(ms(1010), first, ms(0), answer(30));
        assert_eq!(agent.due(), ms(3000), "the second is under way");
        agent.answered(ms(1500), second, ms(1000), answer(4));
        let (_, report) = agent.send(ms(1500));
        let report = read(report);
        assert_eq!(
            (report.rtt(), report.delta, report.last),
            (Some(Span::from_millis(500)), 34, 0)
        );
    }
}
