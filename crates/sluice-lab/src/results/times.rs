//! What flows took in another run, to compare flow by flow.

use std::collections::BTreeMap;
use std::path::Path;

use parquet::data_type::{ByteArrayType, Int64Type};
use parquet::errors::ParquetError;

use super::read::{Reader, column};
use crate::Plan;

/// Completion times by group and index: 8 bytes a flow, 80 MB for ten million, because
/// they are reported in the order of their ends.
#[derive(Debug, Default)]
pub struct Times(Vec<Vec<u64>>);

/// No completion time: the flow did not finish, or never does.
const NONE: u64 = u64::MAX;

impl Times {
    /// Those of the flows in a file.
    pub fn read(file: &Path, plan: &Plan) -> Result<Self, ParquetError> {
        let reader = Reader::open(file)?;
        let groups = group_numbers(plan);
        let mut times = Self(vec![Vec::new(); groups.len()]);
        for rows in reader.groups()? {
            let names = column::<ByteArrayType>(&*rows, "group")?;
            let indices = column::<Int64Type>(&*rows, "index")?;
            let completions = column::<Int64Type>(&*rows, "completion_ns")?;
            for ((name, index), time) in names.iter().zip(indices).zip(completions) {
                let group = name.as_ref().and_then(|name| groups.get(name.data()));
                if let (Some(&group), Some(index), Some(time)) = (group, index, time) {
                    times.set(group, index as usize, time as u64);
                }
            }
        }
        Ok(times)
    }

    fn set(&mut self, group: usize, index: usize, time: u64) {
        let of_group = &mut self.0[group];
        if index >= of_group.len() {
            of_group.resize(index + 1, NONE);
        }
        of_group[index] = time;
    }

    /// Completion time of a flow in nanoseconds, if it finished.
    pub fn of(&self, group: usize, index: u64) -> Option<u64> {
        let time = self.0.get(group)?.get(usize::try_from(index).ok()?)?;
        Some(*time).filter(|&time| time != NONE)
    }
}

/// Groups by their names in files.
pub fn group_numbers(plan: &Plan) -> BTreeMap<&[u8], usize> {
    plan.config.groups.iter().map(|group| group.name.as_bytes()).zip(0..).collect()
}
