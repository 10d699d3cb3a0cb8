//! Parameters that every TCP has, whatever its congestion avoidance.

/// Declares a TCP's `Params`: the fields that every TCP has, and its own with their defaults. A file
/// has them side by side, and serde cannot flatten one table into another without losing the places
/// of mistakes.
macro_rules! tcp_params {
    ($(#[$about:meta])* { $($(#[$doc:meta])* $field:ident: $type:ty = $default:expr),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[derive(schemars::JsonSchema)]
        #[serde(deny_unknown_fields, default)]
        pub struct Params {
            /// Window at the start in packets, 1 to 1000: 2 in the RCP papers (PS 3.1), up to 4 in
            /// RFC 5681, 10 in RFC 6928.
            pub initial_window: u32,
            /// How lost packets are found and repaired.
            pub recovery: $crate::tcp::Recovery,
            /// Whether fast retransmit restarts the retransmission timer, with recovery `"sack"`,
            /// `"new_reno"` or `"reno"`. Default off: RFC 6298 section 5 restarts it only as new data
            /// is acknowledged; ns-2 has it on.
            pub restart_timer_at_fast_retransmit: bool,
            /// Whether a window has one fast retransmit, with recovery `"reno"`: a second loss in it
            /// ends in a time-out ("Avoiding Multiple Fast Retransmits", RFC 2582 section 5; `recover`
            /// of RFC 6582). Default off, as in RFC 5681; ns-2's `bugFix_` has it on.
            pub avoid_multiple_fast_retransmits: bool,
            /// Whether the first two duplicate acknowledgements let a packet leave each after a
            /// time-out as well, with recovery `"new_reno"` or `"reno"`. Default off: limited transmit
            /// (RFC 3042) sends new data; ns-2 has it on.
            pub limited_transmit_after_time_out: bool,
            /// Whether lost packets count as in flight until they are acknowledged, and any hole below
            /// the highest SACK is sent again before new data, with recovery `"sack"`. Default off, as
            /// in RFC 6675; ns-2 has it on (Fall and Floyd's "pipe" of 1996).
            pub lost_stay_in_pipe: bool,
            /// Whether selective acknowledgements are ignored after a time-out until all that was
            /// outstanding is acknowledged, with recovery `"sack"`. Default off, as in RFC 6675; ns-2
            /// has it on.
            pub ignore_sacks_after_time_out: bool,
            /// Whether receivers acknowledge every second packet (RFC 5681 section 4.2) or each.
            pub delayed_ack: bool,
            /// Window in packets at which slow start first ends, at least 2; without it, only loss
            /// ends it.
            pub initial_ssthresh: Option<u32>,
            /// Whether routers may mark its packets instead of dropping them (RFC 3168), where a
            /// queue discipline does; off by default.
            pub ecn: bool,
            /// Least time-out. RFC 6298 (2.4) says 1 s, the default; ns-2 and Linux use 200 ms.
            pub least_rto: sluice_units::Span,
            /// Time-out before the first RTT sample. RFC 6298 (2.1) says 1 s, the default.
            pub initial_rto: sluice_units::Span,
            $($(#[$doc])* pub $field: $type,)*
        }

        impl Default for Params {
            fn default() -> Self {
                Self {
                    initial_window: 2,
                    recovery: Default::default(),
                    restart_timer_at_fast_retransmit: false,
                    avoid_multiple_fast_retransmits: false,
                    limited_transmit_after_time_out: false,
                    lost_stay_in_pipe: false,
                    ignore_sacks_after_time_out: false,
                    delayed_ack: false,
                    initial_ssthresh: None,
                    ecn: false,
                    least_rto: sluice_units::Span::from_secs(1),
                    initial_rto: sluice_units::Span::from_secs(1),
                    $($field: $default,)*
                }
            }
        }

        impl Params {
            /// What is wrong with what every TCP has.
            fn check_shared(&self) -> Result<(), (&'static str, String)> {
                $crate::tcp::params::check(
                    self.initial_window,
                    self.initial_ssthresh,
                    [("least_rto", self.least_rto), ("initial_rto", self.initial_rto)],
                )
            }

            /// How its transport repairs loss and acknowledges.
            fn shared_transport(&self) -> $crate::registry::Transport {
                $crate::registry::Transport {
                    recovery: self.recovery,
                    variant: $crate::tcp::Variant {
                        restart_timer_at_fast_retransmit: self.restart_timer_at_fast_retransmit,
                        avoid_multiple_fast_retransmits: self.avoid_multiple_fast_retransmits,
                        limited_transmit_after_time_out: self.limited_transmit_after_time_out,
                        lost_stay_in_pipe: self.lost_stay_in_pipe,
                        ignore_sacks_after_time_out: self.ignore_sacks_after_time_out,
                    },
                    delayed_ack: self.delayed_ack.then_some($crate::tcp::params::ACK_DELAY),
                    ecn: self.ecn,
                    initial_rto: self.initial_rto,
                    least_rto: self.least_rto,
                }
            }
        }
    };
}

pub(crate) use tcp_params;

use sluice_units::Span;

/// How long an acknowledgement is delayed at most. RFC 5681 section 4.2 allows up to 500 ms;
/// 100 ms is ns-2's, and stays below every least time-out in use.
pub(crate) const ACK_DELAY: Span = Span::from_millis(100);

/// RFC 6298 (2.5): a bound on the time-out must be at least 60 seconds. It is ours too.
pub(super) const LONGEST_RTO: Span = Span::from_secs(60);

pub(crate) fn check(
    initial_window: u32,
    initial_ssthresh: Option<u32>,
    timers: [(&'static str, Span); 2],
) -> Result<(), (&'static str, String)> {
    if !(1..=1000).contains(&initial_window) {
        let what = format!("{initial_window} is not a window of 1 to 1000 packets");
        return Err(("initial_window", what));
    }
    if let Some(packets @ 0..=1) = initial_ssthresh {
        return Err(("initial_ssthresh", format!("{packets} is not 2 packets or more")));
    }
    for (field, span) in timers {
        if span == Span::ZERO || span > LONGEST_RTO {
            return Err((field, format!("{span} is not more than 0 and at most 60 s")));
        }
    }
    Ok(())
}
