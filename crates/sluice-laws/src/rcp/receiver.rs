//! RCP's receiver: "the destination copies R_p into the acknowledgment packets" (section 2.2 step 2).

use core::mem;

use super::header::RcpHeader;
use crate::WireHeader;
use crate::host::Echo;
use crate::router::LawHeader as _;
use crate::wire::Offer;

/// Returns the latest rate received.
///
/// An acknowledgement requests no rate of its own, because its sender does not pace it. It carries
/// the RTT of the packet it acknowledges, which counts on the links of the reverse path (the authors'
/// code does so; the papers are silent).
#[derive(Clone, Copy, Debug)]
pub struct RcpReceiver;

impl Echo for RcpReceiver {
    fn on_data(&self, pending: &mut WireHeader, header: &WireHeader) {
        let received = RcpHeader::from_wire(*header);
        if received.rate != Offer::NONE {
            let returned =
                RcpHeader { rate: Offer::NONE, rtt: received.rtt, reverse: received.rate };
            *pending = returned.to_wire();
        }
    }

    fn ack_header(&self, pending: &mut WireHeader) -> WireHeader {
        mem::take(pending)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::WireRtt;
    use sluice_units::{Rate, Span};

    fn granted(bps: u64) -> WireHeader {
        let rate = Offer::granting(Rate::from_bps(bps));
        RcpHeader { rate, rtt: WireRtt::new(Span::from_millis(80)), reverse: Offer::NONE }.to_wire()
    }

    #[test]
    fn an_ack_of_several_packets_returns_the_latest_rate() {
        let mut pending = WireHeader::default();
        RcpReceiver.on_data(&mut pending, &granted(2_000_000));
        RcpReceiver.on_data(&mut pending, &granted(5_000_000));
        let returned = RcpHeader::from_wire(RcpReceiver.ack_header(&mut pending));
        assert_eq!(returned.reverse.rate(), Some(Rate::from_bps(5_000_000)));
        assert_eq!(returned.rate, Offer::NONE);
        assert_eq!(returned.rtt, WireRtt::new(Span::from_millis(80)));
    }

    #[test]
    fn a_packet_without_a_request_keeps_the_last_feedback() {
        let mut pending = WireHeader::default();
        RcpReceiver.on_data(&mut pending, &granted(2_000_000));
        RcpReceiver.on_data(&mut pending, &WireHeader::new([0, 5, 0, 9]));
        let returned = RcpHeader::from_wire(RcpReceiver.ack_header(&mut pending));
        assert_eq!(returned.reverse.rate(), Some(Rate::from_bps(2_000_000)));
    }
}
