//! The rate of a macro-flow at its ingress router: XCP's sender (section 4.5) as a rate, with a control packet a round
//! trip.

use sluice_units::{Bytes, Rate, Span, Time};

use super::header::{CloudHeader, X_FRACTION_BITS};

/// The highest rate, in bytes a second: 100 Tb/s.
const MAX_RATE: f64 = 12.5e12;

/// Feedback takes no rate below a packet in this time, in seconds, or in an RTT if that is longer. (4.1) has a packet an
/// RTT, since a smaller window would stop; a rate would not, and a share may be less.
const LEAST_EVERY: f64 = 1.0;

/// What the ingress router forwarded for a macro-flow since the control packet before, as one passes.
#[derive(Clone, Copy, Debug)]
pub struct Forwarded {
    /// The router's clock.
    pub now: Time,
    /// Bytes forwarded, counted as they are transmitted at the macro-flow's rate.
    pub bytes: f64,
    /// Whether packets wait.
    pub backlogged: bool,
    /// The sum of the weights of micro-flows; of those without a weight, their number. Above 0.
    pub weight: f64,
}

/// The law of one macro-flow.
#[derive(Clone, Debug)]
pub struct MacroFlow {
    /// Size of a full packet, in bytes.
    packet: f64,
    /// The rate at which packets leave, in bytes a second.
    rate: f64,
    /// When the control packet before passed.
    stated: Time,
    /// What no statement has had so far: of X in its unit, and of S in bytes.
    rest: [f64; 2],
}

impl MacroFlow {
    /// A macro-flow that has sent no control packet, with full packets of this size. Until an RTT is known, a packet
    /// may leave every `first_rtt`; the thesis leaves this open.
    pub fn new(packet: Bytes, first_rtt: Span) -> Self {
        let packet = packet.as_f64();
        let rate = packet / first_rtt.as_secs_f64();
        Self { packet, rate, stated: Time::ZERO, rest: [0.0; 2] }
    }

    /// The rate at which packets leave the queue.
    pub fn rate(&self) -> Rate {
        Rate::from_bps_f64(self.rate * 8.0)
    }

    /// A control packet passes with the report of the agent. Returns its statement to the routers.
    pub fn control(&mut self, report: CloudHeader, seen: &Forwarded) -> CloudHeader {
        let time = seen.now.since(self.stated).as_secs_f64();
        self.stated = seen.now;
        // Without an RTT, a time-out may only be shorter than it.
        let Some(rtt) = report.rtt().map(Span::as_secs_f64) else { return CloudHeader::default() };
        if report.last != 0 {
            // "We choose to be conservative and react in a similar manner to TCP (i.e., halve cwnd)" (section 4.5).
            self.rate /= 2.0;
        }
        // (4.1) over rtt: cwnd = max(cwnd + H_feedback x rtt, s).
        let least = self.packet / rtt.max(LEAST_EVERY);
        self.rate = (self.rate + f64::from(report.delta)).max(least);
        if !seen.backlogged && time > 0.0 {
            // "For every RTT in which the sender does not send enough to fill the congestion window, cwnd is reduced
            // by 0.5 x (cwnd - K)" (section 4.5). K / rtt is the rate used, and a window of a packet stays.
            let window = self.packet / rtt.max(time).min(LEAST_EVERY);
            self.rate -= 0.5 * (self.rate - window.max(seen.bytes / time)).max(0.0);
        }
        self.rate = self.rate.clamp(least, MAX_RATE);
        let x = seen.weight * time * f64::from(1_u32 << X_FRACTION_BITS);
        let Some([x, bytes]) = self.state([x, seen.bytes], seen.backlogged) else {
            return CloudHeader { rtt: report.rtt, ..CloudHeader::default() };
        };
        CloudHeader {
            x,
            rtt: report.rtt,
            // "As long as the sender does not use all of its cwnd, it initializes H_feedback to zero" (section 4.5).
            delta: if seen.backlogged { i32::MAX } else { 0 },
            last: bytes,
        }
    }

    /// X and S of a statement, rounded down; the rest is carried to the next one. `None` if X is below its unit, or if S is
    /// and no packet waits: then the next statement has both, but not the time of a pause. Where packets wait, X is
    /// stated all the same, since increase is by time: at a packet a second, S is below a byte for many intervals, and
    /// routers that hear of no packets until then grant nothing.
    fn state(&mut self, exact: [f64; 2], backlogged: bool) -> Option<[u32; 2]> {
        let [x, bytes] = [exact[0] + self.rest[0], exact[1] + self.rest[1]];
        let pauses = bytes < 1.0 && !backlogged;
        if x < 1.0 || pauses {
            self.rest = [if pauses { 0.0 } else { x }, bytes];
            return None;
        }
        let whole = [x, bytes].map(|sum| libm::floor(sum).min(f64::from(u32::MAX)));
        // What exceeds a word is dropped: carried, it would only grow.
        let rest = |sum: f64, whole: f64| if sum - whole < 1.0 { sum - whole } else { 0.0 };
        self.rest = [rest(x, whole[0]), rest(bytes, whole[1])];
        Some(whole.map(|word| word as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RTT: Span = Span::from_millis(125);

    fn flow() -> MacroFlow {
        MacroFlow::new(Bytes::new(1000), Span::from_millis(50))
    }

    fn seen(millis: u64, bytes: f64, backlogged: bool, weight: f64) -> Forwarded {
        Forwarded { now: Time::ZERO + Span::from_millis(millis), bytes, backlogged, weight }
    }

    fn report(feedback: i32) -> CloudHeader {
        CloudHeader::report(Some(RTT), feedback, false)
    }

    /// 20 kB/s, a packet every 50 ms; feedback leaves one a second.
    #[test]
    fn the_rate_moves_by_feedback_and_is_a_packet_a_second_at_least() {
        let mut flow = flow();
        assert_eq!(flow.rate(), Rate::from_bps(160_000));
        flow.control(report(30_000), &seen(100, 2000.0, true, 1.0));
        assert_eq!(flow.rate(), Rate::from_bps(400_000), "20 + 30 kB/s");
        flow.control(report(-60_000), &seen(200, 5000.0, true, 1.0));
        assert_eq!(flow.rate(), Rate::from_bps(8_000), "a packet in a second");
    }

    /// It used 15 kB/s of 50: half of 35 is taken.
    #[test]
    fn an_unused_rate_ages_and_requests_nothing() {
        let mut flow = flow();
        flow.control(report(30_000), &seen(100, 2000.0, true, 1.0));
        let header = flow.control(report(0), &seen(200, 1500.0, false, 1.0));
        assert_eq!(flow.rate(), Rate::from_bps(260_000), "32.5 kB/s");
        assert_eq!((header.delta, header.last), (0, 1500));
    }

    /// Three micro-flows in 100 ms: X = 0.3 s. 5 kB in 100 ms are S, whatever the number of packets.
    #[test]
    fn a_statement_stands_for_what_was_forwarded() {
        let header = flow().control(report(0), &seen(100, 5000.0, true, 3.0));
        let x = (0.3 * f64::from(1_u32 << X_FRACTION_BITS)) as u32;
        assert_eq!((header.x, header.last, header.delta), (x, 5000, i32::MAX));
        assert_eq!(header.rtt(), Some(RTT));
    }

    /// 4000 micro-flows over 3 s: X is 12000 s.
    #[test]
    fn many_micro_flows_over_long_round_trips_are_stated() {
        let header = flow().control(report(0), &seen(3_000, 5000.0, true, 4_000.0));
        assert_eq!(header.x, 12_000 << X_FRACTION_BITS);
    }

    #[test]
    fn rounding_is_carried_on() {
        let mut flow = flow();
        let sum: u64 = (1..=1000)
            .map(|n| u64::from(flow.control(report(0), &seen(n, 12.3456, true, 1.0)).last))
            .sum();
        assert_eq!(sum, 12_345);
    }

    /// A macro-flow that sends nothing keeps a packet an RTT, or between two control packets.
    #[test]
    fn an_idle_macro_flow_keeps_a_packet_a_round_trip() {
        let mut flow = flow();
        flow.control(report(500_000), &seen(125, 2000.0, true, 1.0));
        (2..60).for_each(|n| _ = flow.control(report(0), &seen(125 * n, 0.0, false, 1.0)));
        assert_eq!(flow.rate(), Rate::from_bps(64_000), "a kB in 125 ms");
        let mut near = MacroFlow::new(Bytes::new(1000), Span::from_millis(50));
        let report = |feedback| CloudHeader::report(Some(Span::from_micros(10)), feedback, false);
        near.control(report(50_000_000), &seen(1, 2000.0, true, 1.0));
        (2..60).for_each(|n| _ = near.control(report(0), &seen(n, 0.0, false, 1.0)));
        assert_eq!(near.rate(), Rate::from_bps(8_000_000), "a kB in 1 ms, the least interval");
    }

    /// 2 us are 0.13 units: stated at every eighth control packet, with the bytes of all eight.
    #[test]
    fn times_below_the_unit_are_carried_with_their_bytes() {
        let mut flow = flow();
        let seen = |n: u64| Forwarded {
            now: Time::ZERO + Span::from_micros(2 * n),
            bytes: 100.0,
            backlogged: true,
            weight: 1.0,
        };
        let stated: Vec<_> = (1..=80_000).map(|n| flow.control(report(0), &seen(n))).collect();
        let sum =
            |of: fn(&CloudHeader) -> u32| stated.iter().map(|h| u64::from(of(h))).sum::<u64>();
        let units = 0.16 * f64::from(1_u32 << X_FRACTION_BITS);
        assert!((sum(|header| header.x) as f64 - units).abs() <= 1.0);
        let bytes = sum(|header| header.last);
        assert!((8_000_000 - 800..=8_000_000).contains(&bytes), "{bytes}");
    }

    /// A tenth of a byte in each 10 ms is stated as a byte in one of ten statements, each of which has its time; the time
    /// of a pause is not stated.
    #[test]
    fn while_packets_wait_time_is_stated_without_a_byte() {
        let mut flow = flow();
        let headers: Vec<_> =
            (1..=100).map(|n| flow.control(report(0), &seen(10 * n, 0.1, true, 1.0))).collect();
        let hundredth = 0.01 * f64::from(1_u32 << X_FRACTION_BITS);
        assert!(headers.iter().all(|header| (f64::from(header.x) - hundredth).abs() <= 1.0));
        assert!(headers.iter().all(|header| header.last <= 1 && header.delta == i32::MAX));
        assert!((9..=10).contains(&headers.iter().map(|header| header.last).sum::<u32>()));
        let idle = flow.control(report(0), &seen(5000, 0.0, false, 1.0));
        assert_eq!(idle.x, 0);
        let after = flow.control(report(0), &seen(5010, 5.0, true, 1.0));
        assert!(f64::from(after.x) <= hundredth + 1.0, "{after:?}");
    }

    #[test]
    fn without_an_rtt_or_bytes_nothing_is_stated() {
        let mut flow = flow();
        let first = CloudHeader::report(None, 0, false);
        assert_eq!(flow.control(first, &seen(0, 1000.0, true, 1.0)), CloudHeader::default());
        let idle = flow.control(report(0), &seen(100, 0.0, false, 9.0));
        assert_eq!((idle.x, idle.last, idle.delta), (0, 0, 0));
    }

    /// An RTT above the first time-out is no loss.
    #[test]
    fn before_the_first_answer_nothing_is_lost() {
        let mut flow = flow();
        let before = flow.rate();
        flow.control(CloudHeader::report(None, 0, true), &seen(1000, 2000.0, true, 1.0));
        assert_eq!(flow.rate(), before);
    }

    #[test]
    fn a_lost_control_packet_halves_the_rate() {
        let mut flow = flow();
        flow.control(report(60_000), &seen(100, 2000.0, true, 1.0));
        let lost = CloudHeader::report(Some(RTT), 0, true);
        flow.control(lost, &seen(200, 8000.0, true, 1.0));
        assert_eq!(flow.rate(), Rate::from_bps(320_000));
    }

    #[test]
    fn extremes_are_stated_as_the_nearest() {
        let mut flow = flow();
        let header = flow.control(report(i32::MAX), &seen(60_000, 1e12, true, 1e9));
        assert_eq!((header.x, header.last), (u32::MAX, u32::MAX));
        assert!(header.is_capped());
        let header = flow.control(report(0), &seen(60_000, 5.0, true, 1.0));
        assert_eq!((header.x, header.last), (0, 0), "no time has passed");
        let header = flow.control(report(0), &seen(61_000, 5.0, true, 1.0));
        assert_eq!((header.x, header.last), (1 << X_FRACTION_BITS, 10));
        assert!(!header.is_capped());
    }
}
