//! Poisson arrivals: independent exponential gaps.

use rand::distr::Distribution;
use rand_distr::Exp1;
use sluice_units::{Ratio, Span, Time};

use super::{Arrival, Arrivals, Sizes};
use crate::rng::Streams;

/// A Poisson process of flows whose sizes are drawn independently.
#[derive(Clone, Debug)]
pub struct Poisson {
    /// Flows a second; more than zero.
    pub per_second: Ratio,
    /// The first arrival comes after this.
    pub start: Time,
    /// No arrival comes after this; [`Time::NEVER`] for none.
    pub stop: Time,
    /// How much a flow sends.
    pub sizes: Sizes,
}

impl Poisson {
    pub(super) fn arrivals(&self, streams: &Streams<'_>) -> Arrivals {
        let mut gaps = streams.named("arrivals");
        let mut sizes = self.sizes.draw(streams.named("sizes"));
        let mean_gap = 1.0 / self.per_second.get();
        let (mut now, stop) = (self.start, self.stop);
        Box::new(std::iter::from_fn(move || {
            let gap: f64 = Exp1.sample(&mut gaps);
            now += Span::from_secs_f64(gap * mean_gap);
            (now <= stop).then(|| Arrival { start: now, size: Some(sizes()), stop: Time::NEVER })
        }))
    }
}
