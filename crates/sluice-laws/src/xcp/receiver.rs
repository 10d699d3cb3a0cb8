//! The receiver (thesis section 4.6): "when acknowledging a packet, it copies the feedback from
//! the data packet to its acknowledgment"; footnote 3: with delayed ACKs it "accumulates the
//! feedback and sends the sum of all pending feedback since the last Ack".

use super::header::Header;
use crate::Words;
use crate::host::Echo;
use crate::router::Header as _;

/// Sums the feedback of data packets until the next acknowledgement takes it back.
#[derive(Clone, Copy, Debug)]
pub struct Receiver;

impl Echo for Receiver {
    fn heard(&self, pending: &mut Words, words: &Words) {
        let mut sum = Header::from_words(*pending);
        sum.reverse = sum.reverse.saturating_add(Header::from_words(*words).delta);
        *pending = sum.to_words();
    }

    /// An acknowledgement states no throughput, so routers count its bytes and leave it alone.
    fn answer(&self, pending: &Words) -> Words {
        let reverse = Header::from_words(*pending).reverse;
        Header { reverse, ..Header::default() }.to_words()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(delta: i32) -> Words {
        Header { x: 1000, rtt: 1 << 24, delta, reverse: 0 }.to_words()
    }

    fn answered(deltas: &[i32]) -> Header {
        let mut pending = Words::default();
        for &delta in deltas {
            Receiver.heard(&mut pending, &data(delta));
        }
        Header::from_words(Receiver.answer(&pending))
    }

    #[test]
    fn an_ack_carries_the_feedback_and_states_nothing() {
        assert_eq!(answered(&[-70]), Header { reverse: -70, ..Header::default() });
    }

    #[test]
    fn a_delayed_ack_carries_the_sum() {
        assert_eq!(answered(&[500, -200]).reverse, 300);
        assert_eq!(answered(&[]).reverse, 0);
    }

    #[test]
    fn sums_saturate() {
        assert_eq!(answered(&[i32::MAX, i32::MAX]).reverse, i32::MAX);
        assert_eq!(answered(&[i32::MIN, i32::MIN]).reverse, i32::MIN);
    }
}
