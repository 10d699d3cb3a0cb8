//! The same flows in two runs of one plan and seed.

use std::path::Path;

use parquet::data_type::{BoolType, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;

use super::read::{Reader, column};
use super::times::{Times, group_numbers};
use crate::Plan;

/// A measured flow with a size. Times are in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub struct MatchedFlow {
    /// Its group, by its place in the engine's configuration.
    pub group: usize,
    /// Its size in bytes.
    pub size: u64,
    /// When it began.
    pub start: u64,
    /// Its completion time in the first run; `None` if it did not finish there.
    pub first: Option<u64>,
    /// The same in the second run.
    pub second: Option<u64>,
}

/// Calls `found` with every measured flow with a size, from the files of two runs.
pub fn each(
    plan: &Plan,
    [first, second]: [&Path; 2],
    mut found: impl FnMut(&MatchedFlow),
) -> Result<(), ParquetError> {
    let times = Times::read(first, plan)?;
    let groups = group_numbers(plan);
    for rows in Reader::open(second)?.groups()? {
        let names = column::<ByteArrayType>(&*rows, "group")?;
        let indices = column::<Int64Type>(&*rows, "index")?;
        let starts = column::<Int64Type>(&*rows, "start_ns")?;
        let sizes = column::<Int64Type>(&*rows, "size_bytes")?;
        let completions = column::<Int64Type>(&*rows, "completion_ns")?;
        let measured = column::<BoolType>(&*rows, "measured")?;
        for (row, name) in names.iter().enumerate() {
            let group = name.as_ref().and_then(|name| groups.get(name.data()));
            if let (Some(true), Some(&group), Some(index), Some(start), Some(size)) =
                (measured[row], group, indices[row], starts[row], sizes[row])
            {
                found(&MatchedFlow {
                    group,
                    size: size as u64,
                    start: start as u64,
                    first: times.of(group, index as u64),
                    second: completions[row].map(|time| time as u64),
                });
            }
        }
    }
    Ok(())
}
