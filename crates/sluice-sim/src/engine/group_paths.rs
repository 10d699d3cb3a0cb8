//! The paths that flows of a group take.

use sluice_units::{Bytes, Span};

use crate::alone::Alone;
use crate::config::Config;
use crate::plan::RunPlan;
use crate::route::Paths;

/// The paths of a group.
pub(super) enum GroupPaths<'a> {
    /// All flows take the same.
    Same(SamePaths),
    /// Each takes its own.
    PerFlow(&'a Paths),
}

/// The one data path and the one path back of a group.
pub(super) struct SamePaths {
    begin: FirstSteps,
    alone: Alone,
}

/// Where the data path and the path back begin in the plan.
#[derive(Clone, Copy)]
pub(super) struct FirstSteps {
    pub(super) out: u32,
    pub(super) back: u32,
}

impl<'a> GroupPaths<'a> {
    pub(super) fn new(config: &Config, paths: &'a Paths, plan: &mut RunPlan) -> Self {
        let (Some(out), Some(back)) = (paths.out.only(), paths.back.only()) else {
            return Self::PerFlow(paths);
        };
        let begin = FirstSteps { out: plan.begin(config, out), back: plan.begin(config, back) };
        Self::Same(SamePaths { begin, alone: Alone::new(config, out, back) })
    }

    /// Where the paths of flow `index` begin. Paths that no flow took before are added to the plan.
    pub(super) fn begin(&self, config: &Config, index: u64, plan: &mut RunPlan) -> FirstSteps {
        match self {
            Self::Same(paths) => paths.begin,
            Self::PerFlow(paths) => FirstSteps {
                out: plan.begin(config, &paths.out.of_flow(index)),
                back: plan.begin(config, &paths.back.of_flow(index)),
            },
        }
    }

    /// Completion time of `size` bytes of flow `index` alone.
    pub(super) fn alone(&self, config: &Config, index: u64, size: Bytes) -> Span {
        match self {
            Self::Same(paths) => paths.alone.completion(size.as_u64()),
            Self::PerFlow(paths) => {
                let (out, back) = (paths.out.of_flow(index), paths.back.of_flow(index));
                Alone::new(config, &out, &back).completion(size.as_u64())
            }
        }
    }
}
