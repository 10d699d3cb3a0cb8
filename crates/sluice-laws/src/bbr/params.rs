//! Parameters that every version of BBR has.

use core::ops::{Bound, RangeInclusive};

use sluice_units::{Span, above};

/// Allowed times between ProbeRTT phases.
pub const PROBE_RTT_INTERVALS: (Bound<Span>, Bound<Span>) =
    above(Span::ZERO, Span::from_secs(1000));
/// Allowed values of `probe_rtt_duration`.
pub const PROBE_RTT_DURATIONS: RangeInclusive<Span> = Span::ZERO..=Span::from_secs(10);

/// Declares a BBR's parameters: the fields that every version has, and its own with their defaults. A
/// file has them side by side, and serde cannot flatten one table into another without losing the
/// places of mistakes.
macro_rules! bbr_params {
    ($(#[$about:meta])* $Params:ident { $($(#[$doc:meta])* $field:ident: $type:ty = $default:expr),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[derive(schemars::JsonSchema)]
        #[serde(deny_unknown_fields, default)]
        pub struct $Params {
            /// Initial window in packets, 1 to 1000; that of `[transport]` by default.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub initial_window: Option<u32>,
            /// Loss recovery; that of `[transport]` by default.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub recovery: Option<$crate::transport::LossRecovery>,
            /// Whether receivers acknowledge every second packet (RFC 5681 section 4.2) or each; as
            /// in `[transport]` by default.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub delayed_ack: Option<bool>,
            /// Minimum retransmission time-out, above 0 to 60 s; that of `[transport]` by default.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub min_rto: Option<sluice_units::Span>,
            /// Time-out before the first RTT sample, above 0 to 60 s; that of `[transport]` by
            /// default.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub initial_rto: Option<sluice_units::Span>,
            /// ProbeRTTDuration, how long ProbeRTT lasts at least, 0 to 10 s. Default 200 ms.
            pub probe_rtt_duration: sluice_units::Span,
            $($(#[$doc])* pub $field: $type,)*
        }

        impl Default for $Params {
            fn default() -> Self {
                Self {
                    initial_window: None,
                    recovery: None,
                    delayed_ack: None,
                    min_rto: None,
                    initial_rto: None,
                    probe_rtt_duration: sluice_units::Span::from_millis(200),
                    $($field: $default,)*
                }
            }
        }

        impl $Params {
            /// Checks the fields that every version has.
            pub(crate) fn check_shared(&self, faults: &mut sluice_units::Faults) {
                self.transport_overrides().check(faults);
                let durations = $crate::bbr::PROBE_RTT_DURATIONS;
                faults.within("probe_rtt_duration", &self.probe_rtt_duration, &durations);
            }

            /// The fields of the transport that its table overrides. The law implies that there is no ECN.
            pub(crate) fn transport_overrides(&self) -> $crate::transport::TransportOverrides {
                $crate::transport::TransportOverrides {
                    initial_window: self.initial_window.into(),
                    recovery: self.recovery.into(),
                    delayed_ack: self.delayed_ack.into(),
                    ecn: $crate::transport::FieldSource::Implied($crate::transport::EcnMode::Off),
                    min_rto: self.min_rto.into(),
                    initial_rto: self.initial_rto.into(),
                }
            }
        }
    };
}

pub(crate) use bbr_params;
