//! RCP at a link in the kernel: where its parameters differ from the papers' defaults.

use sluice_laws::rcp::RcpParams;
use sluice_units::Ratio;

/// RCP's parameters for a link whose flows are connections of this kernel (decision 34), with R(0) such that as many flows
/// fill gamma of the link: a count of [`Device::count_flows`](crate::Device::count_flows), or 0 for an idle link.
pub fn linux_rcp_params(flows: f64) -> RcpParams {
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
        initial_rate: Ratio::new(gamma.get() / flows.max(1.0)),
        ..RcpParams::default()
    }
}
