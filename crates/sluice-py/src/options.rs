//! Options of runs.

use pyo3::prelude::*;
use sluice_lab::{Options, free_memory};

/// The attributes of `sluice.options.Options`.
#[derive(FromPyObject)]
pub struct PyOptions {
    threads: usize,
    again: bool,
    force: bool,
}

impl PyOptions {
    /// As the runs take them.
    pub fn options(&self) -> Options {
        let memory = if self.force { None } else { free_memory() };
        Options { threads: self.threads, again: self.again, memory }
    }
}
