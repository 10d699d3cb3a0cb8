//! The retransmission time-out (RFC 6298).

use sluice_units::Span;

/// RFC 6298 (2.5): a bound on the time-out must be at least 60 seconds. This is that bound.
pub(super) const MAX_RTO: Span = Span::from_secs(60);

/// RFC 6298 section 2: K = 4.
const K: u64 = 4;

/// The length of the retransmission timer.
///
/// RTT samples come from time stamps (RFC 7323), so one is never ambiguous: Karn's rule
/// (RFC 6298 section 3) is met whatever was retransmitted. The clock granularity G of (2.2) and
/// (2.3) is a nanosecond, so max(G, K RTTVAR) is K RTTVAR, unless [`Rto::with_margin`] sets more.
#[derive(Clone, Copy, Debug)]
pub struct Rto {
    /// Until there is a sample, the initial length and no variation, which come to the same.
    srtt: Span,
    rttvar: u64,
    min_rtt: Span,
    sampled: bool,
    doublings: u32,
    min: Span,
    /// The minimum of K RTTVAR, and its current value: zero before the first sample.
    margin: Span,
    floor: u64,
    max: Span,
}

/// The RTTs sampled so far.
#[derive(Clone, Copy, Debug)]
pub struct Rtts {
    /// The least.
    pub min: Span,
    /// The smoothed one (RFC 6298).
    pub smoothed: Span,
}

impl Rto {
    /// A timer before its first sample: `initial` is its length until then (RFC 6298 (2.1): 1 s),
    /// `min` the minimum RTO (RFC 6298 (2.4): 1 s).
    pub fn new(initial: Span, min: Span) -> Self {
        Self {
            srtt: initial,
            rttvar: 0,
            min_rtt: Span::MAX,
            sampled: false,
            doublings: 0,
            min,
            margin: Span::ZERO,
            floor: 0,
            max: MAX_RTO.max(min),
        }
    }

    /// The same with a minimum K RTTVAR, the granularity G of (2.2) and (2.3): from the first sample on the
    /// time-out is at least so far above the smoothed RTT. Linux has its minimum RTO there
    /// (`tcp_rto_min`).
    pub fn with_margin(self, margin: Span) -> Self {
        Self { margin, ..self }
    }

    /// Takes in an RTT measured from a time stamp, and ends the back-off: RFC 6298 section 5 keeps
    /// a backed-off time-out only until there is a new sample.
    #[inline(always)]
    pub fn sample(&mut self, rtt: Span) {
        // Longer than any timer: nothing is lost by the bound, and nothing can overflow.
        let r = rtt.as_nanos().min(MAX_RTO.as_nanos());
        if !self.sampled {
            self.begin(r);
        } else {
            // (2.3): RTTVAR <- (1 - 1/4) RTTVAR + 1/4 |SRTT - R'|, then
            //        SRTT <- (1 - 1/8) SRTT + 1/8 R'; rounded to the nearest nanosecond
            let srtt = self.srtt.as_nanos();
            self.rttvar = (3 * self.rttvar + srtt.abs_diff(r) + 2) / 4;
            self.srtt = Span::from_nanos((7 * srtt + r + 4) / 8);
        }
        self.min_rtt = self.min_rtt.min(rtt);
        self.doublings = 0;
    }

    /// (2.2): SRTT <- R, RTTVAR <- R/2
    #[cold]
    fn begin(&mut self, r: u64) {
        (self.sampled, self.srtt, self.rttvar) = (true, Span::from_nanos(r), r / 2);
        self.floor = self.margin.as_nanos();
    }

    /// Doubles the time-out because it expired (RFC 6298 (5.5)).
    pub fn back_off(&mut self) {
        // Six doublings of a second pass 60 s; 40 take any length past it.
        self.doublings = (self.doublings + 1).min(40);
    }

    /// The time-out to arm the timer with.
    #[inline(always)]
    pub fn current(&self) -> Span {
        // (2.2), (2.3): RTO <- SRTT + K RTTVAR, and (2.4)
        let above = (K * self.rttvar).max(self.floor);
        let base = (self.srtt.as_nanos() + above).max(self.min.as_nanos());
        let backed_off = if self.doublings == 0 { base } else { self.backed_off(base) };
        Span::from_nanos(backed_off.min(self.max.as_nanos())) // (2.5)
    }

    #[cold]
    fn backed_off(&self, base: u64) -> u64 {
        base.saturating_mul(1 << self.doublings)
    }

    /// The smoothed RTT.
    #[inline]
    pub fn srtt(&self) -> Option<Span> {
        self.sampled.then_some(self.srtt)
    }

    /// The minimum RTT sampled so far.
    #[inline]
    pub fn min_rtt(&self) -> Option<Span> {
        self.sampled.then_some(self.min_rtt)
    }

    /// Both.
    #[inline]
    pub fn rtts(&self) -> Option<Rtts> {
        self.sampled.then_some(Rtts { min: self.min_rtt, smoothed: self.srtt })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn rto(min_ms: u64) -> Rto {
        Rto::new(Span::from_secs(1), Span::from_millis(min_ms))
    }

    #[test]
    fn first_sample_sets_srtt_and_half_of_it_as_variance() {
        let mut rto = rto(1);
        assert_eq!(rto.current(), Span::from_secs(1));
        assert_eq!((rto.srtt(), rto.min_rtt()), (None, None));
        rto.sample(Span::from_millis(100));
        assert_eq!(rto.srtt(), Some(Span::from_millis(100)));
        assert_eq!(rto.current(), Span::from_millis(100 + 4 * 50));
    }

    #[test]
    fn later_samples_follow_2_3_by_hand() {
        let mut rto = rto(1);
        rto.sample(Span::from_millis(100));
        rto.sample(Span::from_millis(180));
        // RTTVAR = 3/4 50 + 1/4 80 = 57.5 ms with the old SRTT; SRTT = 7/8 100 + 1/8 180 = 110 ms
        assert_eq!(rto.srtt(), Some(Span::from_millis(110)));
        assert_eq!(rto.current(), Span::from_nanos(110 * MS + 4 * 57_500_000));
        rto.sample(Span::from_millis(30));
        // RTTVAR = 3/4 57.5 + 1/4 80 = 63.125 ms; SRTT = 7/8 110 + 1/8 30 = 100 ms
        assert_eq!(rto.current(), Span::from_nanos(100 * MS + 4 * 63_125_000));
        assert_eq!(rto.min_rtt(), Some(Span::from_millis(30)));
    }

    #[test]
    fn the_minimum_rto_holds() {
        let mut rto = rto(1000);
        rto.sample(Span::from_millis(10));
        assert_eq!(rto.current(), Span::from_secs(1));
    }

    /// RTTVAR falls to nothing over a steady path: 300 ms, and 200 ms above it.
    #[test]
    fn the_margin_holds_where_the_rtt_is_steady() {
        let mut rto = rto(200).with_margin(Span::from_millis(200));
        assert_eq!(rto.current(), Span::from_secs(1), "nothing is sampled yet");
        rto.sample(Span::from_millis(300));
        assert_eq!(rto.current(), Span::from_millis(300 + 4 * 150));
        for _ in 0..200 {
            rto.sample(Span::from_millis(300));
        }
        assert_eq!(rto.current(), Span::from_millis(500));
    }

    #[test]
    fn back_off_doubles_to_a_minute_and_a_sample_ends_it() {
        let mut rto = rto(200);
        rto.sample(Span::from_millis(100));
        let mut seen = Vec::new();
        for _ in 0..9 {
            seen.push(rto.current().as_nanos() / MS);
            rto.back_off();
        }
        assert_eq!(seen, [300, 600, 1200, 2400, 4800, 9600, 19_200, 38_400, 60_000]);
        for _ in 0..100 {
            rto.back_off();
        }
        assert_eq!(rto.current(), Span::from_secs(60));
        rto.sample(Span::from_millis(100));
        assert_eq!(rto.current(), Span::from_nanos(100 * MS + 4 * 37_500_000));
    }

    #[test]
    fn a_steady_rtt_is_learned_exactly() {
        let mut rto = rto(1);
        for _ in 0..200 {
            rto.sample(Span::from_nanos(123_456_789));
        }
        assert_eq!(rto.srtt(), Some(Span::from_nanos(123_456_789)));
        assert!(rto.current() < Span::from_nanos(123_456_789 + 16));
    }

    #[test]
    fn no_sample_overflows() {
        let mut rto = rto(200);
        for rtt in [Span::MAX, Span::ZERO, Span::MAX] {
            rto.sample(rtt);
            assert!(
                rto.current() <= Span::from_secs(60) && rto.current() >= Span::from_millis(200)
            );
        }
    }
}
