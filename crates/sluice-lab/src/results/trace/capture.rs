//! Packets as a capture in pcapng, with one interface a link: each packet as its last bit left, its
//! headers only.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use fs_err::File;
use pcap_file::pcapng::PcapNgWriter;
use pcap_file::pcapng::blocks::enhanced_packet::EnhancedPacketBlock;
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption,
};
use pcap_file::{DataLink, Endianness, PcapError};
use sluice_laws::protocol::Protocol;
use sluice_sim::{PacketAction, PacketEvent};

use super::segment::{self, Framing};
use crate::Plan;

/// Timestamps count units of 10^-9 s.
const NANOSECONDS: u8 = 9;

pub struct Capture {
    out: PcapNgWriter<BufWriter<File>>,
    /// Links in the order of their interfaces.
    links: Vec<usize>,
    framing: Framing,
}

impl Capture {
    /// A new file of a run of this protocol.
    pub fn create(path: &Path, plan: &Plan, run: &dyn Protocol) -> io::Result<Self> {
        let file = BufWriter::new(File::create(path)?);
        let mut out = PcapNgWriter::with_endianness(file, Endianness::Little).map_err(io_error)?;
        let links = plan.config.trace.links.clone();
        for &link in &links {
            let name = plan.path(&[vec![link]]);
            let block = InterfaceDescriptionBlock {
                // Not RAW: libpcap takes several interfaces of that for different ones.
                linktype: DataLink::IPV4,
                snaplen: segment::MAX_HEADERS as u32,
                options: vec![
                    InterfaceDescriptionOption::IfName(name.into()),
                    InterfaceDescriptionOption::IfSpeed(plan.config.links[link].capacity.as_bps()),
                    InterfaceDescriptionOption::IfTsResol(NANOSECONDS),
                ],
            };
            out.write_pcapng_block(block).map_err(io_error)?;
        }
        Ok(Self { out, links, framing: Framing::new(&plan.config, run) })
    }

    pub fn write(&mut self, event: &PacketEvent) -> io::Result<()> {
        let Ok(interface) = self.links.binary_search(&event.link) else { return Ok(()) };
        if event.what != PacketAction::Dequeued {
            return Ok(());
        }
        let segment = self.framing.segment(&event.packet)?;
        let block = EnhancedPacketBlock {
            interface_id: interface as u32,
            timestamp: Duration::from_nanos(event.time.as_nanos()),
            original_len: segment.length,
            data: segment.headers.into(),
            options: Vec::new(),
        };
        self.out.write_pcapng_block(block).map_err(io_error)?;
        Ok(())
    }

    pub fn finish(self) -> io::Result<()> {
        self.out.into_inner().flush()
    }
}

/// The error that a file could not be written with: `PcapError` takes every one for one of reading.
fn io_error(error: PcapError) -> io::Error {
    match error {
        PcapError::IoError(error) => error,
        error => io::Error::other(error),
    }
}
