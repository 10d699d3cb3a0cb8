//! The router laws of a link: one over all of its traffic, or one over each class.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{BoolDeserializer, SeqAccessDeserializer, StrDeserializer};
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_units::Faults;

use crate::by_class::ByClass;
use crate::link_law::LinkLaw;
use crate::queue::{ClassParts, Discipline};

/// The router laws of a link: in files, one as [`LinkLaw`], or a list of them for the classes of traffic 0, 1,
/// and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkLaws {
    /// One law over all traffic.
    Whole(LinkLaw),
    /// A law over each class, at a queue that divides the link among classes. Classes beyond the last law are
    /// one with its class.
    Classes(ByClass<LinkLaw>),
}

impl LinkLaws {
    /// The law that packets of this class meet.
    pub fn of_class(&self, class: u8) -> LinkLaw {
        match self {
            Self::Whole(law) => *law,
            Self::Classes(laws) => laws.get(class),
        }
    }

    /// The law over all traffic: none if there are laws over classes.
    pub fn whole(&self) -> LinkLaw {
        match self {
            Self::Whole(law) => *law,
            Self::Classes(_) => LinkLaw::None,
        }
    }

    /// All of them.
    pub fn all(&self) -> &[LinkLaw] {
        match self {
            Self::Whole(law) => std::slice::from_ref(law),
            Self::Classes(laws) => laws.as_slice(),
        }
    }

    /// Whether any may run, which it does if its protocol has one.
    pub fn runs(&self) -> bool {
        self.all().iter().any(|law| law.runs())
    }

    /// The protocols whose laws run here in every run.
    pub fn own(&self) -> impl Iterator<Item = ProtocolName> {
        self.all().iter().filter_map(|law| law.own())
    }

    /// Adds what is wrong with them at a link with this queue to `faults`.
    pub fn check(&self, queue: &Discipline, faults: &mut Faults) {
        let without = |name: &ProtocolName| !Parameters::default().protocol(*name).has_header();
        if let Some(name) = self.own().find(without) {
            let what = format!("`{name}` has no router law; `false` is for links that only queue");
            faults.add("router", what);
        }
        let parts = queue.class_parts();
        let Self::Classes(laws) = self else {
            let moved = matches!(parts, Some(ClassParts::Weighed(_)));
            let what = "`tcp_friendly` has two queues, each with a law or none: `[false, \"xcp\"]`";
            faults.need(!(moved && self.runs()), "router", what);
            return;
        };
        let count = laws.as_slice().len();
        match parts.map(|parts| parts.laws()) {
            None => faults.add(
                "router",
                "laws over classes of traffic need a queue that divides the link among them: `cbwfq`, \
                 `priority` or `tcp_friendly`",
            ),
            Some(allowed) if !allowed.contains(&count) => {
                let what = format!("the queue has {} classes, not {count}", allowed.end());
                faults.add("router", what);
            }
            Some(_) => {}
        }
    }
}

impl Default for LinkLaws {
    fn default() -> Self {
        LinkLaw::default().into()
    }
}

impl From<LinkLaw> for LinkLaws {
    fn from(law: LinkLaw) -> Self {
        Self::Whole(law)
    }
}

impl Serialize for LinkLaws {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Whole(law) => law.serialize(to),
            Self::Classes(laws) => laws.serialize(to),
        }
    }
}

impl<'de> Deserialize<'de> for LinkLaws {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct OneOrList;

        impl<'de> Visitor<'de> for OneOrList {
            type Value = LinkLaws;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "`true`, `false`, the name of a protocol, as `\"rcp\"`, or a list of these for classes \
                     of traffic",
                )
            }

            fn visit_bool<E: Error>(self, runs: bool) -> Result<LinkLaws, E> {
                LinkLaw::deserialize(BoolDeserializer::new(runs)).map(LinkLaws::Whole)
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<LinkLaws, E> {
                LinkLaw::deserialize(StrDeserializer::new(name)).map(LinkLaws::Whole)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, laws: A) -> Result<LinkLaws, A::Error> {
                ByClass::deserialize(SeqAccessDeserializer::new(laws)).map(LinkLaws::Classes)
            }
        }

        from.deserialize_any(OneOrList)
    }
}

impl JsonSchema for LinkLaws {
    fn schema_name() -> Cow<'static, str> {
        "LinkLaws".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<LinkLaw>();
        let list = generator.subschema_for::<ByClass<LinkLaw>>();
        json_schema!({ "anyOf": [one, list] })
    }
}
