//! Checks that the parts of a scenario fit each other and makes what the engine runs.

mod flows;
mod laws;
mod metrics;
mod trace;

pub use laws::LawError;

use std::path::{Path, PathBuf};

use sluice_laws::registry::ProtocolName;
use sluice_sim::{Config, ConfigError, LinkId, Paths, TraceConfig};
use sluice_units::{Bytes, Faults, Rate, Span, Time};

use laws::OwnLaw;

use crate::results::System;
use crate::scenario::topology::Network;
use crate::scenario::{FileError, Place, Problem, Problems, Scenario, Source, check_name};

/// A scenario with every choice made, ready to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The scenario that it came from.
    pub scenario: Scenario,
    /// What the engine runs; its seed is the first one's.
    pub config: Config,
    /// The names of nodes and links.
    pub network: Network,
    /// What is known of each group of `config`, in its order.
    pub groups: Vec<GroupPlan>,
    /// Where the scenario's paths of files start from.
    pub folder: PathBuf,
    /// What runs beside the scenario's protocols.
    laws: Vec<OwnLaw>,
}

/// What is known of a group before it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupPlan {
    /// Its place in [`Scenario::group`]; the groups of all pairs have the same.
    pub of: usize,
    /// The links it crosses and comes back by.
    pub paths: Paths,
    /// The least capacity among the links it crosses.
    pub capacity: Rate,
    /// Data a second that it brings on average, where that is known.
    pub mean_rate: Option<Rate>,
    /// Mean flow size in bytes, where that is known.
    pub mean_size: Option<f64>,
}

/// What the command line may say in the scenario's stead.
#[derive(Clone, Debug, Default)]
pub struct PlanOverrides {
    /// These protocols only.
    pub protocols: Option<Vec<ProtocolName>>,
    /// These seeds only.
    pub seeds: Option<Vec<u64>>,
    /// Turns the engine's lookahead off; results are the same bytes.
    pub no_lookahead: bool,
}

impl Plan {
    /// Reads and checks a scenario file.
    pub fn read(path: &Path, overrides: &PlanOverrides) -> Result<Self, FileError> {
        let source = Source::read(path)?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Self::of(&source, folder, overrides)
    }

    /// Checks a scenario; paths of files start from `folder`.
    pub fn of(
        source: &Source,
        folder: PathBuf,
        overrides: &PlanOverrides,
    ) -> Result<Self, FileError> {
        let mut problems = Problems::default();
        let plan = plan(overridden(&source.scenario, overrides), folder, &mut problems);
        match plan {
            Some(mut plan) if problems.0.is_empty() => {
                plan.config.lookahead = !overrides.no_lookahead;
                Ok(plan)
            }
            _ => Err(source.error(&problems.0)),
        }
    }

    /// The capacity that flows share: the least on the path of any group.
    pub fn bottleneck(&self) -> Option<Rate> {
        self.groups.iter().map(|group| group.capacity).min()
    }

    /// All that it runs, ideals first.
    pub(crate) fn systems(&self) -> impl Iterator<Item = System> {
        self.ideals().chain(self.protocols())
    }

    /// The ideals that it runs, in the scenario's order.
    pub(crate) fn ideals(&self) -> impl Iterator<Item = System> {
        self.scenario.ideals.iter().map(|&ideal| System::Ideal(ideal))
    }

    /// The protocols that it runs, in the scenario's order, then laws of one's own.
    pub(crate) fn protocols(&self) -> impl Iterator<Item = System> {
        let listed = self.scenario.protocols.iter().map(|&name| System::Protocol(name));
        listed.chain(self.laws.iter().map(|law| System::Own(law.name)))
    }

    /// The nodes that links pass, one after another: `s0>left>right>d0`.
    pub(crate) fn path(&self, links: &[LinkId]) -> String {
        let ends = links.iter().map(|&link| self.config.links[link].to);
        let begin = links.first().map(|&link| self.config.links[link].from);
        let nodes: Vec<&str> =
            begin.into_iter().chain(ends).map(|node| self.network.nodes[node].as_str()).collect();
        nodes.join(">")
    }
}

fn overridden(scenario: &Scenario, overrides: &PlanOverrides) -> Scenario {
    let mut scenario = scenario.clone();
    if let Some(protocols) = &overrides.protocols {
        scenario.protocols.clone_from(protocols);
    }
    if let Some(seeds) = &overrides.seeds {
        (scenario.seed, scenario.replications) = (None, None);
        scenario.seeds = Some(seeds.clone());
        scenario.precision = None;
    }
    scenario
}

fn plan(scenario: Scenario, folder: PathBuf, problems: &mut Problems) -> Option<Plan> {
    check_runs(&scenario, problems);
    check_precision(&scenario, problems);
    check_sizes(&scenario, problems);
    check_times(&scenario, problems);
    check_parameters(&scenario, problems);
    let mut network = scenario.topology.lay(problems);
    if scenario.group.is_empty() {
        problems.field("group", "there is no traffic: add a `[[group]]`");
    }
    if !problems.0.is_empty() {
        // What hangs on these would only repeat them.
        return None;
    }
    flows::add_own_hosts(&scenario, &mut network, problems);
    check_delays(&network, problems);
    let mut config = Config {
        nodes: network.nodes.len(),
        links: network.links.clone(),
        groups: Vec::new(),
        packet: scenario.packet,
        header: scenario.header,
        control: scenario.control,
        transport: scenario.parameters.transport,
        seed: scenario.seeds()[0],
        warm_up: scenario.warm_up,
        stop: scenario.stop,
        limit: scenario.limit(),
        lookahead: true,
        link_metrics: Vec::new(),
        flow_metrics: Vec::new(),
        trace: TraceConfig::default(),
    };
    let groups = flows::plan(&scenario, &network, &folder, &mut config, problems);
    if problems.0.is_empty() {
        metrics::plan(&scenario, &network, &mut config, problems);
        trace::plan(&scenario, &network, &groups, &mut config, problems);
    }
    if problems.0.is_empty() {
        // What no field above answers for.
        let refused = config.check().err();
        let whole = |error: ConfigError| Problem {
            place: Place::File,
            what: error.to_string(),
            help: None,
        };
        problems.0.extend(refused.map(whole));
    }
    Some(Plan { scenario, config, network, groups, folder, laws: Vec::new() })
}

fn check_runs(scenario: &Scenario, problems: &mut Problems) {
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

fn check_precision(scenario: &Scenario, problems: &mut Problems) {
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

fn check_sizes(scenario: &Scenario, problems: &mut Problems) {
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

fn check_times(scenario: &Scenario, problems: &mut Problems) {
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
fn check_delays(network: &Network, problems: &mut Problems) {
    let most = Span::from_secs(86_400);
    let long = network.links.iter().position(|link| link.delay > most);
    if let Some(link) = long {
        let what = format!("{} takes longer than a day", network.link_name(link));
        problems.field("topology", what);
    }
}

fn check_parameters(scenario: &Scenario, problems: &mut Problems) {
    let faults = Faults::of(|faults| {
        faults.inside("transport", |faults| scenario.parameters.transport.check(faults));
        for &name in ProtocolName::ALL {
            let protocol = scenario.parameters.protocol(name);
            faults.inside(name.as_str(), |faults| protocol.check(faults));
        }
    });
    for fault in faults {
        problems.field(fault.field, fault.what);
    }
    for &name in ProtocolName::ALL {
        let protocol = scenario.parameters.protocol(name);
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
