//! The paths that flows of a group take.

use sluice_units::{Bytes, Rate, Span};

use crate::alone::Alone;
use crate::config::{Config, LinkId};
use crate::host::Spray;
use crate::plan::{PathClass, RunPlan};
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

/// The classes of a group's packets.
#[derive(Clone, Copy)]
pub(super) struct GroupClasses {
    pub(super) own: PathClass,
    /// That of its best-effort packets, if it sends some ([`sluice_laws::protocol::Protocol::best_effort`]).
    pub(super) best_effort: Option<PathClass>,
}

/// The numbers of these classes in the plan.
#[derive(Clone, Copy)]
struct ClassNumbers {
    own: u32,
    best_effort: Option<u32>,
}

/// The paths of a group whose flows take one each, and the classes of their packets.
pub(super) struct PerFlowPaths<'a> {
    classes: ClassNumbers,
    paths: &'a Paths,
}

/// The data paths of a group that sprays, and its paths back.
pub(super) struct SprayedPaths<'a> {
    classes: ClassNumbers,
    paths: &'a Paths,
    /// Where the data paths begin in the plan, and those of best-effort packets, once a flow has started.
    begin: Vec<u32>,
    best_effort: Vec<u32>,
    /// Of each data path: all have the fewest links.
    known: KnownPath,
}

/// The one data path and the one path back of a group.
pub(super) struct SamePaths {
    /// Where they begin in the plan.
    begin: (u32, u32),
    /// Where the data path of best-effort packets does.
    best_effort: Option<u32>,
    known: KnownPath,
    alone: Alone,
}

/// Where the data path and the path back of a flow begin in the plan, and where those of its packets do if not
/// all begin at one step.
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
    /// Of a group in `config` which has these `paths`, and whose packets are of these classes.
    pub(super) fn new(
        config: &Config,
        classes: GroupClasses,
        paths: &'a Paths,
        plan: &mut RunPlan,
    ) -> Self {
        let classes = ClassNumbers {
            own: plan.number_of(classes.own),
            best_effort: classes.best_effort.map(|class| plan.number_of(class)),
        };
        if let (Some(out), Some(back)) = (paths.out.only(), paths.back.only()) {
            let mut begin = |class, path| plan.begin(config, class, path);
            return Self::Same(SamePaths {
                begin: (begin(classes.own, out), begin(classes.own, back)),
                best_effort: classes.best_effort.map(|class| begin(class, out)),
                known: KnownPath::new(config, out, back),
                alone: Alone::new(config, paths, 0),
            });
        }
        match paths.out.spray() {
            1 => Self::PerFlow(PerFlowPaths { classes, paths }),
            _ => {
                let known = KnownPath::new(config, &paths.out.of_flow(0), &paths.back.of_flow(0));
                let (begin, best_effort) = (Vec::new(), Vec::new());
                Self::Sprayed(SprayedPaths { classes, paths, begin, best_effort, known })
            }
        }
    }

    /// Where the paths of flow `index` begin. Paths that no flow took before are added to the plan.
    pub(super) fn begin(&mut self, config: &Config, index: u64, plan: &mut RunPlan) -> FirstSteps {
        match self {
            &mut Self::Same(SamePaths { begin: (out, back), best_effort, known, .. }) => {
                FirstSteps { out, back, spray: of_two_classes(out, best_effort), known }
            }
            &mut Self::PerFlow(PerFlowPaths { classes, paths }) => {
                let (out, back) = (paths.out.of_flow(index), paths.back.of_flow(index));
                let mut begin = |class, path| plan.begin(config, class, path);
                let best_effort = classes.best_effort.map(|class| begin(class, &out));
                let first = begin(classes.own, &out);
                FirstSteps {
                    out: first,
                    back: begin(classes.own, &back),
                    spray: of_two_classes(first, best_effort),
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
        let &mut Self { classes, paths, ref mut begin, ref mut best_effort, known } = self;
        if begin.is_empty() {
            let all = paths.out.sprayed_paths().unwrap_or_default();
            begin.extend(all.iter().map(|path| plan.begin(config, classes.own, path)));
            if let Some(class) = classes.best_effort {
                best_effort.extend(all.iter().map(|path| plan.begin(config, class, path)));
            }
        }
        // In the same order: it depends on the flow alone.
        let [order, best_effort] = [begin, best_effort].map(|begin| {
            let mut order = begin.clone();
            paths.out.shuffle(index, &mut order);
            order
        });
        let back = plan.begin(config, classes.own, &paths.back.of_flow(index));
        let out = order[0];
        FirstSteps { out, back, spray: Some(Box::new(Spray::new(order, best_effort))), known }
    }
}

/// One path, which begins at different steps for packets of the two classes, if a flow has both.
fn of_two_classes(out: u32, best_effort: Option<u32>) -> Option<Box<Spray>> {
    best_effort.map(|best_effort| Box::new(Spray::new(vec![out], vec![best_effort])))
}
