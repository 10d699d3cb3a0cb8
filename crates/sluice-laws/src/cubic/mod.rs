//! CUBIC (RFC 9438): TCP whose window follows a cubic function of the time since the last
//! congestion, so that it does not grow more slowly where round trips are long.
//!
//! [`CubicWindow`] is all that differs from [`crate::tcp`]: recovery, timers, receivers and ECN are
//! those. The undoing of spurious congestion events (section 4.9) is left out.
//!
//! Slow start is RFC 5681's by default and HyStart++ by `slow_start`: section 4.10 recommends the latter
//! and permits the former. With the default, `tcp` and `cubic` differ by congestion avoidance alone.
//! Linux ships neither but HyStart (Ha and Rhee, 2011), which also ends slow start by the length of
//! trains of acknowledgements.

pub mod params;
mod window;

use sluice_units::Faults;

use crate::host::{Echo, HostLaw, NoHeader, SenderContext};
use crate::protocol::{LinkContext, Protocol, ProtocolInfo};
use crate::router::RouterPort;
use crate::transport::{RecoveryVariant, TransportOverrides};

pub use params::CubicParams;
pub use window::CubicWindow;

impl Protocol for CubicParams {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "cubic",
            title: "CUBIC: TCP whose window grows with the cube of time, the default of most hosts",
            source: "RFC 9438, RFC 9406",
            equations: &[
                "window, W_cubic(t), and K: section 4.2, figures 1 and 2",
                "Reno-friendly region: section 4.3",
                "slow_start = \"hystart++\": RFC 9406, section 4.2",
                "after congestion: section 4.6; fast convergence: section 4.7",
            ],
        }
    }

    fn check(&self, faults: &mut Faults) {
        self.check_shared(faults);
        faults.within("c", &self.c, &params::C);
        faults.within("beta", &self.beta, &params::BETAS);
    }

    fn overrides(&self) -> TransportOverrides {
        self.transport_overrides()
    }

    fn variant(&self) -> RecoveryVariant {
        self.variant
    }

    fn host(&self, context: &SenderContext) -> Box<dyn HostLaw> {
        Box::new(CubicWindow::new(self, context))
    }

    fn echo(&self) -> &'static dyn Echo {
        &NoHeader
    }

    fn router(&self, _link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        None
    }
}
