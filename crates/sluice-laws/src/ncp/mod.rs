//! NCP, the Network congestion Control Protocol: routers count the flows from the rates that
//! packets state, and grant every flow its share.
//!
//! After D. Fesehaye, K. Nahrstedt, M. Caesar, "A Network Congestion control Protocol (NCP)"
//! (technical report, UIUC); sections and equations named in this folder are that paper's. Every
//! packet states what its flow sends now ([`header`], [`host`]); each router adds up the inverses,
//! which is how many flows there are, and divides what capacity and queue leave ([`router`]);
//! receivers send the lowest share of the path back ([`receiver`]).
//!
//! (5) and (8) are two derivations of one rate and equal while every RTT is d0. Otherwise (8) is
//! exact and (5) counts the sum of d0 / RTT_i: two flows of 50 and 200 ms are 3.125 at a d0 of 125 ms.
//! (8) is the default, and (5), NCP-S, (6), and counted flows, (12) ([`counted`]), are options ([`FlowCount`]). Section 2.1's example
//! divides 20 packets among four flows as four each; it is five.
//!
//! The paper prints no alpha or beta. They are not RCP's: NCP's alpha scales C itself, and 1 - alpha
//! is capacity left idle (RCP's 0.1 would hold a link at a load of 10%).
//! `docs/decisions/010-ncp-gains.md` derives the defaults.

pub mod compensated;
pub mod counted;
mod counted_sums;
pub mod header;
pub mod host;
pub mod params;
pub mod receiver;
pub mod router;
mod sums;

pub use counted_sums::{CountedGrant, CountedSums};
pub use params::{Elsewhere, FlowCount, NcpParams, RttSource};
pub use sums::NcpSums;

use core::ops::RangeInclusive;

use sluice_units::{Faults, Rate, Ratio};

use crate::flow_counter::MEMORY;
use crate::host::{Echo, HostLaw, SenderContext};
use crate::protocol::{LinkContext, Protocol, ProtocolInfo, WEIGHTS, check_desired_rate};
use crate::rcp::params::{INTERVALS, PARTS, QUEUE_GAINS};
use crate::router::{LawHeader as _, LinkRouter, RouterPort};
use crate::transport::TransportOverrides;
use crate::wire::Form;

impl Protocol for NcpParams {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "ncp",
            title: "Network congestion Control Protocol: routers count flows from packet headers, and grant each its share",
            source: "Fesehaye, Nahrstedt, Caesar, A Network Congestion control Protocol (NCP), UIUC",
            equations: &[
                "rate of a link: equation (10)",
                "number of flows by inverse rates: equation (8) (default); by windows: (5); by packets: (6)",
                "number of flows by a counter, less what is bottlenecked elsewhere: (11)-(13)",
                "flows of long RTT: equations (14) and (15) with `compensated`",
                "hosts: section 4",
            ],
        }
    }

    fn check(&self, faults: &mut Faults) {
        faults.within("alpha", &self.alpha, &PARTS);
        faults.within("beta", &self.beta, &QUEUE_GAINS);
        faults.within("counter_memory", &self.counter_memory, &MEMORY);
        let alone = !self.compensated || self.counted != FlowCount::Eq12;
        faults.need(
            alone,
            "compensated",
            "`compensated` is not available with `counted = \"eq12\"`",
        );
        faults.within("initial_rtt", &self.initial_rtt, &INTERVALS);
        faults.within("rtt_gain", &self.rtt_gain, &PARTS);
        faults.within("min_rate", &self.min_rate, &PARTS);
        check_desired_rate(self.desired_rate, faults);
        self.overrides().check(faults);
    }

    fn desired_rate(&self) -> Option<Rate> {
        self.desired_rate
    }

    /// As RCP's, so that a comparison compares the laws; the paper is silent. A router that counts flows by their
    /// addresses does not see weights.
    fn weights(&self) -> Option<RangeInclusive<Ratio>> {
        (self.counted != FlowCount::Eq12).then_some(WEIGHTS)
    }

    fn check_weight(&self, weight: Ratio, faults: &mut Faults) {
        match self.weights() {
            Some(weights) => faults.within("weight", &weight, &weights),
            None => faults.need(
                weight == Ratio::new(1.0),
                "weight",
                "`ncp` has no weights where it counts flows: `counted = \"eq12\"`",
            ),
        }
    }

    /// "Upon receipt of the ACK packet" the window is set (section 4): each packet is acknowledged.
    fn overrides(&self) -> TransportOverrides {
        TransportOverrides {
            recovery: self.recovery.into(),
            min_rto: self.min_rto.into(),
            initial_rto: self.initial_rto.into(),
            ..TransportOverrides::RATE_GRANTED
        }
    }

    fn host(&self, context: &SenderContext) -> Box<dyn HostLaw> {
        Box::new(host::NcpSender::new(self, context))
    }

    fn echo(&self) -> &'static dyn Echo {
        &receiver::NcpReceiver
    }

    fn wire(&self) -> Option<Form> {
        Some(header::NcpHeader::FORM)
    }

    fn router(&self, link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        if self.counted == FlowCount::Eq12 {
            let law = counted::CountedRouter::new(self, link);
            return Some(Box::new(LinkRouter::new(law, link.capacity)));
        }
        if self.compensated {
            let law = compensated::CompensatedRouter::new(self, link);
            return Some(Box::new(LinkRouter::new(law, link.capacity)));
        }
        Some(Box::new(LinkRouter::new(router::NcpRouter::new(self, link), link.capacity)))
    }
}

#[cfg(test)]
mod tests {
    use sluice_units::{Bytes, Rate, Span};

    use super::*;

    #[test]
    fn the_defaults_are_valid_and_errors_name_the_field() {
        let good = NcpParams::default();
        assert_eq!(Faults::of(|faults| good.check(faults)), []);
        let wrong = [
            ("alpha", NcpParams { alpha: Ratio::new(0.0), ..good }),
            ("alpha", NcpParams { alpha: Ratio::new(1.01), ..good }),
            ("beta", NcpParams { beta: Ratio::new(-0.1), ..good }),
            ("counter_memory", NcpParams { counter_memory: Bytes::new(15), ..good }),
            ("compensated", NcpParams { compensated: true, counted: FlowCount::Eq12, ..good }),
            ("initial_rtt", NcpParams { initial_rtt: Span::from_secs(11), ..good }),
            ("rtt_gain", NcpParams { rtt_gain: Ratio::new(0.0), ..good }),
            ("min_rate", NcpParams { min_rate: Ratio::new(1.1), ..good }),
            ("desired_rate", NcpParams { desired_rate: Some(Rate::ZERO), ..good }),
            ("initial_rto", NcpParams { initial_rto: Some(Span::ZERO), ..good }),
        ];
        for (field, params) in wrong {
            let faults = Faults::of(|faults| params.check(faults));
            assert_eq!(faults.iter().map(|fault| &*fault.field).collect::<Vec<_>>(), [field]);
        }
    }
}
