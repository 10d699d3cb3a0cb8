//! Flow records on disk, one row a flow, written as flows end.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use sluice_sim::{Config, FlowRecord};

/// A CSV file that gets its name once it is whole.
pub struct FlowFile {
    out: BufWriter<File>,
    path: PathBuf,
    part: PathBuf,
}

const HEADER: &str = "group,index,start,size,completion,alone,retransmissions,delivered,measured\n";

impl FlowFile {
    /// A new file; until it is whole it ends in `.part`.
    pub fn create(path: &Path) -> io::Result<Self> {
        let part = super::part(path);
        let mut out = BufWriter::with_capacity(1 << 18, File::create(&part)?);
        out.write_all(HEADER.as_bytes())?;
        Ok(Self { out, path: path.into(), part })
    }

    /// Adds a flow: times in seconds, sizes in bytes; empty where there is no value.
    pub fn write(&mut self, record: &FlowRecord, config: &Config) -> io::Result<()> {
        let out = &mut self.out;
        write!(out, "{},{},", config.groups[record.group].name, record.index)?;
        seconds(out, Some(record.start.as_nanos()))?;
        match record.size {
            Some(size) => write!(out, "{},", size.as_u64())?,
            None => out.write_all(b",")?,
        }
        seconds(out, record.completion.map(|span| span.as_nanos()))?;
        seconds(out, record.alone.map(|span| span.as_nanos()))?;
        let delivered = record.delivered.as_u64();
        writeln!(out, "{},{delivered},{}", record.retransmissions, u8::from(record.measured))
    }

    /// The file is whole and gets its name.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()?;
        std::fs::rename(&self.part, &self.path)
    }

    /// There was no run: nor is there a file.
    pub fn discard(self) -> io::Result<()> {
        std::fs::remove_file(&self.part)
    }

    /// The run was ended early: what there is gets the name `...partial.csv`, which it returns.
    pub fn keep_partial(mut self) -> io::Result<PathBuf> {
        self.out.flush()?;
        let partial = self.path.with_extension("partial.csv");
        std::fs::rename(&self.part, &partial)?;
        Ok(partial)
    }
}

/// Exact to the nanosecond, as a float would not be.
fn seconds(out: &mut impl Write, nanos: Option<u64>) -> io::Result<()> {
    match nanos {
        Some(ns) => write!(out, "{}.{:09},", ns / 1_000_000_000, ns % 1_000_000_000),
        None => out.write_all(b","),
    }
}
