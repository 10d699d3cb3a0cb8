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

/// R(0), as a part of the capacity, by which this many flows fill gamma of it: as [`FlowCensus`](crate::FlowCensus) counts
/// them, 0 on an idle link. A millionth to 1, whatever gamma.
pub fn initial_rate(gamma: Ratio, flows: f64) -> Ratio {
    Ratio::new((gamma.get() / flows.max(1.0)).clamp(1e-6, 1.0))
}

#[cfg(test)]
mod tests {
    use sluice_laws::protocol::Protocol as _;
    use sluice_units::Faults;

    use super::*;

    /// `sluice-laws/tests/it/rcp_lies.rs` holds what lies do at these, and `docs/how-to/linux.md` and the scenarios `demo` and
    /// `validation/linux` have them.
    #[test]
    fn the_defaults_are_those_that_were_measured() {
        let params = linux_rcp_params();
        assert!(Faults::of(|faults| params.check(faults)).is_empty());
        let found = [params.gamma, params.alpha, params.beta, params.min_rate].map(Ratio::get);
        assert_eq!(found, [0.95, 0.3, 0.127, 0.1]);
    }

    #[test]
    fn as_many_flows_fill_gamma() {
        let rates = [0.0, 0.3, 1.0, 64.0].map(|n| initial_rate(Ratio::new(0.95), n).get());
        assert_eq!(rates, [0.95, 0.95, 0.95, 0.95 / 64.0]);
        assert_eq!(initial_rate(Ratio::new(0.95), 1e9).get(), 1e-6);
        assert_eq!([1.5, 0.0].map(|gamma| initial_rate(Ratio::new(gamma), 1.0).get()), [1.0, 1e-6]);
    }
}
