//! Which of the network's hosts a group has flows between: `pairs`.

use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema};
use serde::de::value::{MapAccessDeserializer, MapDeserializer};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};
use sluice_units::Ratio;

use super::nodes::Nodes;

/// Pairs of hosts: a word, or a table with parameters, as in `{ permutation = { seed = 2 } }`. They are
/// the same in all runs, whatever their seeds.
// `remote` leaves the traits to the implementations below, which take words too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", remote = "Self")]
#[schemars(transform = add_words)]
pub enum PairSelection {
    /// The pairs of a dumbbell, or those of cross traffic in a parking lot. A load is one of all pairs
    /// over a bottleneck together.
    Each,
    /// Every host to every other. A load is that of each source.
    AllToAll,
    /// Each host to one other, and from one other.
    Permutation(Permutation),
    /// Each host to others drawn at random.
    Random(RandomPairs),
    /// Each host to others, of which a few receive a given share of the pairs.
    HotSpots(HotSpots),
    /// Each host to others, a given share of the pairs within racks.
    ByRack(ByRack),
}

/// Each host to one other, and from one other, at random. A load is that of each source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Permutation {
    /// Seed of the choice, which no seed of a run changes; 1 by default.
    #[serde(default = "first_seed")]
    pub seed: u64,
    /// Whether no pair lies within a rack; `false` by default.
    #[serde(default)]
    pub across_racks: bool,
}

/// Each host to others drawn at random. A load is that of each source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomPairs {
    /// Number of destinations of each host, drawn with repetition; 1 by default.
    #[serde(default = "one")]
    pub destinations: usize,
    /// Seed of the choice, which no seed of a run changes; 1 by default.
    #[serde(default = "first_seed")]
    pub seed: u64,
}

/// Each host to others drawn at random, of which a few receive a given share of the pairs. A load is
/// that of each source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HotSpots {
    /// The hot hosts: how many, drawn at random, or their names.
    pub hosts: HotHosts,
    /// Share of the pairs that lead to hot hosts, 0 to 1.
    pub share: Ratio,
    /// Number of destinations of each host, drawn with repetition; 1 by default.
    #[serde(default = "one")]
    pub destinations: usize,
    /// Seed of the choice, which no seed of a run changes; 1 by default.
    #[serde(default = "first_seed")]
    pub seed: u64,
}

/// A number of hosts, or names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a number of hosts, a node's name, or a list of names")]
pub enum HotHosts {
    /// How many.
    Count(usize),
    /// Which.
    Named(Nodes),
}

/// Each host to others drawn at random, a given share of the pairs within racks. A load is that of each
/// source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ByRack {
    /// Share of the pairs within a rack, 0 to 1; the others lead to other racks.
    pub within: Ratio,
    /// Number of destinations of each host, drawn with repetition; 1 by default.
    #[serde(default = "one")]
    pub destinations: usize,
    /// Seed of the choice, which no seed of a run changes; 1 by default.
    #[serde(default = "first_seed")]
    pub seed: u64,
}

impl Serialize for PairSelection {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for PairSelection {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WordOrTable)
    }
}

struct WordOrTable;

impl<'de> Visitor<'de> for WordOrTable {
    type Value = PairSelection;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("pairs of hosts, as `\"permutation\"` or `{ permutation = { seed = 2 } }`")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<PairSelection, E> {
        match word {
            "each" => Ok(PairSelection::Each),
            "all_to_all" => Ok(PairSelection::AllToAll),
            // A word stands for a table without fields.
            _ => {
                let table = std::iter::once((word, BTreeMap::<&str, &str>::new()));
                let table = MapAccessDeserializer::new(MapDeserializer::new(table));
                PairSelection::deserialize(table)
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PairSelection, A::Error> {
        let pairs = PairSelection::deserialize(MapAccessDeserializer::new(&mut map))?;
        // In the words of the toml crate for an enum's table.
        if map.next_key::<serde::de::IgnoredAny>()?.is_some() {
            return Err(Error::custom("wanted exactly 1 element, more than 1 element"));
        }
        Ok(pairs)
    }
}

/// Adds the words that stand for tables without fields.
fn add_words(schema: &mut Schema) {
    let Some(Value::Array(choices)) = schema.get_mut("oneOf") else { return };
    for word in ["permutation", "random"] {
        let table = choices.iter().find(|choice| !choice["properties"][word].is_null());
        let about = table.map(|table| table["description"].clone());
        choices.push(json!({ "const": word, "description": about }));
    }
}

fn one() -> usize {
    1
}

fn first_seed() -> u64 {
    1
}
