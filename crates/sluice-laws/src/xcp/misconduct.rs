//! Senders that cheat (thesis section 7.3): what they declare, and what they make of feedback.

use sluice_units::Rate;

use super::header::XcpHeader;
use crate::WireHeader;
use crate::conduct::Conduct;
use crate::host::{AckEvent, CongestionEvent, HostLaw, RtoEvent, SendEvent};
use crate::router::LawHeader as _;

/// Wraps one of XCP's senders: changes the headers that it sends and the feedback that it receives. (They
/// have no methods of their own beyond those that it hands on.)
#[derive(Clone, Debug)]
pub struct Misconduct<L> {
    law: L,
    throughput_gain: f64,
    rtt_gain: f64,
    increase_gain: f64,
    decrease_gain: f64,
    /// What rounding left over from earlier feedback, in bytes a second.
    rest: f64,
}

/// A sender with the gains of `conduct`: `law` itself, if these are none.
pub(super) fn with_gains<L: HostLaw + 'static>(law: L, conduct: &Conduct) -> Box<dyn HostLaw> {
    let gains = Conduct { fixed_rate: None, added_feedback: None, ..*conduct };
    if gains == Conduct::HONEST {
        return Box::new(law);
    }
    Box::new(Misconduct::new(law, conduct))
}

impl<L: HostLaw> Misconduct<L> {
    /// `law`, with the gains of `conduct`.
    pub const fn new(law: L, conduct: &Conduct) -> Self {
        Self {
            law,
            throughput_gain: conduct.throughput_gain.get(),
            rtt_gain: conduct.rtt_gain.get(),
            increase_gain: conduct.increase_gain.get(),
            decrease_gain: conduct.decrease_gain.get(),
            rest: 0.0,
        }
    }

    /// What a liar declares. "We call the ratio of the true throughput to declared throughput the gain
    /// of the T-liar" (section 7.3.1), "the ratio of the true RTT to declared RTT the gain of the
    /// D-liar" (7.3.2).
    fn declared(&self, truth: XcpHeader) -> XcpHeader {
        XcpHeader {
            x: times(truth.x, self.throughput_gain),
            rtt: times(truth.rtt, 1.0 / self.rtt_gain),
            ..truth
        }
    }

    /// What an abuser makes of feedback. "Whenever the feedback is positive, the abuser increases its
    /// rate by IG x feedback [...]. When the feedback is negative, the abuser decreases its rate by DG
    /// x feedback" (section 7.3.3).
    fn taken(&mut self, feedback: i32) -> i32 {
        let gain = if feedback < 0 { self.decrease_gain } else { self.increase_gain };
        let exact = f64::from(feedback) * gain + self.rest;
        // Casts from floating point saturate; what cannot be taken at all is not owed.
        let taken = exact as i32;
        self.rest = (exact - f64::from(taken)).clamp(-1.0, 1.0);
        taken
    }
}

/// A time in ticks times a gain; nothing stated stays so, and what is stated is at least a tick.
fn times(ticks: u32, gain: f64) -> u32 {
    // Casts from floating point saturate.
    ((f64::from(ticks) * gain + 0.5) as u32).max(u32::from(ticks > 0))
}

impl<L: HostLaw> HostLaw for Misconduct<L> {
    fn on_ack(&mut self, event: &AckEvent) {
        let header = XcpHeader::from_wire(event.header);
        let taken = XcpHeader { reverse: self.taken(header.reverse), ..header };
        self.law.on_ack(&AckEvent { header: taken.to_wire(), ..*event });
    }

    fn on_congestion(&mut self, event: &CongestionEvent) {
        self.law.on_congestion(event);
    }

    fn on_rto(&mut self, event: &RtoEvent) {
        self.law.on_rto(event);
    }

    fn window(&self) -> u32 {
        self.law.window()
    }

    fn rate(&self) -> Option<Rate> {
        self.law.rate()
    }

    fn header(&mut self, out: &SendEvent) -> WireHeader {
        let truth = XcpHeader::from_wire(self.law.header(out));
        self.declared(truth).to_wire()
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        self.law.metrics(out);
    }
}

#[cfg(test)]
mod tests {
    use sluice_units::Ratio;

    use super::super::unresponsive::Unresponsive;
    use super::*;

    /// A law that writes a fixed header, and keeps the last feedback.
    #[derive(Default)]
    struct Law(XcpHeader, i32);

    impl HostLaw for Law {
        fn on_ack(&mut self, event: &AckEvent) {
            self.1 = XcpHeader::from_wire(event.header).reverse;
        }

        fn on_congestion(&mut self, _event: &CongestionEvent) {}

        fn on_rto(&mut self, _event: &RtoEvent) {}

        fn window(&self) -> u32 {
            7
        }

        fn header(&mut self, _out: &SendEvent) -> WireHeader {
            self.0.to_wire()
        }

        fn metrics(&self, _out: &mut dyn FnMut(&'static str, f64)) {}
    }

    fn data() -> SendEvent {
        SendEvent::new(sluice_units::Time::ZERO, crate::host::PacketKind::Data, 1000)
    }

    fn declared(conduct: &Conduct, truth: XcpHeader) -> XcpHeader {
        XcpHeader::from_wire(Misconduct::new(Law(truth, 0), conduct).header(&data()))
    }

    fn taken(conduct: &Conduct, reverse: i32) -> i32 {
        let mut abuser = Misconduct::new(Law::default(), conduct);
        let header = XcpHeader { reverse, ..XcpHeader::default() };
        abuser.on_ack(&AckEvent::new(sluice_units::Time::ZERO, header.to_wire()));
        assert_eq!(abuser.window(), 7);
        abuser.law.1
    }

    /// A gain of 5: a fifth of the throughput, five times the time between packets; a fifth of the RTT.
    #[test]
    fn liars_declare_the_truth_over_their_gain() {
        let truth = XcpHeader { x: 1000, rtt: 2000, delta: 30, reverse: 4 };
        let gain = Ratio::new(5.0);
        let liar = Conduct { throughput_gain: gain, ..Conduct::HONEST };
        assert_eq!(declared(&liar, truth), XcpHeader { x: 5000, ..truth });
        let liar = Conduct { rtt_gain: gain, ..Conduct::HONEST };
        assert_eq!(declared(&liar, truth), XcpHeader { rtt: 400, ..truth });
    }

    #[test]
    fn lies_saturate_and_what_is_not_stated_stays_so() {
        let gains = [0.001, 1000.0].map(Ratio::new);
        for (throughput_gain, rtt_gain) in [(gains[0], gains[1]), (gains[1], gains[0])] {
            let liar = Conduct { throughput_gain, rtt_gain, ..Conduct::HONEST };
            assert_eq!(declared(&liar, XcpHeader::default()), XcpHeader::default());
            let least = declared(&liar, XcpHeader { x: 1, rtt: 1, ..XcpHeader::default() });
            assert!(least.states_throughput(), "{least:?}");
        }
        let liar = Conduct { throughput_gain: gains[1], ..Conduct::HONEST };
        let truth = XcpHeader { x: u32::MAX / 2, rtt: 1, ..XcpHeader::default() };
        assert_eq!(declared(&liar, truth).x, u32::MAX);
    }

    #[test]
    fn an_abuser_takes_more_and_gives_up_less() {
        let conduct = Conduct {
            increase_gain: Ratio::new(3.0),
            decrease_gain: Ratio::new(0.5),
            ..Conduct::HONEST
        };
        assert_eq!([8000, -8000, 0].map(|each| taken(&conduct, each)), [24_000, -4000, 0]);
        assert_eq!(taken(&conduct, i32::MAX), i32::MAX);
    }

    /// A hundredth of -30 a packet is -3 for ten of them.
    #[test]
    fn an_abuser_forgets_no_part_of_a_small_feedback() {
        let gain = Ratio::new(0.01);
        let conduct = Conduct { decrease_gain: gain, ..Conduct::HONEST };
        let mut abuser = Misconduct::new(Law::default(), &conduct);
        let sum: i32 = (0..10).map(|_| abuser.taken(-30)).sum();
        assert!((-3..=-2).contains(&sum), "{sum}");
        abuser.taken(i32::MIN);
        assert_eq!(abuser.taken(0), 0);
    }

    /// 1000 bytes at 640 kb/s are 12.5 ms apart, and 100 ms as an eighth of that rate.
    #[test]
    fn an_unresponsive_liar_paces_and_lies() {
        let rate = Rate::from_bps(640_000);
        let gain = Ratio::new(8.0);
        let conduct = Conduct { fixed_rate: Some(rate), throughput_gain: gain, ..Conduct::HONEST };
        let sender = Unresponsive::new(rate, Ratio::new(1.0), 1000);
        let mut liar = Misconduct::new(sender, &conduct);
        let answer = AckEvent::new(sluice_units::Time::ZERO, WireHeader::default());
        liar.on_ack(&AckEvent { srtt: Some(sluice_units::Span::from_millis(125)), ..answer });
        assert_eq!(liar.rate(), Some(rate));
        let x = XcpHeader::from_wire(liar.header(&data())).x;
        assert!((f64::from(x) / f64::from(1 << 28) - 0.1).abs() < 1e-6, "{x}");
    }
}
