//! What a configuration must be before it is run.

use sluice_laws::protocol::Protocol;
use sluice_units::{Faults, Rate, Span, Time};

use crate::config::{Config, GroupConfig};
use crate::traffic::TrafficContext;

/// What is wrong with a [`Config`], and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError(String);

impl std::fmt::Display for ConfigError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}

impl ConfigError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    pub(crate) fn group(group: &GroupConfig, message: impl std::fmt::Display) -> Self {
        Self(format!("group `{}`: {message}", group.name))
    }
}

fn need(holds: bool, message: impl FnOnce() -> String) -> Result<(), ConfigError> {
    if holds { Ok(()) } else { Err(ConfigError::new(message())) }
}

impl Config {
    /// Says why it cannot be run, if so. Paths are checked as they are found ([`crate::Paths`]).
    pub fn check(&self) -> Result<(), ConfigError> {
        sizes(self)?;
        if let Some(fault) = Faults::of(|faults| self.transport.check(faults)).first() {
            return Err(ConfigError(format!("transport.{fault}")));
        }
        need(self.warm_up <= self.stop && self.stop <= self.limit, || {
            "warm_up, stop and limit must come in this order".into()
        })?;
        need(self.limit < Time::from_nanos(1 << 60), || "limit must be under 36 years".into())?;
        need(self.links.len() < 1 << 24, || "at most 16 million links".into())?;
        links(self)?;
        groups(self)?;
        probes(self)
    }
}

fn sizes(config: &Config) -> Result<(), ConfigError> {
    let (packet, control) = (config.packet.as_u64(), config.control.as_u64());
    need((1..=1 << 20).contains(&packet), || "packet must be 1 B to 1 MiB".into())?;
    need((1..=packet).contains(&control), || "control must be 1 B to the size of packet".into())?;
    need(config.header < config.packet, || "header must be smaller than packet".into())
}

fn links(config: &Config) -> Result<(), ConfigError> {
    let rates = Rate::from_bps(1_000)..=Rate::from_bps(100_000_000_000_000);
    for (id, link) in config.links.iter().enumerate() {
        let nodes = config.nodes;
        need(link.from < nodes && link.to < nodes && link.from != link.to, || {
            format!(
                "link {id} must join two of nodes 0..{nodes}, not {} and {}",
                link.from, link.to
            )
        })?;
        need(rates.contains(&link.capacity), || {
            format!("link {id}: capacity must be 1 kbps to 100 Tbps")
        })?;
        need(link.delay <= Span::from_secs(86_400), || format!("link {id}: delay over a day"))?;
        need((0.0..1.0).contains(&link.error.get()), || {
            format!("link {id}: error must be in [0, 1), not {}", link.error.get())
        })?;
        if let Some(fault) = link.queue.faults(link.capacity).first() {
            return Err(ConfigError::new(format!("link {id}: {fault}")));
        }
        need(link.losses.is_sorted_by(|a, b| a < b), || format!("link {id}: losses must rise"))?;
    }
    Ok(())
}

fn groups(config: &Config) -> Result<(), ConfigError> {
    let mut names = std::collections::BTreeSet::new();
    // Which links are on the path is not known yet. A load of the fastest makes the most flows.
    let capacity = config.links.iter().map(|link| link.capacity).max().unwrap_or(Rate::MAX);
    let payload = config.packet - config.header;
    let setting = TrafficContext { payload, capacity, pair: 0, pairs: 1 };
    need(config.groups.len() < 1 << 20, || "at most a million groups".into())?;
    for group in &config.groups {
        let fail = |message: &str| Err(ConfigError::group(group, message));
        if !names.insert(&group.name) {
            return fail("another group has this name");
        }
        if group.from >= config.nodes || group.to >= config.nodes || group.from == group.to {
            return fail("from and to must be two different nodes");
        }
        let faults = Faults::of(|faults| group.traffic.check(&setting, faults));
        if let Some(fault) = faults.first() {
            return fail(&fault.to_string());
        }
    }
    Ok(())
}

/// Checks what groups speak where `run` is run.
pub(crate) fn check_protocols(config: &Config, run: &dyn Protocol) -> Result<(), ConfigError> {
    for group in &config.groups {
        let fail = |message: &str| Err(ConfigError::group(group, message));
        if group.protocol.as_ref().is_some_and(|own| own.protocol().wire().is_some()) {
            return fail("a group's own protocol must be one without a header");
        }
        let check = |faults: &mut Faults| group.protocol(run).check_weight(group.weight, faults);
        if let Some(fault) = Faults::of(check).first() {
            return fail(&fault.to_string());
        }
    }
    Ok(())
}

fn probes(config: &Config) -> Result<(), ConfigError> {
    for probe in &config.link_metrics {
        need(probe.link < config.links.len(), || format!("a probe names link {}", probe.link))?;
        need(probe.every > Span::ZERO, || "a probe needs time between samples".into())?;
    }
    for probe in &config.flow_metrics {
        need(probe.group < config.groups.len(), || format!("a probe names group {}", probe.group))?;
        need(probe.every > Span::ZERO, || "a probe needs time between samples".into())?;
    }
    Ok(())
}
