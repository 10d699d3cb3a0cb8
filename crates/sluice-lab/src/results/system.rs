//! The systems that can run over the flows of a scenario.

use std::fmt;

use serde::{Deserialize, Serialize};
use sluice_laws::registry::ProtocolName;
use sluice_sim::ideal::Ideal;

use super::law_name::LawName;
use super::measured_name::{self, measured_name};

/// A protocol or a custom law, which runs packet by packet, a fluid ideal, or a protocol on a real network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum System {
    /// A protocol.
    Protocol(ProtocolName),
    /// An ideal way to share links.
    Ideal(Ideal),
    /// A custom law ([`crate::Plan::with_law`]).
    Custom(LawName),
    /// A protocol, measured on a network ([`crate::Plan::with_measurement`]): `rcp@linux`.
    #[serde(with = "measured_name")]
    Measured(ProtocolName),
}

impl System {
    /// Its name, in scenarios and in results.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Protocol(name) => name.as_str(),
            Self::Ideal(ideal) => ideal.name(),
            Self::Custom(name) => name.as_str(),
            Self::Measured(name) => measured_name(*name),
        }
    }

    /// Whether it is a fluid model, without packets.
    pub(crate) const fn is_ideal(self) -> bool {
        matches!(self, Self::Ideal(_))
    }

    /// Whether its stored runs may be reused. The code of a custom law may have changed, and what is measured is not
    /// the same twice.
    pub(crate) const fn is_kept(self) -> bool {
        matches!(self, Self::Protocol(_) | Self::Ideal(_))
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_system_is_read_back_by_its_name() {
        let protocols = ProtocolName::ALL.iter().map(|&name| System::Protocol(name));
        let ideals = Ideal::ALL.iter().map(|&ideal| System::Ideal(ideal));
        let own = System::Custom(LawName::new("My_law-2").unwrap());
        let measured = ProtocolName::ALL.iter().map(|&name| System::Measured(name));
        for system in protocols.chain(ideals).chain([own]).chain(measured) {
            let text = serde_json::to_string(&system).unwrap();
            assert_eq!(text, format!("\"{system}\""));
            assert_eq!(serde_json::from_str::<System>(&text).unwrap(), system);
        }
        for wrong in ["../etc", "rcp@", "no@linux", "@linux"] {
            assert!(serde_json::from_str::<System>(&format!("\"{wrong}\"")).is_err(), "{wrong}");
        }
    }
}
