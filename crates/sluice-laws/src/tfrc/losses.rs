//! Loss events (RFC 5348 sections 5.1 to 5.3), as a sender sees them.

use sluice_units::{Span, Time};

use super::history::LossHistory;

/// The losses and marks of a flow, and the loss event rate that they make.
///
/// Packets are numbered as their fate becomes known: a position is the count of packets delivered or lost
/// before. Loss recovery finds a loss a few packets, or a quarter of an RTT, after its nominal arrival. That
/// delay shifts the beginning of all intervals alike, so that lengths in packets and the times between losses
/// are those of the receiver up to its variation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Losses {
    history: LossHistory,
    delivered: u64,
    /// Packets reported lost so far.
    lost: u64,
    /// Those of them that are part of loss events.
    counted: u64,
    /// The last loss event.
    event: Option<LossEvent>,
}

/// The first packet of a loss event.
#[derive(Clone, Copy, Debug)]
struct LossEvent {
    /// When it was found, or its mark reported: T_old.
    at: Time,
    /// S_old.
    position: u64,
}

impl Losses {
    pub(super) fn new(discounting: bool) -> Self {
        let history = LossHistory::new(discounting);
        Self { history, delivered: 0, lost: 0, counted: 0, event: None }
    }

    /// Packets delivered so far.
    pub(super) fn delivered(&self) -> u64 {
        self.delivered
    }

    pub(super) fn on_delivered(&mut self, packets: u32) {
        self.delivered = self.delivered.saturating_add(u64::from(packets));
    }

    /// Loss recovery reports `lost` packets of the flow so far.
    pub(super) fn on_lost(&mut self, lost: u64) {
        self.lost = lost;
    }

    /// Packets reported since the last call are lost as of `now`. `first` is the first interval, should
    /// they be the first (section 6.3.1). Whether a loss event begins.
    pub(super) fn count(&mut self, now: Time, rtt: Span, first: impl FnOnce() -> f64) -> bool {
        if self.lost == self.counted {
            return false;
        }
        let position = self.position();
        self.counted = self.lost;
        self.begin(LossEvent { at: now, position }, rtt, first)
    }

    /// The last packet delivered was marked: "a marked packet is treated as a lost one" (section 5.1).
    pub(super) fn on_mark(&mut self, now: Time, rtt: Span, first: impl FnOnce() -> f64) -> bool {
        self.begin(LossEvent { at: now, position: self.position() }, rtt, first)
    }

    /// p; `None` before the first loss event.
    pub(super) fn event_rate(&self) -> Option<f64> {
        self.mean_interval().map(|packets| 1.0 / packets)
    }

    /// The average loss interval (section 5.4) in packets.
    pub(super) fn mean_interval(&self) -> Option<f64> {
        self.history.mean(self.event.map_or(0.0, |event| self.since(event)))
    }

    /// Section 5.2: a loss more than an RTT after the first of a loss event, "T_old + R < T_new", begins
    /// another, which closes the interval from "S_old" to "S_new" (section 5.3).
    fn begin(&mut self, new: LossEvent, rtt: Span, first: impl FnOnce() -> f64) -> bool {
        if self.event.is_some_and(|old| new.at.since(old.at) <= rtt) {
            return false;
        }
        let closed =
            self.event.map_or_else(first, |old| new.position.saturating_sub(old.position) as f64);
        self.history.close(closed);
        self.event = Some(new);
        true
    }

    fn position(&self) -> u64 {
        self.delivered.saturating_add(self.counted)
    }

    /// Packets since that event: I_0.
    fn since(&self, event: LossEvent) -> f64 {
        self.position().saturating_sub(event.position) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RTT: Span = Span::from_millis(100);

    fn at(millis: u64) -> Time {
        Time::ZERO + Span::from_millis(millis)
    }

    /// Delivers packets and then loses some; whether a loss event begins.
    fn lose(losses: &mut Losses, millis: u64, delivered: u32, lost: u64) -> bool {
        losses.on_delivered(delivered);
        losses.on_lost(losses.lost + lost);
        losses.count(at(millis), RTT, || 40.0)
    }

    #[test]
    fn losses_within_an_rtt_of_the_first_are_one_event() {
        let mut losses = Losses::new(true);
        assert!(lose(&mut losses, 1_000, 50, 1));
        assert_eq!(losses.event_rate(), Some(1.0 / 40.0), "the first interval is that given");
        assert!(!lose(&mut losses, 1_060, 10, 3));
        assert!(!lose(&mut losses, 1_100, 10, 1));
        assert!(lose(&mut losses, 1_101, 5, 1), "an RTT after the first loss, not the last");
        // The event began after 50 packets; 25 were delivered and 5 lost since: (30 + 40) / 2.
        assert_eq!(losses.mean_interval(), Some(35.0));
    }

    #[test]
    fn without_new_losses_no_event_begins() {
        let mut losses = Losses::new(true);
        assert!(lose(&mut losses, 0, 5, 2));
        assert!(!losses.count(at(9_000), RTT, || 1.0));
    }

    /// The open interval is 60 packets, more than the 40 of the first.
    #[test]
    fn packets_since_the_last_event_raise_the_mean() {
        let mut losses = Losses::new(true);
        lose(&mut losses, 0, 50, 1);
        losses.on_delivered(59);
        assert_eq!(losses.mean_interval(), Some(60.0));
    }

    #[test]
    fn a_mark_is_as_a_loss() {
        let mut losses = Losses::new(true);
        assert!(losses.on_mark(at(0), RTT, || 8.0));
        assert!(!lose(&mut losses, 100, 4, 1));
        losses.on_delivered(11);
        assert!(losses.on_mark(at(101), RTT, || 1.0));
        assert_eq!(losses.mean_interval(), Some(12.0));
    }
}
