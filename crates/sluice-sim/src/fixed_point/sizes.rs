//! Flow sizes as a list of sizes with weights, over which means of any function of a size are sums.

use sluice_units::Bytes;

use crate::traffic::Sizes;
use crate::traffic::sizes::Empirical;

/// A size in bytes, and how likely it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WeightedSize {
    pub(super) bytes: f64,
    pub(super) weight: f64,
}

/// Sizes of flows in rising order, with sums over them.
#[derive(Clone, Debug, Default)]
pub(super) struct SizeSums {
    /// Bytes of each size.
    pub(super) bytes: Vec<f64>,
    pub(super) weights: Vec<f64>,
    /// Sums of weights, of bytes and of their squares over the sizes before each place.
    before: Vec<[f64; 3]>,
}

impl SizeSums {
    pub(super) fn new(sizes: impl Iterator<Item = WeightedSize>) -> Self {
        let mut sums = Self { before: vec![[0.0; 3]], ..Self::default() };
        for WeightedSize { bytes, weight } in sizes {
            let [ones, first, second] = sums.before[sums.bytes.len()];
            sums.bytes.push(bytes);
            sums.weights.push(weight);
            let next = [ones + weight, first + weight * bytes, second + weight * bytes * bytes];
            sums.before.push(next);
        }
        sums
    }

    /// The mean size.
    pub(super) fn mean(&self) -> f64 {
        self.before[self.bytes.len()][1]
    }

    /// E[min(size, limit)].
    pub(super) fn mean_up_to(&self, limit: f64) -> f64 {
        let [ones, first, _] = self.split(limit);
        first + (self.before[self.bytes.len()][0] - ones).max(0.0) * limit
    }

    /// E[min(size, limit)^2].
    pub(super) fn square_up_to(&self, limit: f64) -> f64 {
        let [ones, _, second] = self.split(limit);
        let above = (self.before[self.bytes.len()][0] - ones).max(0.0);
        second + if above > 0.0 { above * limit * limit } else { 0.0 }
    }

    /// The sums over sizes up to a limit.
    fn split(&self, limit: f64) -> [f64; 3] {
        self.before[self.bytes.partition_point(|&bytes| bytes <= limit)]
    }
}

/// The mean of a part of the flows, from those that are larger than all but a fraction `tail.0` of flows to
/// those larger than all but `tail.1`.
type PartMean<'a> = &'a dyn Fn((f64, f64)) -> f64;

/// Valid sizes as weighted sizes, in rising order. They keep the mean of the distribution, but for draws below a
/// byte, which become one.
pub(super) fn weighted(sizes: &Sizes, payload: Bytes) -> Vec<WeightedSize> {
    let mut found = match sizes {
        Sizes::Fixed(_) => vec![(sizes.mean(payload), 1.0)],
        Sizes::Exponential(_) => exponential(sizes.mean(payload)),
        Sizes::HyperExponential(hyper) => hyper
            .phases(payload)
            .into_iter()
            .flat_map(|(chance, mean)| scaled(exponential(mean), chance))
            .collect(),
        Sizes::Uniform(uniform) => {
            segment(uniform.min.bytes(payload).as_f64(), uniform.max.bytes(payload).as_f64(), 1.0)
        }
        Sizes::Pareto(pareto) => tailed(&pareto_part(sizes.mean(payload), pareto.shape.get())),
        Sizes::Workload(workload) => empirical(&workload.distribution()),
        Sizes::Points(points) => points.table(payload).as_ref().map_or(Vec::new(), empirical),
        Sizes::File(file) => file.table.as_ref().map_or(Vec::new(), empirical),
    };
    found.retain(|&(_, weight)| weight > 0.0);
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found
        .into_iter()
        .map(|(bytes, weight)| WeightedSize { bytes: bytes.max(1.0), weight })
        .collect()
}

/// Parts of the flows, each by its mean: even ones up to the median, then two for each halving of the flows
/// that are larger, down to one flow in 2^32.
fn tailed(mean: PartMean<'_>) -> Vec<(f64, f64)> {
    const EVEN: u32 = 16;
    const HALVINGS: u32 = 32;
    let even = (0..=EVEN).map(|step| 1.0 - f64::from(step) / f64::from(2 * EVEN));
    let falling = (1..=2 * (HALVINGS - 1)).map(|step| 0.5 * libm::exp2(-f64::from(step) / 2.0));
    let mut tails: Vec<f64> = even.chain(falling).collect();
    tails.push(0.0);
    tails.windows(2).map(|pair| (mean((pair[0], pair[1])), pair[0] - pair[1])).collect()
}

/// The tail above x is t = (min / x)^a, so the integral of x over tails from `low` to `high` is
/// min (high^(1 - 1/a) - low^(1 - 1/a)) / (1 - 1/a).
fn pareto_part(mean: f64, shape: f64) -> impl Fn((f64, f64)) -> f64 {
    let power = 1.0 - 1.0 / shape;
    move |(high, low)| mean * (libm::pow(high, power) - libm::pow(low, power)) / (high - low)
}

/// The tail above x is t = exp(-x / mean); the integral of -ln t is t (1 - ln t).
fn exponential(mean: f64) -> Vec<(f64, f64)> {
    let integral = |tail: f64| if tail > 0.0 { tail * (1.0 - libm::log(tail)) } else { 0.0 };
    tailed(&move |(high, low)| mean * (integral(high) - integral(low)) / (high - low))
}

/// Sizes evenly between two, by eight parts of equal weight.
fn segment(low: f64, high: f64, weight: f64) -> Vec<(f64, f64)> {
    const PARTS: u32 = 8;
    if high <= low {
        return vec![(low, weight)];
    }
    let part = |place: u32| {
        let along = (f64::from(place) + 0.5) / f64::from(PARTS);
        (low + along * (high - low), weight / f64::from(PARTS))
    };
    (0..PARTS).map(part).collect()
}

fn empirical(distribution: &Empirical) -> Vec<(f64, f64)> {
    let points = distribution.points();
    let first = (points[0].size.as_f64(), points[0].cumulative.get());
    let between = points.windows(2).flat_map(|pair| {
        let weight = pair[1].cumulative.get() - pair[0].cumulative.get();
        segment(pair[0].size.as_f64(), pair[1].size.as_f64(), weight)
    });
    std::iter::once(first).chain(between).collect()
}

fn scaled(sizes: Vec<(f64, f64)>, factor: f64) -> impl Iterator<Item = (f64, f64)> {
    sizes.into_iter().map(move |(size, weight)| (size, weight * factor))
}

#[cfg(test)]
mod tests {
    use sluice_units::Ratio;

    use super::*;
    use crate::traffic::Amount;
    use crate::traffic::sizes::{Exponential, Fixed, HyperExponential, Pareto, Uniform, Workload};

    const PAYLOAD: Bytes = Bytes::new(1000);

    fn packets(number: f64) -> Amount {
        Amount::Packets(Ratio::new(number))
    }

    fn moment(sizes: &Sizes, power: i32) -> f64 {
        weighted(sizes, PAYLOAD).iter().map(|size| size.weight * size.bytes.powi(power)).sum()
    }

    #[test]
    fn weights_are_1_together_and_keep_the_mean() {
        let hyper = HyperExponential {
            probabilities: None,
            means: None,
            mean: Some(packets(30.0)),
            scv: Some(Ratio::new(10.0)),
        };
        let all = [
            Sizes::Fixed(Fixed(packets(30.0))),
            Sizes::Exponential(Exponential(packets(30.0))),
            Sizes::HyperExponential(hyper),
            Sizes::Uniform(Uniform { min: packets(1.0), max: packets(9.0) }),
            Sizes::Pareto(Pareto { mean: packets(30.0), shape: Ratio::new(1.2) }),
            Sizes::Workload(Workload::WebSearch),
            Sizes::Workload(Workload::GoogleRpc),
        ];
        for sizes in all {
            assert!((moment(&sizes, 0) - 1.0).abs() < 1e-9, "{sizes:?}: {}", moment(&sizes, 0));
            let error = moment(&sizes, 1) / sizes.mean(PAYLOAD) - 1.0;
            assert!(error.abs() < 0.001, "{sizes:?}: {error}");
        }
    }

    #[test]
    fn sums_up_to_a_limit_are_those_of_a_loop() {
        let sizes = Sizes::Pareto(Pareto { mean: packets(30.0), shape: Ratio::new(1.2) });
        let sizes = weighted(&sizes, PAYLOAD);
        let sums = SizeSums::new(sizes.iter().copied());
        for limit in [1.0, 4_000.0, 5_000.0, 30_000.0, 1e9, 1e30] {
            let looped = |power: i32| -> f64 {
                sizes.iter().map(|size| size.weight * size.bytes.min(limit).powi(power)).sum()
            };
            assert!((sums.mean_up_to(limit) / looped(1) - 1.0).abs() < 1e-9, "{limit}");
            assert!((sums.square_up_to(limit) / looped(2) - 1.0).abs() < 1e-9, "{limit}");
        }
    }

    #[test]
    fn second_moments_are_close() {
        // 2 m^2, and min^2 a / (a - 2) with min = m (a - 1) / a.
        let exponential = moment(&Sizes::Exponential(Exponential(packets(30.0))), 2);
        assert!((exponential / (2.0 * 9e8) - 1.0).abs() < 0.01, "{exponential}");
        let shape = 3.0;
        let pareto = Sizes::Pareto(Pareto { mean: packets(30.0), shape: Ratio::new(shape) });
        let exact = (30_000.0 * (shape - 1.0) / shape).powi(2) * shape / (shape - 2.0);
        assert!((moment(&pareto, 2) / exact - 1.0).abs() < 0.02, "{}", moment(&pareto, 2) / exact);
    }
}
