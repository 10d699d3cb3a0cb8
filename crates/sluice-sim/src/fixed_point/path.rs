//! A path as its flows see it: round trip, losses, grants, and how long bytes wait for other flows.

use super::law::Model;
use super::link_state::LinkState;
use super::network::{Class, Network};
use super::ramp::{Pipe, padhye};

/// A path in its present state.
pub(super) struct Path<'a> {
    pub(super) network: &'a Network,
    pub(super) class: &'a Class,
    pub(super) links: &'a [LinkState],
    /// Round trip with queues, and their parts of it on the way out and back.
    pub(super) rtt: f64,
    pub(super) out: f64,
    pub(super) back: f64,
    /// Part of the packets that is lost, and of SYNs.
    pub(super) loss: f64,
    pub(super) syn_loss: f64,
    pub(super) grants: LeastGrants,
    /// Seconds that a byte waits for other flows.
    pub(super) excess: f64,
}

impl<'a> Path<'a> {
    pub(super) fn new(network: &'a Network, class: &'a Class, links: &'a [LinkState]) -> Self {
        let waits = |path: &[usize]| -> f64 { path.iter().map(|&link| links[link].wait).sum() };
        let lost = |part: &dyn Fn(usize) -> f64| {
            let kept: f64 =
                class.out.iter().map(|&link| 1.0 - part(link) * links[link].loss).product();
            (1.0 - kept).clamp(0.0, 1.0 - 1e-9)
        };
        let (out, back) = (waits(&class.out), waits(&class.back));
        Self {
            network,
            class,
            links,
            rtt: class.rtt + out + back,
            out,
            back,
            loss: lost(&|_| 1.0),
            syn_loss: lost(&|link| network.links[link].syn_loss),
            grants: LeastGrants::of(class, links),
            excess: largest(class.out.iter().map(|&link| links[link].excess)),
        }
    }

    /// The rate granted, at most that of the narrowest link.
    pub(super) fn granted(&self) -> f64 {
        self.grants.least.min(self.class.narrowest)
    }

    pub(super) fn pipe(&self) -> Pipe {
        let capacity = self.class.narrowest;
        let share = 1.0 / (1.0 / capacity + self.excess);
        Pipe { rtt: self.rtt, capacity, share, packet: self.network.packet }
    }

    /// The rate of a flow without an end.
    pub(super) fn long_rate(&self, model: &Model) -> f64 {
        match model {
            Model::Fluid | Model::Granted(_) | Model::Xcp(_) => self.granted(),
            Model::Tcp(law) => {
                padhye(self.loss, &self.pipe(), law.min_rto).min(self.class.narrowest)
            }
        }
    }
}

/// The two least grants of a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeastGrants {
    at: usize,
    least: f64,
    next: f64,
}

impl Default for LeastGrants {
    fn default() -> Self {
        Self { at: usize::MAX, least: f64::INFINITY, next: f64::INFINITY }
    }
}

impl LeastGrants {
    fn of(class: &Class, links: &[LinkState]) -> Self {
        let mut all = Self::default();
        for &link in &class.out {
            let grant = links[link].grant;
            if grant < all.least {
                (all.at, all.least, all.next) = (link, grant, all.least);
            } else if link != all.at {
                all.next = all.next.min(grant);
            }
        }
        all
    }

    /// The least of all links but one.
    pub(super) fn but(&self, link: usize) -> f64 {
        if link == self.at { self.next } else { self.least }
    }
}

/// The mean of the largest of independent exponentials with these means, two at a time: max(a, b) has the mean
/// a + b - a b / (a + b). The time that a byte waits for other flows at a processor-sharing link is proportional to
/// their number, which is geometric; under max-min fairness the link with the most flows decides.
fn largest(means: impl Iterator<Item = f64>) -> f64 {
    let larger = |a: f64, b: f64| if a + b > 0.0 { a + b - a * b / (a + b) } else { 0.0 };
    means.fold(0.0, larger)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest of three exponentials of mean 1 is 1 + 1/2 + 1/3 on average.
    #[test]
    fn the_largest_of_exponentials() {
        assert!((largest([1.0, 1.0].into_iter()) - 1.5).abs() < 1e-12);
        assert!((largest([1.0; 3].into_iter()) / (11.0 / 6.0) - 1.0).abs() < 0.04);
        assert_eq!(largest([0.0, 4.0, 0.0].into_iter()), 4.0);
        assert_eq!(largest(std::iter::empty()), 0.0);
    }
}
