//! What runs will cost, before they are made, and whether this machine has it.
//!
//! [`Forecast`](sluice_sim::Forecast) has the work of one run; `runs.rs` adds up those of plans, `memory.rs`
//! and `disk.rs` say what takes most, `machine.rs` what there is.

mod disk;
mod excess;
mod machine;
mod memory;
mod runs;
pub(crate) mod text;

pub use disk::Disk;
pub use excess::{Excess, Resource};
pub use machine::{Machine, free_memory};
pub use memory::Memory;
pub use runs::Cost;

use std::fmt;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde_json::{Value, json};
use sluice_units::{Bytes, Span};

use crate::results::{Keys, Store, System};
use crate::scenario::Point;
use crate::{Options, Plan, RunError, point_folder};
use text::{count, plural, size, time};

/// Runs that take no more time, memory and disk space than this go without an estimate.
const LONG: Span = Span::from_secs(60);
const LARGE: Bytes = Bytes::new(1_000_000_000);

/// What runs will cost, and what this machine has. [`Display`](std::fmt::Display) is a line for users.
#[derive(Clone, Debug, PartialEq)]
pub struct CostEstimate {
    /// The cost of all runs to be made.
    pub cost: Cost,
    /// The machine.
    pub machine: Machine,
    /// Number of runs at the same time, if there are as many; `None` on a cluster.
    pub cores: Option<usize>,
}

impl CostEstimate {
    /// Estimates what [`run`](crate::run()) with these arguments will cost. Writes nothing.
    ///
    /// # Errors
    ///
    /// Those of a run: a file that the plan names cannot be read, or the engine refuses the plan.
    pub fn of_run(plan: &Plan, folder: &Path, options: &Options) -> Result<Self, RunError> {
        Self::of(&[(plan, folder.to_owned())], folder, options)
    }

    /// Estimates what [`sweep`](crate::sweep()) with these arguments will cost. Writes nothing.
    ///
    /// # Errors
    ///
    /// As [`Self::of_run`].
    pub fn of_sweep(
        points: &[(Point, Plan)],
        folder: &Path,
        options: &Options,
    ) -> Result<Self, RunError> {
        let plans = points.iter().enumerate();
        let plans: Vec<(&Plan, PathBuf)> =
            plans.map(|(index, (_, plan))| (plan, point_folder(folder, index))).collect();
        Self::of(&plans, folder, options)
    }

    fn of(plans: &[(&Plan, PathBuf)], folder: &Path, options: &Options) -> Result<Self, RunError> {
        let one = |(plan, folder): &(&Plan, PathBuf)| cost(plan, folder, options);
        let costs: Vec<Cost> = plans.par_iter().map(one).collect::<Result<_, _>>()?;
        let mut all = Cost::default();
        costs.into_iter().for_each(|cost| all += cost);
        let machine = Machine::here(folder);
        let cores = if options.threads == 0 { machine.cores } else { options.threads };
        Ok(Self { cost: all, machine, cores: Some(cores) })
    }

    /// The same runs made on a cluster, whose cores and memory are unknown. Results come to this machine.
    pub fn on_cluster(mut self) -> Self {
        self.cores = None;
        self.machine.memory = None;
        self
    }

    /// Wall-clock time; on a cluster, processor time.
    pub fn time(&self) -> Span {
        self.cores.map_or(self.cost.time, |cores| self.cost.wall_time(cores))
    }

    /// Memory of all runs at the same time; on a cluster, of one.
    pub fn memory(&self) -> Bytes {
        self.cost.memory_on(self.cores.unwrap_or(1))
    }

    /// Disk space of all results.
    pub fn disk(&self) -> Bytes {
        self.cost.disk.total()
    }

    /// Whether the runs take longer than a minute, or more than a gigabyte of memory or disk space.
    pub fn is_notable(&self) -> bool {
        self.time() > LONG || self.memory() > LARGE || self.disk() > LARGE
    }

    /// What the runs need beyond the machine, if anything.
    pub fn excess(&self) -> Option<Excess> {
        let Self { cost, machine, .. } = self;
        Excess::of_memory(self.memory(), &cost.memory, machine)
            .or_else(|| Excess::of_disk(&cost.disk, cost.flows, machine))
    }

    /// All of it as JSON, sizes in bytes; `null` for what is unknown.
    pub fn json(&self) -> Value {
        let Cost { runs, stored, flows, packets, may_grow, .. } = self.cost;
        json!({
            "runs": runs,
            "stored": stored,
            "may_grow": may_grow,
            "flows": flows.round() as u64,
            "packets": packets.round() as u64,
            "seconds": self.time().as_secs_f64(),
            "threads": self.cores,
            "memory_bytes": self.memory().as_u64(),
            "disk_bytes": self.disk().as_u64(),
            "available_memory_bytes": self.machine.memory.map(Bytes::as_u64),
            "available_disk_bytes": self.machine.disk.map(Bytes::as_u64),
            "excess": self.excess().map(|excess| excess.to_string()),
        })
    }
}

impl fmt::Display for CostEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cost { runs, stored, flows, packets, may_grow, .. } = self.cost;
        if runs == 0 && stored > 0 {
            return write!(f, "Estimated cost: nothing to run, {} stored", plural(stored, "run"));
        }
        write!(f, "Estimated cost, within a factor of about 3: {}", plural(runs, "run"))?;
        if stored > 0 {
            write!(f, " ({stored} more are stored)")?;
        }
        let on =
            self.cores.map_or("a cluster's cores, together".into(), |cores| plural(cores, "core"));
        write!(
            f,
            ", {} flows, {} packets: {} on {on}, {} of memory, {} on disk",
            count(flows),
            count(packets),
            time(self.time()),
            size(self.memory()),
            size(self.disk()),
        )?;
        if may_grow { write!(f, "; more if `precision` requires more runs") } else { Ok(()) }
    }
}

/// The cost of the runs of a plan that `folder` does not have.
fn cost(plan: &Plan, folder: &Path, options: &Options) -> Result<Cost, RunError> {
    let keys = Keys::of(plan).map_err(|error| RunError::Io(plan.folder.clone(), error))?;
    let is_stored = |system: System, seed| {
        let is_reused = !options.again && system.is_kept();
        is_reused && keys.run(system, seed).is_ok_and(|id| Store::has(folder, &id))
    };
    Cost::of(plan, is_stored).map_err(RunError::Config)
}
