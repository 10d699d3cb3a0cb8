//! Parameters that every TCP has, whatever its congestion avoidance.

/// Declares the parameters of a law with TCP's window: the fields that every such law has, and its own
/// with their defaults.
macro_rules! window_params {
    ($(#[$about:meta])* $Params:ident { $($own:tt)* }) => {
        $crate::transport::transport_params! {
            $(#[$about])*
            $Params {
                /// Initial ssthresh in packets, at least 2; by default only a loss ends slow start.
                #[serde(skip_serializing_if = "Option::is_none")]
                initial_ssthresh: Option<u32> = None,
                /// Whether routers may mark its packets instead of dropping them, where a queue discipline
                /// does: `true` with codepoint ECT(0) (RFC 3168), `"ect1"` with ECT(1) (RFC 9331). TCP
                /// and CUBIC respond to a mark as to a loss, and do by default what `[transport]` says; DCTCP
                /// and Prague cannot do without marks, and have `true` and `"ect1"` by default.
                #[serde(skip_serializing_if = "Option::is_none")]
                ecn: Option<$crate::transport::EcnMode> = None,
                /// How the initial slow start grows and ends: `"standard"` (RFC 5681, the default) or
                /// `"hystart++"` (RFC 9406), which leaves it as the RTT rises. RFC 9438 recommends
                /// HyStart++ for CUBIC; Linux has HyStart, its forerunner, there.
                slow_start: $crate::tcp::SlowStart = Default::default(),
                /// Rules of ns-2 that replace those of the RFCs, all off by default (`sluice explain
                /// variant`).
                #[serde(skip_serializing_if = "crate::transport::RecoveryVariant::is_of_the_rfcs")]
                variant: $crate::transport::RecoveryVariant = Default::default(),
                $($own)*
            }
        }

        impl $Params {
            /// Checks the fields that every TCP has.
            pub(crate) fn check_shared(&self, faults: &mut sluice_units::Faults) {
                self.transport_overrides().check(faults);
                if let Some(packets) = self.initial_ssthresh {
                    faults.within("initial_ssthresh", &packets, &$crate::tcp::shared::SSTHRESHES);
                }
            }

            /// The initial slow start of a new flow.
            pub(crate) fn initial_slow_start(&self, paced: bool) -> $crate::tcp::InitialSlowStart {
                $crate::tcp::InitialSlowStart::new(self.slow_start, paced)
            }

            /// The fields of the transport that its table overrides.
            pub(crate) fn transport_overrides(&self) -> $crate::transport::TransportOverrides {
                self.overrides_with(self.ecn.into())
            }
        }
    };
}

pub(crate) use window_params;

/// [`window_params`] of a TCP that is paced only where its parameters say so.
macro_rules! tcp_params {
    ($(#[$about:meta])* $Params:ident { $($own:tt)* }) => {
        $crate::tcp::shared::window_params! {
            $(#[$about])*
            $Params {
                /// Whether data packets are paced as in Linux: at 2 x window / RTT while the window is
                /// below ssthresh / 2, else at 1.2 x window / RTT, an initial window of up to ten packets
                /// excepted. Default off: packets leave as acknowledgements arrive.
                pacing: bool = false,
                $($own)*
            }
        }

        impl $Params {
            /// The pace of a new flow, if it is paced.
            pub(crate) fn pacer(
                &self,
                context: &$crate::host::SenderContext,
            ) -> Option<$crate::tcp::Pacer> {
                self.pacing.then(|| $crate::tcp::Pacer::new(context))
            }
        }
    };
}

pub(crate) use tcp_params;

/// Allowed values of `initial_ssthresh`, in packets: RFC 5681 never sets it below two.
pub(crate) const SSTHRESHES: core::ops::RangeFrom<u32> = 2..;
