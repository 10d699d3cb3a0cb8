//! The paths that flows of a group take.

use sluice_units::{Bytes, Span};

use crate::alone::Alone;
use crate::config::{Config, LinkId};
use crate::host::Spray;
use crate::plan::RunPlan;
use crate::queue::TrafficClass;
use crate::route::Paths;

/// The paths of a group.
pub(super) enum GroupPaths<'a> {
    /// All flows take the same.
    Same(SamePaths),
    /// Each takes its own.
    PerFlow(PerFlowPaths<'a>),
    /// The packets of each take all of them in turn.
    Sprayed(SprayedPaths<'a>),
}

/// The paths of a group whose flows take one each, and the class of their packets.
pub(super) struct PerFlowPaths<'a> {
    class: u32,
    paths: &'a Paths,
}

/// The data paths of a group that sprays, and its paths back.
pub(super) struct SprayedPaths<'a> {
    class: u32,
    paths: &'a Paths,
    /// Where the data paths begin in the plan, once a flow has started.
    begin: Vec<u32>,
    /// Number of links of each data path: all have the fewest.
    hops: u32,
}

/// The one data path and the one path back of a group.
pub(super) struct SamePaths {
    /// Where they begin in the plan.
    begin: (u32, u32),
    /// Number of links of the data path.
    hops: u32,
    alone: Alone,
}

/// Where the data path and the path back of a flow begin in the plan, and where its packets take all
/// paths in turn, those after the first.
pub(super) struct FirstSteps {
    pub(super) out: u32,
    pub(super) back: u32,
    pub(super) spray: Option<Box<Spray>>,
    /// Number of links of the data path.
    pub(super) hops: u32,
}

impl<'a> GroupPaths<'a> {
    /// Of a group in `config` which has these `paths`, and whose packets are of this class.
    pub(super) fn new(
        config: &Config,
        class: TrafficClass,
        paths: &'a Paths,
        plan: &mut RunPlan,
    ) -> Self {
        let class = plan.number_of(class);
        if let (Some(out), Some(back)) = (paths.out.only(), paths.back.only()) {
            let begin = (plan.begin(config, class, out), plan.begin(config, class, back));
            let hops = count(out);
            return Self::Same(SamePaths { begin, hops, alone: Alone::new(config, paths, 0) });
        }
        match paths.out.spray() {
            1 => Self::PerFlow(PerFlowPaths { class, paths }),
            _ => {
                let hops = count(&paths.out.of_flow(0));
                Self::Sprayed(SprayedPaths { class, paths, begin: Vec::new(), hops })
            }
        }
    }

    /// Where the paths of flow `index` begin. Paths that no flow took before are added to the plan.
    pub(super) fn begin(&mut self, config: &Config, index: u64, plan: &mut RunPlan) -> FirstSteps {
        match self {
            &mut Self::Same(SamePaths { begin: (out, back), hops, .. }) => {
                FirstSteps { out, back, spray: None, hops }
            }
            &mut Self::PerFlow(PerFlowPaths { class, paths }) => {
                let out = paths.out.of_flow(index);
                FirstSteps {
                    out: plan.begin(config, class, &out),
                    back: plan.begin(config, class, &paths.back.of_flow(index)),
                    spray: None,
                    hops: count(&out),
                }
            }
            Self::Sprayed(sprayed) => sprayed.begin(config, index, plan),
        }
    }

    /// Completion time of `size` bytes of flow `index` alone.
    pub(super) fn alone(&self, config: &Config, index: u64, size: Bytes) -> Span {
        let completion = |paths: &Paths| Alone::new(config, paths, index).completion(size.as_u64());
        match self {
            Self::Same(paths) => paths.alone.completion(size.as_u64()),
            Self::PerFlow(each) => completion(each.paths),
            Self::Sprayed(sprayed) => completion(sprayed.paths),
        }
    }
}

impl SprayedPaths<'_> {
    fn begin(&mut self, config: &Config, index: u64, plan: &mut RunPlan) -> FirstSteps {
        let &mut Self { class, paths, ref mut begin, hops } = self;
        if begin.is_empty() {
            let all = paths.out.sprayed_paths().unwrap_or_default();
            begin.extend(all.iter().map(|path| plan.begin(config, class, path)));
        }
        let mut order = begin.clone();
        paths.out.shuffle(index, &mut order);
        let mut spray = Spray::new(order);
        let back = plan.begin(config, class, &paths.back.of_flow(index));
        FirstSteps { out: spray.next(), back, spray: Some(Box::new(spray)), hops }
    }
}

/// Number of links of a path.
fn count(path: &[LinkId]) -> u32 {
    u32::try_from(path.len()).unwrap_or(u32::MAX)
}
