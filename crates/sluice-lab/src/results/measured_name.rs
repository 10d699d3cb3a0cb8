//! The names of measured protocols in results: `rcp@linux`. No custom law has such a name.

use std::sync::LazyLock;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sluice_laws::registry::ProtocolName;

/// The name of a protocol in a measurement.
pub fn measured_name(protocol: ProtocolName) -> &'static str {
    static NAMES: LazyLock<Vec<(ProtocolName, String)>> = LazyLock::new(|| {
        ProtocolName::ALL.iter().map(|&name| (name, format!("{name}@linux"))).collect()
    });
    let found = NAMES.iter().find(|(known, _)| *known == protocol);
    found.map_or("", |(_, name)| name)
}

pub fn serialize<S: Serializer>(protocol: &ProtocolName, to: S) -> Result<S::Ok, S::Error> {
    measured_name(*protocol).serialize(to)
}

pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<ProtocolName, D::Error> {
    let text = String::deserialize(from)?;
    let found = ProtocolName::ALL.iter().find(|&&name| measured_name(name) == text);
    found.copied().ok_or_else(|| D::Error::custom(format!("unknown system `{text}`")))
}
