//! The settings of a transport.

use core::ops::{Bound, RangeInclusive};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Ratio, Span, above};

use super::ecn_mode::EcnMode;
use super::recovery::LossRecovery;
use super::rto::{MAX_RTO, Rto};

/// How long an acknowledgement is delayed at most. RFC 5681 section 4.2 allows up to 500 ms;
/// 100 ms is ns-2's, and stays below every minimum RTO in use.
const ACK_DELAY: Span = Span::from_millis(100);

/// The transport of a run. The defaults are those of hosts today.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Transport {
    /// Initial window in packets, 1 to 1000. Default 10 (RFC 6928); 2 in the RCP papers (PS 3.1),
    /// up to 4 in RFC 5681. Laws that wait for a rate from the routers have none.
    pub initial_window: u32,
    /// Loss recovery. Default that of current hosts.
    pub recovery: LossRecovery,
    /// Whether receivers acknowledge every second packet (RFC 5681 section 4.2) or each. Default
    /// each: laws whose acknowledgements carry a rate require it, and all laws are then
    /// acknowledged alike. RCP, alpha-fair RCP and NCP acknowledge each packet in any case.
    pub delayed_ack: bool,
    /// Whether routers may mark packets instead of dropping them, where a queue discipline does:
    /// `true` with codepoint ECT(0) (RFC 3168), `"ect1"` with ECT(1) (RFC 9331), by which `dualpi2`
    /// knows packets of its low-latency queue. Default off. For TCP and CUBIC, which respond to a mark
    /// as to a loss in either case. DCTCP and Prague always use marks, by the codepoint that their
    /// own tables choose; other laws do not respond to marks.
    pub ecn: EcnMode,
    /// Minimum retransmission time-out, above 0 to 60 s. Default 200 ms (Linux, ns-2); RFC 6298
    /// (2.4) says 1 s.
    pub min_rto: Span,
    /// Time-out before the first RTT sample, above 0 to 60 s. Default 1 s (RFC 6298 (2.1), Linux).
    pub initial_rto: Span,
    /// Minimum distance of a time-out from the smoothed RTT, up to 60 s: the lower bound of 4
    /// RTTVAR, which RFC 6298 (2.3) sets to the granularity of the clock. Default `min_rto`, as in
    /// Linux: with long and steady round trips RTTVAR vanishes, and a time-out just above SRTT
    /// expires whenever a queue grows. 0 disables it; ns-2 uses its clock tick. It is the same for
    /// all protocols.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rto_margin: Option<Span>,
    /// Whether flows begin with a SYN, and with data as its answer comes. Default `true`. `false`: connections
    /// are open when flows begin, as between hosts of a data centre that keep them, and data leave at
    /// once. Protocols whose senders wait for the first rate of routers cannot do without. No protocol
    /// overrides it.
    pub handshake: bool,
    /// Jitter of hosts, 0 to 1. A host processes a packet a random time after its arrival: uniform,
    /// up to this fraction of the transmission time of a full packet on its link; packets keep
    /// their order. A retransmission time-out (RFC 6298), of a SYN too, is late by up to a quarter
    /// of this fraction of its length: an eighth by default, as on Linux's timer wheel. Default 0.5
    /// (decision 17). Without jitter, hosts meet the same queues in the same order for ever (Floyd
    /// and Jacobson, "On Traffic Phase Effects in Packet-Switched Gateways", 1992). No protocol
    /// overrides it: hosts are the same for all.
    pub jitter: Ratio,
}

impl Transport {
    /// That of hosts today.
    pub const DEFAULT: Self = Self {
        initial_window: 10,
        recovery: LossRecovery::Rack,
        delayed_ack: false,
        ecn: EcnMode::Off,
        min_rto: Span::from_millis(200),
        initial_rto: Span::from_secs(1),
        rto_margin: None,
        handshake: true,
        jitter: Ratio::new(0.5),
    };

    /// Allowed values of [`Transport::initial_window`], in packets.
    pub const INITIAL_WINDOWS: RangeInclusive<u32> = 1..=1000;
    /// Allowed values of [`Transport::min_rto`] and [`Transport::initial_rto`].
    pub const RTOS: (Bound<Span>, Bound<Span>) = above(Span::ZERO, MAX_RTO);
    /// Allowed values of [`Transport::rto_margin`].
    pub const RTO_MARGINS: RangeInclusive<Span> = Span::ZERO..=MAX_RTO;
    /// Allowed values of [`Transport::jitter`].
    pub const JITTERS: RangeInclusive<Ratio> = Ratio::new(0.0)..=Ratio::new(1.0);

    /// Adds the fields that are out of range to `faults`.
    pub fn check(&self, faults: &mut Faults) {
        faults.within("initial_window", &self.initial_window, &Self::INITIAL_WINDOWS);
        faults.within("min_rto", &self.min_rto, &Self::RTOS);
        faults.within("initial_rto", &self.initial_rto, &Self::RTOS);
        if let Some(margin) = self.rto_margin {
            faults.within("rto_margin", &margin, &Self::RTO_MARGINS);
        }
        faults.within("jitter", &self.jitter, &Self::JITTERS);
    }

    /// Each field that protocols may override, and its value as scenarios write it.
    pub fn fields(&self) -> [(&'static str, String); 6] {
        [
            ("initial_window", self.initial_window.to_string()),
            ("recovery", self.recovery.to_string()),
            ("delayed_ack", self.delayed_ack.to_string()),
            ("ecn", self.ecn.to_string()),
            ("min_rto", self.min_rto.to_string()),
            ("initial_rto", self.initial_rto.to_string()),
        ]
    }

    /// The retransmission timer of a new flow.
    pub fn rto(&self) -> Rto {
        let margin = self.rto_margin.unwrap_or(self.min_rto);
        Rto::new(self.initial_rto, self.min_rto).with_margin(margin)
    }

    /// How long receivers delay an acknowledgement at most; `None` if they answer each packet.
    pub fn ack_delay(&self) -> Option<Span> {
        self.delayed_ack.then_some(ACK_DELAY)
    }
}

impl Default for Transport {
    fn default() -> Self {
        Self::DEFAULT
    }
}
