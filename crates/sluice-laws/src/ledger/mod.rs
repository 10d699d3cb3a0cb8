//! Ledger: routers book what they grant, and share what will be free one round trip ahead.
//!
//! A law of this project, near processor sharing. A rate that a router grants now takes effect when the answer reaches the sender and its
//! packets reach the router, a round trip later, when some flows have ended and others have begun. RCP, XCP and NCP
//! divide the capacity among the flows of now, and learn the difference from the queue. Here hosts state what they
//! have left to send ([`header`], [`host`]), so that a router foresees who will still send, and keeps a ledger of
//! what new flows were promised ([`grant`], [`history`]). It divides what remains among the rest ([`router`]).
//! `docs/explanation/ledger.md` derives the law; `docs/decisions/030-ledger.md` has the choices and what else was tried.
//!
//! Terms of this folder: d0 is the average RTT; a *tick* is an interval of d0 / [`router::TICKS`], after each of which the
//! router decides; a *newcomer* is a flow whose SYN passed, and which does not send yet; R is the rate granted to
//! flows that send; N counts flows, and S is the capacity that they share.

mod audit;
mod classes;
pub mod grant;
pub mod header;
pub mod history;
pub mod host;
pub mod interval;
pub mod params;
pub mod router;
mod sums;

pub use grant::{LedgerBudget, LedgerGrant};
pub use params::{LedgerParams, Stated};
pub use sums::LedgerSums;

use core::ops::RangeInclusive;

use sluice_units::{Faults, Rate, Ratio};

use crate::conduct::Departure;
use crate::host::{Echo, HostLaw, SenderContext};
use crate::ncp::receiver::NcpReceiver;
use crate::protocol::{LinkContext, Protocol, ProtocolInfo, WEIGHTS, check_desired_rate};
use crate::rcp::params::{INTERVALS, PARTS};
use crate::router::{LawHeader as _, LinkRouter, RouterPort};
use crate::transport::TransportOverrides;
use crate::wire::Form;
use params::{DRAIN_TIMES, INFORMED, SEND_BUFFERS, TAILS, TARGETS};

impl Protocol for LedgerParams {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "ledger",
            title: "Ledger: routers book what they grant, and share what will be free a round trip ahead",
            source: "this project, docs/explanation/ledger.md",
            equations: &[
                "rate of a link: (1); of a newcomer: (2)",
                "flows that will still send, from what hosts have left: (3), (4)",
                "capacity to share, from the queue expected in d0: (5), (6)",
                "what hosts state where they do not know how much follows: (7)",
                "correction by what came of what was foreseen: (8)",
                "time between packets behind a queue: (9)",
            ],
        }
    }

    fn check(&self, faults: &mut Faults) {
        faults.within("informed", &self.informed, &INFORMED);
        faults.within("send_buffer", &self.send_buffer, &SEND_BUFFERS);
        faults.within("assumed_tail", &self.assumed_tail, &TAILS);
        faults.within("target_queue", &self.target_queue, &TARGETS);
        faults.within("drain_time", &self.drain_time, &DRAIN_TIMES);
        faults.within("initial_rtt", &self.initial_rtt, &INTERVALS);
        faults.within("rtt_gain", &self.rtt_gain, &PARTS);
        faults.within("min_rate", &self.min_rate, &PARTS);
        check_desired_rate(self.desired_rate, faults);
        self.overrides().check(faults);
    }

    fn desired_rate(&self) -> Option<Rate> {
        self.desired_rate
    }

    /// As RCP's and NCP's: senders take a multiple of R and state 1/w of what they send and have left.
    fn weights(&self) -> Option<RangeInclusive<Ratio>> {
        Some(WEIGHTS)
    }

    /// Lies about what routers count by. None raises the sender's own rate: all flows are granted R.
    fn departures(&self) -> &'static [Departure] {
        &[Departure::ThroughputGain, Departure::RttGain, Departure::LeftGain]
    }

    fn overrides(&self) -> TransportOverrides {
        TransportOverrides {
            recovery: self.recovery.into(),
            min_rto: self.min_rto.into(),
            initial_rto: self.initial_rto.into(),
            ..TransportOverrides::RATE_GRANTED
        }
    }

    fn host(&self, context: &SenderContext) -> Box<dyn HostLaw> {
        Box::new(host::LedgerSender::new(self, context))
    }

    /// NCP's: both headers have the rate in word 0, and return it in word 3 alone.
    fn echo(&self) -> &'static dyn Echo {
        &NcpReceiver
    }

    fn wire(&self) -> Option<Form> {
        Some(header::LedgerHeader::FORM)
    }

    fn router(&self, link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        Some(Box::new(LinkRouter::new(router::LedgerRouter::new(self, link), link.capacity)))
    }
}

#[cfg(test)]
mod closed_loop;

#[cfg(test)]
mod tests {
    use sluice_units::{Bytes, Span};

    use super::*;
    use crate::WireHeader;
    use crate::wire::{Offer, WireRtt};

    #[test]
    fn an_acknowledgement_returns_the_rate_granted_and_nothing_else() {
        let rate = Offer::granting(Rate::from_bps(2_000_000));
        let flow = header::FlowState::new(true, WireRtt::NONE, 9);
        let data = header::LedgerHeader { rate, x: 7, flow, ..Default::default() }.to_wire();
        let mut pending = WireHeader::default();
        let echo = LedgerParams::default().echo();
        echo.on_data(&mut pending, &data);
        let returned = header::LedgerHeader { reverse: rate, ..Default::default() }.to_wire();
        assert_eq!(echo.ack_header(&mut pending), returned);
        assert_eq!(echo.ack_header(&mut pending), WireHeader::default());
    }

    #[test]
    fn the_defaults_are_valid_and_errors_name_the_field() {
        let good = LedgerParams::default();
        assert_eq!(Faults::of(|faults| good.check(faults)), []);
        let wrong = [
            ("informed", LedgerParams { informed: Ratio::new(1.5), ..good }),
            ("send_buffer", LedgerParams { send_buffer: Bytes::ZERO, ..good }),
            ("assumed_tail", LedgerParams { assumed_tail: Ratio::new(0.0), ..good }),
            ("target_queue", LedgerParams { target_queue: Ratio::new(-0.1), ..good }),
            ("drain_time", LedgerParams { drain_time: Ratio::new(0.1), ..good }),
            ("initial_rtt", LedgerParams { initial_rtt: Span::from_secs(11), ..good }),
            ("rtt_gain", LedgerParams { rtt_gain: Ratio::new(0.0), ..good }),
            ("min_rate", LedgerParams { min_rate: Ratio::new(1.1), ..good }),
            ("desired_rate", LedgerParams { desired_rate: Some(Rate::ZERO), ..good }),
            ("initial_rto", LedgerParams { initial_rto: Some(Span::ZERO), ..good }),
        ];
        for (field, params) in wrong {
            let faults = Faults::of(|faults| params.check(faults));
            assert_eq!(faults.iter().map(|fault| &*fault.field).collect::<Vec<_>>(), [field]);
        }
    }
}
