//! The rate R that RCP and NCP grant at a link in equilibrium, from their own equations.
//!
//! Arrivals do not depend on R where flows are short, so y = rho C whatever R is, and R rises until bursts at R
//! queue. In a steady state the mean change of log R is 0:
//!
//! - RCP, (2) of "Processor Sharing Flows": alpha (gamma C - y) - beta q / d0 = 0 on average, so that
//!   q = (alpha / beta) (gamma - rho) C d0.
//! - NCP (8) and (6) with N = y / R: E ln((alpha C - beta q / d0) / y) = 0. Both logarithms to second order, with
//!   the variance of y over a d0, var, and q exponential: k + k^2 = ln(alpha / rho) + var / (2 rho^2), where
//!   k = beta q / (alpha C d0).
//!
//! R is where the queue of bursts at R is q; if that of bursts at the highest R is less, R is the highest.

use super::law::{GrantKind, Granted};

impl Granted {
    /// The mean queue at which R neither rises nor falls, in bytes, at a link with this load and d0. `variance` is
    /// that of y over a d0, in capacities squared.
    fn steady_queue(&self, load: f64, bdp: f64, variance: f64) -> f64 {
        if self.queue_gain <= 0.0 {
            return f64::INFINITY;
        }
        match self.kind {
            GrantKind::Rcp => {
                self.spare_gain / self.queue_gain * (self.target - load).max(0.0) * bdp
            }
            GrantKind::Ncp | GrantKind::NcpS => {
                let load = load.max(1e-9);
                let rise = libm::log(self.target / load).max(0.0) + variance / (2.0 * load * load);
                let drain = ((1.0 + 4.0 * rise).sqrt() - 1.0) / 2.0;
                self.target * bdp / self.queue_gain * drain
            }
        }
    }

    /// The load below which flows come to an end. Packets alone queue as in M/D/1, rho^2 / (2 (1 - rho)), however
    /// low R is; where that exceeds RCP's steady queue, R falls and flows accumulate, until y is so low that both are
    /// equal. NCP's R is a share of C, which N does not drive to 0.
    pub(super) fn highest_load(&self, packet: f64, bdp: f64) -> f64 {
        if self.kind != GrantKind::Rcp || bdp <= 0.0 {
            return self.target;
        }
        let (mut low, mut high) = (0.0, self.target.min(1.0 - 1e-9));
        for _ in 0..50 {
            let load = (low + high) / 2.0;
            let waiting = load * load * packet / (2.0 * (1.0 - load));
            if waiting < self.steady_queue(load, bdp, 0.0) { low = load } else { high = load }
        }
        low
    }

    /// The standing queue by which NCP learns of traffic that states no rate, in bytes: none of its sums has it, so
    /// (8) shares alpha C among flows until beta q / d0 is what alpha C and that traffic exceed the link by. RCP
    /// and NCP-S measure it.
    pub(super) fn counted_out(&self, capacity: f64, foreign: f64, rtt: f64) -> f64 {
        let over = self.target * capacity + foreign - capacity;
        match self.kind {
            GrantKind::Ncp if over > 0.0 && rtt > 0.0 && self.queue_gain > 0.0 => {
                over * rtt / self.queue_gain
            }
            _ => 0.0,
        }
    }

    /// R in bytes a second at a link of this capacity. `at` has, for a rate in bytes a second, the mean queue of
    /// bursts at that rate and the variance of y.
    pub(super) fn equilibrium(&self, link: &SteadyLink, at: impl Fn(f64) -> (f64, f64)) -> f64 {
        let bdp = link.capacity * link.rtt;
        let highest = self.target * link.capacity;
        // Above 0: R is too high.
        let excess = |depth: f64| {
            let (queue, variance) = at(highest * libm::exp(-depth));
            let steady = self.steady_queue(link.load, bdp, variance);
            libm::log(queue.max(1e-12)) - libm::log(steady.max(1e-12))
        };
        let least = (self.min_rate * link.packet / link.rtt).min(highest);
        highest * libm::exp(-root(excess, libm::log(highest / least)))
    }

    /// Whether R can swing at a link at which this queue occurs. NCP-S multiplies R by alpha C / y, with y of an R a
    /// round trip ago: it linearises to R_k = R_(k-1) / R_(k-2), which has no damping wherever R is not at a bound. RCP
    /// whose interval is d0 multiplies R by 1 - beta q / (C d0): a queue of BDP / beta takes it to its least, from
    /// where it rises by alpha each d0.
    pub(super) fn swings(&self, link: &SteadyLink, grant: f64, fullest: f64) -> bool {
        match self.kind {
            GrantKind::Ncp => false,
            GrantKind::NcpS => grant < 0.999 * self.target * link.capacity,
            GrantKind::Rcp => {
                let falls = self.queue_gain * fullest / (link.capacity * link.rtt);
                self.interval >= 0.9 * link.rtt && falls >= 0.9
            }
        }
    }

    /// For how many round trips a flow sends what it sends before its own traffic changes its rate. Its first data
    /// reach the router half a round trip after they leave, and what the router decides returns within another
    /// half. NCP decides at once, half an interval of d0 later on average. RCP's R responds as d2x/dt2 = -(beta /
    /// d0^2) x to a queue, which takes d0 / sqrt(beta) more.
    pub(super) fn unaware(&self) -> f64 {
        match self.kind {
            GrantKind::Rcp if self.queue_gain > 0.0 => 1.0 + 1.0 / self.queue_gain.sqrt(),
            // Without the queue, the time constant of the spare capacity.
            GrantKind::Rcp => 1.0 + 1.0 / self.spare_gain,
            GrantKind::Ncp | GrantKind::NcpS => 1.5,
        }
    }
}

/// A link at which R is sought.
#[derive(Clone, Copy, Debug)]
pub(super) struct SteadyLink {
    pub(super) capacity: f64,
    pub(super) load: f64,
    /// d0.
    pub(super) rtt: f64,
    pub(super) packet: f64,
}

/// Where a function that falls is 0 in [0, end]; 0 if it is negative all along, `end` if positive. By the Illinois
/// variant of false position and bisection in turn.
fn root(function: impl Fn(f64) -> f64, end: f64) -> f64 {
    let (mut low, mut high) = (0.0, end);
    let (mut at_low, mut at_high) = (function(low), function(high));
    if at_low <= 0.0 || end <= 0.0 {
        return 0.0;
    }
    if at_high >= 0.0 {
        return end;
    }
    for step in 0..60 {
        if high - low < 1e-7 {
            break;
        }
        let bisects = step % 2 == 1;
        let part = if bisects { 0.5 } else { at_low / (at_low - at_high) };
        let next = low + (high - low) * part.clamp(1e-3, 1.0 - 1e-3);
        let at_next = function(next);
        if at_next > 0.0 {
            (low, at_low) = (next, at_next);
            at_high /= 2.0;
        } else {
            (high, at_high) = (next, at_next);
            at_low /= 2.0;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rcp() -> Granted {
        let (target, spare_gain, queue_gain) = (1.0, 0.1, 1.0);
        let (min_rate, interval) = (0.01, 0.01);
        Granted { kind: GrantKind::Rcp, target, spare_gain, queue_gain, min_rate, interval }
    }

    fn link(load: f64) -> SteadyLink {
        SteadyLink { capacity: 1e6, load, rtt: 0.1, packet: 1000.0 }
    }

    #[test]
    fn a_root_is_found_and_ends_are_kept() {
        assert!((root(|x| 2.0 - x, 5.0) - 2.0).abs() < 1e-6);
        assert!((root(|x| 1.0 - libm::exp(x - 3.0), 50.0) - 3.0).abs() < 1e-6);
        assert_eq!(root(|_| -1.0, 5.0), 0.0);
        assert_eq!(root(|_| 1.0, 5.0), 5.0);
    }

    /// (alpha / beta) (1 - rho) BDP is 1000 bytes at a load of 0.9; the queue is 10 ms of R.
    #[test]
    fn rcp_settles_where_the_queue_takes_the_spare_capacity() {
        let found = rcp().equilibrium(&link(0.9), |rate| (0.01 * rate, 0.0));
        assert!((found - 100_000.0).abs() < 1.0, "{found}");
    }

    #[test]
    fn r_is_the_capacity_where_bursts_never_queue_so_long() {
        assert_eq!(rcp().equilibrium(&link(0.5), |_| (10.0, 0.0)), 1e6);
        let least = rcp().equilibrium(&link(0.9), |_| (1e9, 0.0));
        // 0.01 packets a d0.
        assert!((least - 100.0).abs() < 1e-3, "{least}");
    }

    /// (1 - rho) / rho = sqrt(beta P / (2 alpha BDP)): with 62.5 packets 0.2828, so a load of 0.7795.
    #[test]
    fn rcp_cannot_fill_a_link_of_a_few_packets() {
        let found = rcp().highest_load(1000.0, 62_500.0);
        assert!((found - 1.0 / 1.282_84).abs() < 1e-4, "{found}");
        let ncp = Granted { kind: GrantKind::Ncp, target: 0.95, ..rcp() };
        assert_eq!(ncp.highest_load(1000.0, 62_500.0), 0.95);
    }

    #[test]
    fn without_a_gain_on_the_queue_r_rises_to_the_target() {
        let own = Granted { queue_gain: 0.0, target: 0.9, ..rcp() };
        assert!((own.equilibrium(&link(0.5), |_| (1e9, 0.0)) - 0.9e6).abs() < 1e-6);
    }
}
