//! From a scenario file to results: reads and checks it, runs every protocol with every seed, and
//! writes the results.
//!
//! The steps: [`Plan::read`] -> [`run`] -> [`Report`], which [`table`] renders as text.
//! The file's schema is the types of [`scenario`]. [`Plan::with_law`] adds a law from outside
//! Sluice, [`Plan::with_measurement`] protocols on a real network.
//!
//! The same scenario gives the same bytes in every result file, on any number of threads, but for what is measured.

mod cost;
mod estimate;
pub mod manual;
mod plan;
pub mod plot;
pub mod ready;
mod replace;
pub mod report;
mod results;
mod run;
pub mod scenario;
mod sweep;
pub mod swept;
pub mod table;

pub use cost::{Cost, CostEstimate, Disk, Excess, Machine, Memory, Resource, free_memory};
pub use estimate::{Estimate, EstimatedGroup, EstimatedLink, EstimatedSystem, NotModelled};
pub use plan::{GroupPlan, LawError, Measurement, Plan, PlanOverrides};
pub use results::{
    Analytic, AnalyticBin, BinSummary, ClassRatio, Comparison, ComparisonBin, CompletionRatios,
    Damage, DamageKind, EstimatedBin, EstimatedMeans, GroupRatios, GroupSummary, Intervals,
    LawName, LawNameError, LinkSummary, LongComparison, LongSummary, Method, ProtocolSummary,
    Quantiles, RunSummary, Severity, StreamSummary, Summary, System, Warning, export,
};
pub use run::{
    FinishedRun, Meter, Monitor, Options, Report, RunError, RunFiles, RunProgress, Task, keep,
    max_threads, pending, run,
};
pub use sluice_sim::{ideal, queue, traffic};
pub use sweep::{plan_sweep, point_folder, sweep};

/// The build: version and a hash of the sources that can change a result, the same on every machine
/// for the same sources. Runs are stored under it.
pub const BUILD: &str = env!("SLUICE_BUILD");
