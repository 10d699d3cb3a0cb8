//! Estimates by formulas: of a scenario, and of the points of a sweep.

use std::fmt::Write;

use super::grid::Grid;
use super::label::{label, label_width};
use super::text::{Print, figures, percent, rate, size, time, wrapped};
use super::{Row, Style, block, heads, warnings};
use crate::results::bins::{self, BINS};
use crate::scenario::Point;
use crate::{Estimate, EstimatedGroup, EstimatedLink, EstimatedSystem, NotModelled, System, swept};

/// The tables of an estimate.
pub fn of_estimate(found: &Estimate) -> String {
    let mut out =
        format!("{}: estimate of the steady state by formulas, without packets\n", found.name);
    completions(&mut out, found);
    groups(&mut out, found);
    links(&mut out, found);
    out += &not_modelled(&found.not_modelled);
    out + &warnings::lines(found.warnings().into_iter().map(|warning| warning.text))
}

/// Mean completion times, with a column for each size, and flows that send.
fn completions(out: &mut String, found: &Estimate) {
    let of = |system: &EstimatedSystem, bin: usize| {
        system.by_size.iter().find(|one| one.from == bins::edges(bin).0).map(|one| one.completion)
    };
    let has = |&bin: &usize| found.systems.iter().any(|system| of(system, bin).is_some());
    let used: Vec<usize> = (0..BINS).filter(has).collect();
    let rows = |cells: &dyn Fn(&EstimatedSystem) -> Vec<Option<f64>>| -> Vec<Row> {
        found.systems.iter().map(|system| (Some(system.protocol), cells(system))).collect()
    };
    heads(out, label_width(names(found)), &used);
    if found.systems.iter().any(|system| system.completion.is_some()) {
        let means = rows(&|system| {
            let sizes = used.iter().map(|&bin| of(system, bin));
            std::iter::once(system.completion).chain(sizes).collect()
        });
        block(out, "completion time, mean", &means, time, Style::Plain);
    }
    block(
        out,
        "flows sending at a time",
        &rows(&|system| vec![system.flows]),
        figures,
        Style::Plain,
    );
}

fn names(found: &Estimate) -> impl Iterator<Item = Option<System>> {
    found.systems.iter().map(|system| Some(system.protocol))
}

/// Groups, if there are several or flows without a size.
fn groups(out: &mut String, found: &Estimate) {
    let Some(first) = found.systems.first() else { return };
    if first.groups.len() < 2 && first.groups.iter().all(|group| group.arrivals > 0.0) {
        return;
    }
    let rows = first.groups.iter().map(|group| group.name.as_str()).collect();
    let grid = Grid::new(rows, found.systems.iter().map(|system| system.protocol).collect());
    type Value = fn(&EstimatedGroup) -> Option<f64>;
    let blocks: [(&str, Value, Print); 4] = [
        ("mean completion time", |group| group.completion, time),
        ("flows sending at a time", |group| group.flows, figures),
        ("throughput", |group| Some(group.rate), rate),
        ("packets lost", |group| Some(group.loss), percent),
    ];
    for (name, value, print) in blocks {
        grid.block(out, name, &|row, column| value(&found.systems[column].groups[row]), print);
    }
}

/// The bottleneck links, the most loaded first.
fn links(out: &mut String, found: &Estimate) {
    let Some(first) = found.systems.first() else { return };
    let wide = label_width(names(found));
    _ = writeln!(out, "\nbottleneck links");
    let heads = ["load", "utilization", "mean queue", "dropped", "grant"];
    let heads = heads.map(|head| format!("{head:>12}")).concat();
    _ = writeln!(out, "  {:wide$}{heads}", "");
    for &place in found.shown_links() {
        let EstimatedLink { from, to, capacity, .. } = &first.links[place];
        _ = writeln!(out, "  {from}->{to}, {}", rate(*capacity as f64));
        for system in &found.systems {
            let link = &system.links[place];
            let grant =
                if link.grant == link.capacity { "-".into() } else { rate(link.grant as f64) };
            let cells = [
                figures(link.load),
                percent(link.utilization),
                size(link.queue),
                percent(link.loss),
                grant,
            ];
            let cells = cells.map(|cell| format!("{cell:>12}")).concat();
            _ = writeln!(out, "  {:<wide$}{cells}", label(Some(system.protocol)));
        }
    }
    match found.bottlenecks.len() - found.shown_links().len() {
        0 => {}
        more => _ = writeln!(out, "  and {more} more: see --json"),
    }
}

/// What has no estimate, and why; protocols with the same reasons together.
pub fn not_modelled(found: &[NotModelled]) -> String {
    not_modelled_at("", found)
}

/// The same of these points of a sweep.
fn not_modelled_at(place: &str, found: &[NotModelled]) -> String {
    let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
    let mut out = String::new();
    let mut listed: Vec<&NotModelled> = Vec::new();
    for one in found {
        if listed.iter().any(|other| other.lacks == one.lacks) {
            continue;
        }
        listed.push(one);
        let alike = found.iter().filter(|other| other.lacks == one.lacks);
        let names: Vec<&str> = alike.map(|other| other.protocol.as_str()).collect();
        _ = writeln!(out, "{}", wrapped(&format!("{place}no estimate of {}:", names.join(", "))));
        for lack in &one.lacks {
            _ = writeln!(out, "  {}", wrapped(&format!("{}: {}", lack.field, lack.reason)));
        }
    }
    if out.is_empty() { out } else { format!("\n{out}") }
}

/// What marks the values of a system whose models do not agree.
const APART: char = '*';

/// The estimates of every point, with a row for each point and a column for each system.
pub fn of_estimates(points: &[(Point, Estimate)]) -> String {
    let mut systems: Vec<System> = Vec::new();
    for system in points.iter().flat_map(|(_, found)| &found.systems) {
        if !systems.contains(&system.protocol) {
            systems.push(system.protocol);
        }
    }
    let labels: Vec<String> = points.iter().map(|(point, _)| point.to_string()).collect();
    let rows = labels.iter().map(String::as_str);
    let grid = Grid::new(rows.collect(), systems.clone());
    type Value = fn(&EstimatedSystem, &EstimatedLink) -> Option<f64>;
    let blocks: [(&str, Value, Print); 6] = [
        ("mean completion time", |system, _| system.completion, time),
        ("flows sending at a time", |system, _| system.flows, figures),
        ("bottleneck load", |_, link| Some(link.load), figures),
        ("bottleneck utilization", |_, link| Some(link.utilization), percent),
        ("bottleneck queue", |_, link| Some(link.queue), size),
        ("bottleneck losses", |_, link| Some(link.loss), percent),
    ];
    let mut out =
        format!("{}: estimates by formulas\n", points.first().map_or("", |(_, found)| &found.name));
    for (name, value, print) in blocks {
        let cell = |row: usize, column: usize| {
            let found: &Estimate = &points[row].1;
            let system = found.systems.iter().find(|one| one.protocol == systems[column])?;
            let text = print(value(system, &system.links[*found.bottlenecks.first()?])?);
            Some(if system.converged { text } else { format!("{text}{APART}") })
        };
        grid.texts(&mut out, name, &cell);
    }
    if points.iter().flat_map(|(_, found)| &found.systems).any(|system| !system.converged) {
        _ = writeln!(out, "\n{APART} did not converge: see the warnings");
    }
    out += &without_estimate(points);
    let found: Vec<_> = points.iter().map(|(point, found)| (point, found.warnings())).collect();
    let found: Vec<_> = found.iter().map(|(point, all)| (*point, &all[..])).collect();
    out + &warnings::of_points(&found, "--json")
}

/// What has no estimate, each once, with the points that it applies to unless it is all of them.
fn without_estimate(points: &[(Point, Estimate)]) -> String {
    let mut found: Vec<(&[NotModelled], Vec<String>)> = Vec::new();
    for (point, Estimate { not_modelled, .. }) in points {
        match found.iter_mut().find(|(known, _)| known == not_modelled) {
            Some((_, at)) => at.push(point.to_string()),
            None => found.push((not_modelled, vec![point.to_string()])),
        }
    }
    let text = |(lacks, at): (&[NotModelled], Vec<String>)| {
        let place =
            if at.len() < points.len() { swept::place(&at, points.len()) } else { String::new() };
        not_modelled_at(&place, lacks)
    };
    found.into_iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use sluice_laws::registry::ProtocolName;

    use super::*;

    fn of(load: &str, converged: bool) -> (Point, Estimate) {
        let link = EstimatedLink {
            from: "a".into(),
            to: "b".into(),
            capacity: 1_000_000,
            load: 0.5,
            utilization: 0.5,
            queue: 0.0,
            loss: 0.0,
            grant: 1_000_000,
        };
        let system = EstimatedSystem {
            protocol: System::Protocol(ProtocolName::Ncp),
            converged,
            iterations: 1,
            residual: Some(0.1),
            worst_link: None,
            overloaded: Vec::new(),
            completion: Some(0.25),
            flows: Some(1.0),
            by_size: Vec::new(),
            groups: Vec::new(),
            links: vec![link],
        };
        let estimate = Estimate {
            name: "test".into(),
            systems: vec![system],
            not_modelled: Vec::new(),
            bottlenecks: vec![0],
        };
        (Point(vec![("load".into(), load.into())]), estimate)
    }

    #[test]
    fn values_that_did_not_converge_are_marked() {
        let text = of_estimates(&[of("0.5", true), of("0.9", false)]);
        let row = |load: &str| text.lines().find(|line| line.contains(load)).unwrap().to_owned();
        assert!(row("load=0.5").ends_with(" 250 ms"), "{text}");
        assert!(row("load=0.9").ends_with(" 250 ms*"), "{text}");
        assert!(text.contains("\n* did not converge"), "{text}");
        assert!(!of_estimates(&[of("0.5", true)]).contains('*'));
    }
}
