//! The routers, links and flows of the demonstration.

use std::path::PathBuf;

use sluice_laws::ncp::FlowCount;
use sluice_units::{Rate, Span, Time};

use crate::error::OverlayError;
use crate::plan::RateStep;

/// Links by name, and for each flow those that it crosses.
pub(super) const LINKS: [&str; 2] = ["A-B", "B-C"];
pub(super) const FLOWS: [&[usize]; 3] = [&[0, 1], &[0], &[1]];
/// How long rates settle after the start and after a change, before they are averaged.
pub(super) const SETTLING: Span = Span::from_secs(2);
/// The shortest phase: some reports after that.
const SHORTEST: Span = Span::from_secs(3);
/// The longest delay of a link, at which `SETTLING` is two round trips of the longest path.
const LONGEST_DELAY: Span = Span::from_millis(250);

/// What to run.
#[derive(Clone, Debug)]
pub struct DemoPlan {
    /// The `sluice-overlay` command.
    pub program: PathBuf,
    /// Capacities of the links from A to B and from B to C, each in both directions.
    pub rates: [Rate; 2],
    /// Propagation delay of each link.
    pub delay: Span,
    /// Time to run.
    pub duration: Span,
    /// Another capacity from A to B from a time on.
    pub change: Option<RateStep>,
    /// How routers count flows.
    pub counted: FlowCount,
}

/// The UDP ports of the processes.
pub(super) struct Ports {
    pub(super) routers: [u16; 3],
    /// Of the sinks attached to B and to C.
    pub(super) sinks: [u16; 2],
}

impl DemoPlan {
    /// The rates of a link in the direction of the data.
    pub(super) fn steps(&self, link: usize) -> Vec<RateStep> {
        let change = self.change.filter(|_| link == 0);
        self.steps_back(link).into_iter().chain(change).collect()
    }

    /// The rates of a link in the direction of the acknowledgements.
    pub(super) fn steps_back(&self, link: usize) -> Vec<RateStep> {
        vec![RateStep { from: Time::ZERO, rate: self.rates[link] }]
    }

    /// When its phases begin and end: there is a second one from the change on.
    pub(super) fn phases(&self) -> Vec<(Time, Time)> {
        let (end, change) = (Time::ZERO + self.duration, self.change.map(|change| change.from));
        let starts = [Some(Time::ZERO), change].into_iter().flatten();
        starts.zip(change.into_iter().chain([end])).collect()
    }

    /// Whether its phases are long enough to show something.
    pub(super) fn check(&self) -> Result<(), OverlayError> {
        let failed = |what: String| Err(OverlayError::Argument(what));
        if self.phases().iter().any(|&(start, end)| end < start + SHORTEST) {
            return failed(format!(
                "--duration or --change leaves less than {SHORTEST} to measure"
            ));
        }
        if self.delay > LONGEST_DELAY {
            return failed(format!("--delay is {}; at most {LONGEST_DELAY}", self.delay));
        }
        Ok(())
    }
}
