//! TCP's congestion control: slow start and congestion avoidance (RFC 5681).

use sluice_units::{Rate, Ratio};

use super::hystart::InitialSlowStart;
use super::pacing::Pacer;
use super::params::{Growth, TcpParams};
use crate::WireHeader;
use crate::host::{AckEvent, CongestionEvent, HostLaw, RtoEvent, SendEvent, SenderContext};

/// RFC 5681 eq. (4): ssthresh is never below two packets.
const MIN_SSTHRESH: u32 = 2;

/// The loss window of RFC 5681 section 3.1: one packet.
const LOSS_WINDOW: u32 = 1;

/// The window of a TCP sender, in packets. It is the same for every recovery ([`super::Repair`]): what fast recovery adds to cwnd counts there as packets
/// that left the network, so that here the window is ssthresh from the loss until its repair.
///
/// The window is whole packets, of which alone packets are admitted, and what is gained towards the
/// next one.
#[derive(Clone, Copy, Debug)]
pub struct Reno {
    cwnd: u32,
    ssthresh: u32,
    gained: Gained,
    /// From a loss until the acknowledgement that ends its repair.
    repairing: bool,
    /// See [`TcpParams`].
    min_window: u32,
    grow_as_recovery_ends: bool,
    /// N of MulTCP: how many flows it stands for, 1 at least.
    flows: f64,
    /// Packets that congestion avoidance adds in an RTT, and the most for one acknowledgement.
    growth: f64,
    most_growth: f64,
    /// Whether an acknowledgement of several packets counts as one for each ([`Growth::ByteCounting`]).
    counts_packets: bool,
    /// The part of the window that a loss takes.
    reduction: f64,
    /// The window in packets below which slow start triples it each RTT.
    tripled_below: f64,
    slow_start: InitialSlowStart,
    pacer: Option<Pacer>,
}

/// What congestion avoidance has gained since cwnd last grew.
#[derive(Clone, Copy, Debug)]
enum Gained {
    /// Packets acknowledged: exact, where steps of 1/cwnd would round away just where windows are
    /// large.
    Acknowledged(u32),
    /// A fraction of a packet, below 1. Equation (3) is in bytes, and so keeps it when cwnd is halved.
    Fraction(f64),
}

impl Reno {
    /// A sender that starts with the initial window (at least 1 packet), in slow start; where
    /// the parameters set no ssthresh, it is as high as can be (RFC 5681 section 3.1).
    ///
    /// With a weight N it is MulTCP (J. Crowcroft, P. Oechslin, "Differentiated end-to-end Internet
    /// services using a weighted proportional fair sharing TCP", 1998): N packets an RTT, half of one
    /// of N flows given up at a loss, and slow start that triples the window each RTT until it is that
    /// of N flows (`caught_up`). Recovery stays one flow's. A time-out is taken as a loss of one of N
    /// flows for ssthresh, and as one flow's for the window, which starts again from one packet.
    ///
    /// A responsive abuser "increases its cwnd by 1 x IG packets every RTT, and decreases it by 0.5 x
    /// DG for each drop" (Katabi's thesis, section 7.3.3).
    pub fn new(params: &TcpParams, context: &SenderContext) -> Self {
        let flows = context.weight.get().max(1.0);
        let increase_gain = context.conduct.increase_gain.get();
        let decrease_gain = context.conduct.decrease_gain.get();
        Self {
            cwnd: context.initial_window.max(LOSS_WINDOW),
            ssthresh: params.initial_ssthresh.unwrap_or(u32::MAX).max(MIN_SSTHRESH),
            gained: match params.growth {
                // Whole packets are too coarse for the steps of an abuser.
                Growth::ByteCounting if increase_gain == 1.0 && decrease_gain == 1.0 => {
                    Gained::Acknowledged(0)
                }
                Growth::ByteCounting | Growth::PerAck => Gained::Fraction(0.0),
            },
            repairing: false,
            min_window: params.min_window.max(LOSS_WINDOW),
            grow_as_recovery_ends: params.grow_as_recovery_ends,
            flows,
            growth: flows * increase_gain,
            most_growth: increase_gain.max(1.0),
            counts_packets: params.growth == Growth::ByteCounting,
            reduction: (0.5 / flows * decrease_gain).min(1.0),
            tripled_below: caught_up(context.initial_window.max(LOSS_WINDOW), context.weight),
            slow_start: params.initial_slow_start(params.pacing),
            pacer: params.pacer(context),
        }
    }

    fn respond(&mut self, event: &AckEvent) {
        let ends = core::mem::replace(&mut self.repairing, event.recovering);
        if event.recovering || ends && !self.grow_as_recovery_ends {
            return;
        }
        if self.cwnd < self.ssthresh && self.slow_start.ends(event) {
            self.ssthresh = self.cwnd.max(MIN_SSTHRESH); // RFC 9406 section 4.2
        }
        if event.fills(self.cwnd) {
            self.grow(event.acked);
        }
    }

    fn grow(&mut self, acked: u32) {
        if self.cwnd < self.ssthresh {
            let flow = self.slow_start.growth(acked);
            let tripled = f64::from(self.cwnd) < self.tripled_below;
            let growth = if tripled { flow.saturating_mul(2) } else { flow };
            self.cwnd = self.cwnd.saturating_add(growth);
            return;
        }
        match &mut self.gained {
            // RFC 5681 section 3.1: "when the number of bytes acknowledged reaches cwnd, then cwnd
            // can be incremented by up to SMSS".
            Gained::Acknowledged(counted) => {
                *counted = counted.saturating_add(acked);
                let step = ((f64::from(self.cwnd) / self.growth) as u32).max(1);
                if *counted >= step {
                    // "MUST NOT be increased by more than SMSS bytes per RTT": one ACK that covers
                    // several windows is no reason for several steps.
                    *counted = (*counted - step).min(step);
                    self.cwnd = self.cwnd.saturating_add(1);
                }
            }
            // Eq. (3): cwnd += SMSS*SMSS/cwnd
            Gained::Fraction(fraction) => {
                let counted = if self.counts_packets { f64::from(acked) } else { 1.0 };
                let growth = self.growth / (f64::from(self.cwnd) + *fraction);
                *fraction += counted * growth.min(self.most_growth);
                if *fraction >= 1.0 {
                    let packets = *fraction as u32;
                    *fraction -= f64::from(packets);
                    self.cwnd = self.cwnd.saturating_add(packets);
                }
            }
        }
    }

    /// RFC 5681 eq. (4): ssthresh = max(FlightSize / 2, 2*SMSS); MulTCP: (N - 1/2) / N in place of
    /// the half. Returns the window that is left, in whole packets.
    ///
    /// A departure: of the window, where that is less, as Linux and ns-2 have it. During and after a
    /// repair FlightSize counts all that was sent and SACKed while the first hole stayed open, which
    /// may be many windows, and ssthresh would rise at a loss.
    fn halve(&mut self, in_flight: u32) -> u32 {
        let window = f64::from(in_flight.min(self.cwnd));
        let kept = 1.0 - self.reduction;
        let min = f64::from(self.min_window);
        let left = match &mut self.gained {
            Gained::Acknowledged(counted) => {
                *counted = 0;
                (window * kept).max(min)
            }
            Gained::Fraction(fraction) => {
                let left = ((window + *fraction) * kept).max(min);
                *fraction = left.fract();
                left
            }
        };
        self.ssthresh = (left as u32).max(MIN_SSTHRESH);
        self.slow_start.give_up();
        self.tripled_below = 0.0;
        left as u32
    }
}

/// The window at which one flow that triples its window each RTT has caught up with `weight` flows that
/// double theirs, all from a window of `start`: start x 3^k, with 3^k = weight x 2^k after k =
/// ln(weight) / (ln 3 - ln 2) RTTs. 512 times `start` for a weight of 10; 0 for one flow, which never
/// triples it.
fn caught_up(start: u32, weight: Ratio) -> f64 {
    if weight.get() <= 1.0 {
        return 0.0;
    }
    let rounds = libm::log(weight.get()) / libm::log(1.5);
    f64::from(start) * libm::pow(3.0, rounds)
}

impl HostLaw for Reno {
    fn on_ack(&mut self, event: &AckEvent) {
        self.respond(event);
        if let Some(pacer) = &mut self.pacer {
            pacer.on_ack(event, f64::from(self.cwnd), f64::from(self.ssthresh));
        }
    }

    fn on_congestion(&mut self, event: &CongestionEvent) {
        // RFC 5681 section 3.2 steps 3 and 6, without the inflation; RFC 6675 step (4.2)
        self.cwnd = self.halve(event.in_flight);
        self.repairing = true;
    }

    fn on_rto(&mut self, event: &RtoEvent) {
        // RFC 5681 section 3.1: after a first time-out eq. (4), after more of the same packet
        // "the value of ssthresh is held constant". A lost SYN has nothing in flight and sets only
        // the window.
        if event.first && event.in_flight > 0 {
            self.halve(event.in_flight);
        }
        self.cwnd = LOSS_WINDOW;
        self.tripled_below = caught_up(LOSS_WINDOW, Ratio::new(self.flows));
        if let Gained::Fraction(fraction) = &mut self.gained {
            *fraction = 0.0;
        }
        self.repairing = false;
    }

    fn window(&self) -> u32 {
        self.cwnd
    }

    fn rate(&self) -> Option<Rate> {
        self.pacer.map(|pacer| pacer.rate())
    }

    fn header(&mut self, out: &SendEvent) -> WireHeader {
        if let Some(pacer) = &mut self.pacer {
            pacer.on_send(out.kind);
        }
        WireHeader::default()
    }

    /// `cwnd` and `ssthresh` in packets; an unlimited ssthresh is 4294967295.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        let fraction = match self.gained {
            Gained::Acknowledged(counted) => f64::from(counted) / f64::from(self.cwnd),
            Gained::Fraction(fraction) => fraction,
        };
        out("cwnd", f64::from(self.cwnd) + fraction.min(1.0));
        out("ssthresh", f64::from(self.ssthresh));
    }
}

#[cfg(test)]
mod tests {
    use crate::conduct::Conduct;
    use sluice_units::{Bytes, Time};

    use super::*;

    const ONE: Ratio = Ratio::new(1.0);
    const COUNTING: Growth = Growth::ByteCounting;

    fn reno(initial_window: u32, ssthresh: Option<u32>, growth: Growth, weight: Ratio) -> Reno {
        let params = TcpParams { initial_ssthresh: ssthresh, growth, ..TcpParams::default() };
        Reno::new(&params, &context(initial_window, weight))
    }

    /// In congestion avoidance.
    fn abuser(window: u32, increase: f64, decrease: f64) -> Reno {
        let params = TcpParams { initial_ssthresh: Some(window), ..TcpParams::default() };
        let conduct = Conduct {
            increase_gain: Ratio::new(increase),
            decrease_gain: Ratio::new(decrease),
            ..Conduct::HONEST
        };
        Reno::new(&params, &SenderContext { conduct, ..context(window, ONE) })
    }

    fn context(initial_window: u32, weight: Ratio) -> SenderContext {
        let context = SenderContext::new(Bytes::new(1000), Bytes::new(40));
        SenderContext { initial_window, weight, ..context }
    }

    fn ack(law: &mut Reno, acked: u32, recovering: bool) {
        let used = law.cwnd;
        law.on_ack(&answer(acked, used, recovering));
    }

    fn answer(acked: u32, used: u32, recovering: bool) -> AckEvent {
        AckEvent { acked, used, recovering, ..AckEvent::new(Time::ZERO, WireHeader::default()) }
    }

    fn lost(law: &mut Reno, in_flight: u32) {
        law.on_congestion(&CongestionEvent::new(Time::ZERO, in_flight));
    }

    fn timed_out(law: &mut Reno, in_flight: u32, first: bool) {
        law.on_rto(&RtoEvent { now: Time::ZERO, in_flight, first });
    }

    #[test]
    fn slow_start_doubles_each_rtt_until_ssthresh() {
        let mut law = reno(2, Some(16), COUNTING, ONE);
        for expected in [4, 8, 16] {
            for _ in 0..law.cwnd {
                ack(&mut law, 1, false);
            }
            assert_eq!(law.control().window, expected);
        }
    }

    #[test]
    fn congestion_avoidance_adds_a_packet_each_rtt_with_and_without_delayed_acks() {
        let thirty_rtts: u32 = (10..40).sum();
        for acked in [1, 3, 5] {
            let mut law = reno(10, Some(10), COUNTING, ONE);
            for _ in 0..thirty_rtts / acked {
                ack(&mut law, acked, false);
            }
            assert_eq!(law.control().window, 40);
        }
    }

    /// RFC 5681 equation (3): with delayed ACKs half a packet an RTT. From a window w, 1/cwnd an ACK
    /// reaches w + 1 after w + 1/2 ACKs: the integral of cwnd from w to w + 1.
    #[test]
    fn growth_per_ack_follows_equation_3_whatever_an_ack_acknowledges() {
        let thirty_windows: f64 = (10..40).map(|w| f64::from(w) + 0.5).sum();
        for acked in [1, 2, 5] {
            let mut law = reno(10, Some(10), Growth::PerAck, ONE);
            let mut acks = 0;
            while law.cwnd < 40 {
                ack(&mut law, acked, false);
                acks += 1;
            }
            assert!((f64::from(acks) - thirty_windows).abs() <= 2.0, "{acks}, {thirty_windows}");
        }
    }

    /// 5.9 packets: half of it is 2.95.
    #[test]
    fn growth_per_ack_keeps_fractions_of_a_packet_at_a_loss() {
        let mut law = reno(5, Some(5), Growth::PerAck, ONE);
        law.gained = Gained::Fraction(0.9);
        lost(&mut law, 5);
        assert_eq!((law.cwnd, law.ssthresh), (2, 2));
        ack(&mut law, 3, false); // ends the repair
        ack(&mut law, 1, false); // 2.95 + 1/2.95
        assert_eq!(law.cwnd, 3);
        timed_out(&mut law, 3, true);
        assert!(matches!(law.gained, Gained::Fraction(0.0)));
    }

    /// 3.4 packets: half of it is 1.7, below ssthresh; by RFC 5681 it is 2.
    #[test]
    fn a_window_below_ssthresh_after_a_loss_grows_by_slow_start() {
        for (min_window, after_loss, after_ack) in [(1, 1, 2), (2, 2, 2)] {
            let params = TcpParams { min_window, growth: Growth::PerAck, ..TcpParams::default() };
            let mut law = Reno::new(&params, &context(3, ONE));
            law.ssthresh = 2;
            law.gained = Gained::Fraction(0.4);
            lost(&mut law, 3);
            assert_eq!((law.cwnd, law.ssthresh), (after_loss, 2));
            ack(&mut law, 3, false); // ends the repair
            ack(&mut law, 1, false);
            assert_eq!(law.cwnd, after_ack);
        }
    }

    #[test]
    fn the_acknowledgement_that_ends_recovery_grows_the_window_only_if_it_is_to() {
        for grow_as_recovery_ends in [false, true] {
            let params =
                TcpParams { grow_as_recovery_ends, growth: Growth::PerAck, ..TcpParams::default() };
            let mut law = Reno::new(&params, &context(4, ONE));
            lost(&mut law, 4);
            ack(&mut law, 1, true);
            ack(&mut law, 3, false);
            let Gained::Fraction(fraction) = law.gained else { panic!() };
            assert_eq!((law.cwnd, fraction), (2, if grow_as_recovery_ends { 0.5 } else { 0.0 }));
        }
    }

    #[test]
    fn a_huge_window_still_grows_by_exactly_one() {
        let mut law = reno(1000, Some(1000), COUNTING, ONE);
        law.cwnd = 1_000_000;
        for _ in 0..999_999 {
            ack(&mut law, 1, false);
        }
        assert_eq!(law.control().window, 1_000_000);
        ack(&mut law, 1, false);
        assert_eq!(law.control().window, 1_000_001);
    }

    #[test]
    fn a_loss_halves_the_window_which_stays_until_the_repair_is_acknowledged() {
        let mut law = reno(20, None, COUNTING, ONE);
        lost(&mut law, 21);
        assert_eq!(law.control().window, 10);
        ack(&mut law, 1, true);
        ack(&mut law, 20, false); // ends the repair
        assert_eq!(law.control().window, 10);
        for _ in 0..10 {
            ack(&mut law, 1, false);
        }
        assert_eq!(law.control().window, 11);
    }

    #[test]
    fn a_time_out_sets_the_loss_window_and_ssthresh_once_for_a_packet() {
        let mut law = reno(20, None, COUNTING, ONE);
        timed_out(&mut law, 20, true);
        timed_out(&mut law, 1, false);
        assert_eq!((law.control().window, law.ssthresh), (1, 10));
        timed_out(&mut law, 1, true);
        assert_eq!(law.ssthresh, 2);
    }

    /// While a hole stays open, all that is sent and SACKed counts as FlightSize.
    #[test]
    fn a_loss_never_raises_ssthresh() {
        let mut law = reno(40, None, COUNTING, ONE);
        lost(&mut law, 40);
        assert_eq!(law.ssthresh, 20);
        lost(&mut law, 1000);
        assert_eq!(law.ssthresh, 10);
        timed_out(&mut law, 1000, true);
        assert_eq!(law.ssthresh, 5);
    }

    #[test]
    fn a_lost_syn_leaves_slow_start_on() {
        let mut law = reno(10, None, COUNTING, ONE);
        timed_out(&mut law, 0, true);
        assert_eq!((law.control().window, law.ssthresh), (1, u32::MAX));
    }

    #[test]
    fn a_window_that_is_not_used_does_not_grow() {
        let mut law = reno(20, None, COUNTING, ONE);
        law.on_ack(&answer(1, 9, false));
        assert_eq!(law.control().window, 20);
        law.on_ack(&answer(1, 10, false));
        assert_eq!(law.control().window, 21);
    }

    /// MulTCP: 1, 3, 9 packets, where two flows would have 2, 4, 8; from 3^1.71 = 6.5 packets on doubled.
    #[test]
    fn a_weight_of_two_triples_the_window_until_it_has_caught_up() {
        let mut law = reno(1, None, COUNTING, Ratio::new(2.0));
        assert!((law.tripled_below - 6.54).abs() < 0.01, "{}", law.tripled_below);
        let round = |law: &mut Reno| {
            (0..law.cwnd).for_each(|_| ack(law, 1, false));
            law.cwnd
        };
        // 3, 5 and 7 packets, and then one at a time.
        assert_eq!([1, 2, 3].map(|_| round(&mut law)), [3, 8, 16]);
        timed_out(&mut law, 16, true);
        assert_eq!([1, 2, 3].map(|_| round(&mut law)), [3, 8, 12]);
        assert!(
            (reno(10, None, COUNTING, Ratio::new(10.0)).tripled_below / 10.0 - 512.0).abs() < 1.0
        );
    }

    /// MulTCP: 2 packets an RTT, and a quarter given up at a loss.
    #[test]
    fn a_weight_of_two_grows_and_falls_as_two_flows_would() {
        let mut law = reno(40, Some(40), COUNTING, Ratio::new(2.0));
        for _ in 0..20 + 20 {
            ack(&mut law, 1, false);
        }
        assert_eq!(law.control().window, 42);
        lost(&mut law, 40);
        assert_eq!(law.control().window, 30);
    }

    /// An abuser with a window of 40, an increase gain of 4 and a decrease gain of a half: 4 packets an
    /// RTT, and a quarter of the window given up at a loss.
    #[test]
    fn an_abuser_grows_by_its_increase_gain_and_falls_by_its_decrease_gain() {
        let mut law = abuser(40, 4.0, 0.5);
        for _ in 0..20 {
            ack(&mut law, 2, false);
        }
        assert!((43..=44).contains(&law.cwnd), "{}", law.cwnd);
        let before = law.cwnd;
        lost(&mut law, before);
        assert_eq!(law.control().window, before * 3 / 4);
    }

    /// A hundredth of the half of 50 packets is a quarter of a packet.
    #[test]
    fn an_abuser_gives_up_parts_of_a_packet() {
        let mut law = abuser(50, 1.0, 0.01);
        (0..3).for_each(|_| lost(&mut law, 50));
        assert_eq!(law.cwnd, 49);
        let Gained::Fraction(fraction) = law.gained else { panic!("{:?}", law.gained) };
        assert!((fraction - 0.25).abs() < 0.01, "{fraction}");
    }

    #[test]
    fn an_abuser_may_grow_by_many_packets_for_one_acknowledgement_and_lose_all_but_the_least() {
        let mut law = abuser(10, 100.0, 4.0);
        ack(&mut law, 1, false);
        assert_eq!(law.cwnd, 20);
        lost(&mut law, 20);
        assert_eq!(law.control().window, law.min_window);
    }
}
