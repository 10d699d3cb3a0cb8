//! What every protocol shares below its law: the first window, loss recovery, acknowledgements,
//! timers. A comparison of laws is one of transports too unless these are equal, so scenarios state
//! them once, in `[transport]`; a protocol's own table may override what applies to it.

use core::ops::{Bound, RangeInclusive};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Ratio, Span, above};

use crate::tcp::{LossRecovery, Rto};

/// How long an acknowledgement is delayed at most. RFC 5681 section 4.2 allows up to 500 ms;
/// 100 ms is ns-2's, and stays below every least time-out in use.
pub(crate) const ACK_DELAY: Span = Span::from_millis(100);

/// RFC 6298 (2.5): a bound on the time-out must be at least 60 seconds. It is ours too.
pub(crate) const MAX_RTO: Span = Span::from_secs(60);

/// The transport of a run. The defaults are those of hosts today.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Transport {
    /// Window at the start in packets, 1 to 1000. Default 10 (RFC 6928); 2 in the RCP papers (PS
    /// 3.1), up to 4 in RFC 5681. Laws that wait for a rate from the routers have none.
    pub initial_window: u32,
    /// How lost packets are found and repaired. Default as hosts do today.
    pub recovery: LossRecovery,
    /// Whether receivers acknowledge every second packet (RFC 5681 section 4.2) or each. Default
    /// each: laws whose acknowledgements bring a rate need each, so only then are all laws answered
    /// alike. RCP, alpha-fair RCP and NCP answer each packet whatever stands here.
    pub delayed_ack: bool,
    /// Whether routers may mark packets instead of dropping them (RFC 3168), where a queue
    /// discipline does. Default off. For TCP and CUBIC; the other laws have no answer to a mark.
    pub ecn: bool,
    /// Least time-out, above 0 to 60 s. Default 200 ms (Linux, ns-2); RFC 6298 (2.4) says 1 s.
    pub min_rto: Span,
    /// Time-out before the first RTT sample, above 0 to 60 s. Default 1 s (RFC 6298 (2.1), Linux).
    pub initial_rto: Span,
    /// How far a time-out is above the smoothed RTT at least, up to 60 s: the bound of 4 RTTVAR, for
    /// which RFC 6298 (2.3) has the granularity of the clock. By default as much as `min_rto`, as in
    /// Linux: where round trips are long and steady RTTVAR is next to nothing, and a time-out a little
    /// above SRTT strikes whenever a queue grows. 0 has none; ns-2's is its clock's tick. It is the
    /// same for all protocols.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rto_margin: Option<Span>,
    /// How irregular hosts are, 0 to 1. A host takes a random time before it acts on a packet that has
    /// reached it: uniform, up to this part of what its link takes to transmit a full packet; packets
    /// keep their order. And a retransmission time-out (RFC 6298), of a SYN too, is late by up to a
    /// quarter of this part of its length: at the default an eighth, as on Linux's timer wheel. Default
    /// 0.5 (decision 17). Hosts like clockwork, 0, meet the same queues in the same order for ever (Floyd
    /// and Jacobson, "On Traffic Phase Effects in Packet-Switched Gateways", 1992). No protocol overrides
    /// it: hosts are the same for all.
    pub jitter: Ratio,
}

impl Transport {
    /// That of hosts today.
    pub const DEFAULT: Self = Self {
        initial_window: 10,
        recovery: LossRecovery::Rack,
        delayed_ack: false,
        ecn: false,
        min_rto: Span::from_millis(200),
        initial_rto: Span::from_secs(1),
        rto_margin: None,
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

/// Who decides one field of [`Transport`] for a protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FieldSource<T> {
    /// Nothing: `[transport]` decides.
    #[default]
    Inherited,
    /// The protocol's own table does.
    Overridden(T),
    /// The law does, and no table can.
    Implied(T),
}

impl<T: Copy> FieldSource<T> {
    fn over(self, shared: T) -> T {
        match self {
            Self::Inherited => shared,
            Self::Overridden(own) | Self::Implied(own) => own,
        }
    }
}

impl<T> From<Option<T>> for FieldSource<T> {
    fn from(own: Option<T>) -> Self {
        own.map_or(Self::Inherited, Self::Overridden)
    }
}

/// The fields of [`Transport`] that a protocol decides; by default none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TransportOverrides {
    /// See [`Transport::initial_window`].
    pub initial_window: FieldSource<u32>,
    /// See [`Transport::recovery`].
    pub recovery: FieldSource<LossRecovery>,
    /// See [`Transport::delayed_ack`].
    pub delayed_ack: FieldSource<bool>,
    /// See [`Transport::ecn`].
    pub ecn: FieldSource<bool>,
    /// See [`Transport::min_rto`].
    pub min_rto: FieldSource<Span>,
    /// See [`Transport::initial_rto`].
    pub initial_rto: FieldSource<Span>,
}

impl TransportOverrides {
    /// Those of a law that sends at the rate that routers grant. Before its SYN-ACK brings one it has a
    /// packet in flight; each packet is answered, since each answer changes the rate; and a mark
    /// would add nothing to the rate.
    pub const RATE_TOLD: Self = Self {
        initial_window: FieldSource::Implied(1),
        recovery: FieldSource::Inherited,
        delayed_ack: FieldSource::Implied(false),
        ecn: FieldSource::Implied(false),
        min_rto: FieldSource::Inherited,
        initial_rto: FieldSource::Inherited,
    };

    /// The transport where `shared` is the scenario's.
    pub fn over(&self, shared: &Transport) -> Transport {
        Transport {
            initial_window: self.initial_window.over(shared.initial_window),
            recovery: self.recovery.over(shared.recovery),
            delayed_ack: self.delayed_ack.over(shared.delayed_ack),
            ecn: self.ecn.over(shared.ecn),
            min_rto: self.min_rto.over(shared.min_rto),
            initial_rto: self.initial_rto.over(shared.initial_rto),
            rto_margin: shared.rto_margin,
            jitter: shared.jitter,
        }
    }

    /// Adds the overridden fields that are out of range to `faults`.
    pub fn check(&self, faults: &mut Faults) {
        self.over(&Transport::DEFAULT).check(faults);
    }

    /// Whether the law has an initial window at all: one that waits for a rate has none, and no
    /// scenario can give it one.
    pub fn has_initial_window(&self) -> bool {
        !matches!(self.initial_window, FieldSource::Implied(_))
    }
}
