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
//! R is where the queue of bursts at R is q; if that of bursts at the highest R is less, R is the highest. Beside flows
//! without an end, y rises with R, and the highest R is that at which these fill what others leave.

use super::law::{GrantKind, Granted};

impl Granted {
    /// The mean queue at which R neither rises nor falls, in bytes, at a link with this y over C and d0. `variance` is
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

    /// What flows have of a link beside traffic that states no rate, in bytes a second. (8) shares alpha C among flows
    /// whatever the others send, as long as the link has room; RCP and (6) measure all that arrives.
    pub(super) fn room(&self, capacity: f64, bdp: f64, packet: f64, foreign: f64) -> f64 {
        match self.kind {
            GrantKind::Ncp => (self.target * capacity).min(capacity - foreign),
            GrantKind::NcpS => self.target * capacity - foreign,
            GrantKind::Rcp => self.highest_load(packet, bdp) * capacity - foreign,
        }
    }

    /// The load below which flows come to an end. Packets alone queue as in M/D/1, rho^2 / (2 (1 - rho)), however
    /// low R is; where that exceeds the steady queue of RCP, R falls and flows accumulate, until y is so low that both
    /// are equal. NCP's R is a share of C, which N does not drive to 0.
    fn highest_load(&self, packet: f64, bdp: f64) -> f64 {
        if self.kind != GrantKind::Rcp || packet <= 0.0 || bdp <= 0.0 {
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

    /// The mean grant where flows without an end fill a link of which flows have `room`, beside a mean number of
    /// `sending` ones that come and go, in bytes a second.
    ///
    /// (8) counts each flow, wherever it is limited, for as long as it sends: R = room / (K + n). With processor sharing
    /// n has the negative binomial law of shape K + 1 (M/G/1-PS with K permanent customers), by which the mean of
    /// 1 / (K + n) is (1 - rho) / K where that of n is rho (K + 1) / (1 - rho): (K + 1) / (K (K + 1 + n)). A flow that
    /// arrives is counted too, which is in what bytes wait for others ([`super::links`]).
    pub(super) fn counted_grant(room: f64, endless: f64, sending: f64) -> f64 {
        (room * (endless + 1.0) / (endless * (endless + 1.0 + sending))).min(room)
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

    /// R in bytes a second at a link, at most `highest`, by what the link makes of any R in bytes a second.
    pub(super) fn equilibrium(
        &self,
        link: &SteadyLink,
        highest: f64,
        at: impl Fn(f64) -> AtGrant,
    ) -> f64 {
        let bdp = link.capacity * link.rtt;
        // Above 0: R is too high.
        let excess = |depth: f64| {
            let AtGrant { queue, variance, counted } = at(highest * libm::exp(-depth));
            let steady = self.steady_queue(counted, bdp, variance);
            libm::log(queue.max(1e-12)) - libm::log(steady.max(1e-12))
        };
        let least = (self.min_rate * link.packet / link.rtt).min(highest);
        highest * libm::exp(-root(excess, libm::log(highest / least)))
    }

    /// Whether R can swing at a link at which this queue occurs. NCP-S multiplies R by alpha C / y, with y of an R a
    /// round trip ago: it linearises to R_k = R_(k-1) / R_(k-2), which has no damping wherever R is not at a bound. RCP
    /// whose interval is d0 multiplies R by 1 - beta q / (C d0): a queue of BDP / beta takes it to its least, from
    /// where it rises by alpha each d0.
    pub(super) fn swings(&self, capacity: f64, rtt: f64, grant: f64, fullest: f64) -> bool {
        match self.kind {
            GrantKind::Ncp => false,
            GrantKind::NcpS => grant < 0.999 * self.target * capacity,
            GrantKind::Rcp => {
                let falls = self.queue_gain * fullest / (capacity * rtt);
                self.interval >= 0.9 * rtt && falls >= 0.9
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
    /// d0.
    pub(super) rtt: f64,
    pub(super) packet: f64,
}

/// What a link makes of a grant.
#[derive(Clone, Copy, Debug)]
pub(super) struct AtGrant {
    /// Mean queue in bytes.
    pub(super) queue: f64,
    /// Variance of y over a d0, in capacities squared.
    pub(super) variance: f64,
    /// What the law counts as y, over C.
    pub(super) counted: f64,
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

    const LINK: SteadyLink = SteadyLink { capacity: 1e6, rtt: 0.1, packet: 1000.0 };

    fn at(load: f64, queue: f64) -> AtGrant {
        AtGrant { queue, variance: 0.0, counted: load }
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
        let found = rcp().equilibrium(&LINK, 1e6, |rate| at(0.9, 0.01 * rate));
        assert!((found - 100_000.0).abs() < 1.0, "{found}");
    }

    /// Two flows without an end have 2 R of it: 0.1 (1 - 0.4 - 2 R) BDP is 4000 bytes, whatever R is, at an R of 0.1 C.
    #[test]
    fn rcp_leaves_room_for_the_queue_beside_flows_without_an_end() {
        let found = rcp().equilibrium(&LINK, 3e5, |rate| at(0.4 + 2.0 * rate / 1e6, 4000.0));
        assert!((found / 1e5 - 1.0).abs() < 1e-4, "{found}");
    }

    #[test]
    fn r_is_the_capacity_where_bursts_never_queue_so_long() {
        assert_eq!(rcp().equilibrium(&LINK, 1e6, |_| at(0.5, 10.0)), 1e6);
        let least = rcp().equilibrium(&LINK, 1e6, |_| at(0.9, 1e9));
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
        assert!((own.equilibrium(&LINK, 0.9e6, |_| at(0.5, 1e9)) - 0.9e6).abs() < 1e-6);
    }
}
