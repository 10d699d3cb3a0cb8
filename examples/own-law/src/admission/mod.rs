//! A law with hosts and a header of its own: routers admit flows.
//!
//! A law that grants every new flow the rate of the others overloads its link when many start within a round trip, before
//! a router has seen data of any. Here a SYN is marked and says how much its flow has to send. Of each interval's
//! newcomers together no more is admitted than a budget: one takes R, what it can send in an interval, or what is
//! left, whichever is least. Who finds nothing left sends a packet a round trip, which asks again. So
//! a crowd of any size raises the queue by at most the budget an interval.
//!
//! The router counts flows as NCP does: over an interval T, the X of a flow's packets, the times between them, add up
//! to T whatever its rate. Flows that are slower than they were granted are held elsewhere and count by their bytes.

pub mod header;
pub mod host;
pub mod router;

use sluice_laws::host::{Echo, HostLaw, SenderContext};
use sluice_laws::protocol::{LinkContext, Protocol, ProtocolInfo};
use sluice_laws::router::{LawHeader as _, LinkRouter, RouterPort};
use sluice_laws::wire::Form;
use sluice_units::{Faults, Ratio, Span};

use self::header::AdmissionHeader;
use self::host::{AdmissionReceiver, AdmissionSender};
use self::router::AdmissionRouter;

/// The protocol.
#[derive(Clone, Copy, Debug)]
pub struct Admission {
    /// Time between two decisions, about the RTT of flows; above 0.
    pub interval: Span,
    /// Part of the capacity that the newcomers of an interval may take; above 0.
    pub spare: Ratio,
}

impl Protocol for Admission {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "admission",
            title: "Routers grant newcomers rates from a budget",
            source: "an example",
            equations: &[],
        }
    }

    fn check(&self, faults: &mut Faults) {
        faults.need(self.interval > Span::ZERO, "interval", "must be above 0");
        faults.need(self.spare > Ratio::new(0.0), "spare", "must be above 0");
    }

    fn host(&self, context: &SenderContext) -> Box<dyn HostLaw> {
        Box::new(AdmissionSender::new(context))
    }

    fn echo(&self) -> &'static dyn Echo {
        &AdmissionReceiver
    }

    fn wire(&self) -> Option<Form> {
        Some(AdmissionHeader::FORM)
    }

    fn router(&self, link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        let law = AdmissionRouter::new(self.interval, self.spare);
        Some(Box::new(LinkRouter::new(law, link.capacity)))
    }
}
