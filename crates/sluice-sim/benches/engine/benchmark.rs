//! A network to time.

use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::tcp::LossRecovery;
use sluice_sim::Config;
use sluice_units::Span;

/// A benchmark, whose network is made when it runs: counts of instructions are of one alone.
pub struct Benchmark {
    pub name: String,
    pub protocol: ProtocolName,
    pub parameters: Parameters,
    pub network: Box<dyn Fn() -> Config>,
}

impl Benchmark {
    pub fn new(
        name: impl Into<String>,
        protocol: ProtocolName,
        network: impl Fn() -> Config + 'static,
    ) -> Self {
        let (name, parameters) = (name.into(), early_parameters());
        Self { name, protocol, parameters, network: Box::new(network) }
    }

    pub fn with(self, parameters: Parameters) -> Self {
        Self { parameters, ..self }
    }
}

/// Those that earlier figures were taken with.
fn early_parameters() -> Parameters {
    let mut parameters = Parameters::default();
    parameters.tcp.recovery = Some(LossRecovery::NewReno);
    parameters.xcp.initial_window = Some(1);
    (parameters.rcp.min_rto, parameters.rcp.initial_rto) =
        (Some(Span::from_millis(200)), Some(Span::from_millis(500)));
    parameters
}
