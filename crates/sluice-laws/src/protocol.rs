//! The trait that a protocol implements: it makes the two host sides and the router side.

use sluice_units::{Bytes, Rate, Ratio};

use crate::host::{Echo, HostLaw, SenderContext};
use crate::router::RouterPort;
use crate::tcp::RecoveryVariant;
use crate::transport::{Transport, TransportOverrides};
use crate::wire::Form;

/// A protocol's entry in `sluice list` and `sluice explain`.
#[derive(Clone, Copy, Debug)]
pub struct ProtocolInfo {
    /// Its name in scenarios.
    pub name: &'static str,
    /// One line.
    pub title: &'static str,
    /// Where it is specified.
    pub source: &'static str,
    /// What of it stands where in the source, a line each.
    pub equations: &'static [&'static str],
}

/// What a router law needs to know of its link.
#[derive(Clone, Copy, Debug)]
pub struct LinkContext {
    /// The link's capacity.
    pub capacity: Rate,
    /// Size of a full data packet on the wire.
    pub packet: Bytes,
}

/// A protocol with its parameters: makes the two host sides and the router side.
pub trait Protocol: Send + Sync {
    /// Its name, title and sources.
    fn about(&self) -> ProtocolInfo;
    /// What is wrong with the parameters: the field, what is wrong, what is allowed.
    fn check(&self) -> Result<(), (&'static str, String)>;
    /// What is wrong with a flow of that weight ([`SenderContext::weight`]). By default every weight but 1
    /// is, since no source says what the law should make of it.
    fn check_weight(&self, weight: Ratio) -> Result<(), String> {
        if weight == Ratio::new(1.0) {
            return Ok(());
        }
        Err(format!("`{}` has no weights", self.about().name))
    }
    /// The fields of the transport that its own table or its law decides. By default
    /// nothing: the scenario's `[transport]` is that of the protocol.
    fn overrides(&self) -> TransportOverrides {
        TransportOverrides::default()
    }
    /// Its transport, where `shared` is the scenario's.
    fn transport(&self, shared: &Transport) -> Transport {
        self.overrides().over(shared)
    }
    /// Where loss recovery is not to follow the RFCs.
    fn variant(&self) -> RecoveryVariant {
        RecoveryVariant::default()
    }
    /// A sender for one flow.
    fn host(&self, setup: &SenderContext) -> Box<dyn HostLaw>;
    /// The receivers' side.
    fn echo(&self) -> &'static dyn Echo;
    /// How its header crosses the wire, or `None` if it has none.
    fn wire(&self) -> Option<Form> {
        None
    }
    /// The law at one link ([`crate::router::LinkRouter`] makes it of a router law), or `None` if routers do
    /// nothing but queue.
    fn router(&self, link: &LinkContext) -> Option<Box<dyn RouterPort>>;
}

/// Finds out whether `weight` is `least` to 1000.
pub(crate) fn weight_from(least: f64, weight: Ratio) -> Result<(), String> {
    if (least..=1000.0).contains(&weight.get()) {
        return Ok(());
    }
    Err(format!("{weight} is not a weight of {least} to 1000"))
}
