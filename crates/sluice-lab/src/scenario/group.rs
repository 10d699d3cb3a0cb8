//! Groups of flows.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_laws::conduct::Conduct;
use sluice_laws::registry::ProtocolName;
use sluice_sim::Routing;
use sluice_sim::traffic::{self, Traffic};
use sluice_units::{Rate, Ratio, Span, Time};

use super::nodes::Nodes;
use super::pairs::PairSelection;
use super::problem::{Problems, set_exactly_one};
use super::replay::Replays;
use super::traffic::{Context, Resolved, resolve};

macro_rules! group {
    ($($(#[doc = $title:literal])+ $name:ident: $Model:ident),+ $(,)?) => {
        /// Flows with the same endpoints and exactly one traffic model.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct Group {
            /// Name in results; the random streams of the group depend on it.
            pub name: String,
            /// Source node, or a list: each sends to each of `to`, as groups `name.0`, `name.1`, ...
            /// `"h0..h15"` are the nodes `h0` to `h15`.
            pub from: Option<Nodes>,
            /// Destination node, or a list.
            pub to: Option<Nodes>,
            /// Instead of `from` and `to`: such flows between many pairs of hosts, as groups `name.0`,
            /// `name.1`, ... `"each"` is every pair of a dumbbell's hosts; `"permutation"`,
            /// `"all_to_all"` and others choose pairs among all hosts.
            pub pairs: Option<PairSelection>,
            /// Instead of `from` and `to`, on a dumbbell: the group has its own pair of hosts, with
            /// this round-trip propagation delay.
            pub rtt: Option<Span>,
            /// With `pairs` or `rtt`: `"forward"` (left to right, the default) or `"reverse"`.
            #[serde(default)]
            pub direction: Direction,
            /// Protocol of its flows in every run; by default, the protocol compared. To links whose router
            /// law is another's, its packets request nothing.
            pub protocol: Option<ProtocolName>,
            /// Weight of its flows: throughputs at a shared bottleneck are in proportion to it. 1 by
            /// default; 0.001 to 1000 for `rcp`, `alpha_fair`, `xcp`, `ncp`, `ncp_increments` and `ledger`, 1 to 1000
            /// for `tcp` (MulTCP), whose throughputs are in proportion only roughly and up to a weight of about
            /// 10, and not at drop-tail queues.
            #[serde(default = "one")]
            pub weight: Ratio,
            /// Rate that each of its flows asks the network to guarantee, under `xcp_guaranteed`: 100 b/s to
            /// 400 Gb/s, and at most what `max_reserved` leaves of each link; by default that of the
            /// protocol's table.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub profile: Option<Rate>,
            /// How its senders depart from the law of their protocol, as users who cheat do; by default they
            /// do not.
            #[serde(default, skip_serializing_if = "is_honest")]
            pub conduct: Conduct,
            /// Class of its packets, 0 to 7, at links whose queue is `priority`, where the highest is
            /// served first, or `cbwfq`, where each class has its share. 0 by default.
            #[serde(default)]
            pub class: u8,
            /// Weight of its flows, of any protocol, at links whose queue is `wfq`, `csfq` or `ncp_csfq`, and among the
            /// macro-flows of a `[[cloud]]`: they share these in proportion to it. 0.001 to 1000, 1 by default.
            #[serde(default = "one")]
            pub queue_weight: Ratio,
            /// Path of data as a list of nodes, `from` and `to` included; the paths of least delay by
            /// default, and of these with the fewest links.
            pub path: Option<Vec<String>>,
            /// Instead of `path`: several paths, of which a hash gives each flow one, in proportion to
            /// their weights.
            pub paths: Option<Vec<WeightedNodes>>,
            /// Path of acknowledgements as a list of nodes; the paths of least delay back by default.
            pub back: Option<Vec<String>>,
            /// Changes of paths in mid-flow: `[{ at = "5 s", path = ["a", "r2", "b"] }]`, in order of time;
            /// none by default. Packets that are under way stay on the path on which they left.
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            pub reroute: Vec<PathChange>,
            /// How flows use several such paths: `"ecmp"` (the default: a hash gives each flow one),
            /// `"wcmp"` (the same, in proportion to the capacities of next links), `"single"` (all take
            /// the same) or `"spray"` (each packet takes the next).
            #[serde(default)]
            pub routing: Routing,
            $($(#[doc = $title])+ pub $name: Option<traffic::$Model>,)+
            /// CSV file of flows, relative to the scenario file. Columns `start` and `size`, such as
            /// `10 ms` and `1 MB`; numbers are in seconds and bytes, or in the unit of the header
            /// (`start (ms)`). With a column `group`, this group takes the rows of its name. Columns
            /// `from` and `to` name nodes; `from` and `to` of the group are then their defaults, and
            /// each pair of nodes is a group `name.0`, `name.1`, ...
            pub replay: Option<PathBuf>,
        }

        impl Group {
            /// The traffic models set, with the names of their fields.
            fn models(&self) -> Vec<(&'static str, Traffic)> {
                let models = [
                    $(self.$name.clone().map(|model| (stringify!($name), model.into())),)+
                ];
                models.into_iter().flatten().collect()
            }

            /// The paths of the files that it names.
            pub(crate) fn files(&mut self) -> impl Iterator<Item = &mut PathBuf> {
                let of_models = [$(self.$name.as_mut().and_then(traffic::$Model::file_mut)),+];
                of_models.into_iter().flatten().chain(&mut self.replay)
            }
        }
    };
}

sluice_sim::traffic_models!(group);

/// One of several paths of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WeightedNodes {
    /// Its nodes, `from` and `to` included.
    pub path: Vec<String>,
    /// Flows take it in proportion to this; 1 to 1000000, 1 by default.
    #[serde(default = "one_part")]
    pub weight: u64,
}

/// A change of a group's paths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PathChange {
    /// Packets that leave their host from this instant on take these paths; after 0 s.
    pub at: Time,
    /// Path of data as a list of nodes, `from` and `to` included; unchanged by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Vec<String>>,
    /// Path of acknowledgements as a list of nodes; unchanged by default. Set `path`, `back` or both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub back: Option<Vec<String>>,
}

fn is_honest(conduct: &Conduct) -> bool {
    *conduct == Conduct::HONEST
}

fn one_part() -> u64 {
    1
}

fn one() -> Ratio {
    Ratio::new(1.0)
}

/// The direction of data between the hosts of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Left to right.
    #[default]
    Forward,
    /// Right to left.
    Reverse,
}

impl Group {
    /// Checks that exactly one traffic model is set.
    pub(crate) fn check(&self, field: &str, problems: &mut Problems) {
        let mut given: Vec<&str> = self.models().into_iter().map(|(name, _)| name).collect();
        given.extend(self.replay.as_ref().map(|_| "replay"));
        let names = Traffic::MODELS.iter().map(|model| model.name).chain(["replay"]);
        let help = set_exactly_one(names);
        match given[..] {
            [_] => {}
            [] => problems.field_help(field, "missing traffic model", help),
            _ => problems.conflict(field, &given, help),
        }
        if self.udp.is_some() {
            self.check_udp(field, problems);
        }
    }

    /// Checks that nothing is set that streams of datagrams lack.
    fn check_udp(&self, field: &str, problems: &mut Problems) {
        if self.protocol.is_some() {
            let help = "a stream of datagrams has no congestion control";
            problems.conflict(field, &["protocol", "udp"], help);
        }
        if self.weight != one() {
            problems.conflict(
                field,
                &["weight", "udp"],
                "a stream of datagrams has no law to weight; `queue_weight` is for queues",
            );
        }
        if self.profile.is_some() {
            let help = "a stream of datagrams has no law that asks for a guarantee";
            problems.conflict(field, &["profile", "udp"], help);
        }
        if self.conduct != Conduct::HONEST {
            let help = "a stream of datagrams has no law to depart from";
            problems.conflict(field, &["conduct", "udp"], help);
        }
    }

    /// The traffic of this group, or of its pair `name`; `None` if it has problems.
    pub(crate) fn traffic(
        &self,
        field: &str,
        name: &str,
        context: &Context<'_>,
        replays: &mut Replays<'_>,
        problems: &mut Problems,
    ) -> Option<Resolved> {
        if let Some((model, traffic)) = self.models().into_iter().next() {
            return resolve(traffic, &format!("{field}.{model}"), context, problems);
        }
        let file = self.replay.as_ref()?;
        replays.flows(file, name, &format!("{field}.replay"), problems).map(Resolved::listed)
    }
}
