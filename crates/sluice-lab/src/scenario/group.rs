//! Who sends what to whom.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_laws::registry::ProtocolName;
use sluice_sim::traffic::{self, Sizes, Traffic};
use sluice_units::{Ratio, Span};

use super::problem::Problems;
use super::replay::Replays;
use super::traffic::{Context, Resolved, resolve};

macro_rules! group {
    ($($(#[doc = $title:literal])+ $name:ident: $Model:ident),+ $(,)?) => {
        /// Flows of one kind: where they go and exactly one traffic model.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct Group {
            /// Its name in results; names its random streams too.
            pub name: String,
            /// The node that data come from, or several: each of them sends to each of `to`, as
            /// group `name.0`, `name.1`, ...
            pub from: Option<Nodes>,
            /// The node that data go to, or several.
            pub to: Option<Nodes>,
            /// `"each"`, instead of `from` and `to`: every pair of a dumbbell's hosts gets such
            /// flows, as group `name.0`, `name.1`, ...
            pub pairs: Option<Each>,
            /// Instead of `from` and `to`, on a dumbbell: hosts of this group's own, so far from
            /// each other.
            pub rtt: Option<Span>,
            /// With `pairs` or `rtt`: `"forward"` (left to right, by default) or `"reverse"`.
            #[serde(default)]
            pub direction: Direction,
            /// A protocol that its flows speak whatever protocol is compared: one without a router
            /// law (`tcp`, `cubic`). By default the one compared.
            pub protocol: Option<ProtocolName>,
            /// How many flows each of its flows counts as: throughputs behind one bottleneck are in
            /// proportion. 1 by default; `rcp`, `alpha_fair`, `xcp` and `ncp` take 0.001 to 1000,
            /// `tcp` 1 to 1000 (MulTCP).
            #[serde(default = "one")]
            pub weight: Ratio,
            /// Nodes that data pass, `from` and `to` included; the path of least delay by default.
            pub path: Option<Vec<String>>,
            /// Nodes that acknowledgements pass; the path of least delay back by default.
            pub back: Option<Vec<String>>,
            $($(#[doc = $title])+ pub $name: Option<traffic::$Model>,)+
            /// Flows listed in a CSV file with the columns `start` (seconds), `size` (bytes) and
            /// `group`, of which this group takes its own; its path starts from the scenario file.
            pub replay: Option<PathBuf>,
        }

        impl Group {
            /// The models given, with their fields' names.
            fn models(&self) -> Vec<(&'static str, Traffic)> {
                let models = [
                    $(self.$name.clone().map(|model| (stringify!($name), model.into())),)+
                ];
                models.into_iter().flatten().collect()
            }

            /// The paths of the files that it names.
            pub(crate) fn files(&mut self) -> impl Iterator<Item = &mut PathBuf> {
                let sizes = [$(self.$name.as_mut().and_then(traffic::$Model::sizes_mut)),+];
                let of_sizes = sizes.into_iter().flatten().filter_map(|sizes| match sizes {
                    Sizes::File(file) => Some(&mut file.path),
                    _ => None,
                });
                of_sizes.chain(&mut self.replay)
            }
        }
    };
}

sluice_sim::traffic_models!(group);

/// A node, or several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a node's name, or a list of them")]
pub enum Nodes {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

impl Nodes {
    /// Their names.
    pub fn names(&self) -> &[String] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::Several(names) => names,
        }
    }
}

fn one() -> Ratio {
    Ratio::new(1.0)
}

/// What `pairs` may say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Each {
    /// Every pair.
    Each,
}

/// Which way data of pairs go.
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
    /// Checks that there is one traffic model, and only one.
    pub(crate) fn check(&self, field: &str, problems: &mut Problems) {
        let mut given: Vec<&str> = self.models().into_iter().map(|(name, _)| name).collect();
        given.extend(self.replay.as_ref().map(|_| "replay"));
        let names: Vec<String> =
            Traffic::MODELS.iter().map(|model| format!("`{}`", model.name)).collect();
        let help = format!("exactly one of {} and `replay`", names.join(", "));
        match given[..] {
            [_] => {}
            [] => problems.field_help(field, "no traffic is given", help),
            [first, second, ..] => {
                let what = format!("`{first}` and `{second}` in one group");
                problems.field_help(format!("{field}.{second}"), what, help);
            }
        }
    }

    /// The traffic of this group, or of its pair `name`; `None` with what is wrong in `problems`.
    pub(crate) fn traffic(
        &self,
        field: &str,
        name: &str,
        context: &Context<'_>,
        replays: &mut Replays,
        problems: &mut Problems,
    ) -> Option<Resolved> {
        if let Some((model, traffic)) = self.models().into_iter().next() {
            return resolve(traffic, &format!("{field}.{model}"), context, problems);
        }
        let file = context.folder.join(self.replay.as_ref()?);
        let own = replays.take(file, name, &format!("{field}.replay"), problems)?;
        Some(Resolved { traffic: Traffic::List(own), mean_rate: None, mean_size: None })
    }
}
