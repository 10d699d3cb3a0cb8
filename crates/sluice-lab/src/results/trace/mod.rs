//! What happened in a run, event by event: Parquet files, and packets as a capture that the tools of
//! the field open.

mod capture;
mod packets;
mod segment;
mod senders;

use std::io;
use std::path::Path;

use sluice_laws::protocol::Protocol;
use sluice_sim::{PacketEvent, SenderEvent};

use crate::Plan;
use crate::results::label::RunLabel;
use capture::Capture;
use packets::PacketFile;
use senders::SenderFile;

/// The files of a run's traces, written as events come.
pub struct TraceFiles {
    senders: Option<SenderFile>,
    packets: Option<(PacketFile, Capture)>,
}

impl TraceFiles {
    /// New files, in a run's folder, of what the plan has traced under this protocol.
    pub fn create(
        folder: &Path,
        plan: &Plan,
        run: &dyn Protocol,
        label: &RunLabel,
    ) -> io::Result<Self> {
        let trace = &plan.config.trace;
        let (senders, packets) = (!trace.groups.is_empty(), !trace.links.is_empty());
        let packet_files = || -> io::Result<_> {
            let capture = Capture::create(&folder.join("packets.pcapng"), plan, run)?;
            Ok((PacketFile::create(folder, plan, label)?, capture))
        };
        Ok(Self {
            senders: senders.then(|| SenderFile::create(folder, plan, label)).transpose()?,
            packets: packets.then(packet_files).transpose()?,
        })
    }

    /// Adds what a sender came to.
    pub fn sender(&mut self, event: &SenderEvent) -> io::Result<()> {
        self.senders.as_mut().map_or(Ok(()), |file| file.write(event))
    }

    /// Adds what happened to a packet.
    pub fn packet(&mut self, event: &PacketEvent) -> io::Result<()> {
        let Some((rows, capture)) = &mut self.packets else { return Ok(()) };
        rows.write(event)?;
        capture.write(event)
    }

    /// Writes what is left.
    pub fn finish(self) -> io::Result<()> {
        self.senders.map_or(Ok(()), SenderFile::finish)?;
        let Some((rows, capture)) = self.packets else { return Ok(()) };
        rows.finish()?;
        capture.finish()
    }
}
