//! A demonstration: three routers in a row, a process each, and three sources.
//!
//! ```text
//! flow 1: A ------> B ------> C      flows 1 and 2 share the link from A to B,
//! flow 2: A ------> B                flows 1 and 3 that from B to C
//! flow 3:           B ------> C
//! ```
//!
//! Acknowledgements come back over links of the same rates.

mod children;
mod outcome;
mod shares;
mod topology;

use std::time::Duration;

use crate::error::OverlayError;
use crate::plan::{LinkPlan, ROOM, RateStep};
use children::{ChildReport, Children, free_ports};
pub use outcome::{DemoFlow, DemoLink, DemoOutcome, DemoPhase, median};
use sluice_laws::ncp::FlowCount;
pub use topology::DemoPlan;
use topology::Ports;

/// Runs the demonstration, and ends all of its processes. `progress` gets a line a second.
pub fn run(plan: &DemoPlan, progress: &mut dyn FnMut(&str)) -> Result<DemoOutcome, OverlayError> {
    plan.check()?;
    let [a, b, c, sink_b, sink_c] = free_ports()?;
    let ports = Ports { routers: [a, b, c], sinks: [sink_b, sink_c] };
    let mut children = Children::default();
    start_network(&mut children, plan, &ports)?;
    // Router A, whose clock the change goes by, is the first.
    let zero = children.ready(&[a, b, c, sink_b, sink_c])?;
    start_sources(&mut children, plan, &ports)?;
    let mut reports: Vec<ChildReport> = Vec::new();
    for second in 1..=plan.duration.as_nanos().div_ceil(1_000_000_000) {
        reports.extend(children.reports(Duration::from_secs(1))?);
        progress(&outcome::progress(second, &reports));
    }
    drop(children);
    Ok(outcome::judge(plan, &ports, &reports, zero))
}

/// Starts sinks and routers.
fn start_network(
    children: &mut Children,
    plan: &DemoPlan,
    ports: &Ports,
) -> Result<(), OverlayError> {
    let [sink_b, sink_c] = ports.sinks;
    for (name, port) in [("the sink at B", sink_b), ("the sink at C", sink_c)] {
        start(children, plan, name, vec!["sink".to_owned(), format!("--port={port}")])?;
    }
    let [a, b, c] = ports.routers;
    let link = |to: u16, rates: Vec<RateStep>| {
        let plan = LinkPlan { to, rates, delay: plan.delay, room: ROOM };
        format!("--link={}", plan.text())
    };
    for (name, port, links) in [
        ("router A", a, vec![link(b, plan.steps(0))]),
        ("router B", b, vec![link(a, plan.steps_back(0)), link(c, plan.steps(1))]),
        ("router C", c, vec![link(b, plan.steps_back(1))]),
    ] {
        let arguments = ["router".to_owned(), format!("--port={port}")];
        start(children, plan, name, arguments.into_iter().chain(links).collect())?;
    }
    Ok(())
}

fn start_sources(
    children: &mut Children,
    plan: &DemoPlan,
    ports: &Ports,
) -> Result<(), OverlayError> {
    let ([a, b, c], [sink_b, sink_c]) = (ports.routers, ports.sinks);
    for (flow, route) in
        [(1, vec![a, b, c, sink_c]), (2, vec![a, b, sink_b]), (3, vec![b, c, sink_c])]
    {
        let route = route.iter().map(u16::to_string).collect::<Vec<_>>().join(",");
        let arguments =
            vec!["source".to_owned(), format!("--flow={flow}"), format!("--route={route}")];
        start(children, plan, &format!("source {flow}"), arguments)?;
    }
    Ok(())
}

fn start(
    children: &mut Children,
    plan: &DemoPlan,
    name: &str,
    arguments: Vec<String>,
) -> Result<(), OverlayError> {
    let counted = if plan.counted == FlowCount::Eq12 { "eq12" } else { "eq8" };
    let counted = format!("--counted={counted}");
    let arguments: Vec<String> = [counted].into_iter().chain(arguments).collect();
    children.start(name, &plan.program, &arguments)
}
