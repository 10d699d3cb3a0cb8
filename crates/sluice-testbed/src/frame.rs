//! The size on the wire of a frame as TAP devices hand it over: a `virtio_net_hdr` (linux/virtio_net.h),
//! then Ethernet.

/// Bytes of the `virtio_net_hdr`, whose numbers are of 16 bits in the machine's order.
pub(crate) const HEADER: usize = 10;
const GSO_TYPE: usize = 1;
const GSO_SIZE: usize = 4;
const CHECKSUM_START: usize = 6;
/// The byte of a TCP header whose upper half is its length in words.
const TCP_LENGTH: usize = 12;

/// What a frame takes on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    /// Bytes of all packets, from their Ethernet headers on.
    pub bytes: u64,
    pub packets: u64,
}

impl Size {
    /// A super-packet leaves as segments of `gso_size` bytes of payload, each with a copy of its
    /// headers. Their length is that up to the end of the TCP header: `hdr_len` is only a hint, the
    /// length of the kernel's linear buffer.
    pub(crate) fn of(frame: &[u8]) -> Self {
        let bytes = frame.len().saturating_sub(HEADER);
        segments(frame).unwrap_or(Self { bytes: bytes as u64, packets: 1 })
    }
}

fn segments(frame: &[u8]) -> Option<Size> {
    let word = |at: usize| Some(u16::from_ne_bytes([*frame.get(at)?, *frame.get(at + 1)?]).into());
    let segment: usize = word(GSO_SIZE)?;
    if frame[GSO_TYPE] == 0 || segment == 0 {
        return None;
    }
    let packet = frame.get(HEADER..)?;
    let tcp = word(CHECKSUM_START)?;
    let headers = tcp + usize::from(packet.get(tcp + TCP_LENGTH)? >> 4) * 4;
    let payload = packet.len().checked_sub(headers)?;
    let packets = payload.div_ceil(segment).max(1);
    Some(Size { bytes: (payload + packets * headers) as u64, packets: packets as u64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// IPv4 with a TCP header of 32 bytes, in Ethernet: 66 bytes of headers.
    fn frame(gso_type: u8, gso_size: u16, payload: usize) -> Vec<u8> {
        let mut frame = vec![0; HEADER + 66 + payload];
        frame[GSO_TYPE] = gso_type;
        frame[GSO_SIZE..GSO_SIZE + 2].copy_from_slice(&gso_size.to_ne_bytes());
        frame[CHECKSUM_START..CHECKSUM_START + 2].copy_from_slice(&34_u16.to_ne_bytes());
        frame[HEADER + 34 + TCP_LENGTH] = 8 << 4;
        frame
    }

    #[test]
    fn a_frame_without_segmentation_is_a_packet() {
        assert_eq!(Size::of(&frame(0, 0, 1_448)), Size { bytes: 1_514, packets: 1 });
    }

    #[test]
    fn each_segment_has_headers_of_its_own() {
        // 1448 + 1448 + 104 bytes of payload, and 3 x 66 of headers.
        assert_eq!(Size::of(&frame(1, 1_448, 3_000)), Size { bytes: 3_198, packets: 3 });
        assert_eq!(Size::of(&frame(4, 1_448, 2_896)), Size { bytes: 3_028, packets: 2 });
        assert_eq!(Size::of(&frame(1, 1_448, 1)), Size { bytes: 67, packets: 1 });
        assert_eq!(Size::of(&frame(1, 1_448, 0)), Size { bytes: 66, packets: 1 });
    }

    #[test]
    fn cut_frames_count_with_what_they_have() {
        let whole = frame(1, 1_448, 0);
        for length in 0..whole.len() {
            let bytes = length.saturating_sub(HEADER) as u64;
            assert_eq!(Size::of(&whole[..length]), Size { bytes, packets: 1 }, "{length}");
        }
    }
}
