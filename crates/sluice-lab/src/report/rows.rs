//! Rows of runs' Parquet files as a page needs them.

use std::collections::HashMap;
use std::path::Path;

use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;

use super::data::LinkUse;
use super::flow::Flow;
use super::flows::FlowStatistics;
use super::links::LinkRow;
use super::sample::name_hash;
use crate::results::read::{Reader, column};

/// Groups by name, numbered as they are met.
#[derive(Debug, Default)]
pub struct Groups {
    /// Their names.
    pub names: Vec<String>,
    hashes: Vec<u64>,
    numbers: HashMap<Vec<u8>, u32>,
}

impl Groups {
    fn number(&mut self, name: &ByteArray) -> u32 {
        if let Some(&number) = self.numbers.get(name.data()) {
            return number;
        }
        let number = self.names.len() as u32;
        self.numbers.insert(name.data().to_vec(), number);
        self.names.push(text(name));
        self.hashes.push(name_hash(&self.names[number as usize]));
        number
    }
}

/// Adds the flows of a run that were measured and have a size.
pub fn add_flows(
    file: &Path,
    seed: u64,
    groups: &mut Groups,
    flows: &mut FlowStatistics,
) -> Result<(), ParquetError> {
    flows.begin_run();
    let reader = Reader::open(file)?;
    for rows in reader.groups()? {
        let names = column::<ByteArrayType>(&*rows, "group")?;
        let indices = column::<Int64Type>(&*rows, "index")?;
        let sizes = column::<Int64Type>(&*rows, "size_bytes")?;
        let alone = column::<Int64Type>(&*rows, "alone_ns")?;
        let completions = column::<Int64Type>(&*rows, "completion_ns")?;
        let measured = column::<BoolType>(&*rows, "measured")?;
        for (row, name) in names.iter().enumerate() {
            let (Some(name), Some(true)) = (name, measured[row]) else { continue };
            let (Some(index), Some(size), Some(alone)) = (indices[row], sizes[row], alone[row])
            else {
                continue;
            };
            let group = groups.number(name);
            let completion = completions[row].map(|time| time as u64);
            let (index, size, alone) = (index as u64, size as u64, alone as u64);
            let flow = Flow { group, index, seed, size, alone, completion };
            flows.add(flow, groups.hashes[group as usize]);
        }
    }
    Ok(())
}

/// The links of a run.
pub fn links(file: &Path) -> Result<Vec<LinkRow>, ParquetError> {
    let reader = Reader::open(file)?;
    let states_delay = reader.columns().iter().any(|(name, _)| name == "delay_ns");
    let mut links = Vec::new();
    for rows in reader.groups()? {
        let [from, to] = ["from", "to"].map(|name| column::<ByteArrayType>(&*rows, name));
        let utilization = column::<DoubleType>(&*rows, "utilization")?;
        let whole = |name| -> Result<Vec<f64>, ParquetError> {
            let values = column::<Int64Type>(&*rows, name)?;
            Ok(values.into_iter().map(|value| value.unwrap_or(0) as f64).collect())
        };
        let (capacity, drops, marks) = (whole("capacity_bps")?, whole("drops")?, whole("marks")?);
        let delay = if states_delay { Some(whole("delay_ns")?) } else { None };
        let (mean_queue, p99_queue) = (whole("mean_queue_bytes")?, whole("p99_queue_bytes")?);
        for (row, (from, to)) in from?.iter().zip(&to?).enumerate() {
            let [from, to] = [from, to].map(|end| end.as_ref().map_or_else(String::new, text));
            let found = LinkUse {
                utilization: utilization[row].unwrap_or(0.0),
                mean_queue: mean_queue[row],
                p99_queue: p99_queue[row],
                drops: drops[row],
                marks: marks[row],
            };
            let delay = delay.as_ref().map(|delay| delay[row] / 1e9);
            links.push(LinkRow { from, to, capacity: capacity[row], delay, found });
        }
    }
    Ok(links)
}

/// Calls `add` with every sample of a run: link, flow or group, quantity, time in nanoseconds and value.
pub fn samples(file: &Path, mut add: impl FnMut(&str, &str, u64, f64)) -> Result<(), ParquetError> {
    let reader = Reader::open(file)?;
    for rows in reader.groups()? {
        let links = column::<ByteArrayType>(&*rows, "link")?;
        let groups = column::<ByteArrayType>(&*rows, "group")?;
        let indices = column::<Int64Type>(&*rows, "index")?;
        let times = column::<Int64Type>(&*rows, "time_ns")?;
        let quantities = column::<ByteArrayType>(&*rows, "quantity")?;
        let values = column::<DoubleType>(&*rows, "value")?;
        for row in 0..times.len() {
            let subject = match (&links[row], &groups[row], indices[row]) {
                (Some(link), ..) => text(link).replace('>', " → "),
                (None, Some(group), Some(index)) => format!("flow {index} of {}", text(group)),
                (None, Some(group), None) => format!("group {}", text(group)),
                _ => continue,
            };
            if let (Some(time), Some(quantity), Some(value)) =
                (times[row], &quantities[row], values[row])
            {
                add(&subject, &text(quantity), time as u64, value);
            }
        }
    }
    Ok(())
}

fn text(bytes: &ByteArray) -> String {
    String::from_utf8_lossy(bytes.data()).into_owned()
}
