//! Which router law runs at a link.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sluice_laws::protocol::Protocol;
use sluice_laws::registry::{Parameters, ProtocolName};

/// Which router law runs at a link: in files, `true`, `false` or a protocol's name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinkLaw {
    /// That of the run's protocol.
    #[default]
    OfRun,
    /// None: the link only queues.
    None,
    /// That of this protocol in every run.
    Of(ProtocolName),
}

impl LinkLaw {
    /// Whether any may run, which it does if its protocol has one.
    pub fn runs(self) -> bool {
        self != Self::None
    }

    /// The protocol whose it is in every run, if it is not that of the run.
    pub fn own(self) -> Option<ProtocolName> {
        match self {
            Self::Of(name) => Some(name),
            Self::OfRun | Self::None => None,
        }
    }

    /// The protocol whose it is, in a run of `run`.
    pub fn protocol<'a>(
        self,
        run: &'a dyn Protocol,
        parameters: &'a Parameters,
    ) -> Option<&'a dyn Protocol> {
        match self {
            Self::OfRun => Some(run),
            Self::None => None,
            Self::Of(name) => Some(parameters.protocol(name)),
        }
    }
}

impl Serialize for LinkLaw {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::OfRun => to.serialize_bool(true),
            Self::None => to.serialize_bool(false),
            Self::Of(name) => name.serialize(to),
        }
    }
}

impl<'de> Deserialize<'de> for LinkLaw {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Either;

        impl Visitor<'_> for Either {
            type Value = LinkLaw;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`true`, `false` or the name of a protocol, as `\"rcp\"`")
            }

            fn visit_bool<E: Error>(self, runs: bool) -> Result<LinkLaw, E> {
                Ok(if runs { LinkLaw::OfRun } else { LinkLaw::None })
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<LinkLaw, E> {
                ProtocolName::deserialize(serde::de::value::StrDeserializer::new(name))
                    .map(LinkLaw::Of)
            }
        }

        from.deserialize_any(Either)
    }
}

impl JsonSchema for LinkLaw {
    fn schema_name() -> Cow<'static, str> {
        "LinkLaw".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let name = generator.subschema_for::<ProtocolName>();
        json_schema!({ "anyOf": [{ "type": "boolean" }, name] })
    }
}
