//! A network to time.

use sluice_laws::registry::ProtocolName;
use sluice_sim::Config;

/// A benchmark, whose network is made when it runs: counts of instructions are of one alone.
pub struct Benchmark {
    pub name: &'static str,
    pub protocol: ProtocolName,
    pub network: Box<dyn Fn() -> Config>,
}

impl Benchmark {
    pub fn new(
        name: &'static str,
        protocol: ProtocolName,
        network: impl Fn() -> Config + 'static,
    ) -> Self {
        Self { name, protocol, network: Box::new(network) }
    }
}
