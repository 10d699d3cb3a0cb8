//! How the capacity of a link varies.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_sim::schedule::{CapacityCourse, CapacitySchedule, OnDown};
use sluice_units::{Rate, Span, Time};

use super::mahimahi;
use crate::scenario::problem::Problems;

/// How the capacity of a link varies: at most one of `steps`, `ramps` and `mahimahi`, and outages. The
/// link's `capacity` is the nominal one: it holds before the first change, and buffers and loads go
/// by it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkSchedule {
    /// Capacities, each from its instant on: `[["5 s", "1 Mbps"], ["8 s", "10 Mbps"]]`. At 0 the link
    /// is down.
    pub steps: Option<Vec<(Time, Rate)>>,
    /// Capacities at instants, with straight lines between them, the first from `capacity` at 0 s. A
    /// line is a staircase of 256 steps.
    pub ramps: Option<Vec<(Time, Rate)>>,
    /// After this time `steps` or `ramps` begin anew, the link's `capacity` first; by default the last
    /// capacity lasts.
    pub every: Option<Span>,
    /// Packet-delivery trace in Mahimahi's format, relative to the scenario file: a line for each
    /// opportunity to send 1504 bytes, with its time in whole milliseconds. It is repeated for ever.
    pub mahimahi: Option<PathBuf>,
    /// Outages, each from an instant to another: `[["3 s", "4 s"]]`; none by default. What becomes of
    /// packets, `on_down` states. Paths stay as they are, unless `reconvergence` is set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub down: Vec<(Time, Time)>,
    /// What becomes of packets in the outages of `down`: `"wait"` by default, or `"drop"`. At capacity 0 of
    /// `steps` and in gaps of a trace, they always wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_down: Option<OnDown>,
}

impl LinkSchedule {
    /// The schedule of a link of this capacity. Problems are reported with paths from `field` down; the
    /// path of the trace starts from `folder`.
    pub(crate) fn lay(
        &self,
        capacity: Rate,
        field: &str,
        folder: &Path,
        problems: &mut Problems,
    ) -> Option<CapacitySchedule> {
        let course = self.course(field, folder, problems)?;
        if self.on_down.is_some() && self.down.is_empty() {
            let help = "set `down`, or remove `on_down`";
            problems.field_help(format!("{field}.on_down"), "there is no outage", help);
            return None;
        }
        let schedule = CapacitySchedule {
            course,
            every: self.every,
            down: self.down.clone(),
            on_down: self.on_down.unwrap_or_default(),
        };
        problems.check(field, |faults| schedule.check(capacity, faults)).then_some(schedule)
    }

    fn course(
        &self,
        field: &str,
        folder: &Path,
        problems: &mut Problems,
    ) -> Option<CapacityCourse> {
        let all = [
            ("steps", self.steps.is_some()),
            ("ramps", self.ramps.is_some()),
            ("mahimahi", self.mahimahi.is_some()),
        ];
        let set: Vec<&str> = all.iter().filter(|(_, set)| *set).map(|(name, _)| *name).collect();
        if set.len() > 1 {
            problems.conflict(
                field,
                &set,
                "a link has one course; use `down` for outages beside it",
            );
            return None;
        }
        match (&self.steps, &self.ramps, &self.mahimahi) {
            (Some(steps), _, _) => Some(CapacityCourse::Steps(steps.clone())),
            (_, Some(ramps), _) => Some(CapacityCourse::Ramps(ramps.clone())),
            (_, _, Some(file)) => match mahimahi::read(&folder.join(file)) {
                Ok(times) => Some(CapacityCourse::Opportunities(times.into())),
                Err(faults) => {
                    faults.report(&format!("{field}.mahimahi"), problems);
                    None
                }
            },
            _ if self.down.is_empty() => {
                let help = "set `steps`, `ramps`, `mahimahi` or `down`";
                problems.field_help(field, "an empty schedule", help);
                None
            }
            _ => Some(CapacityCourse::Constant),
        }
    }
}
