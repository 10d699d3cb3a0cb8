//! Checks a configuration before it is run.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;

use sluice_laws::conduct::Conduct;
use sluice_laws::protocol::Protocol;
use sluice_units::{Bytes, Fault, Faults, Rate, Span};

use crate::config::{Config, LinkConfig};
use crate::limits;
use crate::traffic::TrafficContext;

/// The faults of a [`Config`]: at least one, each with the path of its field, as `links[3].delay`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError(Vec<Fault>);

impl ConfigError {
    /// The faults, in the order of the configuration's fields.
    pub fn faults(&self) -> &[Fault] {
        &self.0
    }

    /// An error if `check` finds any fault.
    pub(crate) fn of(check: impl FnOnce(&mut Faults)) -> Result<(), Self> {
        let faults = Faults::of(check);
        if faults.is_empty() { Ok(()) } else { Err(Self(faults)) }
    }
}

impl fmt::Display for ConfigError {
    /// One fault a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, fault) in self.0.iter().enumerate() {
            let separator = if number == 0 { "" } else { "\n" };
            write!(f, "{separator}{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// Checks everything but paths ([`crate::Paths::of`]) and protocols, which [`crate::run`]
    /// checks as well. The bounds are those of [`crate::limits`].
    ///
    /// # Errors
    ///
    /// All faults that it finds.
    pub fn check(&self) -> Result<(), ConfigError> {
        ConfigError::of(|faults| {
            check_list(faults, "links", &self.links, &limits::LINKS, |faults, link| {
                check_ends(faults, (link.from, link.to), self.nodes);
                link.check(faults);
            });
            check_groups(faults, self);
            for (place, cloud) in self.clouds.iter().enumerate() {
                faults
                    .inside(&format!("clouds[{place}]"), |faults| cloud.check(self.nodes, faults));
            }
            check_sizes(faults, self);
            faults.inside("transport", |faults| self.parameters.transport.check(faults));
            if let Some(reconvergence) = &self.reconvergence {
                faults.within("reconvergence", reconvergence, &limits::RECONVERGENCE);
            }
            check_times(faults, self);
            check_metrics(faults, self);
        })
    }
}

/// Checks the length of a list, then its items, each in the table `field[place]`.
fn check_list<'a, T>(
    faults: &mut Faults,
    field: &str,
    items: &'a [T],
    lengths: &RangeInclusive<usize>,
    mut check: impl FnMut(&mut Faults, &'a T),
) {
    if !lengths.contains(&items.len()) {
        return faults.add(field, format!("at most {}, not {}", lengths.end(), items.len()));
    }
    for (place, item) in items.iter().enumerate() {
        faults.inside(&format!("{field}[{place}]"), |faults| check(faults, item));
    }
}

impl LinkConfig {
    /// Adds what is wrong with it to `faults`, whatever nodes it joins.
    pub fn check(&self, faults: &mut Faults) {
        faults.within("capacity", &self.capacity, &limits::CAPACITY);
        if let Some(schedule) = &self.schedule {
            faults.inside("schedule", |faults| schedule.check(self.capacity, faults));
        }
        faults.within("delay", &self.delay, &limits::DELAY);
        faults.inside("queue", |faults| self.queue.check(self.capacity, faults));
        self.router.check(&self.queue, faults);
        if let Some(police) = &self.police {
            faults.inside("police", |faults| police.check(faults));
        }
        faults.within("error", &self.error, &limits::ERROR);
        let rise = self.losses.is_sorted_by(|a, b| a < b);
        faults.need(rise, "losses", "places among the packets that leave must rise");
    }
}

fn check_ends(faults: &mut Faults, (from, to): (usize, usize), nodes: usize) {
    for (field, node) in [("from", from), ("to", to)] {
        if node >= nodes {
            faults.add(field, format!("must be one of {nodes} nodes, numbered from 0, not {node}"));
        }
    }
    faults.need(from != to, "to", "must be another node than `from`");
}

fn check_groups(faults: &mut Faults, config: &Config) {
    let mut names = BTreeSet::new();
    // Paths are not known yet. A load makes most flows on the fastest link.
    let capacity = config.links.iter().map(|link| link.capacity).max().unwrap_or(Rate::MAX);
    let payload = config.packet - config.header;
    let context = TrafficContext { payload, capacity, pair: 0, pairs: 1 };
    check_list(faults, "groups", &config.groups, &limits::GROUPS, |faults, group| {
        faults.need(names.insert(&group.name), "name", "another group has this name");
        check_ends(faults, (group.from, group.to), config.nodes);
        faults.inside("traffic", |faults| group.traffic.check(&context, faults));
    });
}

fn check_sizes(faults: &mut Faults, config: &Config) {
    faults.within("packet", &config.packet, &limits::PACKET);
    faults.need(config.header < config.packet, "header", "must be smaller than `packet`");
    faults.within("control", &config.control, &(Bytes::new(1)..=config.packet));
}

fn check_times(faults: &mut Faults, config: &Config) {
    faults.need(config.warm_up <= config.stop, "stop", "must not be before `warm_up`");
    faults.need(config.stop <= config.limit, "limit", "must not be before `stop`");
    if !limits::LIMIT.contains(&config.limit) {
        faults
            .add("limit", format!("must be at most {}, not {}", limits::limit_end(), config.limit));
    }
}

fn check_metrics(faults: &mut Faults, config: &Config) {
    let every = |faults: &mut Faults, every| {
        faults.need(every > Span::ZERO, "every", "must be above 0");
    };
    check_list(faults, "link_metrics", &config.link_metrics, &ANY, |faults, metrics| {
        faults.need(metrics.link < config.links.len(), "link", "there is no such link");
        every(faults, metrics.every);
    });
    check_list(faults, "flow_metrics", &config.flow_metrics, &ANY, |faults, metrics| {
        faults.need(metrics.group < config.groups.len(), "group", "there is no such group");
        every(faults, metrics.every);
    });
    check_list(faults, "group_metrics", &config.group_metrics, &ANY, |faults, metrics| {
        let there = |&group: &usize| group < config.groups.len();
        faults.need(metrics.groups.iter().all(there), "groups", "there is no such group");
        let mut once = metrics.groups.clone();
        once.sort_unstable();
        once.dedup();
        faults.need(once.len() == metrics.groups.len(), "groups", "must be distinct");
        every(faults, metrics.every);
    });
}

/// Lengths of lists without a bound.
const ANY: RangeInclusive<usize> = 0..=usize::MAX;

/// Checks the protocols of all groups in a run of `run`.
///
/// # Errors
///
/// All faults that it finds.
pub(crate) fn check_protocols(config: &Config, run: &dyn Protocol) -> Result<(), ConfigError> {
    ConfigError::of(|faults| {
        check_list(faults, "links", &config.links, &ANY, |faults, link| {
            let law = link.weighing_law().and_then(|law| law.protocol(run, &config.parameters));
            if let Some(law) = law {
                faults.inside("router", |faults| law.check_weighing(faults));
            }
        });
        check_list(faults, "groups", &config.groups, &ANY, |faults, group| {
            faults.within("class", &group.class, &limits::CLASS);
            faults.within("queue_weight", &group.queue_weight, &limits::QUEUE_WEIGHT);
            let protocol = config.protocol_of(group, run);
            protocol.check_weight(group.weight, faults);
            if group.traffic.udp().is_some() {
                let what = "a stream of datagrams has no law to depart from";
                faults.need(group.conduct == Conduct::HONEST, "conduct", what);
            } else {
                protocol.check_profile(group.profile, None, faults);
                faults.inside("conduct", |faults| protocol.check_conduct(&group.conduct, faults));
                let shared = &config.parameters.transport;
                faults.inside("transport", |faults| {
                    protocol.check_transport(shared, faults);
                });
                if let Some(other) = config.reverts_to(protocol) {
                    protocol.check_reverting(other, shared, faults);
                }
            }
        });
    })
}
