//! Ledger's receiver: returns the rate that a packet was granted in its acknowledgement, as RCP's and NCP's do.

use core::mem;

use super::header::LedgerHeader;
use crate::WireHeader;
use crate::host::Echo;
use crate::router::LawHeader as _;
use crate::wire::Offer;

/// Returns the latest rate received. An acknowledgement requests nothing: no window limits it.
#[derive(Clone, Copy, Debug)]
pub struct LedgerReceiver;

impl Echo for LedgerReceiver {
    fn on_data(&self, pending: &mut WireHeader, header: &WireHeader) {
        let received = LedgerHeader::from_wire(*header).rate;
        if received != Offer::NONE {
            *pending = LedgerHeader { reverse: received, ..LedgerHeader::default() }.to_wire();
        }
    }

    fn ack_header(&self, pending: &mut WireHeader) -> WireHeader {
        mem::take(pending)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sluice_units::Rate;

    #[test]
    fn an_acknowledgement_returns_the_latest_rate_once() {
        let granted = |bps| {
            let rate = Offer::granting(Rate::from_bps(bps));
            LedgerHeader { rate, x: 7, left: 9, ..LedgerHeader::default() }.to_wire()
        };
        let mut pending = WireHeader::default();
        LedgerReceiver.on_data(&mut pending, &granted(5_000_000));
        LedgerReceiver.on_data(&mut pending, &granted(2_000_000));
        LedgerReceiver.on_data(&mut pending, &WireHeader::default());
        let returned = LedgerReceiver.ack_header(&mut pending);
        let reverse = Offer::granting(Rate::from_bps(2_000_000));
        assert_eq!(returned, LedgerHeader { reverse, ..LedgerHeader::default() }.to_wire());
        assert_eq!(LedgerReceiver.ack_header(&mut pending), WireHeader::default());
    }
}
