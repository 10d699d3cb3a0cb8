//! BBR v3 (draft-ietf-ccwg-bbr-06): BBR whose rate and volume are also bounded by what is lost, and which
//! probes for bandwidth no more often than CUBIC and Reno grow.
//!
//! Sections are the draft's. [`Bbr3Sender`] is the state; `sender` handles the events, `model` has the response
//! to losses, `cycle` the ProbeBW phases.
//!
//! Departures, besides those of both versions in the module `bbr`:
//!
//! - **Lost packets.** A law hears how many packets were lost, not which. What the draft reads of a lost
//!   packet ("P.tx_in_flight", "P.lost") is read of the newest packet delivered with it, which left just
//!   after it. After a time-out there is none: the volume that was too high then is unknown, and the bound
//!   falls by "BBR.Beta".
//! - **Loss ranges.** "BBRStartupFullLossCnt" counts acknowledgements that find losses, as Linux's BBR does,
//!   and not "discontiguous sequence ranges".
//! - **Whole packets.** Windows and "inflight_longterm" are whole packets, as in Linux.

mod bounds;
mod cycle;
mod model;
pub mod params;
mod phase;
mod sender;
mod state;

use sluice_units::Faults;

use crate::bbr;
use crate::host::{Echo, HostLaw, NoHeader, SenderContext};
use crate::protocol::{LinkContext, Protocol, ProtocolInfo};
use crate::router::RouterPort;
use crate::transport::TransportOverrides;

pub use params::Bbr3Params;
pub use state::Bbr3Sender;

impl Protocol for Bbr3Params {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "bbr3",
            title: "BBR v3: sends at the measured bandwidth of the path, within bounds from losses",
            source: "draft-ietf-ccwg-bbr-06",
            equations: &[
                "Startup, Drain, ProbeBW, ProbeRTT: sections 5.3.1 to 5.3.4",
                "max_bw, min_rtt, extra_acked: sections 5.5.2 to 5.5.9",
                "inflight_longterm, inflight_shortterm, bw_shortterm: section 5.5.10",
                "pacing rate: section 5.6.2; cwnd: section 5.6.4",
            ],
        }
    }

    fn check(&self, faults: &mut Faults) {
        self.check_shared(faults);
        faults.within("loss_thresh", &self.loss_thresh, &params::LOSS_THRESHES);
        faults.within("beta", &self.beta, &params::BETAS);
        faults.within("headroom", &self.headroom, &params::HEADROOMS);
        faults.within("probe_wait", &self.probe_wait, &params::PROBE_WAITS);
        let intervals = bbr::PROBE_RTT_INTERVALS;
        faults.within("probe_rtt_interval", &self.probe_rtt_interval, &intervals);
    }

    fn overrides(&self) -> TransportOverrides {
        self.transport_overrides()
    }

    fn host(&self, context: &SenderContext) -> Box<dyn HostLaw> {
        Box::new(Bbr3Sender::new(self, context))
    }

    fn echo(&self) -> &'static dyn Echo {
        &NoHeader
    }

    fn router(&self, _link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        None
    }
}
