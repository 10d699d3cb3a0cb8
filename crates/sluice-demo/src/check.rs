//! Whether a configuration can be played.

use std::ops::RangeInclusive;

use sluice_sim::Config;
use sluice_units::{Bytes, Time};

use crate::error::DemoError;
use crate::layout::Layout;
use crate::transfers::bulks;
use crate::workload::{PlannedFlow, planned};

/// Flows with a size at most, in a second on average: each is a process, which takes some 10 ms of a processor to start.
const FLOWS_A_SECOND: f64 = 50.0;
/// Times at most at which flows without a size start, for each pair of hosts: each is two processes.
const BULKS: usize = 64;
/// Headers of a data packet of the kernel's, and acknowledgements without blocks of SACK: 14 bytes of Ethernet, 20 of IP, 32
/// of TCP with time stamps, and under RCP its option with 12.
const HEADERS: RangeInclusive<Bytes> = Bytes::new(66)..=Bytes::new(78);

/// Whether a kernel can play a configuration, with the names of its nodes.
///
/// # Errors
/// [`DemoError::Unsupported`] with what it cannot, [`DemoError::Config`] if the simulator cannot either.
pub fn check(config: &Config, names: &[String]) -> Result<(), DemoError> {
    prepare(config, names).map(drop)
}

/// Why the simulation of a configuration that can be played differs from what is measured, a line each.
pub fn differences(config: &Config) -> Vec<String> {
    let sizes = [("header", config.header), ("control", config.control)];
    let differs = sizes.into_iter().filter(|(_, size)| !HEADERS.contains(size));
    let line = |(name, size): (&str, Bytes)| {
        let (least, most) = (HEADERS.start(), HEADERS.end());
        format!("`{name}` is {size} in simulated runs; in measured ones {least}, under RCP {most}")
    };
    differs.map(line).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_headers_that_the_kernel_does_not_have_are_named() {
        let of = |header, control| {
            let [header, control] = [header, control].map(Bytes::new);
            differences(&Config { header, control, ..Config::new(0, vec![], vec![], Time::ZERO) })
        };
        assert_eq!(of(78, 78), [""; 0]);
        assert_eq!(of(66, 66), [""; 0]);
        let header = "`header` is 0 B in simulated runs; in measured ones 66 B, under RCP 78 B";
        let control = "`control` is 40 B in simulated runs; in measured ones 66 B, under RCP 78 B";
        assert_eq!(of(0, 40), [header, control]);
    }
}
