//! Checks that the parts of a scenario fit each other and makes what the engine runs.

mod check;
mod clouds;
mod ends;
mod flows;
mod group;
mod laws;
mod links;
mod matrix;
mod measured;
mod metrics;
mod nodes;
mod pair;
mod paths;
mod profiles;
mod sprayed;
mod trace;
mod unread;

pub use group::GroupPlan;
pub use laws::LawError;
pub use measured::Measurement;
pub(crate) use profiles::path_of;
pub(crate) use unread::unread;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sluice_laws::protocol::Protocol;
use sluice_laws::registry::ProtocolName;
use sluice_sim::ideal::Ideal;
use sluice_sim::{Config, ConfigError, LinkId, RouteEpochs, TraceConfig};
use sluice_units::{Faults, Rate};

use laws::CustomLaw;
use measured::Measured;

use crate::results::{LawName, System};
use crate::scenario::topology::Network;
use crate::scenario::{FileError, Location, PointColumn, Problem, Problems, Scenario, Source};

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
    /// The point of a sweep, a column each in the tables of its runs; empty without a sweep.
    pub point: Vec<PointColumn>,
    /// Laws that run beside the scenario's protocols.
    laws: Vec<CustomLaw>,
    /// Protocols that are measured beside the simulated ones.
    measured: Option<Measured>,
}

/// Replaces parts of a scenario, as options of the command line do.
#[derive(Clone, Debug, Default)]
pub struct PlanOverrides {
    /// Runs these protocols only.
    pub protocols: Option<Vec<ProtocolName>>,
    /// Runs this ideal as well, unless the scenario has it.
    pub ideal: Option<Ideal>,
    /// Runs with these seeds only.
    pub seeds: Option<Vec<u64>>,
    /// Disables the engine's lookahead; results are the same bytes.
    pub no_lookahead: bool,
}

impl PlanOverrides {
    /// Problems of overridden fields are not in the file.
    fn relocate(&self, problems: &mut Problems) {
        let is_overridden = |field: &str| match field {
            "protocols" => self.protocols.is_some(),
            "seeds" => self.seeds.is_some(),
            _ => false,
        };
        for problem in &mut problems.0 {
            if matches!(&problem.location, Location::Field(field) if is_overridden(field)) {
                problem.location = Location::Document;
            }
        }
    }
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
            _ => {
                overrides.relocate(&mut problems);
                Err(source.error(&problems.0))
            }
        }
    }

    /// The same plan with one more law, which need not be in [`sluice_laws::registry`]. It runs over
    /// the same flows with the same seeds as the scenario's protocols, and follows them in every
    /// result under its name (see [`LawName`]). Groups with their own protocol keep it.
    ///
    /// Its runs are never reused, since its code may have changed. The scenario beside the results
    /// does not name it: `sluice run` of that scenario runs everything else.
    pub fn with_law(mut self, name: &str, protocol: Arc<dyn Protocol>) -> Result<Self, LawError> {
        let name = LawName::new(name).map_err(LawError::Name)?;
        if self.laws.iter().any(|law| law.name == name) {
            return Err(LawError::DuplicateName(name));
        }
        let parameters = |faults: &mut Faults| {
            protocol.check(faults);
            let shared = &self.config.parameters.transport;
            faults.inside("transport", |faults| protocol.check_transport(shared, faults));
        };
        if let Some(fault) = Faults::of(parameters).into_iter().next() {
            return Err(LawError::Parameter(name, fault));
        }
        for group in self.config.groups.iter().filter(|group| group.protocol.is_none()) {
            let check = |faults: &mut Faults| {
                protocol.check_weight(group.weight, faults);
                protocol.check_profile(group.profile, None, faults);
                faults.inside("conduct", |faults| protocol.check_conduct(&group.conduct, faults));
            };
            if let Some(fault) = Faults::of(check).into_iter().next() {
                return Err(LawError::Group(name, group.name.clone(), fault));
            }
        }
        self.laws.push(CustomLaw { name, protocol });
        Ok(self)
    }

    /// The same plan with these protocols on a real network as well: the same flows at the same times, in every result
    /// under a name such as `rcp@linux`. They run one after another, when all else has run, and are never
    /// reused.
    #[must_use]
    pub fn with_measurement(
        self,
        protocols: impl Into<Vec<ProtocolName>>,
        on: Arc<dyn Measurement>,
    ) -> Self {
        let protocols = protocols.into();
        Self { measured: Some(Measured { protocols, on }), ..self }
    }

    /// The protocol of hosts and routers in a simulation of `system`; `None` for an ideal, which has no
    /// packets, for a measured protocol, and for a law that this plan does not have.
    pub(crate) fn protocol(&self, system: System) -> Option<&dyn Protocol> {
        match system {
            System::Protocol(name) => Some(self.scenario.parameters.protocol(name)),
            System::Custom(name) => {
                self.laws.iter().find(|law| law.name == name).map(|law| &*law.protocol)
            }
            System::Ideal(_) | System::Measured(_) => None,
        }
    }

    /// The network on which protocols are measured, if some are.
    pub(crate) fn measurement(&self) -> Option<&dyn Measurement> {
        self.measured.as_ref().map(|measured| &*measured.on)
    }

    /// The capacity that flows share: the minimum over the paths of all groups.
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

    /// The protocols that it runs, in the scenario's order, then custom laws, then measured protocols.
    pub(crate) fn protocols(&self) -> impl Iterator<Item = System> {
        let listed = self.scenario.protocols.iter().map(|&name| System::Protocol(name));
        let measured = self.measured.iter().flat_map(|measured| &measured.protocols);
        listed
            .chain(self.laws.iter().map(|law| System::Custom(law.name)))
            .chain(measured.map(|&name| System::Measured(name)))
    }

    /// The nodes that links pass, one after another: `s0>left>right>d0`. Where there are several at one
    /// place of paths, each is named: `h0>leaf0>(spine0|spine1)>leaf1>h1`.
    pub(crate) fn path(&self, levels: &[Vec<LinkId>]) -> String {
        let node = |node: usize| self.network.nodes[node].as_str();
        let begin = levels.first().and_then(|level| level.first());
        let begin = begin.map(|&link| node(self.config.links[link].from).to_owned());
        let ends = levels.iter().map(|level| {
            let mut ends: Vec<usize> =
                level.iter().map(|&link| self.config.links[link].to).collect();
            ends.sort_unstable();
            ends.dedup();
            match ends[..] {
                [one] => node(one).to_owned(),
                _ => format!("({})", ends.into_iter().map(node).collect::<Vec<_>>().join("|")),
            }
        });
        begin.into_iter().chain(ends).collect::<Vec<_>>().join(">")
    }
}

fn overridden(scenario: &Scenario, overrides: &PlanOverrides) -> Scenario {
    let mut scenario = scenario.clone();
    if let Some(protocols) = &overrides.protocols {
        scenario.protocols.clone_from(protocols);
    }
    if let Some(ideal) = overrides.ideal.filter(|ideal| !scenario.ideals.contains(ideal)) {
        scenario.ideals.push(ideal);
    }
    if let Some(seeds) = &overrides.seeds {
        (scenario.seed, scenario.replications) = (None, None);
        scenario.seeds = Some(seeds.clone());
        scenario.precision = None;
    }
    scenario
}

fn plan(scenario: Scenario, folder: PathBuf, problems: &mut Problems) -> Option<Plan> {
    check::runs(&scenario, problems);
    check::pauses(&scenario, problems);
    check::precision(&scenario, problems);
    check::sizes(&scenario, problems);
    check::times(&scenario, problems);
    check::parameters(&scenario, problems);
    let mut network = scenario.topology.lay(&folder, problems);
    if scenario.group.is_empty() {
        problems.field("group", "no traffic: add a `[[group]]`");
    }
    if !problems.0.is_empty() {
        // What hangs on these would only repeat them.
        return None;
    }
    flows::add_own_hosts(&scenario, &mut network, problems);
    check::delays(&network, problems);
    links::apply(&scenario, &folder, &mut network, problems);
    check::weighing(&scenario, &network, problems);
    let mut config = Config {
        nodes: network.nodes.len(),
        links: network.links.clone(),
        groups: Vec::new(),
        clouds: Vec::new(),
        packet: scenario.packet,
        header: scenario.header,
        control: scenario.control,
        parameters: scenario.parameters.clone(),
        reconvergence: scenario.reconvergence,
        seed: scenario.seeds()[0],
        warm_up: scenario.warm_up,
        stop: scenario.stop,
        limit: scenario.limit(),
        lookahead: true,
        link_metrics: Vec::new(),
        flow_metrics: Vec::new(),
        group_metrics: Vec::new(),
        trace: TraceConfig::default(),
    };
    let groups = flows::plan(&scenario, &network, &folder, &mut config, problems);
    if problems.0.is_empty() {
        clouds::plan(&scenario, &network, &groups, &mut config, problems);
        metrics::plan(&scenario, &network, &groups, &mut config, problems);
        trace::plan(&scenario, &network, &groups, &mut config, problems);
        unread::check(&scenario, &config, &groups, problems);
        sprayed::check(&scenario, &config, &groups, problems);
        profiles::check(&scenario, &config, &groups, problems);
    }
    if problems.0.is_empty() {
        // What no field above answers for.
        let routes = config.reconvergence.and_then(|_| RouteEpochs::of(&config).err());
        let errors = [config.check().err(), routes];
        let faults = errors.iter().flatten().flat_map(ConfigError::faults);
        let refused = faults.map(|fault| Problem::new(Location::Document, fault.to_string()));
        problems.0.extend(refused);
    }
    Some(Plan {
        scenario,
        config,
        network,
        groups,
        folder,
        point: Vec::new(),
        laws: Vec::new(),
        measured: None,
    })
}
