//! CUBIC (RFC 9438): TCP whose window follows a cubic function of the time since the last
//! congestion, so that it does not grow more slowly where round trips are long.
//!
//! [`CubicWindow`] is all that differs from [`crate::tcp`]: recovery, timers, receivers and ECN are
//! those. Slow start is RFC 5681's: HyStart++, which RFC 9438 recommends (section 4.10), is left
//! out, and so is the undoing of spurious congestion events (section 4.9).

mod window;

use core::ops::{Bound, RangeInclusive};

use sluice_units::{Faults, Ratio, above};

use crate::host::{Echo, HostLaw, SenderContext};
use crate::protocol::{LinkContext, Protocol, ProtocolInfo};
use crate::router::RouterPort;
use crate::tcp::params::tcp_params;
use crate::tcp::{NoHeader, RecoveryVariant};
use crate::transport::TransportOverrides;

pub use window::CubicWindow;

/// Allowed values of [`CubicParams::c`], in packets a second cubed.
pub const C: (Bound<Ratio>, Bound<Ratio>) = above(Ratio::new(0.0), Ratio::new(100.0));
/// Allowed values of [`CubicParams::beta`].
pub const BETAS: RangeInclusive<Ratio> = Ratio::new(0.1)..=Ratio::new(0.9);

tcp_params! {
    /// CUBIC's parameters: TCP's, and three of its own.
    CubicParams {
        /// C, how fast the window grows, in packets a second cubed, above 0 to 100. Default 0.4
        /// (section 5).
        c: Ratio = Ratio::new(0.4),
        /// What is left of the window after a congestion event, 0.1 to 0.9. Default 0.7 (section
        /// 4.6).
        beta: Ratio = Ratio::new(0.7),
        /// Whether a flow whose window falls from one congestion event to the next leaves more room
        /// to others (section 4.7). Default on.
        fast_convergence: bool = true,
    }
}

impl Protocol for CubicParams {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "cubic",
            title: "CUBIC: TCP whose window grows with the cube of time, as most hosts have it",
            source: "RFC 9438",
            equations: &[
                "window, W_cubic(t), and K: section 4.2, figures 1 and 2",
                "Reno-friendly region: section 4.3",
                "after congestion: section 4.6; fast convergence: section 4.7",
            ],
        }
    }

    fn check(&self, faults: &mut Faults) {
        self.check_shared(faults);
        faults.within("c", &self.c, &C);
        faults.within("beta", &self.beta, &BETAS);
    }

    fn overrides(&self) -> TransportOverrides {
        self.transport_overrides()
    }

    fn variant(&self) -> RecoveryVariant {
        self.variant
    }

    fn host(&self, setup: &SenderContext) -> Box<dyn HostLaw> {
        Box::new(CubicWindow::new(self, setup.initial_window))
    }

    fn echo(&self) -> &'static dyn Echo {
        &NoHeader
    }

    fn router(&self, _link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        None
    }
}
