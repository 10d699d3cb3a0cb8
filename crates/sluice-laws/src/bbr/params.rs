//! Parameters that every version of BBR has.

use core::ops::{Bound, RangeInclusive};

use sluice_units::{Span, above};

/// Allowed times between ProbeRTT phases.
pub const PROBE_RTT_INTERVALS: (Bound<Span>, Bound<Span>) =
    above(Span::ZERO, Span::from_secs(1000));
/// Allowed values of `probe_rtt_duration`.
pub const PROBE_RTT_DURATIONS: RangeInclusive<Span> = Span::ZERO..=Span::from_secs(10);

/// Declares a BBR's parameters: the fields that every version has, and its own with their defaults.
macro_rules! bbr_params {
    ($(#[$about:meta])* $Params:ident { $($own:tt)* }) => {
        $crate::transport::transport_params! {
            $(#[$about])*
            $Params {
                /// ProbeRTTDuration, how long ProbeRTT lasts at least, 0 to 10 s. Default 200 ms.
                probe_rtt_duration: sluice_units::Span = sluice_units::Span::from_millis(200),
                $($own)*
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
                use $crate::transport::{EcnMode, FieldSource};
                self.overrides_with(FieldSource::Implied(EcnMode::Off))
            }
        }
    };
}

pub(crate) use bbr_params;
