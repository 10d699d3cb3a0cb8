//! The paths that flows of a group take.

use sluice_units::{Bytes, Rate, Span};

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
    /// Of each data path: all have the fewest links.
    known: KnownPath,
}

/// The one data path and the one path back of a group.
pub(super) struct SamePaths {
    /// Where they begin in the plan.
    begin: (u32, u32),
    known: KnownPath,
    alone: Alone,
}

/// Where the data path and the path back of a flow begin in the plan, and where its packets take all
/// paths in turn, those after the first.
pub(super) struct FirstSteps {
    pub(super) out: u32,
    pub(super) back: u32,
    pub(super) spray: Option<Box<Spray>>,
    pub(super) known: KnownPath,
}

/// What a sender knows of its path as a flow begins.
#[derive(Clone, Copy)]
pub(super) struct KnownPath {
    /// Number of links of the data path.
    pub(super) hops: u32,
    /// Capacity of the first of them.
    pub(super) line_rate: Rate,
    /// RTT of a full packet and its acknowledgement without queues.
    pub(super) base_rtt: Span,
}

impl KnownPath {
    fn new(config: &Config, out: &[LinkId], back: &[LinkId]) -> Self {
        let along = |path: &[LinkId], bytes: Bytes| {
            let links = path.iter().map(|&link| &config.links[link]);
            links.fold(Span::ZERO, |sum, link| sum + link.delay + link.capacity.time_for(bytes))
        };
        Self {
            hops: u32::try_from(out.len()).unwrap_or(u32::MAX),
            line_rate: out.first().map_or(Rate::MAX, |&link| config.links[link].capacity),
            base_rtt: along(out, config.packet) + along(back, config.control),
        }
    }
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
            let known = KnownPath::new(config, out, back);
            return Self::Same(SamePaths { begin, known, alone: Alone::new(config, paths, 0) });
        }
        match paths.out.spray() {
            1 => Self::PerFlow(PerFlowPaths { class, paths }),
            _ => {
                let known = KnownPath::new(config, &paths.out.of_flow(0), &paths.back.of_flow(0));
                Self::Sprayed(SprayedPaths { class, paths, begin: Vec::new(), known })
            }
        }
    }

    /// Where the paths of flow `index` begin. Paths that no flow took before are added to the plan.
    pub(super) fn begin(&mut self, config: &Config, index: u64, plan: &mut RunPlan) -> FirstSteps {
        match self {
            &mut Self::Same(SamePaths { begin: (out, back), known, .. }) => {
                FirstSteps { out, back, spray: None, known }
            }
            &mut Self::PerFlow(PerFlowPaths { class, paths }) => {
                let (out, back) = (paths.out.of_flow(index), paths.back.of_flow(index));
                FirstSteps {
                    out: plan.begin(config, class, &out),
                    back: plan.begin(config, class, &back),
                    spray: None,
                    known: KnownPath::new(config, &out, &back),
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
        let &mut Self { class, paths, ref mut begin, known } = self;
        if begin.is_empty() {
            let all = paths.out.sprayed_paths().unwrap_or_default();
            begin.extend(all.iter().map(|path| plan.begin(config, class, path)));
        }
        let mut order = begin.clone();
        paths.out.shuffle(index, &mut order);
        let mut spray = Spray::new(order);
        let back = plan.begin(config, class, &paths.back.of_flow(index));
        FirstSteps { out: spray.next(), back, spray: Some(Box::new(spray)), known }
    }
}
