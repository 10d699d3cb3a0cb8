//! HPCC, High Precision Congestion Control: links report their load in each packet, and senders compute their
//! window from it.
//!
//! After Y. Li et al., "HPCC: High Precision Congestion Control" (SIGCOMM 2019); sections, equations and
//! algorithm 1 named in this folder are that paper's. Data packets carry the queue, the bytes sent and the
//! capacity of every link that they leave ([`header`], [`crate::telemetry`]), acknowledgements return them,
//! and each sender sets its window so that the bytes in flight over the busiest link are `eta` of B T
//! ([`host`]). Links run no algorithm ([`router`]); `router = false` is a link without telemetry.
//!
//! Choices and departures:
//! - Flows open with a SYN exchange like all others here, and then send at their line rate. In the paper they
//!   send at once.
//! - Readings are exact. The paper's fields count in units of 80 bytes (`qLen`), 128 bytes (`txBytes`) and
//!   nanoseconds.
//! - Packets do not grow by the 42 bytes that five hops take: `header` of a scenario counts them.
//! - The window is of whole packets, rounded up: the pace W / T keeps the rest.
//! - Where packets take several paths in turn, readings of one link never follow each other, and senders keep
//!   their first window.
//! - Where the capacity of a link varies, it reports the nominal one, as a port reports its speed.

pub mod header;
pub mod host;
pub mod params;
pub mod router;

pub use params::HpccParams;

use sluice_units::Faults;

use crate::host::{Echo, HostLaw, NoHeader, SenderContext};
use crate::protocol::{LinkContext, Protocol, ProtocolInfo};
use crate::router::RouterPort;
use crate::transport::TransportOverrides;

impl Protocol for HpccParams {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "hpcc",
            title: "High Precision Congestion Control: senders compute windows from the telemetry of links",
            source: "Li et al., HPCC: High Precision Congestion Control, SIGCOMM 2019",
            equations: &[
                "bytes in flight over each link, U: equation (2), algorithm 1 MeasureInflight",
                "window, W: equation (4), algorithm 1 ComputeWind",
                "pace: W / T, section 3.2",
            ],
        }
    }

    fn check(&self, faults: &mut Faults) {
        faults.within("eta", &self.eta, &params::TARGETS);
        faults.within("max_stage", &self.max_stage, &params::STAGES);
        faults.within("flows", &self.flows, &params::FLOWS);
        if let Some(base_rtt) = self.base_rtt {
            faults.within("base_rtt", &base_rtt, &params::RTTS);
        }
        self.overrides().check(faults);
    }

    /// The law has a first window of its own, B T, and each acknowledgement carries telemetry.
    fn overrides(&self) -> TransportOverrides {
        TransportOverrides {
            recovery: self.recovery.into(),
            min_rto: self.min_rto.into(),
            initial_rto: self.initial_rto.into(),
            ..TransportOverrides::RATE_GRANTED
        }
    }

    fn host(&self, context: &SenderContext) -> Box<dyn HostLaw> {
        Box::new(host::HpccSender::new(self, context))
    }

    /// Telemetry returns beside headers.
    fn echo(&self) -> &'static dyn Echo {
        &NoHeader
    }

    fn collects_telemetry(&self) -> bool {
        true
    }

    /// By B T of the first link.
    fn bounds_itself(&self) -> bool {
        true
    }

    fn router(&self, _: &LinkContext) -> Option<Box<dyn RouterPort>> {
        Some(Box::new(router::HpccRouter))
    }
}

#[cfg(test)]
mod tests {
    use sluice_units::{Ratio, Span};

    use super::*;

    #[test]
    fn the_defaults_are_valid_and_errors_name_the_field() {
        assert_eq!(Faults::of(|faults| HpccParams::default().check(faults)), []);
        let wrong = [
            ("eta", HpccParams { eta: Ratio::new(0.0), ..HpccParams::default() }),
            ("eta", HpccParams { eta: Ratio::new(1.0), ..HpccParams::default() }),
            ("max_stage", HpccParams { max_stage: 1001, ..HpccParams::default() }),
            ("flows", HpccParams { flows: 0, ..HpccParams::default() }),
            ("base_rtt", HpccParams { base_rtt: Some(Span::ZERO), ..HpccParams::default() }),
            ("min_rto", HpccParams { min_rto: Some(Span::ZERO), ..HpccParams::default() }),
        ];
        for (field, params) in wrong {
            let faults = Faults::of(|faults| params.check(faults));
            assert_eq!(faults.iter().map(|fault| &*fault.field).collect::<Vec<_>>(), [field]);
        }
    }
}
