//! The receiver: it "relays the value of the admission control bit to the sender in the
//! acknowledgment" (thesis section 6.4.3), and returns the feedback of out-of-profile packets as XCP's does.

use super::header::{ADMITTED, GuaranteedHeader};
use crate::WireHeader;
use crate::host::Echo;
use crate::router::LawHeader as _;
use crate::xcp::receiver::XcpReceiver;

/// Returns the AC bit of a request that was admitted, or the sum of feedback.
#[derive(Clone, Copy, Debug)]
pub struct GuaranteedReceiver;

impl Echo for GuaranteedReceiver {
    /// In `pending`, the last word is the sum of feedback, as in XCP's, and the third an admission.
    fn on_data(&self, pending: &mut WireHeader, header: &WireHeader) {
        let own = GuaranteedHeader::from_wire(*header);
        if own.echo == 0 {
            return XcpReceiver.on_data(pending, header);
        }
        let before = GuaranteedHeader::from_wire(*pending);
        *pending = GuaranteedHeader { request: before.request | own.request, ..before }.to_wire();
    }

    /// An acknowledgement has no profile, so routers on its way do not count it. The answer to a request
    /// leaves feedback to the next acknowledgement.
    fn ack_header(&self, pending: &mut WireHeader) -> WireHeader {
        let before = GuaranteedHeader::from_wire(*pending);
        if before.request {
            *pending = GuaranteedHeader { request: false, ..before }.to_wire();
            return GuaranteedHeader { echo: ADMITTED, ..GuaranteedHeader::default() }.to_wire();
        }
        XcpReceiver.ack_header(pending)
    }
}

#[cfg(test)]
mod tests {
    use super::super::header::FORWARD;
    use super::*;
    use crate::xcp::header::XcpHeader;

    fn answer(pending: &mut WireHeader, header: WireHeader) -> GuaranteedHeader {
        GuaranteedHeader::from_wire(GuaranteedReceiver.echo(pending, header))
    }

    fn own(request: bool) -> WireHeader {
        GuaranteedHeader { profile: 9, x: 5, request, echo: FORWARD }.to_wire()
    }

    fn out_of_profile(delta: i32) -> WireHeader {
        XcpHeader { x: 1000, rtt: 1 << 24, delta, reverse: 0 }.to_wire()
    }

    #[test]
    fn an_answer_has_the_bit_and_no_profile() {
        for (request, echo) in [(true, ADMITTED), (false, 0)] {
            let expected = GuaranteedHeader { echo, ..GuaranteedHeader::default() };
            assert_eq!(answer(&mut WireHeader::default(), own(request)), expected);
        }
    }

    #[test]
    fn feedback_of_out_of_profile_packets_returns_and_packets_in_the_profile_add_none() {
        let pending = &mut WireHeader::default();
        assert_eq!(answer(pending, out_of_profile(-70)).echo, -70);
        assert_eq!(answer(pending, own(false)).echo, 0);
        // A delayed acknowledgement of one of each.
        GuaranteedReceiver.on_data(pending, &out_of_profile(300));
        assert_eq!(answer(pending, own(false)).echo, 300);
        assert_eq!(*pending, WireHeader::default());
    }

    #[test]
    fn an_admission_leaves_feedback_to_the_next_answer() {
        let pending = &mut WireHeader::default();
        GuaranteedReceiver.on_data(pending, &out_of_profile(300));
        assert_eq!(answer(pending, own(true)).echo, ADMITTED);
        assert_eq!(answer(pending, own(false)).echo, 300);
    }
}
