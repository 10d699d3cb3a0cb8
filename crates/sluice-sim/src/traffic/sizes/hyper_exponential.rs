//! Hyper-exponential sizes.

use rand::Rng;
use rand::distr::Distribution as _;
use rand_distr::Exp1;
use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Bytes, Faults, Ratio};

use super::distribution::{Distribution, Draws, at_least_one};
use crate::traffic::amount::Amount;

/// Exponential with a mean that is drawn first. Either `means` with the `probabilities` of each, or
/// `mean` and `scv` of the whole: then there are two, with equal amounts of data (balanced means).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HyperExponential {
    /// Probability of each of `means`; 0 or above, with sum 1.
    pub probabilities: Option<Vec<Ratio>>,
    /// The means, as many as `probabilities`.
    pub means: Option<Vec<Amount>>,
    /// Mean of the whole.
    pub mean: Option<Amount>,
    /// Squared coefficient of variation, variance / mean^2; 1 (exponential) or above.
    pub scv: Option<Ratio>,
}

/// How likely a mean (in bytes) is.
pub(crate) type Phase = (f64, f64);

impl HyperExponential {
    /// The exponential distributions of which one is drawn; valid parameters have at least one.
    pub(crate) fn phases(&self, payload: Bytes) -> Vec<Phase> {
        if let (Some(probabilities), Some(means)) = (&self.probabilities, &self.means) {
            let means = means.iter().map(|mean| mean.bytes(payload).as_f64());
            return probabilities.iter().map(|p| p.get()).zip(means).collect();
        }
        let (Some(mean), Some(scv)) = (self.mean, self.scv) else { return Vec::new() };
        let (mean, scv) = (mean.bytes(payload).as_f64(), scv.get());
        // p m1 = (1 - p) m2 = m / 2 and p m1^2 + (1 - p) m2^2 = m^2 (scv + 1) / 2 give p.
        let p = (1.0 + ((scv - 1.0) / (scv + 1.0)).sqrt()) / 2.0;
        vec![(p, mean / (2.0 * p)), (1.0 - p, mean / (2.0 * (1.0 - p)))]
    }
}

impl Distribution for HyperExponential {
    const SOURCE: &'static str = "Morse 1958; balanced means as in Tijms, Stochastic Models, 1994";

    fn check(&self, payload: Bytes, faults: &mut Faults) {
        match (&self.probabilities, &self.means, self.mean, self.scv) {
            (Some(probabilities), Some(means), None, None) => {
                let as_many = probabilities.len() == means.len();
                let what = "there must be as many probabilities as means";
                faults.need(as_many, "probabilities", what);
                let sum: f64 = probabilities.iter().map(|p| p.get()).sum();
                let sound = probabilities.iter().all(|p| p.get() >= 0.0);
                let what = "probabilities are 0 or above, and 1 together";
                faults.need(sound && (sum - 1.0).abs() < 1e-9, "probabilities", what);
                for mean in means {
                    faults.inside("means", |faults| mean.check(payload, faults));
                }
            }
            (None, None, Some(mean), Some(scv)) => {
                faults.inside("mean", |faults| mean.check(payload, faults));
                let what = "a squared coefficient of variation is 1 (exponential) to 10^12 here";
                faults.need((1.0..=1e12).contains(&scv.get()), "scv", what);
            }
            _ => faults.add("", "give `probabilities` and `means`, or `mean` and `scv`"),
        }
    }

    fn mean(&self, payload: Bytes) -> f64 {
        self.phases(payload).iter().map(|(p, mean)| p * mean).sum()
    }

    fn draw(&self, payload: Bytes, mut stream: Xoshiro256PlusPlus) -> Draws {
        let phases = self.phases(payload);
        Box::new(move || {
            let mut level: f64 = stream.random();
            let unit: f64 = Exp1.sample(&mut stream);
            let drawn = phases.iter().find(|(p, _)| {
                level -= p;
                level < 0.0
            });
            // Rounding may leave a little above the last.
            let mean = drawn.or(phases.last()).map_or(0.0, |&(_, mean)| mean);
            at_least_one(unit * mean)
        })
    }
}
