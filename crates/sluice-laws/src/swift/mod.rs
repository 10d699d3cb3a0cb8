//! Swift (Kumar et al., "Swift: Delay is Simple and Effective for Congestion Control in the Datacenter", SIGCOMM
//! 2020): a sender that holds the delay of its packets at a target, and whose window may be a fraction of a
//! packet.
//!
//! Algorithms and sections are the paper's. [`TargetDelay`] is section 3.5, [`SwiftSender`] Algorithm 1.
//! Departures:
//! - One window, fcwnd. The paper has another, ecwnd, for the delay in hosts (section 3.3), of which there is
//!   none here: the RTT sample of an acknowledgement is the delay of the fabric.
//! - Loss recovery, its timers and the handshake are those of [`crate::tcp`]. A SYN-ACK acknowledges no data and
//!   leaves the window as it is.
//! - Hops are links, one more than the routers that the TTL counts.

pub mod params;
mod sender;
mod target;

use sluice_units::{Faults, Span};

use crate::host::{Echo, HostLaw, NoHeader, SenderContext};
use crate::protocol::{LinkContext, Protocol, ProtocolInfo};
use crate::router::RouterPort;
use crate::transport::TransportOverrides;

pub use params::SwiftParams;
pub use sender::SwiftSender;
pub use target::TargetDelay;

impl Protocol for SwiftParams {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "swift",
            title: "Swift: holds the delay of packets at a target, with windows below a packet",
            source: "Kumar et al., SIGCOMM 2020",
            equations: &[
                "window: Algorithm 1, for the fabric (fcwnd)",
                "target delay by hops and by flows: section 3.5",
                "pacing of windows below a packet: section 3.4, Algorithm 1",
            ],
        }
    }

    fn check(&self, faults: &mut Faults) {
        self.transport_overrides().check(faults);
        self.check_target(faults);
        self.check_window(faults);
    }

    fn overrides(&self) -> TransportOverrides {
        self.transport_overrides()
    }

    /// The target of large windows: smaller ones wait longer for the same packet.
    fn longest_rtt(&self, hops: u32) -> Option<Span> {
        Some(self.target(hops, self.fs_max_cwnd))
    }

    fn host(&self, context: &SenderContext) -> Box<dyn HostLaw> {
        Box::new(SwiftSender::new(self, context))
    }

    fn echo(&self) -> &'static dyn Echo {
        &NoHeader
    }

    fn router(&self, _link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        None
    }
}

impl SwiftParams {
    fn check_target(&self, faults: &mut Faults) {
        faults.within("base_target", &self.base_target, &params::BASE_TARGETS);
        faults.within("per_hop", &self.per_hop, &params::PER_HOPS);
        faults.within("fs_range", &self.fs_range, &params::FS_RANGES);
        let within = faults.sound(|faults| {
            faults.within("fs_min_cwnd", &self.fs_min_cwnd, &params::FS_CWNDS);
            faults.within("fs_max_cwnd", &self.fs_max_cwnd, &params::FS_CWNDS);
        });
        let rises = self.fs_min_cwnd < self.fs_max_cwnd;
        faults.need(!within || rises, "fs_min_cwnd", "must be below `fs_max_cwnd`");
    }

    fn check_window(&self, faults: &mut Faults) {
        faults.within("ai", &self.ai, &params::INCREASES);
        faults.within("beta", &self.beta, &params::DECREASES);
        faults.within("max_mdf", &self.max_mdf, &params::DECREASES);
        faults.within("min_cwnd", &self.min_cwnd, &params::MIN_CWNDS);
        faults.within("max_cwnd", &self.max_cwnd, &params::MAX_CWNDS);
        let thresholds = params::RESET_THRESHOLDS;
        faults.within("retx_reset_threshold", &self.retx_reset_threshold, &thresholds);
    }
}
