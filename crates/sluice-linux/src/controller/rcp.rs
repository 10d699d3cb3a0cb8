//! RCP at a link in the kernel: where its parameters differ from the papers' defaults.

use sluice_laws::rcp::RcpParams;
use sluice_units::Ratio;

/// RCP's parameters for a link whose flows are connections of this kernel (decision 34), and which is idle at first.
pub fn linux_rcp_params() -> RcpParams {
    let gamma = Ratio::new(0.95);
    RcpParams {
        // Packets of the first flights and of other protocols need the rest, since the virtual queue delays nothing.
        gamma,
        // With the papers' 0.1 and 1, R takes tens of round trips to give out what a flow leaves, and hundreds to return from
        // its least. beta = alpha^2 sqrt(2), as in XCP, whose loop is alike (section 4 of its paper).
        alpha: Ratio::new(0.3),
        beta: Ratio::new(0.127),
        // Senders follow a change after a round trip, and send a segment in one anyway: below that a fall of R helps little, and
        // takes long to make good.
        min_rate: Ratio::new(0.1),
        initial_rate: initial_rate(gamma, 0.0),
        ..RcpParams::default()
    }
}

/// R(0), as a part of the capacity, by which this many flows fill gamma of it: as
/// [`Device::count_flows`](crate::Device::count_flows) counts them, 0 on an idle link. At most 1.
pub fn initial_rate(gamma: Ratio, flows: f64) -> Ratio {
    Ratio::new((gamma.get() / flows.max(1.0)).min(1.0))
}
