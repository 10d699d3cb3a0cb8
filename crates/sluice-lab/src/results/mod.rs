//! Results: what flows and links add up to, and the files they are written to.

mod analytic;
pub(crate) mod bins;
mod buffer;
mod cell;
pub(crate) mod columns;
mod export;
mod flows;
mod footing;
mod forewarnings;
mod histogram;
mod inputs;
mod key;
mod label;
mod law_name;
mod limits;
mod links;
mod long_pairs;
mod pairs;
mod precise;
mod quantiles;
pub(crate) mod read;
mod repeats;
mod run_file;
mod sealed;
mod series;
mod stats;
mod store;
mod summarize;
mod summary;
mod system;
mod tables;
mod tally;
mod times;
mod trace;
mod warnings;
mod wide;

pub use analytic::{Analytic, AnalyticBin};
pub use export::export;
pub(crate) use flows::{FLOWS, FlowFile};
pub(crate) use inputs::{add_scenario, portable};
pub(crate) use key::{Keys, RunId};
pub(crate) use label::RunLabel;
pub use law_name::{LawName, LawNameError};
pub(crate) use links::write as write_links;
pub use long_pairs::LongComparison;
pub(crate) use pairs::ComparisonTally;
pub use pairs::{Comparison, ComparisonBin};
pub use quantiles::{Intervals, Method, Quantiles};
pub(crate) use run_file::StoredRun;
pub(crate) use sealed::Sealed;
pub(crate) use series::write as write_series;
pub(crate) use stats::Interval;
pub use store::{Damage, DamageKind};
pub(crate) use store::{FileSet, FolderLock, Part, RUN, SharedFolder, Store, check_run};
pub(crate) use summarize::{is_precise, summarize};
pub(crate) use summary::SUMMARY;
pub use summary::{
    BinSummary, GroupSummary, LinkSummary, LongSummary, ProtocolSummary, RunSummary, Severity,
    Summary, Warning,
};
pub use system::System;
pub(crate) use tables::{RunTables, add_tables};
pub(crate) use tally::{Tally, Values, thousandths};
pub(crate) use times::Times;
pub(crate) use trace::TraceFiles;
pub(crate) use warnings::FEW_FLOWS;
