//! Protocols that run on a real network, beside those that are simulated.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use sluice_laws::registry::ProtocolName;
use sluice_sim::{Config, Observer, Outcome};

/// A network on which protocols run, instead of in the simulator.
pub trait Measurement: Send + Sync {
    /// Runs the flows of `config` under a protocol, in real time, and reports what they did as the simulator does:
    /// flows in the order that [`Observer::flow`] states, samples, and totals for each link. Ends early if
    /// [`Observer::tick`] says so.
    ///
    /// # Errors
    /// If the network or a program on it fails.
    fn run(
        &self,
        protocol: ProtocolName,
        config: &Config,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Box<dyn Error + Send + Sync>>;
}

/// A network, and the protocols that run on it.
#[derive(Clone)]
pub(super) struct Measured {
    pub(super) protocols: Vec<ProtocolName>,
    pub(super) on: Arc<dyn Measurement>,
}

impl fmt::Debug for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.protocols.fmt(f)
    }
}
