//! TFRC, TCP Friendly Rate Control (RFC 5348): a sender paces at the rate that a TCP flow would have on average
//! with the same RTT and loss event rate, so that its rate is smoother than TCP's.
//!
//! Sections are the RFC's. This is the sender-based variant of section 7: flows here are reliable, so that
//! acknowledgements report each packet that arrives and [`crate::tcp`]'s loss recovery finds those that do not. The
//! sender computes loss intervals, p and X_recv, once an RTT and at each new loss event, as the receiver
//! would for its feedback packets (section 6). What that changes:
//!
//! - Retransmissions are packets as others; lost ones are new losses.
//! - The time and position of a loss are those at which loss recovery finds it, a few packets later than its
//!   arrival would have been. So all that a time-out finds lost is one loss event.
//! - The nofeedback timer (section 4.4) has no event of its own: its expirations take effect at the next
//!   retransmission time-out or acknowledgement. Until then the window limits what leaves to what a rate that
//!   halves each four round trips sends, eight round trips of it.
//! - Flows always have data until they end, so that no rule for idle senders is here; those for data-limited
//!   senders (section 4.3) apply to the end of a flow.
//! - Rates count bytes on the wire, headers included, as paces do here. The segment size s is that of a full
//!   packet, so that section 4.1 has nothing to estimate.

mod allowed;
pub(crate) mod equation;
mod history;
mod losses;
pub mod params;
mod receive_rates;
mod rtt;
mod sender;

use sluice_units::Faults;

use crate::host::{Echo, HostLaw, NoHeader, SenderContext};
use crate::protocol::{LinkContext, Protocol, ProtocolInfo};
use crate::router::RouterPort;
use crate::tcp::EcnFeedback;
use crate::transport::TransportOverrides;

pub use params::TfrcParams;
pub use sender::TfrcSender;

impl Protocol for TfrcParams {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "tfrc",
            title: "TFRC: sends at the mean rate of a TCP flow, by its equation, and so more smoothly",
            source: "RFC 5348",
            equations: &[
                "throughput equation: section 3.1",
                "allowed rate, slow start, receive rates: sections 4.2 and 4.3",
                "nofeedback timer: section 4.4; oscillations: section 4.5",
                "loss events: section 5.2; average loss interval: sections 5.4 and 5.5",
                "first loss interval: section 6.3.1; sender-based variant: section 7",
            ],
        }
    }

    fn check(&self, faults: &mut Faults) {
        self.overrides().check(faults);
    }

    fn overrides(&self) -> TransportOverrides {
        self.transport_overrides()
    }

    /// Each mark may begin a loss event (section 5.1), so that one report a window is too few.
    fn ecn_feedback(&self) -> EcnFeedback {
        EcnFeedback::Accurate
    }

    fn host(&self, context: &SenderContext) -> Box<dyn HostLaw> {
        Box::new(TfrcSender::new(self, context))
    }

    fn echo(&self) -> &'static dyn Echo {
        &NoHeader
    }

    fn router(&self, _link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        None
    }
}
