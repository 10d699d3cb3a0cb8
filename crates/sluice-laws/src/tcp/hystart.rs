//! The initial slow start of a TCP: RFC 5681's, which a loss ends, or HyStart++ (RFC 9406), which a
//! rising round-trip time ends, before the buffer overflows.
//!
//! Names in brackets are RFC 9406's; its windows are in bytes, these in packets. Rounds need no
//! sequence numbers: a round ends as the first packet that left in it is acknowledged. The round that
//! is under way as the connection opens has no samples.
//!
//! It sees a standing queue a round late, in the first packets of the next round, and ends slow start
//! over five more rounds. A flow alone thus loses nothing where the buffer holds some 12 BDPs, a quarter
//! of what standard slow start loses where it holds 4, and as much where it holds less than one
//! (`sluice-sim/tests/it/hystart.rs`).
//!
//! HyStart++ is for the initial slow start alone (section 4.3): once ssthresh is set by a loss, it
//! ends slow start in time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Span, Time};

use crate::host::{AckEvent, PacketKind};

/// How the initial slow start grows and ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum SlowStart {
    /// RFC 5681: a packet for each acknowledgement, until a loss or ssthresh.
    #[default]
    #[serde(rename = "standard")]
    Standard,
    /// HyStart++ (RFC 9406): as many packets as are acknowledged, up to 8 for each acknowledgement, or
    /// without a limit with `pacing`. Once the least RTT of a round is above the last one's by an
    /// eighth (4 ms at least, 16 ms at most), a quarter of that for five rounds, and then congestion
    /// avoidance; if the RTT falls meanwhile, slow start goes on.
    #[serde(rename = "hystart++")]
    HyStartPlusPlus,
}

/// Section 4.3: (N_RTT_SAMPLE), samples of a round before it is judged.
const SAMPLES: u32 = 8;
/// (MIN_RTT_THRESH)
const MIN_THRESHOLD: Span = Span::from_millis(4);
/// (MAX_RTT_THRESH)
const MAX_THRESHOLD: Span = Span::from_millis(16);
/// (MIN_RTT_DIVISOR)
const RTT_DIVISOR: u64 = 8;
/// (CSS_GROWTH_DIVISOR)
const GROWTH_DIVISOR: u32 = 4;
/// (CSS_ROUNDS)
const CONSERVATIVE_ROUNDS: u32 = 5;
/// (L) of a TCP that does not pace.
const MOST_UNPACED: u32 = 8;

/// A sender's initial slow start: HyStart++ until it is over, if it is that at all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InitialSlowStart(Option<HyStart>);

impl InitialSlowStart {
    /// That of a new flow.
    pub(crate) fn new(kind: SlowStart, paced: bool) -> Self {
        Self((kind == SlowStart::HyStartPlusPlus).then(|| HyStart::new(paced)))
    }

    /// An acknowledgement arrives in slow start. Whether the RTT shows that slow start is over.
    pub(crate) fn ends(&mut self, event: &AckEvent) -> bool {
        let ends = self.0.as_mut().is_some_and(|hystart| hystart.ends(event));
        if ends {
            self.give_up();
        }
        ends
    }

    /// The packets by which an acknowledgement of `acked` raises the window in slow start.
    pub(crate) fn growth(&mut self, acked: u32) -> u32 {
        // RFC 5681 eq. (2): cwnd += min(N, SMSS), so an ACK of more than a packet counts as one
        self.0.as_mut().map_or(1, |hystart| hystart.growth(acked))
    }

    /// It is over, by congestion or a time-out: slow start is RFC 5681's from now on.
    pub(crate) fn give_up(&mut self) {
        self.0 = None;
    }
}

/// HyStart++. [`Span::MAX`] is the RFC's infinity.
#[derive(Clone, Copy, Debug)]
struct HyStart {
    /// (L)
    most: u32,
    /// When the round began. A packet that left since then is at or beyond (windowEnd).
    round: Time,
    /// (lastRoundMinRTT)
    last_min: Span,
    /// (currentRoundMinRTT)
    min: Span,
    /// (rttSampleCount)
    samples: u32,
    conservative: Option<Conservative>,
}

/// Conservative slow start (CSS).
#[derive(Clone, Copy, Debug)]
struct Conservative {
    /// (cssBaselineMinRtt)
    baseline: Span,
    /// Rounds completed, the one in which it began included.
    rounds: u32,
    /// What growth left of a packet, in units of 1 / [`GROWTH_DIVISOR`].
    rest: u32,
}

impl HyStart {
    fn new(paced: bool) -> Self {
        Self {
            most: if paced { u32::MAX } else { MOST_UNPACED },
            round: Time::ZERO,
            last_min: Span::MAX,
            min: Span::MAX,
            samples: 0,
            conservative: None,
        }
    }

    fn ends(&mut self, event: &AckEvent) -> bool {
        let (PacketKind::Ack, Some(rtt)) = (event.kind, event.rtt) else { return false };
        if event.sent >= self.round && self.begin_round(event.now) {
            return true;
        }
        self.min = self.min.min(rtt);
        self.samples = self.samples.saturating_add(1);
        if self.samples >= SAMPLES {
            self.judge();
        }
        false
    }

    /// "When windowEnd is ACKed, the current round ends and windowEnd is set to SND.NXT". Whether all
    /// rounds of conservative slow start are complete.
    fn begin_round(&mut self, now: Time) -> bool {
        (self.round, self.last_min, self.min, self.samples) = (now, self.min, Span::MAX, 0);
        let Some(conservative) = &mut self.conservative else { return false };
        conservative.rounds += 1;
        conservative.rounds >= CONSERVATIVE_ROUNDS
    }

    /// Section 4.2, with enough samples of the round.
    fn judge(&mut self) {
        match self.conservative {
            // "indicating that slow start exit was spurious"
            Some(Conservative { baseline, .. }) if self.min < baseline => self.conservative = None,
            None if self.has_risen() => {
                self.conservative = Some(Conservative { baseline: self.min, rounds: 0, rest: 0 });
            }
            _ => {}
        }
    }

    /// currentRoundMinRTT >= lastRoundMinRTT + RttThresh
    fn has_risen(&self) -> bool {
        let threshold = (self.last_min / RTT_DIVISOR).clamp(MIN_THRESHOLD, MAX_THRESHOLD);
        self.last_min != Span::MAX && self.min.saturating_sub(self.last_min) >= threshold
    }

    /// cwnd += min(N, L * SMSS), or a quarter of it.
    fn growth(&mut self, acked: u32) -> u32 {
        let packets = acked.min(self.most);
        let Some(conservative) = &mut self.conservative else { return packets };
        let parts = conservative.rest.saturating_add(packets);
        conservative.rest = parts % GROWTH_DIVISOR;
        parts / GROWTH_DIVISOR
    }
}

#[cfg(test)]
#[path = "hystart_tests.rs"]
mod tests;
