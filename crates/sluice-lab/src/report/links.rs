//! Links: those that limit flows most, then the busiest.

use super::data::{LinkUse, ReportLink};
use super::digits::digits;

/// The maximum number of links on a page.
const MAX_LINKS: usize = 40;

/// What links did under each system, added up run by run.
#[derive(Debug, Default)]
pub struct Links {
    links: Vec<Sums>,
}

#[derive(Debug)]
struct Sums {
    name: String,
    capacity: f64,
    /// By system: how many runs, and what they add up to.
    systems: Vec<(f64, LinkUse)>,
}

impl Links {
    /// Adds a run of one of `systems`; every run has the same links in the same order.
    pub fn add(&mut self, system: usize, systems: usize, run: Vec<(String, f64, LinkUse)>) {
        for (number, (name, capacity, found)) in run.into_iter().enumerate() {
            if number == self.links.len() {
                let systems = vec![(0.0, LinkUse::default()); systems];
                self.links.push(Sums { name, capacity, systems });
            }
            let (runs, sum) = &mut self.links[number].systems[system];
            *runs += 1.0;
            sum.utilization += found.utilization;
            sum.mean_queue += found.mean_queue;
            sum.p99_queue += found.p99_queue;
            sum.drops += found.drops;
        }
    }

    /// Those of these names, in their order, then the busiest; and how many are left out.
    pub fn finish(self, first: &[String]) -> (Vec<ReportLink>, usize) {
        let mut links: Vec<ReportLink> = self.links.into_iter().map(link).collect();
        let busy = |link: &ReportLink| {
            link.systems.iter().flatten().map(|found| found.utilization).fold(0.0, f64::max)
        };
        let place = |link: &ReportLink| {
            first.iter().position(|name| *name == link.name).unwrap_or(first.len())
        };
        links.sort_by(|a, b| place(a).cmp(&place(b)).then(busy(b).total_cmp(&busy(a))));
        let left_out = links.len().saturating_sub(MAX_LINKS);
        links.truncate(MAX_LINKS);
        (links, left_out)
    }
}

fn link(sums: Sums) -> ReportLink {
    let mean = |(runs, sum): (f64, LinkUse)| {
        (runs > 0.0).then(|| LinkUse {
            utilization: digits(sum.utilization / runs, 5),
            mean_queue: digits(sum.mean_queue / runs, 5),
            p99_queue: digits(sum.p99_queue / runs, 5),
            drops: digits(sum.drops / runs, 5),
        })
    };
    let systems = sums.systems.into_iter().map(mean).collect();
    ReportLink { name: sums.name, capacity: sums.capacity, systems }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_busiest_are_shown_with_means_over_runs() {
        let run = |factor: f64| {
            let found = |number: usize| {
                let utilization = number as f64 / 100.0 * factor;
                (format!("link {number}"), 1e9, LinkUse { utilization, ..LinkUse::default() })
            };
            (0..MAX_LINKS + 3).map(found).collect()
        };
        let mut links = Links::default();
        links.add(1, 2, run(1.0));
        links.add(1, 2, run(2.0));
        let (shown, left_out) = links.finish(&["link 7".into()]);
        assert_eq!((shown.len(), left_out), (MAX_LINKS, 3));
        assert_eq!(shown[0].name, "link 7", "it limits flows");
        assert_eq!(shown[1].name, format!("link {}", MAX_LINKS + 2));
        assert!(shown[1].systems[0].is_none());
        assert_eq!(shown[1].systems[1].unwrap().utilization, 0.63);
    }
}
