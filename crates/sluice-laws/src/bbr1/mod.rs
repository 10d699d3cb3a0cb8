//! BBR v1 (draft-cardwell-iccrg-bbr-congestion-control-00): a sender that measures how fast the path delivers
//! and how long it takes at least, and sends at that rate with two bandwidth-delay products in flight at
//! most, whatever is lost.
//!
//! Sections are the draft's. Three things are in Linux's BBR v1 but not in the draft: the estimate of
//! aggregated acknowledgements, which is here; a pace 1 % below the bandwidth, which is a parameter; and the
//! estimate of token-bucket policers ("lt_bw"), which is not here, since no link polices. Departures of both
//! versions are in the module `bbr`.

pub mod params;
mod sender;

use sluice_units::Faults;

use crate::bbr;
use crate::host::{Echo, HostLaw, NoHeader, SenderContext};
use crate::protocol::{LinkContext, Protocol, ProtocolInfo};
use crate::router::RouterPort;
use crate::transport::TransportOverrides;

pub use params::Bbr1Params;
pub use sender::Bbr1Sender;

impl Protocol for Bbr1Params {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "bbr1",
            title: "BBR v1: sends at the measured bandwidth of the path, whatever is lost",
            source: "draft-cardwell-iccrg-bbr-congestion-control-00",
            equations: &[
                "BtlBw and RTprop: sections 4.1.1 and 4.1.2",
                "pacing rate: section 4.2.1; cwnd: section 4.2.3",
                "Startup, Drain, ProbeBW, ProbeRTT: sections 4.3.2 to 4.3.5",
            ],
        }
    }

    fn check(&self, faults: &mut Faults) {
        self.check_shared(faults);
        faults.within("cwnd_gain", &self.cwnd_gain, &params::CWND_GAINS);
        faults.within("pacing_margin", &self.pacing_margin, &params::PACING_MARGINS);
        let intervals = bbr::PROBE_RTT_INTERVALS;
        faults.within("rtprop_filter_len", &self.rtprop_filter_len, &intervals);
    }

    fn overrides(&self) -> TransportOverrides {
        self.transport_overrides()
    }

    fn host(&self, context: &SenderContext) -> Box<dyn HostLaw> {
        Box::new(Bbr1Sender::new(self, context))
    }

    fn echo(&self) -> &'static dyn Echo {
        &NoHeader
    }

    fn router(&self, _link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        None
    }
}
