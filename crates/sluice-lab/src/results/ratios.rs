//! How much longer flows take under one system than under another, by class of flow sizes: the ratio of the
//! mean completion times of the same flows.

use serde::{Deserialize, Serialize};

use super::classes::{self, CLASSES};
use super::matched::MatchedFlow;
use super::pairs::distinct;
use super::stats::{self, Interval};
use super::system::System;
use super::wide;
use crate::Plan;
use crate::scenario::Group;

/// Mean completion times of the same flows under a protocol and under a reference, one over the other.
///
/// Counted are measured flows with a size that finished under the reference. One that did not finish under
/// the protocol counts with the time from its start to the end of the run, so that the ratio is a lower bound.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CompletionRatios {
    /// The protocol.
    pub protocol: System,
    /// What it is compared with: an ideal, or the first protocol.
    pub reference: System,
    /// Flows of all sizes.
    pub all: ClassRatio,
    /// The same by class of sizes; classes without a flow are left out.
    pub by_class: Vec<ClassRatio>,
    /// The same by group of the scenario, those without a flow left out.
    pub groups: Vec<GroupRatios>,
}

/// Flows of some sizes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassRatio {
    /// Data packets of the smallest flow.
    pub from: u64,
    /// Flows have fewer data packets than this; `None` for no limit.
    pub to: Option<u64>,
    /// Number of flows, all runs together.
    pub flows: u64,
    /// How many of them did not finish under the protocol.
    pub unfinished: u64,
    /// Measured flows that are left out since they did not finish under the reference.
    pub left_out: u64,
    /// Mean completion time under the protocol in seconds.
    pub completion: f64,
    /// Mean completion time under the reference in seconds.
    pub reference_completion: f64,
    /// The first over the second.
    pub ratio: f64,
    /// Confidence interval of the ratio, over runs: by Student's t on a logarithmic scale. `None` if fewer than two
    /// runs have such flows.
    pub ratio_interval: Option<Interval>,
}

/// The flows of a group of the scenario.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GroupRatios {
    /// Its name.
    pub name: String,
    /// Flows of all sizes.
    pub all: ClassRatio,
    /// The same by class of sizes; classes without a flow are left out.
    pub by_class: Vec<ClassRatio>,
}

/// Sums over the flows of one run, by group of the scenario and class.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RatioTally(Vec<[RatioSums; CLASSES]>);

/// The sums of one class. They are exact, so that they do not depend on the order of flows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RatioSums {
    flows: u64,
    unfinished: u64,
    left_out: u64,
    /// Nanoseconds under the protocol.
    #[serde(with = "wide")]
    times: u128,
    /// Nanoseconds under the reference.
    #[serde(with = "wide")]
    reference: u128,
}

impl RatioSums {
    fn plus(mut self, more: &Self) -> Self {
        self.flows += more.flows;
        self.unfinished += more.unfinished;
        self.left_out += more.left_out;
        self.times += more.times;
        self.reference += more.reference;
        self
    }

    /// What the ratio divides; `None` without flows, and where the reference takes no time.
    fn parts(&self) -> Option<[f64; 2]> {
        (self.reference > 0).then_some([self.times as f64, self.reference as f64])
    }

    fn ratio(&self) -> Option<f64> {
        self.parts().map(|[times, reference]| times / reference)
    }
}

impl RatioTally {
    /// An empty tally of a plan's run.
    pub fn new(plan: &Plan) -> Self {
        Self(vec![Default::default(); plan.scenario.group.len()])
    }

    /// Adds a flow, of which the first run is the reference. The second one ended at `end_ns`.
    pub fn add(&mut self, plan: &Plan, flow: &MatchedFlow, end_ns: u64) {
        let group = plan.groups[flow.group].of;
        let sums = &mut self.0[group][classes::class(flow.size, &plan.config)];
        let Some(reference) = flow.first else {
            sums.left_out += 1;
            return;
        };
        sums.flows += 1;
        sums.unfinished += u64::from(flow.second.is_none());
        let so_far = || end_ns.saturating_sub(flow.start);
        sums.times += u128::from(flow.second.unwrap_or_else(so_far));
        sums.reference += u128::from(reference);
    }
}

impl ClassRatio {
    /// That of a class, if it has flows.
    pub(crate) fn of_class(by_class: &[Self], class: usize) -> Option<&Self> {
        by_class.iter().find(|found| found.from == classes::edges(class).0)
    }
}

impl CompletionRatios {
    /// The classes of which any of these have flows.
    pub(crate) fn used(all: &[&Self]) -> Vec<usize> {
        let has = |&class: &usize| {
            all.iter().any(|one| ClassRatio::of_class(&one.by_class, class).is_some())
        };
        (0..CLASSES).filter(has).collect()
    }

    /// Whether all of these are of as many flows of each class, as they are but where some runs of a protocol are missing.
    pub(crate) fn have_equal_flows(all: &[&Self]) -> bool {
        let counts = |one: &Self| {
            one.by_class.iter().map(|flows| (flows.from, flows.flows)).collect::<Vec<_>>()
        };
        all.windows(2).all(|two| counts(two[0]) == counts(two[1]))
    }

    /// The ratios over all runs; `None` if no flow is in them.
    pub fn of(
        plan: &Plan,
        protocol: System,
        reference: System,
        runs: &[RatioTally],
    ) -> Option<Self> {
        let runs = distinct(runs);
        let of_group = |(number, group): (usize, &Group)| {
            let all = of_classes(runs, |other| other == number, |_| true)?;
            let by_class = by_class(runs, |other| other == number);
            Some(GroupRatios { name: group.name.clone(), all, by_class })
        };
        Some(Self {
            protocol,
            reference,
            all: of_classes(runs, |_| true, |_| true)?,
            by_class: by_class(runs, |_| true),
            groups: plan.scenario.group.iter().enumerate().filter_map(of_group).collect(),
        })
    }
}

fn by_class(runs: &[RatioTally], groups: impl Fn(usize) -> bool + Copy) -> Vec<ClassRatio> {
    let of = |class| {
        let (from, to) = classes::edges(class);
        Some(ClassRatio { from, to, ..of_classes(runs, groups, |other| other == class)? })
    };
    (0..CLASSES).filter_map(of).collect()
}

/// The ratio of some groups and classes together.
fn of_classes(
    runs: &[RatioTally],
    groups: impl Fn(usize) -> bool,
    classes: impl Fn(usize) -> bool,
) -> Option<ClassRatio> {
    let of_run = |run: &RatioTally| {
        let chosen = run.0.iter().enumerate().filter(|(group, _)| groups(*group));
        let cells = chosen.flat_map(|(_, by_class)| by_class.iter().enumerate());
        let chosen = cells.filter(|(class, _)| classes(*class));
        chosen.fold(RatioSums::default(), |sum, (_, sums)| sum.plus(sums))
    };
    let of_runs: Vec<RatioSums> = runs.iter().map(of_run).collect();
    let sum = of_runs.iter().fold(RatioSums::default(), RatioSums::plus);
    let have: Vec<[f64; 2]> = of_runs.iter().filter_map(RatioSums::parts).collect();
    let mean = |nanos: u128| nanos as f64 / 1e9 / sum.flows as f64;
    Some(ClassRatio {
        from: classes::edges(0).0,
        to: None,
        flows: sum.flows,
        unfinished: sum.unfinished,
        left_out: sum.left_out,
        ratio: sum.ratio()?,
        ratio_interval: stats::of_ratio(&have),
        completion: mean(sum.times),
        reference_completion: mean(sum.reference),
    })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use sluice_laws::registry::ProtocolName;
    use sluice_sim::ideal::Ideal;

    use super::*;
    use crate::PlanOverrides;
    use crate::scenario::Document;

    const S: u64 = 1_000_000_000;
    const TCP: System = System::Protocol(ProtocolName::Tcp);
    const MAX_MIN: System = System::Ideal(Ideal::MaxMin);

    /// Packets of 1000 bytes of data, and these groups.
    fn plan(groups: &[&str]) -> Plan {
        let group = |name: &&str| {
            format!("{{ name = \"{name}\", from = \"s0\", to = \"d0\", long = {{}} }}")
        };
        let groups: Vec<String> = groups.iter().map(group).collect();
        let text = format!(
            "schema = 1\nstop = \"1 s\"\npacket = \"1040 B\"\nheader = \"40 B\"\n\
             topology.dumbbell = {{ capacity = \"1 Mbps\", rtt = \"10 ms\" }}\ngroup = [{}]",
            groups.join(", ")
        );
        let source = Document::new("test.toml", &text, "test").source().unwrap();
        Plan::of(&source, PathBuf::new(), &PlanOverrides::default()).unwrap()
    }

    /// A flow of a group: packets, start, time under the reference and under the protocol, in seconds.
    type Flow = (usize, u64, u64, Option<u64>, Option<u64>);

    /// A run that ended at 10 s.
    fn run(plan: &Plan, flows: &[Flow]) -> RatioTally {
        let mut tally = RatioTally::new(plan);
        for &(group, packets, start, first, second) in flows {
            let [first, second] = [first, second].map(|time| time.map(|seconds| seconds * S));
            let flow = MatchedFlow { group, size: packets * 1000, start: start * S, first, second };
            tally.add(plan, &flow, 10 * S);
        }
        tally
    }

    fn ratios(plan: &Plan, runs: &[RatioTally]) -> Option<CompletionRatios> {
        CompletionRatios::of(plan, TCP, MAX_MIN, runs)
    }

    #[test]
    fn two_flows_by_hand() {
        let plan = plan(&["web"]);
        // 29 packets in 3 s rather than 1 s, 300 packets in 6 s rather than 4 s.
        let found = run(&plan, &[(0, 29, 0, Some(1), Some(3)), (0, 300, 1, Some(4), Some(6))]);
        let found = ratios(&plan, &[found]).unwrap();
        let classes: Vec<_> =
            found.by_class.iter().map(|one| (one.from, one.to, one.flows, one.ratio)).collect();
        // No flow has 30 to 299 packets, or 3000 and more.
        assert_eq!(classes, [(1, Some(30), 1, 3.0), (300, Some(3000), 1, 1.5)]);
        // Not the mean of the ratios, 2.25.
        let ClassRatio { from, to, flows, ratio, ratio_interval, .. } = found.all;
        assert_eq!((from, to, flows, ratio, ratio_interval), (1, None, 2, 9.0 / 5.0, None));
        assert_eq!((found.all.completion, found.all.reference_completion), (4.5, 2.5));
        let [GroupRatios { all, by_class, .. }] = &found.groups[..] else { panic!("{found:?}") };
        assert_eq!((all, by_class), (&found.all, &found.by_class), "of one group all flows are");
    }

    #[test]
    fn an_unfinished_flow_counts_until_the_end_and_one_of_the_reference_not_at_all() {
        let plan = plan(&["web"]);
        let flows = [
            (0, 1, 0, Some(1), Some(1)),
            // From 4 s to the end at 10 s.
            (0, 1, 4, Some(3), None),
            (0, 1, 4, None, Some(5)),
            (0, 5000, 4, None, None),
        ];
        let found = ratios(&plan, &[run(&plan, &flows)]).unwrap();
        let ClassRatio { flows, unfinished, left_out, ratio, .. } = found.by_class[0];
        assert_eq!((flows, unfinished, left_out, ratio), (2, 1, 1, 7.0 / 4.0));
        assert_eq!(found.by_class.len(), 1, "no flow of 5000 packets has a ratio");
        assert_eq!((found.all.ratio, found.all.left_out), (7.0 / 4.0, 2));
    }

    #[test]
    fn groups_are_apart_and_those_without_a_flow_absent() {
        let plan = plan(&["crowd", "none", "load"]);
        let flows = [(0, 100, 0, Some(2), Some(8)), (2, 100, 0, Some(2), Some(2))];
        let found = ratios(&plan, &[run(&plan, &flows)]).unwrap();
        let groups: Vec<_> =
            found.groups.iter().map(|group| (&group.name[..], group.all.ratio)).collect();
        assert_eq!(groups, [("crowd", 4.0), ("load", 1.0)]);
        assert_eq!(found.groups[0].by_class[0].from, 30);
        assert_eq!(found.by_class[0].ratio, 10.0 / 4.0);
    }

    #[test]
    fn no_flow_has_no_ratio() {
        let plan = plan(&["web"]);
        assert!(ratios(&plan, &[run(&plan, &[])]).is_none());
        assert!(ratios(&plan, &[run(&plan, &[(0, 1, 0, None, Some(1))])]).is_none());
        assert!(ratios(&plan, &[]).is_none());
    }

    #[test]
    fn an_interval_is_of_the_ratio_over_runs() {
        let plan = plan(&["web"]);
        let runs = [(1, 1), (3, 9)]
            .map(|(first, second)| run(&plan, &[(0, 1, 0, Some(first), Some(second))]));
        let all = ratios(&plan, &runs).unwrap().all;
        // 10 s over 4 s, not the mean of 1 and 3. What is left is -1.5 s and 1.5 s: a standard error of 0.75.
        assert_eq!((all.flows, all.ratio), (2, 2.5));
        let [low, high] = all.ratio_interval.unwrap();
        let factor = libm::exp(12.706_205 * 0.75 / 2.5);
        assert!((low * factor - 2.5).abs() < 1e-4 && (high / factor - 2.5).abs() < 1e-4);
        // A run without flows of the class says nothing of it.
        let all = ratios(&plan, &[runs[1].clone(), run(&plan, &[])]).unwrap().all;
        assert_eq!((all.ratio, all.ratio_interval), (3.0, None));
        let same = [runs[1].clone(), runs[1].clone()];
        let all = ratios(&plan, &same).unwrap().all;
        assert_eq!((all.flows, all.ratio_interval), (1, None), "one run, made twice");
    }
}
