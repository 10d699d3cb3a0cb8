//! Checks that need no network: ranges, and fields that must fit each other.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::ops::{Bound, RangeInclusive};

use sluice_laws::registry::ProtocolName;
use sluice_sim::{LinkConfig, limits};
use sluice_units::{Bytes, Ratio};

use crate::scenario::topology::Network;
use crate::scenario::{Group, Problems, Scenario, check_name};

/// The numbers of replications that a scenario may ask for.
const RUNS: RangeInclusive<u64> = 1..=10_000;

pub(super) fn runs(scenario: &Scenario, problems: &mut Problems) {
    check_name(&scenario.name, "name", problems);
    if scenario.protocols.is_empty() {
        problems.field("protocols", "`protocols` is empty: name at least one");
    }
    check_unique("protocols", &scenario.protocols, problems);
    let ideals: Vec<&str> = scenario.ideals.iter().map(|ideal| ideal.name()).collect();
    check_unique("ideals", &ideals, problems);
    seeds(scenario, problems);
}

/// Under ideals flows have data all the time.
pub(super) fn pauses(scenario: &Scenario, problems: &mut Problems) {
    let pauses = |group: &Group| group.long.as_ref().is_some_and(|long| long.pauses.is_some());
    if let Some(of) = scenario.group.iter().position(pauses)
        && !scenario.ideals.is_empty()
    {
        let what = "no ideal has applications that pause";
        let help = "set `ideals = []`, and compare with none";
        problems.field_help(format!("group[{of}].long.pauses"), what, help);
    }
}

fn seeds(scenario: &Scenario, problems: &mut Problems) {
    let help = "set `seeds`, or `seed` and `replications`";
    if scenario.seeds.is_some() && scenario.seed.is_some() {
        problems.conflict("", &["seed", "seeds"], help);
    }
    if scenario.seeds.is_some() && scenario.replications.is_some() {
        problems.conflict("", &["replications", "seeds"], help);
    }
    let replications = scenario.replications.unwrap_or(1);
    if !problems.check("", |faults| faults.within("replications", &replications, &RUNS)) {
        return;
    }
    let seeds = scenario.seeds();
    if seeds.is_empty() {
        problems.field("seeds", "`seeds` is empty: name at least one");
    }
    check_unique("seeds", &seeds, problems);
    if seeds.iter().any(|&seed| i64::try_from(seed).is_err()) {
        // TOML's integers end there, and the scenario is written beside its results.
        let field = if scenario.seeds.is_some() { "seeds" } else { "seed" };
        problems.field(field, "a seed must be less than 2^63");
    }
}

pub(super) fn precision(scenario: &Scenario, problems: &mut Problems) {
    let Some(precision) = &scenario.precision else { return };
    if scenario.seeds.is_some() {
        let help = "`precision` chooses the number of seeds; use `seed` for the first one";
        problems.conflict("", &["seeds", "precision"], help);
    }
    let relative = (Bound::Excluded(Ratio::new(0.0)), Bound::Excluded(Ratio::new(1.0)));
    let min = scenario.replications.unwrap_or(1).max(2);
    problems.check("precision", |faults| {
        faults.within("relative", &precision.relative, &relative);
        faults.within("max_runs", &precision.max_runs, &(min..=*RUNS.end()));
    });
}

fn check_unique<T: PartialEq + Display>(field: &str, items: &[T], problems: &mut Problems) {
    let twin = items.iter().enumerate().find(|(i, item)| items[..*i].contains(item));
    if let Some((_, item)) = twin {
        problems.field(field, format!("`{field}` lists `{item}` twice"));
    }
}

pub(super) fn sizes(scenario: &Scenario, problems: &mut Problems) {
    let Scenario { packet, header, control, .. } = *scenario;
    if !problems.check("", |faults| faults.within("packet", &packet, &limits::PACKET)) {
        return;
    }
    if header >= packet {
        problems.field("header", format!("must be less than `packet`, {packet}"));
    }
    if control == Bytes::ZERO || control > packet {
        problems.field("control", format!("must be 1 B to `packet`, {packet}"));
    }
}

pub(super) fn times(scenario: &Scenario, problems: &mut Problems) {
    let Scenario { warm_up, stop, reconvergence, .. } = *scenario;
    if let Some(reconvergence) = reconvergence {
        problems.check("", |faults| {
            faults.within("reconvergence", &reconvergence, &limits::RECONVERGENCE);
        });
    }
    if stop <= warm_up {
        problems.field("stop", format!("must be later than `warm_up`, {warm_up}"));
    }
    if scenario.limit() < stop {
        problems.field("limit", format!("must not be earlier than `stop`, {stop}"));
    } else if !limits::LIMIT.contains(&scenario.limit()) {
        let what = format!("`limit` must be at most {}", limits::limit_end());
        match scenario.limit {
            Some(_) => problems.field("limit", what),
            None => problems.field_help("stop", what, "`limit` is twice `stop` by default"),
        }
    }
}

/// Several fields make a delay, so the link is named rather than one of them.
pub(super) fn delays(network: &Network, problems: &mut Problems) {
    let long = network.links.iter().position(|link| !limits::DELAY.contains(&link.delay));
    if let Some(link) = long {
        let (name, delay) = (network.link_name(link), network.links[link].delay);
        let max = limits::DELAY.end();
        let what = format!("the delay of link {name} must be at most {max}, not {delay}");
        problems.field("topology", what);
    }
}

pub(super) fn parameters(scenario: &Scenario, problems: &mut Problems) {
    problems.check("transport", |faults| scenario.parameters.transport.check(faults));
    for &name in ProtocolName::ALL {
        let protocol = scenario.parameters.protocol(name);
        problems.check(name.as_str(), |faults| protocol.check(faults));
        let recovery = protocol.transport(&scenario.parameters.transport).recovery;
        if !protocol.variant().is_of_the_rfcs() && !recovery.has_variants() {
            let what = format!(
                "recovery `{recovery}` has no variants; set `recovery` to `sack`, `new_reno` or \
                 `reno`, or leave `variant` out"
            );
            problems.field(format!("{name}.variant"), what);
        }
    }
    for name in of_flows(scenario) {
        let protocol = scenario.parameters.protocol(name);
        let shared = &scenario.parameters.transport;
        problems.check("transport", |faults| protocol.check_transport(shared, faults));
        let other = protocol.best_effort().filter(|_| protocol.checks_path());
        if let Some(other) = other.and_then(ProtocolName::named) {
            let other = scenario.parameters.protocol(other);
            problems.check(name.as_str(), |faults| protocol.check_reverting(other, shared, faults));
        }
    }
}

/// Laws that cannot move the weights of classes at a link where they would.
pub(super) fn weighing(scenario: &Scenario, network: &Network, problems: &mut Problems) {
    let laws = network.links.iter().filter_map(LinkConfig::weighing_law);
    let names = laws.flat_map(|law| law.own().map_or(scenario.protocols.clone(), |own| vec![own]));
    for name in names.collect::<BTreeSet<_>>() {
        let protocol = scenario.parameters.protocol(name);
        problems.check(name.as_str(), |faults| protocol.check_weighing(faults));
    }
}

/// The protocols of flows in all runs.
fn of_flows(scenario: &Scenario) -> BTreeSet<ProtocolName> {
    let groups = scenario.group.iter().filter(|group| group.udp.is_none());
    let own = |group: &Group| group.protocol.map_or(scenario.protocols.clone(), |own| vec![own]);
    groups.flat_map(own).collect()
}
