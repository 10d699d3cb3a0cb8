//! What a demonstration shows: rates beside max-min fair ones, and capacities as estimated beside those emulated.

use std::fmt::Write as _;
use std::time::Instant;

use sluice_laws::ncp::NcpParams;
use sluice_units::{Rate, Time};

use super::children::ChildReport;
use super::shares::{equal_shares, max_min};
use super::topology::{DemoPlan, FLOWS, LINKS, Ports, SETTLING};
use crate::processes::PACKET;

/// The measurements of a demonstration.
#[derive(Clone, Debug)]
pub struct DemoOutcome {
    /// From the start on, and from the change on if there is one.
    pub phases: Vec<DemoPhase>,
}

/// The measurements while capacities stay as they are.
#[derive(Clone, Debug)]
pub struct DemoPhase {
    /// When rates had settled.
    pub from: Time,
    /// The end.
    pub to: Time,
    /// The flows in order of their numbers.
    pub flows: Vec<DemoFlow>,
    /// The links from A to B and from B to C.
    pub links: Vec<DemoLink>,
}

/// A flow.
#[derive(Clone, Debug)]
pub struct DemoFlow {
    /// The rate at which its packets were acknowledged, in bits of whole datagrams.
    pub rate: Rate,
    /// Its max-min fair share of what NCP fills, alpha C of each link.
    pub max_min: Rate,
    /// Its equal share of that, which equation (8) grants.
    pub equal: Rate,
}

/// A link.
#[derive(Clone, Debug)]
pub struct DemoLink {
    /// The capacity as emulated.
    pub capacity: Rate,
    /// As the router at its start estimates it, of each report.
    pub outbound: Vec<f64>,
    /// As the router at its end does.
    pub inbound: Vec<f64>,
    /// R(t), of each report.
    pub rate: Vec<f64>,
    /// Bytes that wait, of each report.
    pub queue: Vec<f64>,
    /// The most bytes that waited.
    pub most: f64,
    /// Packets dropped.
    pub drops: f64,
}

/// A line about the last second.
pub(super) fn progress(second: u64, reports: &[ChildReport]) -> String {
    let mut line = format!("{second:>3} s:");
    for flow in 1..=FLOWS.len() as u32 {
        let last: Vec<&ChildReport> = of_source(reports, flow).collect();
        let since = last.len().saturating_sub(3);
        let rate = acknowledged(&last[since..]) / 1e6;
        _ = write!(line, "  flow {flow} {rate:5.2} Mb/s");
    }
    line
}

/// The outcome that these reports show. `zero` is the start of router A.
pub(super) fn judge(
    plan: &DemoPlan,
    ports: &Ports,
    reports: &[ChildReport],
    zero: Instant,
) -> DemoOutcome {
    let phases = plan.phases().into_iter().map(|(start, end)| {
        let within = (start + SETTLING).as_secs_f64()..end.as_secs_f64();
        let is_in = |report: &&ChildReport| {
            within.contains(&report.seen.saturating_duration_since(zero).as_secs_f64())
        };
        let reports: Vec<ChildReport> = reports.iter().filter(is_in).cloned().collect();
        phase(plan, ports, &reports, (start, end))
    });
    DemoOutcome { phases: phases.collect() }
}

fn phase(
    plan: &DemoPlan,
    ports: &Ports,
    reports: &[ChildReport],
    (start, to): (Time, Time),
) -> DemoPhase {
    let changed = plan.change.filter(|change| change.from <= start);
    let capacities = [changed.map_or(plan.rates[0], |change| change.rate), plan.rates[1]];
    let filled = capacities.map(|capacity| capacity * NcpParams::default().alpha);
    let paths = FLOWS.map(<[usize]>::to_vec);
    let shares = max_min(&filled, &paths).into_iter().zip(equal_shares(&filled, &paths));
    let flows = shares.zip(1..).map(|((max_min, equal), flow)| {
        let reports: Vec<&ChildReport> = of_source(reports, flow).collect();
        DemoFlow { rate: Rate::from_bps_f64(acknowledged(&reports)), max_min, equal }
    });
    let links = (0..LINKS.len()).map(|at| link(capacities[at], ports, at, reports));
    DemoPhase { from: start + SETTLING, to, flows: flows.collect(), links: links.collect() }
}

fn link(capacity: Rate, ports: &Ports, at: usize, reports: &[ChildReport]) -> DemoLink {
    let (start, end) = (ports.routers[at], ports.routers[at + 1]);
    let values = |router: u16, to: u16, key: &str| {
        let of = reports.iter().filter(|report| report.is("router", router) && report.is("to", to));
        of.filter_map(|report| report.number(key)).collect::<Vec<f64>>()
    };
    DemoLink {
        capacity,
        outbound: values(start, end, "outbound_bps"),
        inbound: values(end, start, "inbound_bps"),
        rate: values(start, end, "R"),
        queue: values(start, end, "queue"),
        most: values(start, end, "most").into_iter().fold(0.0, f64::max),
        drops: values(start, end, "drops").into_iter().sum(),
    }
}

/// The reports of the source of a flow; sinks report flows, too.
fn of_source(reports: &[ChildReport], flow: u32) -> impl Iterator<Item = &ChildReport> {
    reports.iter().filter(move |report| report.is("flow", flow) && report.number("acked").is_some())
}

/// Bits a second acknowledged from the first report to the last.
fn acknowledged(reports: &[&ChildReport]) -> f64 {
    let (Some(first), Some(last)) = (reports.first(), reports.last()) else { return 0.0 };
    let grown = |key: &str| Some(last.number(key)? - first.number(key)?);
    match (grown("acked"), grown("time")) {
        (Some(acked), Some(time)) if time > 0.0 => acked * PACKET.as_f64() * 8.0 / time,
        _ => 0.0,
    }
}

/// The median; NaN of none.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The mean; NaN of none.
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

impl DemoOutcome {
    /// The measurements as text, rates in Mb/s.
    pub fn table(&self) -> String {
        let mut text = String::new();
        for phase in &self.phases {
            let (from, to) = (phase.from.as_secs_f64(), phase.to.as_secs_f64());
            _ = writeln!(text, "\nfrom {from} s to {to} s, rates in Mb/s");
            _ = writeln!(text, "flow  links     rate  max-min  by (8)");
            for (at, flow) in phase.flows.iter().enumerate() {
                let links: Vec<&str> = FLOWS[at].iter().map(|&link| LINKS[link]).collect();
                let [rate, max_min, equal] =
                    [flow.rate, flow.max_min, flow.equal].map(|rate| rate.as_bps_f64() / 1e6);
                let links = links.join(" ");
                _ = writeln!(
                    text,
                    "{:<4}  {links:<7}{rate:>7.2}{max_min:>9.2}{equal:>8.2}",
                    at + 1
                );
            }
            _ = writeln!(
                text,
                "link  capacity  outbound (least to most)  inbound     R  queue (most)  drops"
            );
            for (name, link) in LINKS.iter().zip(&phase.links) {
                _ = writeln!(text, "{}", link.row(name));
            }
        }
        text
    }
}

impl DemoLink {
    fn row(&self, name: &str) -> String {
        let mbps = |bps: f64| bps / 1e6;
        let least = self.outbound.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.outbound.iter().copied().fold(0.0, f64::max);
        format!(
            "{name:<4}{:>10.2}{:>10.2} ({:.2} to {:.2}){:>11.2}{:>6.2}{:>7.0} ({:.0} B){:>5.0}",
            mbps(self.capacity.as_bps_f64()),
            mbps(median(&self.outbound)),
            mbps(least),
            mbps(most),
            mbps(median(&self.inbound)),
            mbps(mean(&self.rate)),
            mean(&self.queue),
            self.most,
            self.drops,
        )
    }
}
