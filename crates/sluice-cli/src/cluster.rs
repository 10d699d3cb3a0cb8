//! Runs on other machines, for whoever knows how to reach them: the Python package, by Dask.

use std::path::PathBuf;

use sluice_lab::Plan;

/// Machines that make runs in this one's stead.
pub trait Cluster {
    /// Has all runs of the plans made at `address`, and kept in the folder of each plan. Shows how
    /// far it has got unless `quiet`. An error says what went wrong, for a person.
    fn make(&self, address: &str, plans: &[(PathBuf, Plan)], quiet: bool) -> Result<(), Failed>;
}

/// Why a cluster did not make all runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// Ended by Ctrl-C.
    Interrupted,
    /// Something else, told to a person.
    Error(String),
}
