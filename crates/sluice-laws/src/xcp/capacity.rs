//! The capacity that a router assumes. Section 9.3.1: equation (4.3) assumes that "the
//! administrator knows the capacity of the link and can configure the router with this value".

use sluice_units::{Rate, Ratio};

use super::params::XcpParams;
use crate::router::LinkSample;

/// The capacity of a link, as its router knows it.
#[derive(Clone, Debug)]
pub(super) struct KnownCapacity {
    /// What it was configured with, over the nominal capacity; `None` if it knows the capacity at all times.
    configured: Option<Ratio>,
    /// Whether it measures the capacity.
    measures: bool,
    /// The capacity that it assumes, where it does not know it.
    present: Rate,
}

impl KnownCapacity {
    pub(super) const fn new(params: &XcpParams) -> Self {
        Self {
            configured: params.configured_capacity,
            measures: params.measure_capacity,
            present: Rate::ZERO,
        }
    }

    /// The link has this nominal capacity. Returns the one that the router assumes until it sees packets.
    pub(super) fn start(&mut self, nominal: Rate) -> Rate {
        let ratio = self.configured.map_or(1.0, Ratio::get);
        self.present = Rate::from_bps_f64(nominal.as_bps_f64() * ratio);
        self.present
    }

    /// The capacity after an interval.
    ///
    /// "The capacity of the link c^(t), which is the speed at which the router drains packets" (section
    /// 9.3.1): over the time in which it drained some. The bytes that leave in an interval over all of the
    /// interval are at most y, so that (4.3) with them never increases the traffic. An interval without
    /// packets shows nothing, and the last estimate stands.
    pub(super) fn after(&mut self, sample: &LinkSample) -> Rate {
        if self.measures {
            self.present = sample.drained.unwrap_or(self.present);
        }
        self.at(sample)
    }

    /// The capacity at an instant of an interval.
    pub(super) fn at(&self, sample: &LinkSample) -> Rate {
        let knows = !self.measures && self.configured.is_none();
        if knows { sample.capacity } else { self.present }
    }
}

#[cfg(test)]
mod tests {
    use sluice_units::{Span, Time};

    use super::*;

    fn mbps(value: u64) -> Rate {
        Rate::from_bps(value * 1_000_000)
    }

    /// The capacities that a router with these parameters assumes of a link of nominally 10 Mb/s: at first,
    /// after an interval in which it has 8 Mb/s and drained at 7, and after one in which it has 6 Mb/s and
    /// drained nothing.
    fn known(params: &XcpParams) -> [Rate; 3] {
        let mut known = KnownCapacity::new(params);
        let sample = |capacity, drained| LinkSample {
            drained,
            ..LinkSample::idle(Time::ZERO, Time::ZERO + Span::from_millis(10), capacity)
        };
        let first = known.start(mbps(10));
        let second = known.after(&sample(mbps(8), Some(mbps(7))));
        [first, second, known.after(&sample(mbps(6), None))]
    }

    #[test]
    fn a_router_knows_the_capacity_is_configured_with_one_or_measures_it() {
        let none = XcpParams::default();
        assert_eq!(known(&none), [10, 8, 6].map(mbps));
        let configured = XcpParams { configured_capacity: Some(Ratio::new(1.5)), ..none };
        assert_eq!(known(&configured), [15, 15, 15].map(mbps));
        assert_eq!(known(&XcpParams { measure_capacity: true, ..none }), [10, 7, 7].map(mbps));
        assert_eq!(
            known(&XcpParams { measure_capacity: true, ..configured }),
            [15, 7, 7].map(mbps)
        );
    }
}
