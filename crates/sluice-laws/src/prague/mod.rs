//! Prague (draft-briscoe-iccrg-prague-congestion-control-04): DCTCP for the Internet, over queues of L4S
//! (RFC 9332), with paced packets, and shares that depend less on the RTT.
//!
//! [`PragueWindow`] is all that differs from [`crate::tcp`], and the receiver's report of marks
//! ([`EcnFeedback::Accurate`]). Left out is the adaptation of the packet size to low rates, and fallback
//! where a bottleneck marks ECT(1) as a classic queue does, which the draft leaves open.

pub mod params;
mod window;

use sluice_units::Faults;

use crate::host::{Echo, HostLaw, NoHeader, SenderContext};
use crate::protocol::{LinkContext, Protocol, ProtocolInfo};
use crate::router::RouterPort;
use crate::tcp::EcnFeedback;
use crate::transport::{EcnMode, RecoveryVariant, TransportOverrides};

pub use params::PragueParams;
pub use window::PragueWindow;

impl Protocol for PragueParams {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "prague",
            title: "Prague: DCTCP for the Internet, paced, over the low-latency queue of `dualpi2`",
            source: "draft-briscoe-iccrg-prague-congestion-control-04",
            equations: &[
                "fraction of marked packets, and the window's reduction: sections 2.4.1 and 2.4.2",
                "additive increase by packets that are not marked: section 2.4.3",
                "virtual RTT: section 2.4.4",
                "pacing: section 2.5",
            ],
        }
    }

    fn check(&self, faults: &mut Faults) {
        self.check_shared(faults);
        faults.within("g", &self.g, &params::GAINS);
        faults.within("rtt_virt_min", &self.rtt_virt_min, &params::VIRTUAL_RTTS);
        let off = self.ecn == Some(EcnMode::Off);
        faults.need(!off, "ecn", "Prague needs marks: write `\"ect1\"`, `true` or nothing");
    }

    /// ECT(1) unless its own table says otherwise: what `[transport]` has is for laws that work without
    /// marks.
    fn overrides(&self) -> TransportOverrides {
        let ecn = self.ecn.or(Some(EcnMode::Ect1)).into();
        TransportOverrides { ecn, ..self.transport_overrides() }
    }

    fn variant(&self) -> RecoveryVariant {
        self.variant
    }

    fn ecn_feedback(&self) -> EcnFeedback {
        EcnFeedback::Accurate
    }

    fn host(&self, context: &SenderContext) -> Box<dyn HostLaw> {
        Box::new(PragueWindow::new(self, context))
    }

    fn echo(&self) -> &'static dyn Echo {
        &NoHeader
    }

    fn router(&self, _link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        None
    }
}
