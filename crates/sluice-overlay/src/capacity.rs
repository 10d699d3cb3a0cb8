//! The capacity of a link, estimated from packets.
//!
//! Section 10.1: "Each software router in the overlay network estimates its corresponding inbound and
//! outbound link capacities". The paper does not say how. Here both are the bytes of a packet over the time that it
//! took: outbound from one departure to the next, inbound from one arrival to the next of packets
//! that left the link in front one right behind the other.
//!
//! A process sees a departure when it wakes up, which is later than it was. Between two departures of a link in
//! use both are late, so that errors have both signs: the median of such packets shows the capacity. For a packet
//! that found the link idle only the end is late, so that each shows at most the capacity. The estimate is the
//! most that the median and any recent one of these show.

use std::collections::VecDeque;

use sluice_units::{Bytes, Rate, Span, Time};

/// Packets that an estimate goes back: at 4 Mb/s and 1000 bytes, 128 ms of a link in use. A change of the capacity is
/// in the median after half of it, 33 packets.
const WINDOW: usize = 64;
/// Packets for which one that found the link idle counts. Each shows at most the capacity of its time, so that a lower
/// one is seen only when these are gone: no later than it is in the median.
const SINGLES: usize = WINDOW / 2;
/// Packets seen less than this apart were seen at once: by a process that woke up late for all of them. On a link above
/// 40 Mb/s packets of 1000 bytes take less; [`MOST`](crate::plan::MOST) is half of that.
const AT_ONCE: Span = Span::from_micros(200);
/// The fewest packets among them from which to estimate: with fewer, one late wake-up may decide.
const FEWEST: usize = 8;

/// An estimate of a link's capacity.
#[derive(Clone, Debug)]
pub struct CapacityEstimate {
    passages: VecDeque<Passage>,
    /// The start of the packet that passes: when the one before had passed, or when it found the link idle. `None`
    /// before the first.
    from: Option<Time>,
    /// Whether the packet that passes is right behind another.
    is_behind: bool,
    /// Whether that other one is the last of `passages`.
    follows_last: bool,
    /// The last estimate.
    rate: Rate,
}

/// A packet that passed the link, or several seen at once.
#[derive(Clone, Copy, Debug)]
struct Passage {
    bytes: u64,
    took: Span,
    is_behind: bool,
}

impl CapacityEstimate {
    /// Before any packet passed, `guess` is the estimate.
    pub fn new(guess: Rate) -> Self {
        Self {
            passages: VecDeque::new(),
            from: None,
            is_behind: false,
            follows_last: false,
            rate: guess,
        }
    }

    /// A packet found the link idle, and its transmission began.
    pub fn began(&mut self, now: Time) {
        (self.from, self.is_behind, self.follows_last) = (Some(now), false, false);
    }

    /// A packet had passed by `now`; `is_followed` if another waited for that.
    pub fn departed(&mut self, now: Time, bytes: Bytes, is_followed: bool) {
        self.passed(now, bytes);
        self.is_behind = is_followed;
    }

    /// A packet arrived from the link; `is_behind` if it left right behind the one before.
    pub fn arrived(&mut self, now: Time, bytes: Bytes, is_behind: bool) {
        if is_behind {
            self.is_behind = true;
            self.passed(now, bytes);
        } else {
            self.began(now);
        }
    }

    fn passed(&mut self, now: Time, bytes: Bytes) {
        let Some(from) = self.from.replace(now) else { return };
        let (took, is_behind, bytes) = (now.since(from), self.is_behind, bytes.as_u64());
        if is_behind && took < AT_ONCE {
            if let Some(last) = self.passages.back_mut().filter(|_| self.follows_last) {
                (last.bytes, last.took) = (last.bytes + bytes, last.took + took);
            }
            return;
        }
        self.passages.push_back(Passage { bytes, took, is_behind });
        self.follows_last = true;
        if self.passages.len() > WINDOW {
            self.passages.pop_front();
        }
    }

    /// The estimate. At least 1 kb/s, below which the law's divisions lose their meaning.
    pub fn rate(&mut self) -> Rate {
        let speeds = |is_behind: bool, packets: usize| -> Vec<f64> {
            let recent = self.passages.iter().rev().take(packets);
            let of_kind = recent.filter(|passage| passage.is_behind == is_behind);
            of_kind.filter_map(|passage| passage.speed()).collect()
        };
        let (mut behind, single) = (speeds(true, WINDOW), speeds(false, SINGLES));
        let is_enough = behind.len() + single.len() >= FEWEST;
        let middle = behind.len() / 2;
        let median = (behind.len() >= FEWEST)
            .then(|| *behind.select_nth_unstable_by(middle, f64::total_cmp).1);
        let rate = median.into_iter().chain(single).reduce(f64::max).filter(|_| is_enough);
        self.rate = rate.map_or(self.rate, Rate::from_bps_f64).max(Rate::from_bps(1_000));
        self.rate
    }
}

impl Passage {
    /// Bits a second; `None` of packets that took no time.
    fn speed(&self) -> Option<f64> {
        let seconds = self.took.as_secs_f64();
        (seconds > 0.0).then(|| self.bytes as f64 * 8.0 / seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUESS: Rate = Rate::from_bps(1_000_000);
    const PACKET: Bytes = Bytes::new(1_000);

    fn at_us(us: u64) -> Time {
        Time::ZERO + Span::from_micros(us)
    }

    /// The estimate of a link of 4 Mb/s, 2 ms a packet, from `runs` of that many packets, each of whose departures is
    /// seen `late` us later, by its number.
    fn seen(runs: u64, packets: u64, late: impl Fn(u64) -> u64) -> f64 {
        let mut estimate = CapacityEstimate::new(GUESS);
        for run in 0..runs {
            let start = run * (packets * 2_000 + 30_000);
            estimate.began(at_us(start));
            for packet in 1..=packets {
                let seen = at_us(start + packet * 2_000 + late(run * packets + packet));
                estimate.departed(seen, PACKET, packet < packets);
            }
        }
        estimate.rate().as_bps_f64() / 1e6
    }

    #[test]
    fn until_packets_show_it_the_estimate_is_the_guess() {
        assert_eq!(CapacityEstimate::new(GUESS).rate(), GUESS);
        assert_eq!(seen(1, 7, |_| 0), 1.0);
        assert_eq!(seen(1, 8, |_| 0), 4.0);
    }

    #[test]
    fn a_constant_lateness_cancels_in_runs_and_lowers_the_estimate_from_single_packets() {
        assert_eq!(seen(6, 10, |_| 500), 4.0);
        // 1000 bytes in 2.5 ms.
        assert_eq!(seen(60, 1, |_| 500), 3.2);
    }

    #[test]
    fn the_single_packet_that_is_seen_soonest_shows_most() {
        assert_eq!(seen(60, 1, |packet| 500 * (packet % 7)), 4.0);
    }

    #[test]
    fn a_wake_up_that_is_late_for_many_packets_changes_nothing() {
        // The departures of packets 20 to 119 are all seen at that of packet 120.
        let late =
            |packet: u64| if (20..120).contains(&packet) { (120 - packet) * 2_000 } else { 0 };
        assert_eq!(seen(1, 121, late), 4.0);
        assert_eq!(seen(1, 150, late), 4.0);
        // One that ends a run, long after the link became idle.
        assert_eq!(seen(4, 10, |packet| if packet == 10 { 25_000 } else { 0 }), 4.0);
    }

    #[test]
    fn a_change_is_seen_after_half_a_window() {
        let mut estimate = CapacityEstimate::new(GUESS);
        estimate.began(Time::ZERO);
        let mut now = 0;
        let mut step = |estimate: &mut CapacityEstimate, us: u64, packets: usize| {
            for _ in 0..packets {
                now += us;
                estimate.departed(at_us(now), PACKET, true);
            }
            estimate.rate().as_bps()
        };
        assert_eq!(step(&mut estimate, 2_000, 64), 4_000_000);
        assert_eq!(step(&mut estimate, 4_000, 31), 4_000_000);
        assert_eq!(step(&mut estimate, 4_000, 2), 2_000_000);
        assert_eq!(step(&mut estimate, 1_000, 64), 8_000_000);
    }

    /// A link that was seldom busy at 4 Mb/s, and then has a backlog at 2 Mb/s.
    #[test]
    fn a_fall_after_single_packets_is_seen_as_soon() {
        let mut estimate = CapacityEstimate::new(GUESS);
        for packet in 0..64 {
            estimate.began(at_us(packet * 2_100));
            estimate.departed(at_us(packet * 2_100 + 2_000), PACKET, false);
        }
        estimate.began(at_us(200_000));
        let mut seen = |packet: u64| {
            estimate.departed(at_us(200_000 + packet * 4_000), PACKET, true);
            estimate.rate().as_bps()
        };
        assert!((1..32).all(|packet| seen(packet) == 4_000_000));
        // The first of them found the link idle, too.
        assert!((32..64).all(|packet| seen(packet) == 2_000_000));
    }

    /// 0.4 ms a packet, seen up to 0.1 ms late.
    #[test]
    fn the_fastest_link_is_seen_as_it_is_and_so_is_its_fall() {
        let mut estimate = CapacityEstimate::new(GUESS);
        estimate.began(Time::ZERO);
        let mut seen = |packets: std::ops::Range<u64>, us: u64| {
            for packet in packets {
                estimate.departed(at_us(packet * us + packet * packet * 37 % 101), PACKET, true);
            }
            estimate.rate().as_bps_f64() / 1e6
        };
        assert!((19.0..21.0).contains(&seen(1..400, 400)));
        // From the same instant on, a window at 10 Mb/s.
        assert!((9.5..10.5).contains(&seen(200..264, 800)));
    }

    #[test]
    fn arrivals_count_only_behind_another() {
        let mut estimate = CapacityEstimate::new(GUESS);
        for pair in 0..8 {
            estimate.arrived(at_us(pair * 50_000), PACKET, false);
            estimate.arrived(at_us(pair * 50_000 + 2_000), PACKET, true);
        }
        assert_eq!(estimate.rate(), Rate::from_bps(4_000_000));
    }

    #[test]
    fn arrivals_after_a_stop_pass_in_the_time_of_the_first() {
        let mut estimate = CapacityEstimate::new(GUESS);
        estimate.arrived(at_us(0), PACKET, false);
        for burst in 1..=8 {
            for packet in 0..100 {
                estimate.arrived(at_us(burst * 200_000 + packet * 10), PACKET, true);
            }
        }
        let rate = estimate.rate().as_bps_f64();
        assert!((3.96e6..4.04e6).contains(&rate), "{rate}");
    }

    #[test]
    fn arrivals_at_one_instant_show_nothing() {
        let mut estimate = CapacityEstimate::new(GUESS);
        for _ in 0..64 {
            estimate.arrived(at_us(5), PACKET, true);
        }
        assert_eq!(estimate.rate(), GUESS);
    }
}
