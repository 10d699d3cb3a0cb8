//! What can run over the flows of a scenario.

use std::fmt;

use serde::{Deserialize, Serialize};
use sluice_laws::registry::Name;
use sluice_sim::ideal::Ideal;

/// What a run is of: a protocol, packet by packet, or an ideal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum System {
    /// A protocol.
    Protocol(Name),
    /// A way to share links perfectly.
    Ideal(Ideal),
}

impl System {
    /// Its name, in scenarios and in results.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Protocol(name) => name.as_str(),
            Self::Ideal(ideal) => ideal.name(),
        }
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
        let protocols = Name::ALL.iter().map(|&name| System::Protocol(name));
        for system in protocols.chain(Ideal::ALL.iter().map(|&ideal| System::Ideal(ideal))) {
            let text = serde_json::to_string(&system).unwrap();
            assert_eq!(text, format!("\"{system}\""));
            assert_eq!(serde_json::from_str::<System>(&text).unwrap(), system);
        }
    }
}
