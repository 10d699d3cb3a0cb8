//! Fields that must fit each other, without a network.

use sluice_laws::registry::ProtocolName;
use sluice_units::{Bytes, Span, Time};

use crate::scenario::topology::Network;
use crate::scenario::{Problems, Scenario, check_name};

pub(super) fn runs(scenario: &Scenario, problems: &mut Problems) {
    check_name(&scenario.name, "name", problems);
    if scenario.protocols.is_empty() {
        problems.field("protocols", "name at least one protocol");
    }
    if has_twins(&scenario.protocols) {
        problems.field("protocols", "a protocol is named twice");
    }
    if has_twins(&scenario.ideals) {
        problems.field("ideals", "an ideal is named twice");
    }
    if scenario.seeds.is_some() && (scenario.seed.is_some() || scenario.replications.is_some()) {
        problems.field("seeds", "give `seeds`, or `seed` and `replications`, not both");
    }
    if scenario.replications.is_some_and(|n| n == 0 || n > 10_000) {
        problems.field("replications", "replications must be 1 to 10000");
    } else if scenario.seeds().is_empty() {
        problems.field("seeds", "name at least one seed");
    } else if has_twins(&scenario.seeds()) {
        problems.field("seeds", "a seed is named twice");
    } else if scenario.seeds().iter().any(|&seed| i64::try_from(seed).is_err()) {
        // TOML's integers end there, and the scenario is written beside its results.
        problems.field("seeds", "a seed is at most 2^63 - 1");
    }
}

pub(super) fn precision(scenario: &Scenario, problems: &mut Problems) {
    let Some(precision) = &scenario.precision else { return };
    if scenario.seeds.is_some() {
        problems.field("precision", "with `precision`, give `seed` rather than `seeds`");
    }
    if !(precision.relative.get() > 0.0 && precision.relative.get() < 1.0) {
        problems.field("precision.relative", "the relative precision is above 0 and below 1");
    }
    let least = scenario.replications.unwrap_or(1).max(2);
    if !(least..=10_000).contains(&precision.max_runs) {
        let what = format!("the most replications must be {least} to 10000");
        problems.field("precision.max_runs", what);
    }
}

fn has_twins<T: PartialEq>(items: &[T]) -> bool {
    items.iter().enumerate().any(|(i, item)| items[..i].contains(item))
}

pub(super) fn sizes(scenario: &Scenario, problems: &mut Problems) {
    let most = Bytes::new(1 << 20);
    let Scenario { packet, header, control, .. } = *scenario;
    if packet == Bytes::ZERO || packet > most {
        problems.field("packet", "a packet has 1 B to 1 MiB");
    } else if header >= packet {
        problems.field("header", "headers must leave room for data in a packet");
    }
    if control == Bytes::ZERO || control > packet {
        problems.field("control", "a control packet has 1 B at least, and `packet` at most");
    }
}

pub(super) fn times(scenario: &Scenario, problems: &mut Problems) {
    if scenario.stop <= scenario.warm_up {
        problems.field("stop", "measuring must end after it begins, at `warm_up`");
    }
    if scenario.limit() < scenario.stop {
        problems.field("limit", "the run must not end before measuring does, at `stop`");
    } else if scenario.limit() >= Time::from_nanos(1 << 60) {
        let help = "`limit` is twice `stop` by default";
        problems.field_help("limit", "a run ends within 36 years", help);
    }
}

/// Several fields make a delay, so the link is named rather than one of them.
pub(super) fn delays(network: &Network, problems: &mut Problems) {
    let most = Span::from_secs(86_400);
    let long = network.links.iter().position(|link| link.delay > most);
    if let Some(link) = long {
        let what = format!("{} takes longer than a day", network.link_name(link));
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
