//! The scenario file. These types are its schema, and their doc comments its manual; those of traffic
//! are in [`sluice_sim::traffic`], those of protocols in [`sluice_laws`].
//!
//! A file is read in two steps. [`Source`] turns text into a [`Scenario`] and finds what has the
//! wrong name, type or unit. [`crate::Plan`] then checks that the parts fit each other (nodes that
//! exist, destinations that can be reached) and makes what the engine runs.

mod axis;
mod choice;
mod cloud;
mod csv_table;
mod deserialize;
mod document;
mod explain;
mod file;
mod file_error;
mod file_text;
mod flow_csv;
mod group;
mod link;
mod name;
mod nodes;
mod other_file;
mod pairs;
mod point;
mod problem;
mod renamed;
mod replay;
mod row_faults;
mod source;
mod spread;
mod suggest;
mod sweep;
mod text;
pub mod topology;
mod trace;
mod traffic;
mod tree;
mod version;

pub use axis::{MAX_POINTS, RangeEnd, Steps};
pub use cloud::Cloud;
pub use document::{Document, DocumentNames};
pub use file::{MAX_SEED, MeasuredFlow, Metrics, Precision, Scenario, Statistic};
pub use file_error::FileError;
pub(crate) use flow_csv::RowNodes;
pub use group::{Direction, Group, PathChange, WeightedNodes};
pub use link::LinkOverride;
pub(crate) use name::check_name;
pub use nodes::Nodes;
pub use other_file::read_toml;
pub use pairs::{ByRack, HotHosts, HotSpots, PairSelection, Permutation, RandomPairs};
pub use point::{PointColumn, PointValue};
pub use problem::{Location, Problem, Problems};
pub(crate) use replay::Replays;
pub(crate) use row_faults::RowFaults;
pub use source::Source;
pub use spread::Spread;
pub(crate) use suggest::nearest;
pub use suggest::{list, suggest};
pub use sweep::{Point, SweepMode, SweepOptions};
pub use trace::{AllKeyword, Selection, Trace};
pub(crate) use traffic::{Context, Resolved};
pub use version::SCHEMA;
