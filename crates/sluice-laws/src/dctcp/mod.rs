//! DCTCP (RFC 8257): TCP that reduces its window in proportion to the fraction of packets marked, so
//! that switches can mark early and queues stay short.
//!
//! [`DctcpWindow`] is all that differs from [`crate::tcp`], and the receiver's report of marks
//! ([`EcnFeedback::Dctcp`]). Switches are to mark packets that find more than a threshold in the queue,
//! which the discipline `threshold` does.

mod fraction;
pub mod params;
mod window;

use sluice_units::Faults;

use crate::host::{Echo, HostLaw, NoHeader, SenderContext};
use crate::protocol::{LinkContext, Protocol, ProtocolInfo};
use crate::router::RouterPort;
use crate::tcp::EcnFeedback;
use crate::transport::{EcnMode, RecoveryVariant, TransportOverrides};

pub use fraction::MarkedFraction;
pub use params::DctcpParams;
pub use window::DctcpWindow;

impl Protocol for DctcpParams {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "dctcp",
            title: "DCTCP: TCP that reduces its window by the fraction of packets marked",
            source: "RFC 8257",
            equations: &[
                "marks at switches: section 3.1 (the discipline `threshold`)",
                "marks echoed by receivers: section 3.2, figure 1",
                "fraction of marked packets, and the window's reduction: section 3.3",
                "losses: section 3.5",
            ],
        }
    }

    fn check(&self, faults: &mut Faults) {
        self.check_shared(faults);
        faults.within("g", &self.g, &params::GAINS);
        faults.within("initial_alpha", &self.initial_alpha, &params::ALPHAS);
        let off = self.ecn == Some(EcnMode::Off);
        faults.need(!off, "ecn", "DCTCP needs marks: write `true`, `\"ect1\"` or nothing");
    }

    /// ECT(0) unless its own table says otherwise: what `[transport]` has is for laws that work without
    /// marks.
    fn overrides(&self) -> TransportOverrides {
        let ecn = self.ecn.or(Some(EcnMode::Ect0)).into();
        TransportOverrides { ecn, ..self.transport_overrides() }
    }

    fn variant(&self) -> RecoveryVariant {
        self.variant
    }

    fn ecn_feedback(&self) -> EcnFeedback {
        EcnFeedback::Dctcp
    }

    fn host(&self, context: &SenderContext) -> Box<dyn HostLaw> {
        Box::new(DctcpWindow::new(self, context))
    }

    fn echo(&self) -> &'static dyn Echo {
        &NoHeader
    }

    fn router(&self, _link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        None
    }
}
