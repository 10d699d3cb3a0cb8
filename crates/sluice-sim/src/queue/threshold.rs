//! A threshold: packets that find more than a fixed queue are marked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{BufferSize, Faults, Limit, Rate, Span};

use super::arrival::{Admission, QueueArrival};
use super::model::{Model, Queue, QueueContext, QueueState};
use super::room::Room;
use crate::rng::Streams;

/// The marking of switches under DCTCP, by the instantaneous queue.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Threshold {
    /// K: an ECN-capable packet that finds a longer queue, the rest of the packet in transmission
    /// included, is marked. In packets, bytes, time or BDP (`65 packets`). Required: it depends on the
    /// RTT. Above 1/7 of C x RTT the link stays full under DCTCP (Alizadeh et al., SIGCOMM 2010,
    /// section 3.4; they use 20 packets at 1 Gb/s and 65 at 10 Gb/s).
    pub mark_above: BufferSize,
    /// Whether other packets are dropped above the threshold, as by switches that apply WRED to them
    /// (RFC 8257 section 5). Default off: they are dropped at a full buffer only.
    #[serde(default)]
    pub drop_others: bool,
}

impl Model for Threshold {
    const SOURCE: &'static str =
        "RFC 8257, section 3.1; Alizadeh et al., SIGCOMM 2010, section 3.1";

    fn check(&self, capacity: Rate, faults: &mut Faults) {
        let none = self.mark_above.limit(capacity, Span::ZERO) == Limit::None;
        faults.need(!none, "mark_above", "without a limit nothing is ever marked");
    }

    fn marks(&self) -> bool {
        true
    }

    fn at(&self, link: &QueueContext, _: &Streams<'_>) -> QueueState {
        let mark_above = Span::from_nanos(link.queue_nanos(self.mark_above) as u64);
        let Self { drop_others, .. } = *self;
        QueueState::Arrival(Box::new(ThresholdQueue { room: link.room, mark_above, drop_others }))
    }
}

/// A threshold at a link.
struct ThresholdQueue {
    room: Room,
    mark_above: Span,
    drop_others: bool,
}

impl Queue for ThresholdQueue {
    fn arrives(&mut self, arrival: &QueueArrival) -> Admission {
        if !self.room.takes(arrival) {
            Admission::NoRoom
        } else if arrival.ahead <= self.mark_above {
            Admission::Taken
        } else if arrival.ecn_capable {
            Admission::Marked
        } else if self.drop_others {
            Admission::Early
        } else {
            Admission::Taken
        }
    }

    fn asks_from(&self) -> Span {
        // A packet below it finds less than the threshold.
        self.room.full_from().min(self.mark_above)
    }
}

#[cfg(test)]
mod tests {
    use sluice_units::{Bytes, Time};

    use super::*;
    use crate::queue::test_arrivals::{PACKET, finds_ahead, link_with};

    const K: Threshold = Threshold { mark_above: BufferSize::Packets(3), drop_others: false };

    /// The decisions about packets that find 0 to 5.5 packets ahead, in steps of half a packet, in a
    /// buffer of 5000 bytes.
    fn decided(threshold: Threshold, ecn_capable: bool) -> [Admission; 12] {
        let link = link_with(Limit::Bytes(Bytes::new(5000)));
        let mut queue = threshold.at(&link, &Streams::new(1, "link")).arrival();
        std::array::from_fn(|halves| {
            let found = finds_ahead(Time::ZERO, PACKET / 2 * halves as u64);
            queue.arrives(&QueueArrival { ecn_capable, ..found })
        })
    }

    use Admission::{Early, Marked, NoRoom, Taken};

    #[test]
    fn packets_that_find_more_than_the_threshold_are_marked() {
        let by_hand = [[Taken; 7].as_slice(), &[Marked; 2], &[NoRoom; 3]].concat();
        assert_eq!(decided(K, true).to_vec(), by_hand);
    }

    #[test]
    fn other_packets_are_taken_or_dropped() {
        let taken = [[Taken; 9].as_slice(), &[NoRoom; 3]].concat();
        assert_eq!(decided(K, false).to_vec(), taken);
        let dropped = [[Taken; 7].as_slice(), &[Early; 2], &[NoRoom; 3]].concat();
        assert_eq!(decided(Threshold { drop_others: true, ..K }, false).to_vec(), dropped);
    }

    #[test]
    fn a_threshold_of_nothing_marks_whatever_has_to_wait() {
        let always = Threshold { mark_above: BufferSize::Packets(0), ..K };
        assert_eq!(decided(always, true)[..3], [Taken, Marked, Marked]);
    }

    #[test]
    fn packets_below_the_threshold_need_no_decision() {
        let queue = K.at(&link_with(Limit::None), &Streams::new(1, "link")).arrival();
        assert_eq!(queue.asks_from(), PACKET * 3);
    }

    #[test]
    fn a_threshold_without_a_limit_is_an_error() {
        let unlimited = Threshold { mark_above: BufferSize::Unlimited, ..K };
        let faults = Faults::of(|faults| unlimited.check(Rate::from_bps(8_000_000), faults));
        assert_eq!(faults.len(), 1);
    }
}
