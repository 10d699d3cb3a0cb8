//! The trait that a protocol implements: it makes the two host sides and the router side.

use core::ops::RangeInclusive;

use sluice_units::{Bytes, Faults, Rate, Ratio};

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
    /// Adds the parameters that are out of range to `faults`.
    fn check(&self, faults: &mut Faults);
    /// The weights that flows may have ([`SenderContext::weight`]); `None`, the default, if none but
    /// 1, where no source says what the law should make of another.
    fn weights(&self) -> Option<RangeInclusive<Ratio>> {
        None
    }
    /// Adds `weight` to `faults` if no flow may have it.
    fn check_weight(&self, weight: Ratio, faults: &mut Faults) {
        match self.weights() {
            Some(weights) => faults.within("weight", &weight, &weights),
            None if weight == Ratio::new(1.0) => {}
            None => faults.add("weight", format!("`{}` has no weights", self.about().name)),
        }
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

/// Adds a desired rate at which a sender would never send to `faults`.
pub(crate) fn check_desired_rate(rate: Option<Rate>, faults: &mut Faults) {
    let what = "0 would never send; leave it out for no limit";
    faults.need(rate != Some(Rate::ZERO), "desired_rate", what);
}

/// The weights of laws whose source sets no bounds. Decision of this crate: beyond them a flow's part
/// of the capacity is lost in rounding.
pub(crate) const WEIGHTS: RangeInclusive<Ratio> = Ratio::new(0.001)..=Ratio::new(1000.0);
