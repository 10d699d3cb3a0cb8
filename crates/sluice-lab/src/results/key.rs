//! What names a run: all that can change what it finds.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::transport::Transport;
use sluice_sim::ideal::Ideal;

use super::system::System;
use crate::{BUILD, Plan};

/// Fields of a scenario that select runs without changing any of them.
const NOT_OF_A_RUN: [&str; 7] =
    ["name", "protocols", "ideals", "seed", "replications", "seeds", "precision"];

/// Which run: what ran, with which seed, under which conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunId {
    /// What ran.
    pub system: System,
    /// Its seed.
    pub seed: u64,
    /// 16 hexadecimal digits, other ones for whatever can change the result.
    pub key: String,
}

impl RunId {
    /// The name of the run's folder.
    pub fn folder(&self) -> String {
        format!("{}-{}-{}", self.system, self.seed, self.key)
    }
}

/// Makes the keys of a plan's runs.
pub struct Keys {
    /// The scenario without what does not concern a run, in JSON.
    scenario: String,
    parameters: Parameters,
    /// The transport of every protocol, with what it inherits: under the protocol's name.
    transports: BTreeMap<&'static str, Transport>,
    /// The protocols of groups and links whatever protocol is run.
    spoken: BTreeSet<ProtocolName>,
    /// Whether flows are compared with the max-min ideal: that is a column of theirs.
    has_max_min: bool,
    /// The point of the sweep, in JSON: columns of every table.
    point: String,
}

impl Keys {
    /// Reads the files that the scenario names: their contents count, not their names.
    pub fn of(plan: &Plan) -> io::Result<Self> {
        let mut scenario = plan.scenario.stated();
        let mut digests = BTreeMap::new();
        for path in scenario.files() {
            let digest = digest_once(plan.folder.join(&*path), &mut digests)?;
            *path = PathBuf::from(digest);
        }
        let mut value = serde_json::to_value(&scenario)?;
        if let Value::Object(fields) = &mut value {
            fields.retain(|name, _| !NOT_OF_A_RUN.contains(&name.as_str()));
        }
        let parameters = &plan.scenario.parameters;
        let transport = |name: &ProtocolName| {
            (name.as_str(), parameters.protocol(*name).transport(&parameters.transport))
        };
        Ok(Self {
            transports: ProtocolName::ALL.iter().map(transport).collect(),
            scenario: value.to_string(),
            parameters: plan.scenario.parameters.clone(),
            spoken: plan
                .scenario
                .group
                .iter()
                .filter_map(|group| group.protocol)
                .chain(plan.config.links.iter().flat_map(|link| link.router.own()))
                // Core links of clouds run XCP.
                .chain(plan.config.clouds.iter().map(|_| ProtocolName::Xcp))
                .collect(),
            has_max_min: plan.scenario.ideals.contains(&Ideal::MaxMin),
            point: serde_json::to_string(&plan.point)?,
        })
    }

    /// The run of `system` with `seed`.
    pub fn run(&self, system: System, seed: u64) -> io::Result<RunId> {
        let parameters = serde_json::to_value(&self.parameters)?;
        let spoken = self.spoken.iter().map(|name| name.as_str());
        let named: Vec<&str> = std::iter::once(system.as_str()).chain(spoken).collect();
        // And those of their best-effort packets.
        let protocols = named.iter().filter_map(|name| ProtocolName::named(name));
        let others: BTreeSet<&str> =
            protocols.filter_map(|own| self.parameters.protocol(own).best_effort()).collect();
        let own: Vec<(Option<&Value>, Option<&Transport>)> = named
            .into_iter()
            .chain(others)
            .map(|name| (parameters.get(name), self.transports.get(name)))
            .collect();
        let Self { scenario, has_max_min, point, .. } = self;
        let all = format!("{BUILD}\n{system}\n{seed}\n{has_max_min}\n{own:?}\n{point}\n{scenario}");
        Ok(RunId { system, seed, key: hex(&Sha256::digest(all), 8) })
    }
}

fn digest_once(path: PathBuf, known: &mut BTreeMap<PathBuf, String>) -> io::Result<String> {
    if let Some(digest) = known.get(&path) {
        return Ok(digest.clone());
    }
    let digest = digest_of(&path)?;
    known.insert(path, digest.clone());
    Ok(digest)
}

fn digest_of(path: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    io::copy(&mut std::fs::File::open(path)?, &mut hash)?;
    Ok(format!("sha256:{}", hex(&hash.finalize(), 32)))
}

fn hex(bytes: &[u8], max: usize) -> String {
    bytes.iter().take(max).fold(String::new(), |mut text, byte| {
        _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlanOverrides;
    use crate::scenario::Document;

    fn key(set: &[(&str, &str)]) -> String {
        let text = "
            schema = 1
            stop = \"1 s\"
            protocols = [\"rcp\", \"tcp\"]
            topology.dumbbell = { capacity = \"1 Mbps\", rtt = \"10 ms\" }
            group = [{ name = \"a\", from = \"s0\", to = \"d0\", long = {} }]
        ";
        let mut document = Document::new("test.toml", text, "test");
        set.iter().for_each(|(field, value)| document.set("--set", field, value));
        let source = document.source().unwrap();
        let plan = Plan::of(&source, PathBuf::new(), &PlanOverrides::default()).unwrap();
        Keys::of(&plan).unwrap().run(System::Protocol(ProtocolName::Rcp), 1).unwrap().key
    }

    #[test]
    fn a_key_depends_only_on_what_changes_a_run() {
        let plain = key(&[]);
        let same = [
            ("name", "other"),
            ("protocols", "[\"rcp\"]"),
            ("tcp.initial_window", "3"),
            // RCP has none.
            ("transport.initial_window", "3"),
        ];
        assert_eq!(same.map(|set| key(&[set])), [&plain; 4].map(String::clone));
        let other = [
            ("rcp.alpha", "0.2"),
            ("stop", "2 s"),
            ("group.a.weight", "2"),
            ("transport.min_rto", "1 s"),
        ];
        assert!(other.iter().all(|&set| key(&[set]) != plain));
    }

    #[test]
    fn a_key_follows_the_protocol_that_a_group_speaks() {
        let tcp = ("group.a.protocol", "tcp");
        assert_ne!(key(&[tcp]), key(&[tcp, ("tcp.initial_window", "3")]));
        assert_ne!(key(&[tcp]), key(&[tcp, ("transport.initial_window", "3")]));
    }

    #[test]
    fn a_key_follows_the_law_of_a_link() {
        let (bound, xcp) =
            (("rcp.desired_rate", "\"1 Mbps\""), ("topology.dumbbell.router", "\"xcp\""));
        assert_ne!(key(&[bound]), key(&[bound, xcp]));
        assert_ne!(key(&[bound, xcp]), key(&[bound, xcp, ("xcp.alpha", "0.3")]));
        assert_eq!(key(&[bound]), key(&[bound, ("xcp.alpha", "0.3")]));
    }
}
