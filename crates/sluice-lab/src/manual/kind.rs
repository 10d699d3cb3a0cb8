//! The kinds of entries of the manual.

use serde::Serialize;

macro_rules! kinds {
    ($($(#[doc = $about:literal])+ $kind:ident: $heading:literal,)+) => {
        /// The kind of an entry.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum EntryKind {
            $($(#[doc = $about])+ $kind,)+
        }

        impl EntryKind {
            /// Its heading.
            pub fn heading(self) -> &'static str {
                match self {
                    $(Self::$kind => $heading,)+
                }
            }
        }
    };
}

kinds! {
    /// A protocol.
    Protocol: "protocols",
    /// A fluid ideal.
    Ideal: "ideals",
    /// A topology.
    Topology: "topologies",
    /// A queue discipline.
    Queue: "queue disciplines",
    /// A traffic model: when flows arrive.
    Traffic: "traffic models",
    /// A distribution of flow sizes.
    Sizes: "distributions of flow sizes",
    /// A published measurement of flow sizes.
    Workload: "workloads (measured flow sizes)",
    /// A scenario that comes with the command.
    Scenario: "ready scenarios",
    /// A table of a scenario file.
    Table: "tables of a scenario file",
    /// A field of a scenario file.
    Field: "fields",
    /// A value of a field.
    Value: "values",
    /// A unit, or another word of a quantity.
    Unit: "units",
}

impl EntryKind {
    /// The kinds that [`entries`](super::entries) lists, in its order.
    pub const LISTED: [Self; 9] = [
        Self::Protocol,
        Self::Ideal,
        Self::Topology,
        Self::Queue,
        Self::Traffic,
        Self::Sizes,
        Self::Workload,
        Self::Scenario,
        Self::Table,
    ];
}
