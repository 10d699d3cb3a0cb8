//! A token bucket, which limits the rate of an isolated flow.

use sluice_units::Time;

/// Packets that may leave at once.
const DEPTH: f64 = 8.0;

#[derive(Clone, Copy, Debug)]
pub(super) struct TokenBucket {
    /// In bytes a second.
    rate: f64,
    tokens: f64,
    /// The largest packet so far.
    packet: f64,
    filled: Time,
}

impl TokenBucket {
    /// One that lets `rate` bytes a second pass, and is empty.
    pub(super) fn new(now: Time, rate: f64) -> Self {
        Self { rate, tokens: 0.0, packet: 0.0, filled: now }
    }

    /// Whether a packet passes.
    pub(super) fn takes(&mut self, now: Time, bytes: u32) -> bool {
        let bytes = f64::from(bytes);
        self.packet = self.packet.max(bytes);
        let more = self.rate * now.since(self.filled).as_secs_f64();
        (self.tokens, self.filled) = ((self.tokens + more).min(DEPTH * self.packet), now);
        let passes = self.tokens >= bytes;
        if passes {
            self.tokens -= bytes;
        }
        passes
    }
}

#[cfg(test)]
mod tests {
    use sluice_units::Span;

    use super::*;

    #[test]
    fn as_much_passes_as_the_rate_allows_after_a_pause_eight_packets_at_once() {
        let mut bucket = TokenBucket::new(Time::ZERO, 50_000.0);
        let at = |ms: u64| Time::ZERO + Span::from_millis(ms);
        let passed = (1..=1000).filter(|&ms| bucket.takes(at(ms), 1000)).count();
        assert_eq!(passed, 50);
        let burst = (0..20).filter(|_| bucket.takes(at(10_000), 1000)).count();
        assert_eq!(burst, 8);
        assert!(bucket.takes(at(20_000), 40), "a short packet");
        assert!(bucket.takes(at(20_000), 1000), "takes its own bytes alone");
    }
}
