//! Which ECN codepoint the packets of a flow carry.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Whether routers may mark the data packets of a flow, and by which codepoint they know it. Scenarios
/// write `false`, `true` or `"ect1"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EcnMode {
    /// `false`: Not-ECT, packets are dropped instead.
    #[default]
    Off,
    /// `true`: ECT(0), the codepoint of RFC 3168.
    Ect0,
    /// `"ect1"`: ECT(1), by which an L4S packet asks for the low-latency queue (RFC 9331).
    Ect1,
}

/// The scenario's word for [`EcnMode::Ect1`].
const ECT1: &str = "ect1";

impl fmt::Display for EcnMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Off => "false",
            Self::Ect0 => "true",
            Self::Ect1 => ECT1,
        })
    }
}

impl Serialize for EcnMode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Off => serializer.serialize_bool(false),
            Self::Ect0 => serializer.serialize_bool(true),
            Self::Ect1 => serializer.serialize_str(ECT1),
        }
    }
}

impl<'de> Deserialize<'de> for EcnMode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FlagOrWord)
    }
}

struct FlagOrWord;

impl Visitor<'_> for FlagOrWord {
    type Value = EcnMode;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`false`, `true` or `\"ect1\"`")
    }

    fn visit_bool<E: Error>(self, on: bool) -> Result<EcnMode, E> {
        Ok(if on { EcnMode::Ect0 } else { EcnMode::Off })
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<EcnMode, E> {
        match word {
            ECT1 => Ok(EcnMode::Ect1),
            _ => Err(E::invalid_value(serde::de::Unexpected::Str(word), &self)),
        }
    }
}

impl JsonSchema for EcnMode {
    fn schema_name() -> Cow<'static, str> {
        "EcnMode".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "`false`: packets cannot be marked; `true`: ECT(0), as in RFC 3168; \
                            `\"ect1\"`: ECT(1), by which `dualpi2` knows L4S packets (RFC 9331)",
            "anyOf": [{ "type": "boolean" }, {
                "const": ECT1,
                "description": "packets carry ECT(1), the codepoint of L4S (RFC 9331)",
            }],
        })
    }
}
