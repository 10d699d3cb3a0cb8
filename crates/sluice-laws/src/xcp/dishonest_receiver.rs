//! A receiver that lies (section 7.4): "the receiver can cheat the sender into misbehaving by changing
//! the feedback sent by the routers".

use sluice_units::Rate;

use super::header::XcpHeader;
use super::receiver::XcpReceiver;
use crate::WireHeader;
use crate::host::Echo;
use crate::router::LawHeader as _;

/// Returns more feedback than packets carry. What it adds to each is in `delta` of what it has pending.
#[derive(Clone, Copy, Debug)]
pub(super) struct DishonestReceiver;

impl DishonestReceiver {
    /// What it has pending at first, if it adds this rate.
    pub(super) fn pending(added: Rate) -> WireHeader {
        // Casts from floating point saturate.
        let delta = added.as_bytes_per_sec_f64() as i32;
        XcpHeader { delta, ..XcpHeader::default() }.to_wire()
    }
}

impl Echo for DishonestReceiver {
    fn on_data(&self, pending: &mut WireHeader, header: &WireHeader) {
        let added = XcpHeader::from_wire(*pending).delta;
        let seen = XcpHeader::from_wire(*header);
        let returned = XcpHeader { delta: seen.delta.saturating_add(added), ..seen };
        XcpReceiver.on_data(pending, &returned.to_wire());
    }

    fn ack_header(&self, pending: &mut WireHeader) -> WireHeader {
        let added = XcpHeader::from_wire(*pending).delta;
        let header = XcpReceiver.ack_header(pending);
        *pending = XcpHeader { delta: added, ..XcpHeader::from_wire(*pending) }.to_wire();
        header
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_adds_as_much_to_each_packet() {
        let mut pending = DishonestReceiver::pending(Rate::from_bytes_per_sec(100));
        let data = |delta| XcpHeader { delta, ..XcpHeader::default() }.to_wire();
        let mut returned = |deltas: &[i32]| {
            for &delta in deltas {
                DishonestReceiver.on_data(&mut pending, &data(delta));
            }
            XcpHeader::from_wire(DishonestReceiver.ack_header(&mut pending)).reverse
        };
        assert_eq!(returned(&[-70]), 30);
        assert_eq!(returned(&[5, 6]), 211);
        assert!(returned(&[i32::MAX]) > i32::MAX - 8192, "saturates");
    }
}
