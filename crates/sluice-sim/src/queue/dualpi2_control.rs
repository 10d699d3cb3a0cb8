//! DualPI2's probabilities: RFC 9332, appendix A. The names in brackets are the RFC's.

use sluice_units::Span;

/// Marking probability of L packets from which they are dropped, too (p_Lmax).
const P_LMAX: f64 = 1.0;

/// What does not change at a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct CoupledConfig {
    pub(super) target: Span,
    /// Gains of an update, per second.
    pub(super) alpha: f64,
    pub(super) beta: f64,
    /// Coupling factor.
    pub(super) k: f64,
    /// The ramp of native marking (minTh, range).
    pub(super) min_th: Span,
    pub(super) range: Span,
}

/// The probabilities of both queues, which follow from one.
#[derive(Debug)]
pub(super) struct CoupledControl {
    config: CoupledConfig,
    /// Base probability (p').
    pub(super) base: f64,
    /// Queueing delay at the last update (prevq).
    pub(super) delay: Span,
}

impl CoupledControl {
    pub(super) fn new(config: CoupledConfig) -> Self {
        Self { config, base: 0.0, delay: Span::ZERO }
    }

    /// `dualpi2_update` (figures 7 and 10) at a queueing delay (curq). It is limited to 0 to 1, which
    /// the RFC omits for clarity.
    pub(super) fn update(&mut self, delay: Span) {
        let CoupledConfig { target, alpha, beta, .. } = self.config;
        let [now, before, target] = [delay, self.delay, target].map(Span::as_secs_f64);
        let step = alpha * (now - target) + beta * (now - before);
        self.base = (self.base + step).clamp(0.0, 1.0);
        self.delay = delay;
    }

    /// Of dropping or marking a C packet (p_C).
    pub(super) fn classic(&self) -> f64 {
        self.base * self.base
    }

    /// Of marking an L packet by coupling (p_CL). At most 1, which the RFC leaves open: beyond, the sums
    /// of [`Recurrence`] would keep marks for long after an overload.
    pub(super) fn coupled(&self) -> f64 {
        (self.config.k * self.base).min(1.0)
    }

    /// Of marking an L packet after this sojourn while there is no overload (`laqm`, figure 6, and p_L
    /// of figure 5). `may_mark` is false for one that the native ramp spares.
    pub(super) fn l4s(&self, sojourn: Span, may_mark: bool) -> f64 {
        let CoupledConfig { min_th, range, .. } = self.config;
        let above = sojourn.saturating_sub(min_th);
        let native = if !may_mark || sojourn < min_th {
            0.0
        } else if above >= range {
            1.0
        } else {
            above.as_nanos() as f64 / range.as_nanos() as f64
        };
        native.max(self.coupled())
    }

    /// Whether marks no longer suffice for L packets: they are dropped as C packets are, too.
    pub(super) fn is_saturated(&self) -> bool {
        self.coupled() >= P_LMAX
    }

    /// Whether ECN-capable C packets are dropped, too: p_C is at least p_Cmax, min(1/k^2, 1).
    pub(super) fn drops_marked(&self) -> bool {
        let k = self.config.k;
        self.classic() >= (1.0 / (k * k)).min(1.0)
    }
}

/// `recur` (figure 4): spaces events evenly, without random numbers.
#[derive(Debug, Default)]
pub(super) struct Recurrence {
    count: f64,
}

impl Recurrence {
    /// Whether an event of this likelihood, 0 to 1, comes now.
    pub(super) fn recurs(&mut self, likelihood: f64) -> bool {
        self.count += likelihood;
        let comes = self.count > 1.0;
        if comes {
            self.count -= 1.0;
        }
        comes
    }
}
