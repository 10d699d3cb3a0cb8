//! Checks that need no network: ranges, and fields that must fit each other.

use std::fmt::Display;

use sluice_laws::registry::ProtocolName;
use sluice_units::{Bytes, Span, Time};

use crate::scenario::topology::Network;
use crate::scenario::{Problems, Scenario, check_name};

/// The most replications that a scenario may ask for.
const MAX_RUNS: u64 = 10_000;

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

fn seeds(scenario: &Scenario, problems: &mut Problems) {
    let help = "set `seeds`, or `seed` and `replications`";
    if scenario.seeds.is_some() && scenario.seed.is_some() {
        problems.conflict("", &["seed", "seeds"], help);
    }
    if scenario.seeds.is_some() && scenario.replications.is_some() {
        problems.conflict("", &["replications", "seeds"], help);
    }
    if scenario.replications.is_some_and(|n| n == 0 || n > MAX_RUNS) {
        let what = format!("`replications` must be 1 to {MAX_RUNS}");
        return problems.field("replications", what);
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
    if !(precision.relative.get() > 0.0 && precision.relative.get() < 1.0) {
        problems.field("precision.relative", "`relative` must be above 0 and below 1");
    }
    let min = scenario.replications.unwrap_or(1).max(2);
    if !(min..=MAX_RUNS).contains(&precision.max_runs) {
        problems.field("precision.max_runs", format!("`max_runs` must be {min} to {MAX_RUNS}"));
    }
}

fn check_unique<T: PartialEq + Display>(field: &str, items: &[T], problems: &mut Problems) {
    let twin = items.iter().enumerate().find(|(i, item)| items[..*i].contains(item));
    if let Some((_, item)) = twin {
        problems.field(field, format!("`{field}` lists `{item}` twice"));
    }
}

pub(super) fn sizes(scenario: &Scenario, problems: &mut Problems) {
    let max = Bytes::new(1 << 20);
    let Scenario { packet, header, control, .. } = *scenario;
    if packet == Bytes::ZERO || packet > max {
        problems.field("packet", format!("`packet` must be 1 B to {max}"));
    } else if header >= packet {
        problems.field("header", format!("`header` must be less than `packet`, {packet}"));
    }
    if control == Bytes::ZERO || control > packet {
        problems.field("control", format!("`control` must be 1 B to `packet`, {packet}"));
    }
}

pub(super) fn times(scenario: &Scenario, problems: &mut Problems) {
    let Scenario { warm_up, stop, .. } = *scenario;
    if stop <= warm_up {
        problems.field("stop", format!("`stop` must be later than `warm_up`, {warm_up}"));
    }
    if scenario.limit() < stop {
        problems.field("limit", format!("`limit` must not be earlier than `stop`, {stop}"));
    } else if scenario.limit() >= Time::from_nanos(1 << 60) {
        let (field, help) = match scenario.limit {
            Some(_) => ("limit", "at most 2^60 ns"),
            None => ("stop", "`limit` is twice `stop` by default, and at most 2^60 ns"),
        };
        problems.field_help(field, "a run must end within 36 years", help);
    }
}

/// Several fields make a delay, so the link is named rather than one of them.
pub(super) fn delays(network: &Network, problems: &mut Problems) {
    let max = Span::from_secs(86_400);
    if let Some(link) = network.links.iter().position(|link| link.delay > max) {
        let (name, delay) = (network.link_name(link), network.links[link].delay);
        let what = format!("the delay of link {name}, {delay}, is more than {max}");
        problems.field("topology", what);
    }
}

pub(super) fn parameters(scenario: &Scenario, problems: &mut Problems) {
    if let Err((field, what)) = scenario.parameters.transport.check() {
        problems.field(format!("transport.{field}"), what);
    }
    for &name in ProtocolName::ALL {
        let protocol = scenario.parameters.protocol(name);
        if let Err((field, what)) = protocol.check() {
            problems.field(format!("{name}.{field}"), what);
        }
        let recovery = protocol.transport(&scenario.parameters.transport).recovery;
        if !protocol.variant().is_of_the_rfcs() && !recovery.has_variants() {
            let what = format!(
                "recovery `{recovery}` has no variants; set `recovery` to `sack`, `new_reno` or \
                 `reno`, or leave `variant` out"
            );
            problems.field(format!("{name}.variant"), what);
        }
    }
}
