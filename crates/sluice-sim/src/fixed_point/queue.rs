//! Queueing formulas: how long bursts of a peak rate queue at a link, and how many are lost.
//!
//! Bursts arrive as a Poisson process, each at its peak rate; what arrives in a long time t has the variance V C t,
//! where V is the sum over classes of (bursts a second) x E\[(bytes of a burst)^2\], over C. The link's queue is then
//! near a Brownian motion that is reflected at 0 and at the buffer (Harrison, Brownian Motion and Stochastic Flow
//! Systems, 1985, section 5.5), whose stationary law is exponential of mean eta = V / (2 (1 - rho)), cut off at the
//! buffer. The queue is empty but for a fraction pi of the time ([`chance_to_wait`]).

/// Traffic that queues at a link.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Noise {
    /// V, in bytes.
    pub(super) variance: f64,
    /// pi V.
    pub(super) waiting: f64,
    /// V over the peak rate in capacities.
    pub(super) spread: f64,
}

impl Noise {
    /// Adds bursts of V = `variance` at `peak` times the capacity to a link with this load.
    pub(super) fn add(&mut self, variance: f64, peak: f64, load: f64) {
        self.variance += variance;
        self.waiting += variance * chance_to_wait(peak, load);
        self.spread += variance / peak;
    }

    fn pi(&self) -> f64 {
        if self.variance > 0.0 { self.waiting / self.variance } else { 0.0 }
    }

    /// The queue at a link with this load, at which `buffer` bytes can wait.
    pub(super) fn queue(&self, load: f64, buffer: f64) -> Queue {
        let excess = if load > 1.0 { 1.0 - 1.0 / load } else { 0.0 };
        if self.variance <= 0.0 {
            return Queue { mean: if excess > 0.0 { buffer } else { 0.0 }, loss: excess };
        }
        // The exponent of the stationary density at the buffer; below 0 in overload.
        let depth = 2.0 * (1.0 - load) * buffer / self.variance;
        if depth > FAR {
            return Queue { mean: self.waiting / (2.0 * (1.0 - load)), loss: 0.0 };
        }
        let mean = self.pi() * cut_exponential(depth) * buffer;
        Queue { mean, loss: self.overflow(load, depth, buffer).clamp(excess, 1.0) }
    }

    /// What overflows over what arrives. Of the reflected motion it is pi (1 - rho) / (e^depth - 1) / rho, where
    /// (1 - rho) is depth V / (2 buffer). It does not know that bursts take time: no more is lost than without any
    /// buffer, and where both are close, half of either.
    fn overflow(&self, load: f64, depth: f64, buffer: f64) -> f64 {
        let slope = if depth.abs() < 1e-9 { 1.0 } else { depth / libm::expm1(depth) };
        let reflected = self.pi() * slope * self.variance / (2.0 * buffer) / load;
        let without = bufferless(self.spread / self.variance, load);
        let both = 1.0 / (1.0 / reflected + 1.0 / without);
        if both.is_nan() { 0.0 } else { both }
    }
}

/// Buffers of more than this many eta are as good as infinite.
const FAR: f64 = 40.0;

/// A queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Queue {
    /// Mean in bytes.
    pub(super) mean: f64,
    /// Lost of what arrives.
    pub(super) loss: f64,
}

/// Mean over [0, 1] of the density proportional to e^(-depth x): 1/depth - 1/(e^depth - 1), which is 1/2 at 0.
fn cut_exponential(depth: f64) -> f64 {
    if depth.abs() < 1e-4 { 0.5 - depth / 12.0 } else { 1.0 / depth - 1.0 / libm::expm1(depth) }
}

/// pi: the part of the work beyond what links can serve at once that bursts of a peak rate, given in capacities,
/// bring to a link with this load.
///
/// - Peaks up to C: the probability that all m = C / peak "servers" are busy, Erlang's C(m, rho m), as Sakasegawa
///   approximates it, rho^(sqrt(2 (m + 1)) - 1) (Annals of the Institute of Statistical Mathematics 29, 1977).
///   At m = 1 it is rho, and then exact: bursts at C leave no gap while any of them lasts, so the unsent and the
///   queued bytes are the work of M/G/1, V / (2 (1 - rho)), of which V / 2 is unsent.
/// - Peaks of C and above: by the same argument the unsent bytes are V C / (2 peak), which leaves
///   1 - (1 - rho) C / peak; with whole batches 1, Pollaczek-Khinchine.
pub(super) fn chance_to_wait(peak: f64, load: f64) -> f64 {
    let load = load.clamp(0.0, 1.0);
    if load == 0.0 {
        return if peak > 1.0 { 1.0 - 1.0 / peak } else { 0.0 };
    }
    if peak >= 1.0 {
        return 1.0 - (1.0 - load) / peak;
    }
    libm::pow(load, (2.0 * (1.0 / peak + 1.0)).sqrt() - 1.0)
}

/// Part of the traffic that exceeds a link without a buffer, E\[(N - m)+\] / E\[N\] for N bursts at a time, Poisson
/// with mean rho m, in the normal approximation.
fn bufferless(servers: f64, load: f64) -> f64 {
    let mean = load * servers;
    if mean <= 0.0 {
        return f64::INFINITY;
    }
    let deviation = mean.sqrt();
    let z = (servers - mean) / deviation;
    let density = libm::exp(-z * z / 2.0) / (2.0 * core::f64::consts::PI).sqrt();
    let above = libm::erfc(z / core::f64::consts::SQRT_2) / 2.0;
    (deviation * (density - z * above) / mean).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(variance: f64, peak: f64, load: f64) -> Noise {
        let mut noise = Noise::default();
        noise.add(variance, peak, load);
        noise
    }

    #[track_caller]
    fn assert_near(found: f64, wanted: f64, part: f64) {
        assert!((found / wanted - 1.0).abs() < part, "{found}, not {wanted}");
    }

    /// M/D/1 in packets: rho^2 / (2 (1 - rho)) wait on average, behind the one in transmission.
    #[test]
    fn batches_of_a_packet_are_m_d_1() {
        // V = lambda P^2 / C = rho P.
        let load = 0.8;
        let queue = noise(load * 1000.0, 1.0, load).queue(load, f64::INFINITY);
        assert_near(queue.mean, 1000.0 * load * load / (2.0 * (1.0 - load)), 1e-9);
        assert_eq!(queue.loss, 0.0);
    }

    /// Whole batches of a deterministic size: work is Pollaczek-Khinchine's.
    #[test]
    fn whole_batches_are_pollaczek_khinchine() {
        let (load, size) = (0.5, 30_000.0);
        let queue = noise(load * size, f64::INFINITY, load).queue(load, f64::INFINITY);
        assert_near(queue.mean, load * size / (2.0 * (1.0 - load)), 1e-9);
    }

    #[test]
    fn overload_fills_the_buffer_and_loses_what_exceeds() {
        for load in [1.1, 2.0, 10.0] {
            let queue = noise(load * 1000.0, 1.0, load).queue(load, 1e7);
            assert_near(queue.loss, 1.0 - 1.0 / load, 1e-6);
            assert_near(queue.mean, 1e7, 0.01);
        }
    }

    #[test]
    fn at_a_load_of_1_nothing_is_singular() {
        let queue = |load: f64| noise(1000.0, 1.0, load).queue(load, 100_000.0);
        let (below, at, above) = (queue(1.0 - 1e-9), queue(1.0), queue(1.0 + 1e-9));
        assert_near(at.mean, 50_000.0, 1e-3);
        assert_near(below.mean, above.mean, 1e-3);
        assert_near(below.loss, above.loss, 1e-3);
        // V / (2 B).
        assert_near(below.loss, 0.005, 0.05);
    }

    #[test]
    fn slower_bursts_wait_less_and_all_wait_near_a_load_of_1() {
        for load in [0.1, 0.5, 0.9] {
            let chances = [0.01, 0.1, 0.5, 1.0, 2.0, 1e9].map(|peak| chance_to_wait(peak, load));
            assert!(chances.is_sorted(), "{load}: {chances:?}");
            assert!(chances[5] <= 1.0 && chances[0] >= 0.0);
        }
        assert_near(chance_to_wait(0.1, 1.0), 1.0, 1e-12);
        // Erlang's C(2, 1) is 1/3; C(10, 8) is 0.409.
        assert_near(chance_to_wait(0.5, 0.5), 1.0 / 3.0, 0.15);
        assert_near(chance_to_wait(0.1, 0.8), 0.409, 0.15);
    }

    #[test]
    fn without_a_buffer_the_excess_is_lost() {
        // One burst at C beside Poisson others: (rho - 1 + e^-rho) / rho is 0.213 at 0.5.
        assert_near(bufferless(1.0, 0.5), 0.213, 0.1);
        assert!(bufferless(100.0, 0.5) < 1e-6);
        let queue = noise(15_000.0, 1.0, 0.5).queue(0.5, 0.0);
        assert!((0.1..0.25).contains(&queue.loss) && queue.mean == 0.0, "{queue:?}");
    }
}
