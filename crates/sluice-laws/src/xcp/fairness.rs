//! The fairness controller's share in a decision: the shuffled traffic h (thesis section 4.7.2). It
//! knows phi, and nothing of how that came about.

use super::choices::Shuffle;
use super::params::XcpParams;

/// The controller of one link, or of a group of flows at it.
#[derive(Clone, Debug)]
pub(super) struct FairnessController {
    shuffle: Shuffle,
    gamma: f64,
    max_gamma: f64,
}

impl FairnessController {
    pub(super) fn new(params: &XcpParams) -> Self {
        Self {
            shuffle: params.shuffle,
            gamma: params.gamma.get(),
            max_gamma: params.max_gamma.get(),
        }
    }

    /// h, in bytes a second, of this input traffic; `need` is how unequal its flows are
    /// ([`super::need`]), read only where that decides.
    pub(super) fn shuffled(&self, input: f64, phi: f64, need: impl FnOnce() -> f64) -> f64 {
        match self.shuffle {
            Shuffle::Text => (self.gamma * input - phi.abs()).max(0.0), // (4.4)
            Shuffle::Appendix => self.gamma * input,
            // (4.4) with more than gamma where shares are unequal.
            Shuffle::Need => {
                let part = need().min(self.max_gamma).max(self.gamma);
                (part * input - phi.abs()).max(0.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// h of 1 MB/s.
    fn shuffled(shuffle: Shuffle, phi: f64, need: f64) -> f64 {
        let params = XcpParams { shuffle, ..XcpParams::default() };
        FairnessController::new(&params).shuffled(1e6, phi, || need)
    }

    #[test]
    fn a_tenth_is_shuffled_and_more_where_it_is_needed() {
        assert_eq!(shuffled(Shuffle::Text, -30e3, 9.0), 70e3);
        assert_eq!(shuffled(Shuffle::Appendix, -30e3, 9.0), 100e3);
        for (need, part) in [(0.0, 0.1), (0.1, 0.1), (0.25, 0.25), (0.36, 0.36), (9.0, 0.36)] {
            let h = shuffled(Shuffle::Need, -30e3, need);
            assert!((h - (part * 1e6 - 30e3)).abs() < 1e-6, "{h} at a need of {need}");
        }
        assert_eq!(shuffled(Shuffle::Need, 400e3, 9.0), 0.0);
    }
}
