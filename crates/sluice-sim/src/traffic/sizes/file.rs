//! A cumulative distribution from a file, which somebody else reads: the engine knows no files.

use std::path::PathBuf;

use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Bytes, Faults};

use super::distribution::{Distribution, Draws};
use super::empirical::Empirical;

/// A distribution by the name of its file, and what was found there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct File {
    /// Where it is.
    pub path: PathBuf,
    /// What is in it; `None` until it has been read.
    #[serde(skip)]
    pub table: Option<Empirical>,
}

impl Distribution for File {
    const SOURCE: &'static str = "your own measurement";

    fn check(&self, _payload: Bytes, faults: &mut Faults) {
        faults.need(self.table.is_some(), "", "this file has not been read");
    }

    fn mean(&self, _payload: Bytes) -> f64 {
        self.table.as_ref().map_or(0.0, Empirical::mean)
    }

    fn draw(&self, _payload: Bytes, stream: Xoshiro256PlusPlus) -> Draws {
        self.table.clone().expect("checked: it has been read").draws(stream)
    }
}
