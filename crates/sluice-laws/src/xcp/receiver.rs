//! The receiver (thesis section 4.6): "when acknowledging a packet, it copies the feedback from
//! the data packet to its acknowledgment"; footnote 3: with delayed ACKs it "accumulates the
//! feedback and sends the sum of all pending feedback since the last Ack".

use super::header::XcpHeader;
use crate::WireHeader;
use crate::host::Echo;
use crate::router::LawHeader as _;

/// Sums the feedback of data packets until the next acknowledgement takes it back.
#[derive(Clone, Copy, Debug)]
pub struct XcpReceiver;

impl Echo for XcpReceiver {
    fn on_data(&self, pending: &mut WireHeader, header: &WireHeader) {
        let mut sum = XcpHeader::from_wire(*pending);
        sum.reverse = sum.reverse.saturating_add(XcpHeader::from_wire(*header).delta);
        *pending = sum.to_wire();
    }

    /// An acknowledgement states no throughput, so routers count its bytes and leave it alone. What
    /// the wire rounds off a large sum is returned with the next one.
    fn ack_header(&self, pending: &mut WireHeader) -> WireHeader {
        let sum = XcpHeader::from_wire(*pending).reverse;
        let reverse = XcpHeader::FORM.echo.rounded(sum as u32) as i32;
        *pending = XcpHeader { reverse: sum - reverse, ..XcpHeader::default() }.to_wire();
        XcpHeader { reverse, ..XcpHeader::default() }.to_wire()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(delta: i32) -> WireHeader {
        XcpHeader { x: 1000, rtt: 1 << 24, delta, reverse: 0 }.to_wire()
    }

    fn answered(deltas: &[i32]) -> XcpHeader {
        let mut pending = WireHeader::default();
        for &delta in deltas {
            XcpReceiver.on_data(&mut pending, &data(delta));
        }
        XcpHeader::from_wire(XcpReceiver.ack_header(&mut pending))
    }

    #[test]
    fn an_ack_carries_the_feedback_and_states_nothing() {
        assert_eq!(answered(&[-70]), XcpHeader { reverse: -70, ..XcpHeader::default() });
    }

    #[test]
    fn a_delayed_ack_carries_the_sum() {
        assert_eq!(answered(&[500, -200]).reverse, 300);
        assert_eq!(answered(&[]).reverse, 0);
    }

    #[test]
    fn sums_saturate() {
        let largest = answered(&[i32::MAX, i32::MAX]).reverse;
        assert!(i32::MAX - largest < 1 << 13, "{largest}");
        assert_eq!(answered(&[i32::MIN, i32::MIN]).reverse, i32::MIN);
    }

    #[test]
    fn what_one_answer_cannot_say_the_next_one_does() {
        let mut pending = WireHeader::default();
        let deltas = [123_456_789, -987_654_321, 1_000_000_007, -1, 0];
        let returned = deltas.map(|delta| {
            XcpReceiver.on_data(&mut pending, &data(delta));
            XcpHeader::from_wire(XcpReceiver.ack_header(&mut pending)).reverse
        });
        assert_ne!(returned, deltas, "some of it was rounded");
        let last = XcpHeader::from_wire(XcpReceiver.ack_header(&mut pending)).reverse;
        assert_eq!(returned.iter().sum::<i32>() + last, deltas.iter().sum::<i32>());
    }
}
