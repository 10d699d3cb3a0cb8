//! TCP: congestion control (RFC 5681), loss recovery (RACK-TLP, RFC 8985, with RFC 6937; SACK, RFC
//! 6675; NewReno, RFC 6582; Reno), timers (RFC 6298) and ECN (RFC 3168, RFC 8257, RFC 9768).
//!
//! Congestion control and loss recovery are apart, because XCP and RCP keep TCP's recovery, timer
//! and receiver under their own laws:
//! - [`Reno`] decides *how much* may be in flight: it is the only part that is TCP's alone
//!   ([`crate::cubic`] has another);
//! - [`Repair`] decides *which* packet leaves next, and finds losses;
//! - [`Rto`] is the retransmission timer's length;
//! - [`Signals`] and [`Marks`] are the two ends of explicit congestion notification;
//! - [`Reassembly`] is the receiver: what to acknowledge, and when;
//! - [`throughput`] holds published equations that tests and documents compare with.
//!
//! Sequence numbers count packets: the first data packet is 0 and the SYN is outside. A range of
//! them is a [`Block`], whose end is exclusive.

mod ack;
mod delivery;
mod duplicates;
mod ecn;
mod flight;
mod hystart;
mod pacing;
pub mod params;
mod prr;
mod rack;
mod ranges;
mod receiver;
mod reno;
mod repair;
mod scoreboard;
pub(crate) mod shared;
#[cfg(test)]
mod tests;
pub mod throughput;

use core::ops::RangeInclusive;

use sluice_units::{Faults, Ratio};

use crate::conduct::Departure;
use crate::host::{Echo, HostLaw, NoHeader, SenderContext};
use crate::protocol::{LinkContext, Protocol, ProtocolInfo, WEIGHTS};
use crate::router::RouterPort;
use crate::transport::TransportOverrides;

pub use crate::transport::{LossRecovery, RecoveryVariant, Rto};
pub use ack::{Ack, AckProgress, LossSignal};
pub use delivery::DeliveryRate;
pub use ecn::{Ecn, EcnFeedback, Marks, Signals};
pub use flight::NextPacket;
pub(crate) use hystart::InitialSlowStart;
pub use hystart::SlowStart;
pub(crate) use pacing::Pacer;
pub use params::{Growth, TcpParams};
pub use ranges::Block;
pub use receiver::{AckRule, Reassembly, SegmentArrival};
pub use reno::Reno;
pub use repair::Repair;

impl Protocol for TcpParams {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "tcp",
            title: "TCP: slow start and AIMD, with RACK-TLP, SACK, NewReno or Reno loss recovery",
            source: "RFC 5681, RFC 8985, RFC 6937, RFC 6675, RFC 6582, RFC 6298, RFC 9406",
            equations: &[
                "congestion avoidance: RFC 5681, equations (2) and (3)",
                "slow_start = \"hystart++\": RFC 9406, section 4.2",
                "after loss: RFC 5681, equation (4), of the window where less than FlightSize",
                "loss recovery: RFC 8985 and RFC 6937 (default), RFC 6675, RFC 6582 or RFC 5681",
                "retransmission time-out: RFC 6298, section 2",
                "explicit congestion notification: RFC 3168, section 6",
            ],
        }
    }

    fn check(&self, faults: &mut Faults) {
        self.check_shared(faults);
        faults.within("min_window", &self.min_window, &params::MIN_WINDOWS);
    }

    fn weights(&self) -> Option<RangeInclusive<Ratio>> {
        Some(Ratio::new(1.0)..=*WEIGHTS.end())
    }

    fn departures(&self) -> &'static [Departure] {
        &[Departure::IncreaseGain, Departure::DecreaseGain]
    }

    fn overrides(&self) -> TransportOverrides {
        self.transport_overrides()
    }

    fn variant(&self) -> RecoveryVariant {
        self.variant
    }

    fn host(&self, context: &SenderContext) -> Box<dyn HostLaw> {
        Box::new(Reno::new(self, context))
    }

    fn echo(&self) -> &'static dyn Echo {
        &NoHeader
    }

    fn router(&self, _link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        None
    }
}
