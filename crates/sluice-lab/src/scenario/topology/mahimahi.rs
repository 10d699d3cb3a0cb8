//! Packet-delivery traces in the format of Mahimahi (Netravali et al., USENIX ATC 2015).
//!
//! "Each line in the trace represents a packet delivery opportunity" (its `mm-link.1`), in whole
//! milliseconds. As its `link_queue.cc` does, this refuses empty lines ("invalid empty line"), times
//! that fall ("timestamps must be monotonically nondecreasing"), files without a line ("no valid
//! timestamps found") and those that end at 0 ("trace must last for a nonzero amount of time").

use std::path::Path;

use sluice_sim::limits;
use sluice_units::{Time, shortened};

use crate::scenario::file_text::text;
use crate::scenario::row_faults::RowFaults;

/// The opportunities of a trace.
pub(super) fn read(path: &Path) -> Result<Vec<Time>, RowFaults> {
    let file = path.display().to_string();
    let text = text(path).map_err(|what| RowFaults::whole(&file, what))?;
    let mut faults = RowFaults::none(&file);
    let mut times = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        match opportunity(line, times.last().copied()) {
            Ok(time) => times.push(time),
            Err(what) => faults.add(number, what),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    match times.last() {
        None => Err(RowFaults::whole(&file, "no opportunities: one time in milliseconds a line")),
        Some(&Time::ZERO) => Err(RowFaults::whole(&file, "must end after 0 ms")),
        Some(_) => Ok(times),
    }
}

fn opportunity(line: &str, last: Option<Time>) -> Result<Time, String> {
    let nanos = line.parse::<u64>().ok().and_then(|ms| ms.checked_mul(1_000_000));
    let time = nanos.map(Time::from_nanos).filter(|time| limits::LIMIT.contains(time));
    let time =
        time.ok_or_else(|| format!("`{}`: must be a time in whole milliseconds", shortened(line)))?;
    match last {
        Some(last) if time < last => Err(format!("`{line}`: times must not fall")),
        _ => Ok(time),
    }
}
