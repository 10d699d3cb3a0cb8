//! What can be shown over the points of a sweep. Names are those of the columns of summaries in
//! Python.

use crate::results::Interval;
use crate::{BinSummary, EstimatedBin, GroupSummary, ProtocolSummary, Quantiles, Summary};

/// A measure: a statistic of flows, or a value of a system or a group.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Its name, e.g. `completion_p99` or `group.web.throughput`.
    pub name: String,
    /// Its name for a reader.
    pub title: String,
    /// `s`, `B`, `bit/s`, `%` for fractions, or empty for a number.
    pub unit: &'static str,
    of: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// A statistic of a quantity of flows, of all sizes or some.
    Flows(fn(&BinSummary) -> &Quantiles, Statistic),
    /// A count of flows, likewise.
    Count,
    System(fn(&ProtocolSummary) -> Option<f64>),
    /// What models predict of the mean completion time, of all sizes or some.
    Estimate,
    /// Of the group of this number.
    Group(usize, fn(&GroupSummary) -> f64),
}

/// A statistic of a distribution: its value and its interval.
type Statistic = fn(&Quantiles) -> (Option<f64>, Option<Interval>);

impl Measure {
    /// All measures of these results: of flows, of systems, then of groups.
    pub(super) fn all(summary: &Summary) -> Vec<Self> {
        let groups = summary.systems().next().map_or(&[][..], |first| &first.groups);
        let of_group = |(number, group): (usize, &GroupSummary)| Self {
            name: format!("group.{}.throughput", group.name),
            title: format!("throughput of {}", group.name),
            unit: "bit/s",
            of: Kind::Group(number, |group| group.throughput),
        };
        let of_groups = groups.iter().enumerate().map(of_group);
        of_flows().into_iter().chain(of_systems()).chain(of_groups).collect()
    }

    /// Whether it differs by flow size.
    pub fn is_by_size(&self) -> bool {
        matches!(self.of, Kind::Flows(..) | Kind::Count | Kind::Estimate)
    }

    /// Whether models predict it, rather than runs.
    pub fn is_estimate(&self) -> bool {
        matches!(self.of, Kind::Estimate)
    }

    /// Whether it is a statistic of finished flows, which should have an interval.
    pub fn is_statistic(&self) -> bool {
        matches!(self.of, Kind::Flows(..))
    }

    /// Its value with its interval, for a system and the flows `of` a bin of it.
    pub(super) fn value(
        &self,
        system: &ProtocolSummary,
        of: &BinSummary,
    ) -> Option<(f64, Option<Interval>)> {
        match self.of {
            Kind::Flows(quantity, statistic) => {
                let (value, interval) = statistic(quantity(of));
                Some((value?, interval))
            }
            Kind::Count => Some((of.flows as f64, None)),
            Kind::System(value) => Some((value(system)?, None)),
            Kind::Estimate => {
                let found = system.estimate.as_ref()?;
                let of_bin = |bin: &&EstimatedBin| (bin.from, bin.to) == (of.from, of.to);
                let is_all = (of.from, of.to) == (0, None);
                let mean = if is_all {
                    found.completion
                } else {
                    found.by_size.iter().find(of_bin)?.completion
                };
                Some((mean, None))
            }
            Kind::Group(number, value) => Some((value(system.groups.get(number)?), None)),
        }
    }
}

fn of_flows() -> Vec<Measure> {
    type Quantity = (&'static str, &'static str, &'static str, fn(&BinSummary) -> &Quantiles);
    let quantities: [Quantity; 3] = [
        ("completion", "completion time", "s", |bin| &bin.completion),
        ("slowdown", "slowdown", "", |bin| &bin.slowdown),
        ("ideal_ratio", "completion time relative to max-min", "", |bin| &bin.ideal_ratio),
    ];
    let statistics: [(&str, &str, Statistic); 4] = [
        ("mean", "mean", |found| (found.mean, found.intervals.mean)),
        ("p50", "median", |found| (found.p50, found.intervals.p50)),
        ("p99", "99th percentile", |found| (found.p99, found.intervals.p99)),
        ("p999", "99.9th percentile", |found| (found.p999, found.intervals.p999)),
    ];
    let of_quantity = |(key, title, unit, quantity): Quantity| {
        statistics.map(|(end, of, statistic)| Measure {
            name: format!("{key}_{end}"),
            title: format!("{title}, {of}"),
            unit,
            of: Kind::Flows(quantity, statistic),
        })
    };
    quantities.into_iter().flat_map(of_quantity).collect()
}

fn of_systems() -> Vec<Measure> {
    let measure = |name: &str, title: &str, unit, of| Measure {
        name: name.into(),
        title: title.into(),
        unit,
        of,
    };
    let system = Kind::System;
    vec![
        measure("estimate_mean", "completion time, mean, estimated", "s", Kind::Estimate),
        measure("flows", "flows finished", "", Kind::Count),
        measure("unfinished", "flows unfinished", "", system(|of| Some(of.unfinished as f64))),
        measure("utilization", "utilization", "%", system(|of| Some(of.bottleneck.utilization))),
        measure("mean_queue", "mean queue", "B", system(|of| Some(of.bottleneck.mean_queue))),
        measure(
            "p99_queue",
            "queue, 99th percentile",
            "B",
            system(|of| Some(of.bottleneck.p99_queue)),
        ),
        measure(
            "bottleneck_drops",
            "packets dropped at the bottleneck",
            "",
            system(|of| Some(of.bottleneck.drops)),
        ),
        measure("drops", "packets dropped", "", system(|of| Some(of.drops as f64))),
        measure("errors", "packets lost on wires", "", system(|of| Some(of.errors as f64))),
        measure(
            "retransmissions",
            "packets retransmitted",
            "",
            system(|of| Some(of.retransmissions as f64)),
        ),
        measure("offered", "offered load", "bit/s", system(|of| Some(of.offered))),
        measure("jain", "Jain's index of long flows", "", system(|of| of.long?.jain)),
    ]
}
