//! The paths of a group in the course of a run.

use sluice_units::{Bytes, Span, Time};

use super::group_paths::{FirstSteps, GroupClasses, GroupPaths};
use crate::config::Config;
use crate::host::{Flow, UdpStream};
use crate::plan::RunPlan;
use crate::route::RouteEpochs;

/// The paths of a group in each epoch of its routes.
pub(super) struct GroupRoutes<'a> {
    first: GroupPaths<'a>,
    /// After each change, and from when on.
    later: Vec<(Time, GroupPaths<'a>)>,
}

/// The paths of a flow at some time.
pub(super) struct FlowRoute {
    pub(super) steps: FirstSteps,
    /// When they change; [`Time::NEVER`] if they stay.
    pub(super) until: Time,
}

impl<'a> GroupRoutes<'a> {
    /// Of a group of these `classes` in `config`, which has these `routes`.
    pub(super) fn new(
        config: &Config,
        classes: GroupClasses,
        routes: &'a RouteEpochs,
        plan: &mut RunPlan,
    ) -> Self {
        let mut paths = |paths| GroupPaths::new(config, classes, paths, plan);
        let first = paths(routes.first());
        Self {
            first,
            later: routes.later().iter().map(|(at, later)| (*at, paths(later))).collect(),
        }
    }

    /// The paths of flow `index` at `now`. Paths that no flow took before are added to the plan.
    pub(super) fn at(
        &mut self,
        config: &Config,
        index: u64,
        now: Time,
        plan: &mut RunPlan,
    ) -> FlowRoute {
        let begun = self.later.partition_point(|&(at, _)| at <= now);
        let until = self.later.get(begun).map_or(Time::NEVER, |&(at, _)| at);
        let paths = match begun.checked_sub(1) {
            Some(last) => &mut self.later[last].1,
            None => &mut self.first,
        };
        FlowRoute { steps: paths.begin(config, index, plan), until }
    }

    /// Completion time of `size` bytes of flow `index` alone, without any change.
    pub(super) fn alone(&self, config: &Config, index: u64, size: Bytes) -> Span {
        self.first.alone(config, index, size)
    }

    /// The data of a flow change their paths at the sending host.
    #[cold]
    pub(super) fn reroute_data(
        &mut self,
        config: &Config,
        flow: &mut Flow,
        now: Time,
        plan: &mut RunPlan,
    ) {
        let FlowRoute { steps, until } = self.at(config, flow.index, now, plan);
        flow.sender.on_new_path(steps.known.hops);
        (flow.out, flow.spray, flow.out_until) = (steps.out, steps.spray, until);
    }

    /// The acknowledgements of a flow change their path at the receiving host.
    #[cold]
    pub(super) fn reroute_replies(
        &mut self,
        config: &Config,
        flow: &mut Flow,
        now: Time,
        plan: &mut RunPlan,
    ) {
        let FlowRoute { steps, until } = self.at(config, flow.index, now, plan);
        (flow.back, flow.back_until) = (steps.back, until);
    }

    /// A stream changes its paths.
    #[cold]
    pub(super) fn reroute_stream(
        &mut self,
        config: &Config,
        stream: &mut UdpStream,
        now: Time,
        plan: &mut RunPlan,
    ) {
        let FlowRoute { steps, until } = self.at(config, stream.index, now, plan);
        stream.reroute(steps.out, steps.spray, until);
    }
}
