//! TCP Reno, NewReno and SACK (RFC 5681, 6582, 6675, 6298), with ECN (RFC 3168).
//!
//! Congestion control and loss recovery are apart, because XCP and RCP keep TCP's recovery, timer
//! and receiver under their own laws:
//! - [`Reno`] decides *how much* may be in flight: it is the only part that is TCP's alone;
//! - [`Repair`] decides *which* packet leaves next, and finds losses;
//! - [`Rto`] is the retransmission timer's length;
//! - [`Signals`] and [`Marks`] are the two ends of explicit congestion notification;
//! - [`Reassembly`] is the receiver: what to acknowledge, and when;
//! - [`throughput`] holds published equations that tests and documents compare with.
//!
//! Sequence numbers count packets: the first data packet is 0 and the SYN is outside. A range of
//! them is a [`Block`], whose end is exclusive.

mod duplicates;
mod ecn;
mod ranges;
mod receiver;
mod reno;
mod repair;
mod rto;
mod scoreboard;
#[cfg(test)]
mod tests;
pub mod throughput;

use serde::{Deserialize, Serialize};
use sluice_units::Span;

use crate::Words;
use crate::host::{Echo, HostLaw, Setup};
use crate::registry::{About, LinkSetup, Protocol, Transport};
use crate::router::Station;

pub use ecn::{Ecn, Marks, Signals};
pub use ranges::Block;
pub use receiver::{AckRule, Arrival, Reassembly};
pub use reno::Reno;
pub use repair::{Choice, Found, Progress, Recovery, Repair};
pub use rto::Rto;

/// How long an acknowledgement is delayed at most. RFC 5681 section 4.2 allows up to 500 ms;
/// 100 ms is ns-2's, and stays below every least time-out in use.
const ACK_DELAY: Span = Span::from_millis(100);

/// RFC 6298 (2.5): a bound on the time-out must be at least 60 seconds. It is ours too.
const LONGEST_RTO: Span = Span::from_secs(60);

/// TCP's parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Params {
    /// Window at the start in packets, 1 to 1000: 2 in the RCP papers (PS 3.1), up to 4 in
    /// RFC 5681, 10 in RFC 6928.
    pub initial_window: u32,
    /// How lost packets are found and repaired.
    pub recovery: Recovery,
    /// Whether receivers acknowledge every second packet (RFC 5681 section 4.2) or each.
    pub delayed_ack: bool,
    /// Window in packets at which slow start first ends, at least 2; without it, only loss ends it.
    pub initial_ssthresh: Option<u32>,
    /// Whether routers may mark its packets instead of dropping them (RFC 3168), where a queue
    /// discipline does; off by default.
    pub ecn: bool,
    /// Least time-out. RFC 6298 (2.4) says 1 s, the default; ns-2 and Linux use 200 ms.
    pub least_rto: Span,
    /// Time-out before the first RTT sample. RFC 6298 (2.1) says 1 s, the default.
    pub initial_rto: Span,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            initial_window: 2,
            recovery: Recovery::default(),
            delayed_ack: false,
            initial_ssthresh: None,
            ecn: false,
            least_rto: Span::from_secs(1),
            initial_rto: Span::from_secs(1),
        }
    }
}

impl Protocol for Params {
    fn about(&self) -> About {
        About {
            name: "tcp",
            title: "TCP: slow start and AIMD, with Reno, NewReno or SACK loss recovery",
            source: "RFC 5681, RFC 6582, RFC 6675, RFC 6298",
        }
    }

    fn check(&self) -> Result<(), (&'static str, String)> {
        if !(1..=1000).contains(&self.initial_window) {
            return Err((
                "initial_window",
                format!("{} is not a window of 1 to 1000 packets", self.initial_window),
            ));
        }
        if let Some(packets @ 0..=1) = self.initial_ssthresh {
            return Err(("initial_ssthresh", format!("{packets} is not 2 packets or more")));
        }
        for (field, span) in [("least_rto", self.least_rto), ("initial_rto", self.initial_rto)] {
            if span == Span::ZERO || span > LONGEST_RTO {
                return Err((field, format!("{span} is not more than 0 and at most 60 s")));
            }
        }
        Ok(())
    }

    fn transport(&self) -> Transport {
        Transport {
            recovery: self.recovery,
            delayed_ack: self.delayed_ack.then_some(ACK_DELAY),
            ecn: self.ecn,
            initial_rto: self.initial_rto,
            least_rto: self.least_rto,
        }
    }

    fn host(&self, _setup: &Setup) -> Box<dyn HostLaw> {
        Box::new(Reno::new(self.initial_window, self.initial_ssthresh))
    }

    fn echo(&self) -> &'static dyn Echo {
        &NoHeader
    }

    fn router(&self, _link: &LinkSetup) -> Option<Box<dyn Station>> {
        None
    }
}

/// The receiver's side of a protocol without a congestion header.
#[derive(Clone, Copy, Debug)]
pub struct NoHeader;

impl Echo for NoHeader {
    fn heard(&self, _pending: &mut Words, _words: &Words) {}

    fn answer(&self, _pending: &mut Words) -> Words {
        Words::default()
    }
}
