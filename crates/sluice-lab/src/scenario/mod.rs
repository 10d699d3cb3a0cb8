//! The scenario file: these types are its schema, their field names its words. Those of a group's
//! traffic are in [`sluice_sim::traffic`], those of a protocol in [`sluice_laws`].
//!
//! A file is read in two steps. [`Source`] turns text into a [`Scenario`] and finds what has the
//! wrong name, type or unit. [`crate::Plan`] then checks that the parts fit each other (nodes that
//! exist, destinations that can be reached) and makes what the engine runs.

mod axis;
mod deserialize;
mod document;
mod explain;
mod file;
mod file_error;
mod flow_csv;
mod group;
mod name;
mod problem;
mod renamed;
mod replay;
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

pub use axis::{Steps, Value};
pub use document::Document;
pub use file::{Figure, MeasuredFlow, Metrics, Precision, Scenario};
pub use file_error::FileError;
pub use group::{Direction, Each, Group, Nodes};
pub(crate) use name::check_name;
pub use problem::{Place, Problem, Problems};
pub(crate) use replay::Replays;
pub use source::Source;
pub use spread::Spread;
pub use suggest::suggest;
pub use sweep::{How, Point, Ways};
pub use trace::{All, Trace, Which};
pub(crate) use traffic::Context;
pub use version::SCHEMA;
