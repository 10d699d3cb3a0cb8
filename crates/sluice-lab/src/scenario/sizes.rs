//! How much the flows of a group send.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use sluice_sim::traffic::{Empirical, Point, Sizes};
use sluice_units::{Bytes, Ratio};

use super::traffic::Context;
use super::{Amount, Problems, flow_csv};
use crate::workloads::Workload;

/// A distribution of flow sizes: exactly one of these.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SizeModel {
    /// Every flow sends the same.
    Fixed(Amount),
    /// Exponential with this mean.
    Exponential(Amount),
    /// Pareto with this mean and shape.
    Pareto(Pareto),
    /// A published measurement by its name.
    Workload(Workload),
    /// A cumulative distribution by its points: size, fraction of flows up to it; linear between.
    Points(Vec<(Amount, Ratio)>),
    /// The same from a CSV file with the columns `size` (bytes) and `cumulative`; its path starts
    /// from the scenario file.
    File(PathBuf),
}

/// A Pareto distribution.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pareto {
    /// Mean size.
    pub mean: Amount,
    /// Tail index, above 1; the variance is infinite at 2 and below.
    pub shape: Ratio,
}

impl SizeModel {
    /// The distribution in bytes, or `None` with what is wrong in `problems`.
    pub(super) fn resolve(
        &self,
        field: &str,
        context: &Context<'_>,
        problems: &mut Problems,
    ) -> Option<Sizes> {
        let bytes = |amount: &Amount| amount.bytes(context.payload);
        Some(match self {
            Self::Fixed(size) => Sizes::Fixed(some_data(bytes(size), field, problems)?),
            Self::Exponential(mean) => Sizes::Exponential(some_data(bytes(mean), field, problems)?),
            Self::Pareto(Pareto { mean, shape }) => {
                if shape.get() <= 1.0 {
                    let what = "the shape must be above 1: at 1 and below there is no mean";
                    problems.field(format!("{field}.pareto.shape"), what);
                    return None;
                }
                Sizes::Pareto { mean: some_data(bytes(mean), field, problems)?, shape: *shape }
            }
            Self::Workload(workload) => Sizes::Empirical(workload.distribution()),
            Self::Points(points) => {
                let point = |&(size, cumulative)| Point { size: bytes(&size), cumulative };
                let points = points.iter().map(point).collect();
                let field = format!("{field}.points");
                Sizes::Empirical(problems.keep(field, Empirical::new(points))?)
            }
            Self::File(path) => {
                let field = format!("{field}.file");
                let points = problems.keep(&field, flow_csv::points(&context.folder.join(path)))?;
                Sizes::Empirical(problems.keep(field, Empirical::new(points))?)
            }
        })
    }
}

fn some_data(bytes: Bytes, field: &str, problems: &mut Problems) -> Option<Bytes> {
    if bytes == Bytes::ZERO {
        problems.field(field, "a flow has at least 1 byte to send");
        return None;
    }
    Some(bytes)
}
