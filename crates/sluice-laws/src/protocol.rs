//! The interface of a protocol: it makes senders, receivers and router laws.

use core::ops::RangeInclusive;

use sluice_units::{Bytes, Faults, Rate, Ratio, Span};

use crate::WireHeader;
use crate::conduct::{Conduct, Departure};
use crate::host::{Echo, HostLaw, SenderContext};
use crate::router::RouterPort;
use crate::tcp::EcnFeedback;
use crate::transport::{RecoveryVariant, Transport, TransportOverrides};
use crate::wire::Form;

/// A protocol's entry in `sluice list` and `sluice explain`.
#[derive(Clone, Copy, Debug)]
pub struct ProtocolInfo {
    /// Name in scenarios, lower case with underscores.
    pub name: &'static str,
    /// Description in one line.
    pub title: &'static str,
    /// The paper or RFC that specifies it.
    pub source: &'static str,
    /// Places in the source, one line for each equation or part.
    pub equations: &'static [&'static str],
}

/// The link of a router law.
#[derive(Clone, Copy, Debug)]
pub struct LinkContext {
    /// The link's capacity.
    pub capacity: Rate,
    /// Size of a full data packet on the wire.
    pub packet: Bytes,
}

/// The path on which a flow asks for a profile.
#[derive(Clone, Copy, Debug)]
pub struct ReservedPath {
    /// The lowest capacity of all links.
    pub narrowest: Rate,
    /// The lowest of those that run its router law; `None` if none does.
    pub admitting: Option<Rate>,
    /// The round trip without queues.
    pub rtt: Span,
    /// Whether its packets take several paths in turn.
    pub sprayed: bool,
}

/// A protocol with its parameters: makes the sender of each flow, the receivers' side, and the law of
/// each link.
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
    /// The rate that a flow asks of the network as a guarantee, if its group sets this profile; by default none.
    fn profile(&self, _own: Option<Rate>) -> Option<Rate> {
        None
    }
    /// Adds a profile ([`SenderContext::profile`]) that none of its flows may have to `faults`, or the lack of
    /// one, over a path if that is known. By default flows have none.
    fn check_profile(
        &self,
        profile: Option<Rate>,
        _path: Option<&ReservedPath>,
        faults: &mut Faults,
    ) {
        let what = format!("`{}` guarantees no bandwidth", self.about().name);
        faults.need(profile.is_none(), "profile", &what);
    }
    /// The ways in which its senders can depart from it ([`SenderContext::conduct`]); by default none.
    fn departures(&self) -> &'static [Departure] {
        &[]
    }
    /// Adds a conduct that its senders cannot have to `faults`.
    fn check_conduct(&self, conduct: &Conduct, faults: &mut Faults) {
        conduct.check(self.about().name, self.departures(), faults);
    }
    /// The fields of the transport that its own table or its law decides; by default none, so that the
    /// scenario's `[transport]` applies.
    fn overrides(&self) -> TransportOverrides {
        TransportOverrides::default()
    }
    /// Its transport, given the scenario's.
    fn transport(&self, shared: &Transport) -> Transport {
        self.overrides().over(shared)
    }
    /// Adds what it cannot do without in this transport, the scenario's, to `faults`.
    fn check_transport(&self, shared: &Transport, faults: &mut Faults) {
        if !shared.handshake && self.needs_handshake() {
            let name = self.about().name;
            let what = format!(
                "must be `true`: a flow of `{name}` waits for the routers' answer to its SYN"
            );
            faults.add("handshake", what);
        }
    }
    /// The rules in which its loss recovery departs from the RFCs; by default none.
    fn variant(&self) -> RecoveryVariant {
        RecoveryVariant::default()
    }
    /// How receivers report marks to its senders; by default as in RFC 3168, once a window.
    fn ecn_feedback(&self) -> EcnFeedback {
        EcnFeedback::Classic
    }
    /// A sender for one flow.
    fn host(&self, context: &SenderContext) -> Box<dyn HostLaw>;
    /// The name of the protocol that its senders follow for what the network does not guarantee, in packets of
    /// the lowest class ([`crate::host::Service::BestEffort`]); `None`, the default, if they send no such packets.
    fn best_effort(&self) -> Option<&'static str> {
        None
    }
    /// A sender for one flow, which follows `best_effort`, a sender of that protocol, for these packets.
    fn host_with(
        &self,
        context: &SenderContext,
        _best_effort: Box<dyn HostLaw>,
    ) -> Box<dyn HostLaw> {
        self.host(context)
    }
    /// The receivers' side.
    fn echo(&self) -> &'static dyn Echo;
    /// The receiver of a flow of this conduct, and what it has pending at first.
    fn receiver(&self, _conduct: &Conduct) -> (&'static dyn Echo, WireHeader) {
        (self.echo(), WireHeader::default())
    }

    /// The form of its header in a TCP option, or `None` if it has none.
    fn wire(&self) -> Option<Form> {
        None
    }
    /// Whether its packets have a header that its router law reads, on the wire or not.
    fn has_header(&self) -> bool {
        self.wire().is_some() || self.collects_telemetry()
    }
    /// Whether the answer to a SYN gives its senders what they begin with, so that no flow can do without
    /// ([`Transport::handshake`]); by default so where it has a header that routers write.
    fn needs_handshake(&self) -> bool {
        self.has_header() && !self.collects_telemetry()
    }
    /// Whether links that run its router law add telemetry to data packets ([`HostLaw::on_telemetry`]): one
    /// reading wherever the law, which must sample and stamp at departure, changes the header of a packet.
    fn collects_telemetry(&self) -> bool {
        false
    }
    /// The rate that its flows request of routers where they are limited; `None`, the default, if they
    /// request all that there is, or if the protocol has no header.
    fn desired_rate(&self) -> Option<Rate> {
        None
    }
    /// The RTT above which its senders slow down whether there is a queue or not, over a path of that many links;
    /// `None`, the default, for laws that have none.
    fn longest_rtt(&self, _hops: u32) -> Option<Span> {
        None
    }
    /// Whether its flows find out as they begin whether all links of the path run its router law, and follow
    /// [`Protocol::best_effort`] if not; by default they rely on it.
    fn checks_path(&self) -> bool {
        false
    }
    /// Whether its windows have a bound where no link runs its router law, and long flows may run without.
    fn bounds_itself(&self) -> bool {
        self.desired_rate().is_some()
    }
    /// The law at one link ([`crate::router::LinkRouter`] makes one of a [`crate::router::RouterLaw`]), or `None` if
    /// routers only queue.
    fn router(&self, link: &LinkContext) -> Option<Box<dyn RouterPort>>;
    /// The law over the higher of two classes of a link, which may move the weights between them: its own is
    /// `weight` of the link at first ([`RouterPort::class_weight`]), and the capacity in `link` is that part. By
    /// default the law over a link, which leaves the weights as they are.
    fn weighing_router(&self, link: &LinkContext, _weight: Ratio) -> Option<Box<dyn RouterPort>> {
        self.router(link)
    }
    /// Adds the parameters with which that law cannot move the weights to `faults`.
    fn check_weighing(&self, _faults: &mut Faults) {}
    /// Adds what flows that check their path ([`Protocol::checks_path`]) cannot combine, with `other` as the
    /// protocol that they may revert to and this as the scenario's transport, to `faults`. They keep the transport
    /// of their SYN, but for the initial window, and use no ECN.
    fn check_reverting(&self, other: &dyn Protocol, shared: &Transport, faults: &mut Faults) {
        let (own, other_transport) = (self.transport(shared), other.transport(shared));
        let fields = [
            ("recovery", own.recovery == other_transport.recovery),
            ("delayed_ack", own.delayed_ack == other_transport.delayed_ack),
            ("min_rto", own.min_rto == other_transport.min_rto),
            ("initial_rto", own.initial_rto == other_transport.initial_rto),
        ];
        let (name, other) = (self.about().name, other.about().name);
        for (field, _) in fields.iter().filter(|(_, is_same)| !is_same) {
            let what = format!(
                "flows that revert keep their `{field}`, so that of `{name}` and `{other}` must be the same; \
                 set it in `[transport]` or in both tables"
            );
            faults.add("fallback", what);
        }
    }
}

/// Adds a desired rate at which a sender would never send to `faults`.
pub(crate) fn check_desired_rate(rate: Option<Rate>, faults: &mut Faults) {
    let what = "0 would never send; leave it out for no limit";
    faults.need(rate != Some(Rate::ZERO), "desired_rate", what);
}

/// The weights of laws whose source sets no bounds. Decision of this crate: beyond them a flow's part
/// of the capacity is lost in rounding.
pub(crate) const WEIGHTS: RangeInclusive<Ratio> = Ratio::new(0.001)..=Ratio::new(1000.0);
