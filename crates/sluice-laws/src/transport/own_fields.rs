//! The fields of `[transport]` in the tables of protocols.

/// Declares the parameters of a protocol that may override each field of the transport but ECN, which not
/// every law can use: those fields, and its own with their defaults. A file has them side by side, and serde
/// cannot flatten one table into another without losing the places of mistakes.
macro_rules! transport_params {
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
                    $($field: $default,)*
                }
            }
        }

        impl $Params {
            /// The fields of the transport that its table overrides, with this ECN.
            fn overrides_with(
                &self,
                ecn: $crate::transport::FieldSource<$crate::transport::EcnMode>,
            ) -> $crate::transport::TransportOverrides {
                $crate::transport::TransportOverrides {
                    initial_window: self.initial_window.into(),
                    recovery: self.recovery.into(),
                    delayed_ack: self.delayed_ack.into(),
                    ecn,
                    min_rto: self.min_rto.into(),
                    initial_rto: self.initial_rto.into(),
                }
            }
        }
    };
}

pub(crate) use transport_params;
