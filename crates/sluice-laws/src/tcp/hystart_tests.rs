use super::*;
use crate::WireHeader;

/// Where the acknowledgements of rounds come from: a window leaves at once, and all of it is
/// acknowledged an RTT later.
struct Path {
    law: HyStart,
    now: Time,
    window: u32,
}

impl Path {
    fn new(window: u32) -> Self {
        Self { law: HyStart::new(false), now: Time::ZERO + Span::from_secs(1), window }
    }

    /// A round in which the `n`-th packet takes `rtt(n)`, which must not fall; the acknowledgement that
    /// ends slow start, from 1.
    fn round(&mut self, rtt: impl Fn(u32) -> Span) -> Option<u32> {
        let sent = self.now;
        for n in 1..=self.window {
            let rtt = rtt(n);
            self.now = self.now.max(sent + rtt);
            let answer = AckEvent::new(self.now, WireHeader::default());
            if self.law.ends(&AckEvent { rtt: Some(rtt), acked: 1, sent, ..answer }) {
                return Some(n);
            }
        }
        None
    }

    /// Rounds of one RTT; that in which slow start ends, from 1.
    fn rounds(&mut self, count: u32, rtt: Span) -> Option<u32> {
        (1..=count).find(|_| self.round(|_| rtt).is_some())
    }

    fn is_conservative(&self) -> bool {
        self.law.conservative.is_some()
    }
}

fn ms(millis: u64) -> Span {
    Span::from_millis(millis)
}

/// RttThresh = max(4 ms, min(lastRoundMinRTT / 8, 16 ms)).
#[test]
fn the_rise_that_ends_slow_start_is_an_eighth_within_bounds() {
    for (rtt, threshold) in [
        (Span::from_micros(10), ms(4)),
        (ms(31), ms(4)),
        (ms(80), ms(10)),
        (ms(129), ms(16)),
        (ms(3000), ms(16)),
    ] {
        for (rise, expected) in [(threshold - Span::NANO, false), (threshold, true)] {
            let mut path = Path::new(10);
            path.rounds(2, rtt);
            assert!(!path.is_conservative());
            path.rounds(1, rtt + rise);
            assert_eq!(path.is_conservative(), expected, "{rtt} and {rise} more");
        }
    }
}

/// "For rounds where at least N_RTT_SAMPLE RTT samples have been obtained": the eighth decides.
#[test]
fn a_round_is_judged_from_its_eighth_sample_on() {
    let mut path = Path::new(7);
    path.rounds(5, ms(100));
    path.rounds(5, ms(200));
    assert!(!path.is_conservative(), "windows of 7 packets are never judged");
    let mut path = Path::new(8);
    path.rounds(2, ms(100));
    path.rounds(1, ms(200));
    assert!(path.is_conservative());
}

/// Jitter raises most samples, in some rounds more; the least of the round decides.
#[test]
fn jitter_does_not_end_slow_start() {
    let mut path = Path::new(16);
    for round in 0..50 {
        path.round(|n| if n == 1 { ms(100) } else { ms(110 + round % 3 * 20) });
    }
    assert!(!path.is_conservative());
}

/// Of the five rounds, the one in which it begins is the first: the fifth ends as the first packet of
/// the next is acknowledged.
#[test]
fn conservative_slow_start_lasts_five_rounds() {
    let mut path = Path::new(10);
    path.rounds(2, ms(100));
    assert_eq!(path.rounds(1, ms(150)), None);
    assert!(path.is_conservative());
    assert_eq!(path.rounds(10, ms(150)), Some(5));
}

/// "if (currentRoundMinRTT < cssBaselineMinRtt) ... resume slow start including HyStart++".
#[test]
fn slow_start_resumes_if_the_rtt_falls_again() {
    let mut path = Path::new(10);
    path.rounds(2, ms(100));
    path.rounds(3, ms(150));
    assert!(path.is_conservative());
    path.rounds(1, ms(149));
    assert!(!path.is_conservative());
    assert_eq!(path.law.growth(3), 3);
    // From the 149 ms of that round, by 16 ms.
    path.rounds(1, ms(165));
    assert!(path.is_conservative());
    assert_eq!(path.rounds(10, ms(165)), Some(5), "rounds are counted anew");
}

/// cwnd += min(N, L) and a quarter of it, with L = 8, or without a limit if paced.
#[test]
fn growth_is_limited_to_eight_packets_and_then_quartered() {
    let mut law = HyStart::new(false);
    assert_eq!([1, 2, 8, 9, u32::MAX].map(|acked| law.growth(acked)), [1, 2, 8, 8, 8]);
    assert_eq!(HyStart::new(true).growth(1000), 1000);
    law.conservative = Some(Conservative { baseline: ms(1), rounds: 0, rest: 0 });
    assert_eq!([1, 1, 1, 1, 2, 2, 100].map(|acked| law.growth(acked)), [0, 0, 0, 1, 0, 1, 2]);
    let mut paced = HyStart { most: u32::MAX, ..law };
    assert_eq!(paced.growth(u32::MAX), u32::MAX / 4);
}

/// Standard slow start counts a packet for each acknowledgement and never ends by itself; so does
/// HyStart++ once congestion has ended it.
#[test]
fn without_it_slow_start_is_that_of_rfc_5681() {
    let mut given_up = InitialSlowStart::new(SlowStart::HyStartPlusPlus, false);
    assert_eq!(given_up.growth(3), 3);
    given_up.give_up();
    for mut law in [InitialSlowStart::new(SlowStart::Standard, false), given_up] {
        assert_eq!(law.growth(3), 1);
        let answer = AckEvent::new(Time::ZERO, WireHeader::default());
        let rtts = [1, 1, 1000, 1000, 1000, 1000, 1000, 1000, 1000];
        assert!(!rtts.iter().any(|&rtt| law.ends(&AckEvent { rtt: Some(ms(rtt)), ..answer })));
    }
}

/// A SYN's answer is not that of data, and one without a sample measures nothing.
#[test]
fn only_samples_of_data_count() {
    let mut law = HyStart::new(false);
    let answer = AckEvent::new(Time::ZERO, WireHeader::default());
    law.ends(&AckEvent { kind: PacketKind::SynAck, rtt: Some(ms(1)), ..answer });
    law.ends(&answer);
    assert_eq!((law.samples, law.min), (0, Span::MAX));
}
