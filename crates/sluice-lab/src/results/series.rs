//! Probes' values over time, one CSV file a probe.

use std::io::{self, Write};
use std::path::Path;

use sluice_laws::registry::Name;
use sluice_sim::{Series, Subject};

use super::whole;
use crate::Plan;

/// The file's name (`+` is in no node's name): `link-left+right-xcp-1.csv`, `flow-web-0-xcp-1.csv`.
pub fn file_name(plan: &Plan, subject: Subject, protocol: Name, seed: u64) -> String {
    let what = match subject {
        Subject::Link(link) => {
            let ends = &plan.config.links[link];
            format!("link-{}+{}", plan.network.nodes[ends.from], plan.network.nodes[ends.to])
        }
        Subject::Flow { group, index } => {
            format!("flow-{}-{index}", plan.config.groups[group].name)
        }
    };
    format!("{what}-{protocol}-{seed}.csv")
}

/// Writes a row for each sample: its time in seconds, then what was sampled.
pub fn write(path: &Path, series: &Series) -> io::Result<()> {
    whole(path, |out| {
        write!(out, "time")?;
        for column in &series.columns {
            write!(out, ",{column}")?;
        }
        writeln!(out)?;
        let width = series.columns.len().max(1);
        for (time, row) in series.times.iter().zip(series.values.chunks(width)) {
            let ns = time.as_nanos();
            write!(out, "{}.{:09}", ns / 1_000_000_000, ns % 1_000_000_000)?;
            for value in row {
                write!(out, ",{value}")?;
            }
            writeln!(out)?;
        }
        Ok(())
    })
}
