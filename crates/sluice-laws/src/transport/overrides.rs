//! The fields of a transport that a protocol decides.

use sluice_units::{Faults, Span};

use super::config::Transport;
use super::ecn_mode::EcnMode;
use super::recovery::LossRecovery;

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
    pub ecn: FieldSource<EcnMode>,
    /// See [`Transport::min_rto`].
    pub min_rto: FieldSource<Span>,
    /// See [`Transport::initial_rto`].
    pub initial_rto: FieldSource<Span>,
}

impl TransportOverrides {
    /// Those of a law that sends at the rate that routers grant. Before its SYN-ACK carries one it has a
    /// packet in flight; each packet is acknowledged, since each acknowledgement changes the rate; and a
    /// mark would add nothing to the rate.
    pub const RATE_GRANTED: Self = Self {
        initial_window: FieldSource::Implied(1),
        recovery: FieldSource::Inherited,
        delayed_ack: FieldSource::Implied(false),
        ecn: FieldSource::Implied(EcnMode::Off),
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
            handshake: shared.handshake,
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
