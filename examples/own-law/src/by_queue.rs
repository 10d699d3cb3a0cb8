//! The law: a router that looks at nothing but its queue.
//!
//! Whatever the number of flows, each is granted R = C exp(-d / fall), where C is the capacity and d is
//! how long the queue takes to drain. N flows fill the link where N R = C, so the queue settles at
//! d = fall ln N, without counting the flows. The price is a queue that stands for as
//! long as they last: RCP drains it.
//!
//! With u = d / fall - ln N, and tau the delay from a grant to its packets, u'(t) =
//! (exp(-u(t - tau)) - 1) / fall, whatever C and N. That is Wright's equation, which settles from any
//! start if tau / fall is at most 3/2 (E. M. Wright, A non-linear difference-differential equation,
//! J. reine angew. Math. 194, 1955): `fall` should be a round trip or more.

use sluice_laws::host::{Echo, HostLaw, SenderContext};
use sluice_laws::protocol::{LinkContext, Protocol, ProtocolInfo};
use sluice_laws::rcp;
use sluice_laws::router::{
    LinkRouter, LinkSample, MAX_TIMERS, RouterLaw, RouterPort, Sampled, Tick, Train,
};
use sluice_laws::transport::TransportOverrides;
use sluice_laws::wire::{Form, Offer};
use sluice_units::{Faults, Rate, Ratio, Span, Time};

/// The protocol: this law at routers, and RCP's at hosts, with RCP's header between them. A sender
/// of RCP asks for as much as possible, and paces at the least rate that a router of its path grants.
#[derive(Clone, Debug)]
pub struct ByQueue {
    /// The drain time by which the rate falls to 1 / e; above 0.
    pub fall: Span,
    /// RCP's parameters, for hosts.
    pub hosts: rcp::RcpParams,
}

impl ByQueue {
    /// The protocol with this `fall`, and RCP's defaults at hosts.
    pub fn new(fall: Span) -> Self {
        Self { fall, hosts: rcp::RcpParams::default() }
    }
}

impl Protocol for ByQueue {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "by-queue",
            title: "Routers grant a rate that falls exponentially with their queue",
            source: "an example",
            equations: &[],
        }
    }

    fn check(&self, faults: &mut Faults) {
        faults.need(self.fall > Span::ZERO, "fall", "must be above 0");
        self.hosts.check(faults);
    }

    fn overrides(&self) -> TransportOverrides {
        self.hosts.overrides()
    }

    fn host(&self, context: &SenderContext) -> Box<dyn HostLaw> {
        self.hosts.host(context)
    }

    fn echo(&self) -> &'static dyn Echo {
        self.hosts.echo()
    }

    fn wire(&self) -> Option<Form> {
        self.hosts.wire()
    }

    fn router(&self, link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        let router = Router { fall: self.fall, rate: link.capacity };
        Some(Box::new(LinkRouter::new(router, link.capacity)))
    }
}

/// The law at one link.
#[derive(Debug)]
struct Router {
    fall: Span,
    /// R, as last granted.
    rate: Rate,
}

impl RouterLaw for Router {
    type Header = rcp::header::RcpHeader;
    /// The sums over packets: none, the link's measurements suffice.
    type Sums = ();
    /// The slow path's decision for the fast path: R, as headers state it.
    type Grant = Offer;
    /// What is left of a grant: nothing to count, since the rate is one for all.
    type Budget = ();

    fn arrive(_: &mut (), _: &Offer, _: &Self::Header, _: Train) {}

    /// Fast path, for every packet: integers only. A header leaves with the least R of its path.
    fn stamp(grant: &Offer, _: &mut (), header: &mut Self::Header, _: Train) {
        header.rate = header.rate.min(*grant);
    }

    fn fresh(_: &Offer) {}

    /// All of the link for the first flow; one timer, the other never ticks.
    fn start(&mut self, capacity: Rate) -> (Offer, [Time; MAX_TIMERS]) {
        self.rate = capacity;
        (Offer::granting(self.rate), [Time::ZERO + self.interval(), Time::NEVER])
    }

    /// Slow path, once an interval: the whole law.
    fn tick(&mut self, _timer: usize, _sums: &(), sample: &LinkSample) -> Tick<Offer> {
        let drain = sample.capacity.time_for(sample.queue).as_secs_f64();
        // Not `f64::exp`, which differs between machines: the same seed gives the same bytes.
        let part = libm::exp(-drain / self.fall.as_secs_f64());
        self.rate = sample.capacity * Ratio::new(part);
        Tick { grant: Some(Offer::granting(self.rate)), next: sample.now + self.interval() }
    }

    /// As packets leave: stamped as they arrive, the rate would wait in the queue that it reflects.
    fn stamped(&self) -> Sampled {
        Sampled::Departure
    }

    /// The metrics of the link beside its queue, in results and in the report.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("R", self.rate.as_bps_f64());
    }
}

impl Router {
    /// The time between updates of R: many fit into the time in which it may fall to 1 / e.
    fn interval(&self) -> Span {
        (self.fall / 20).max(Span::from_nanos(1))
    }
}
