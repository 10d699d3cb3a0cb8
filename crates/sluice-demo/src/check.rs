//! Whether a configuration can be played.

use sluice_sim::Config;
use sluice_units::Time;

use crate::error::DemoError;
use crate::layout::Layout;
use crate::transfers::bulks;
use crate::workload::{PlannedFlow, planned};

/// Flows with a size at most, in a second on average: each is a process, which takes some 10 ms of a processor to start.
const FLOWS_A_SECOND: f64 = 50.0;
/// Times at most at which flows without a size start, for each pair of hosts: each is two processes.
const BULKS: usize = 64;

/// Whether a kernel can play a configuration, with the names of its nodes.
///
/// # Errors
/// [`DemoError::Unsupported`] with what it cannot, [`DemoError::Config`] if the simulator cannot either.
pub fn check(config: &Config, names: &[String]) -> Result<(), DemoError> {
    prepare(config, names).map(drop)
}

/// The network and the flows of a configuration that can be played.
pub fn prepare(config: &Config, names: &[String]) -> Result<(Layout, Vec<PlannedFlow>), DemoError> {
    let layout = Layout::of(config, names)?;
    let flows = planned(config)?;
    let began = flows.iter().filter(|flow| flow.size.is_some() && flow.start < config.stop);
    let rate = began.count() as f64 / config.stop.since(Time::ZERO).as_secs_f64();
    if rate > FLOWS_A_SECOND {
        return Err(DemoError::Unsupported(format!(
            "{rate:.1} flows begin in a second, each a program of its own; more than {FLOWS_A_SECOND} cannot be played"
        )));
    }
    let bulks = bulks(config, &flows).len();
    if bulks > BULKS {
        return Err(DemoError::Unsupported(format!(
            "flows without a size start at {bulks} times, with a program each; more than {BULKS} cannot be played"
        )));
    }
    Ok((layout, flows))
}
