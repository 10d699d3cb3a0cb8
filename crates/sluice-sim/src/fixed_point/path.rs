//! A path as its flows see it: round trip, losses, grants, and how long bytes wait for other flows.

use super::law::Model;
use super::link_state::{LEAST_LOSS, LinkState};
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
    /// Part of the data packets that is lost, and of acknowledgements.
    pub(super) loss: f64,
    pub(super) back_loss: f64,
    /// Part of the SYNs that is lost or whose answer is.
    pub(super) syn_loss: f64,
    pub(super) grants: LeastGrants,
    /// Seconds that a byte waits for other flows.
    pub(super) excess: f64,
}

impl<'a> Path<'a> {
    pub(super) fn new(network: &'a Network, class: &'a Class, links: &'a [LinkState]) -> Self {
        let waits = |path: &[usize]| -> f64 { path.iter().map(|&link| links[link].wait).sum() };
        let kept = |path: &[usize], part: &dyn Fn(usize) -> f64| -> f64 {
            path.iter().map(|&link| 1.0 - part(link) * links[link].loss).product()
        };
        let lost = |kept: f64| (1.0 - kept).clamp(0.0, 1.0 - 1e-9);
        let of_control = |link: usize| network.links[link].control_loss;
        let control = kept(&class.out, &of_control);
        let answers = kept(&class.back, &of_control);
        let (out, back) = (waits(&class.out), waits(&class.back));
        Self {
            network,
            class,
            links,
            rtt: class.rtt + out + back,
            out,
            back,
            loss: lost(kept(&class.out, &|_| 1.0)),
            back_loss: lost(answers),
            syn_loss: lost(control * answers),
            grants: LeastGrants::of(class, links),
            excess: largest(class.out.iter().map(|&link| links[link].excess)),
        }
    }

    /// The rate granted, at most that of the narrowest link.
    pub(super) fn granted(&self) -> f64 {
        self.grants.least.min(self.class.narrowest)
    }

    /// What the path lets a flow send. Its share is that of a flow without an end beside it, if there is one, less what
    /// bytes wait for the others: of XCP what routers grant, of TCP the rate at the losses that these flows make.
    pub(super) fn pipe(&self, model: &Model) -> Pipe {
        let (capacity, packet) = (self.class.narrowest, self.network.packet);
        let is_beside = || self.class.out.iter().any(|&link| self.links[link].endless > 0.0);
        let alone = match model {
            Model::Tcp(law) if is_beside() => {
                padhye(self.loss, self.rtt, packet, law).min(capacity)
            }
            Model::Xcp(_) => self.granted(),
            Model::Tcp(_) | Model::Fluid | Model::Granted(_) => capacity,
        };
        Pipe { rtt: self.rtt, capacity, share: 1.0 / (1.0 / alone + self.excess), packet }
    }

    /// The rate of a flow without an end.
    pub(super) fn long_rate(&self, model: &Model) -> f64 {
        match model {
            Model::Fluid | Model::Granted(_) | Model::Xcp(_) => self.granted(),
            Model::Tcp(law) => {
                padhye(self.loss.max(LEAST_LOSS), self.rtt, self.network.packet, law)
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
