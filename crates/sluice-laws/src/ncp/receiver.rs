//! NCP's receiver: "the destination then copies the R_j in the data packet to the ACK packet"
//! (section 4).

use core::mem;

use super::header::NcpHeader;
use crate::WireHeader;
use crate::host::Echo;
use crate::router::LawHeader as _;
use crate::wire::Offer;

/// Returns the latest rate received.
///
/// An acknowledgement requests and states nothing: no window limits it, so it is none of the flows
/// among which (8) divides its link.
#[derive(Clone, Copy, Debug)]
pub struct NcpReceiver;

impl Echo for NcpReceiver {
    fn on_data(&self, pending: &mut WireHeader, header: &WireHeader) {
        let received = NcpHeader::from_wire(*header).rate;
        if received != Offer::NONE {
            *pending = NcpHeader { reverse: received, ..NcpHeader::default() }.to_wire();
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
        let rtt = WireRtt::new(Span::from_millis(80));
        NcpHeader { rate, x: 7, rtt, reverse: Offer::NONE }.to_wire()
    }

    #[test]
    fn an_ack_of_several_packets_returns_only_the_latest_rate() {
        let mut pending = WireHeader::default();
        NcpReceiver.on_data(&mut pending, &granted(5_000_000));
        NcpReceiver.on_data(&mut pending, &granted(2_000_000));
        let returned = NcpHeader::from_wire(NcpReceiver.ack_header(&mut pending));
        assert_eq!(returned.reverse.rate(), Some(Rate::from_bps(2_000_000)));
        assert_eq!(returned, NcpHeader { reverse: returned.reverse, ..NcpHeader::default() });
    }

    #[test]
    fn a_packet_without_a_request_keeps_the_last_feedback() {
        let mut pending = WireHeader::default();
        NcpReceiver.on_data(&mut pending, &granted(2_000_000));
        NcpReceiver.on_data(&mut pending, &WireHeader::new([0, 5, 6, 9]));
        let returned = NcpHeader::from_wire(NcpReceiver.ack_header(&mut pending));
        assert_eq!(returned.reverse.rate(), Some(Rate::from_bps(2_000_000)));
    }
}
