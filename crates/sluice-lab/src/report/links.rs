//! What links did under each system: of all, and of those that limit flows most and the busiest.

use super::data::{LinkUse, ReportLink};
use super::digits::digits;

/// The maximum number of links on a page.
const MAX_LINKS: usize = 40;

/// A link of one run.
#[derive(Clone, Debug)]
pub struct LinkRow {
    /// The node at its start.
    pub from: String,
    /// The node at its end.
    pub to: String,
    /// In bits a second.
    pub capacity: f64,
    /// Propagation delay in seconds; `None` in results that do not state it.
    pub delay: Option<f64>,
    /// What it did.
    pub found: LinkUse,
}

/// A link of all runs.
#[derive(Clone, Debug)]
pub struct MeasuredLink {
    /// The node at its start.
    pub from: String,
    /// The node at its end.
    pub to: String,
    /// In bits a second.
    pub capacity: f64,
    /// Propagation delay in seconds; `None` in results that do not state it.
    pub delay: Option<f64>,
    /// By system; means over runs. None for a system without runs.
    pub systems: Vec<Option<LinkUse>>,
}

/// What links did under each system, added up run by run.
#[derive(Debug, Default)]
pub struct Links {
    links: Vec<Sums>,
}

#[derive(Debug)]
struct Sums {
    link: LinkRow,
    /// By system: how many runs, and what they add up to.
    systems: Vec<(f64, LinkUse)>,
}

impl Links {
    /// Adds a run of one of `systems`; every run has the same links in the same order.
    pub fn add(&mut self, system: usize, systems: usize, run: Vec<LinkRow>) {
        for (number, link) in run.into_iter().enumerate() {
            let found = link.found;
            if number == self.links.len() {
                let systems = vec![(0.0, LinkUse::default()); systems];
                self.links.push(Sums { link, systems });
            }
            let (runs, sum) = &mut self.links[number].systems[system];
            *runs += 1.0;
            sum.utilization += found.utilization;
            sum.mean_queue += found.mean_queue;
            sum.p99_queue += found.p99_queue;
            sum.drops += found.drops;
            sum.marks += found.marks;
        }
    }

    /// All links with means over runs, in the order of the runs.
    pub fn means(self) -> Vec<MeasuredLink> {
        self.links.into_iter().map(measured).collect()
    }
}

/// The links of these names, in their order, then the busiest; and how many are left out.
pub fn busiest(links: &[MeasuredLink], first: &[String]) -> (Vec<ReportLink>, usize) {
    let mut links: Vec<ReportLink> = links.iter().map(shown).collect();
    let busy = |link: &ReportLink| {
        link.systems.iter().flatten().map(|found| found.utilization).fold(0.0, f64::max)
    };
    let place =
        |link: &ReportLink| first.iter().position(|name| *name == link.name).unwrap_or(first.len());
    links.sort_by(|a, b| place(a).cmp(&place(b)).then(busy(b).total_cmp(&busy(a))));
    let left_out = links.len().saturating_sub(MAX_LINKS);
    links.truncate(MAX_LINKS);
    (links, left_out)
}

fn shown(link: &MeasuredLink) -> ReportLink {
    let MeasuredLink { from, to, capacity, .. } = link;
    let name = format!("{from} → {to}");
    ReportLink { name, capacity: *capacity, systems: link.systems.clone() }
}

fn measured(sums: Sums) -> MeasuredLink {
    let LinkRow { from, to, capacity, delay, .. } = sums.link;
    let mean = |(runs, sum): (f64, LinkUse)| {
        (runs > 0.0).then(|| LinkUse {
            utilization: digits(sum.utilization / runs, 5),
            mean_queue: digits(sum.mean_queue / runs, 5),
            p99_queue: digits(sum.p99_queue / runs, 5),
            drops: digits(sum.drops / runs, 5),
            marks: digits(sum.marks / runs, 5),
        })
    };
    let systems = sums.systems.into_iter().map(mean).collect();
    MeasuredLink { from, to, capacity, delay, systems }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_busiest_are_shown_with_means_over_runs() {
        let run = |factor: f64| {
            let found = |number: usize| {
                let utilization = number as f64 / 100.0 * factor;
                let found = LinkUse { utilization, ..LinkUse::default() };
                let (from, to) = ("hub".into(), number.to_string());
                LinkRow { from, to, capacity: 1e9, delay: None, found }
            };
            (0..MAX_LINKS + 3).map(found).collect()
        };
        let mut links = Links::default();
        links.add(1, 2, run(1.0));
        links.add(1, 2, run(2.0));
        let (shown, left_out) = busiest(&links.means(), &["hub → 7".into()]);
        assert_eq!((shown.len(), left_out), (MAX_LINKS, 3));
        assert_eq!(shown[0].name, "hub → 7", "it limits flows");
        assert_eq!(shown[1].name, format!("hub → {}", MAX_LINKS + 2));
        assert!(shown[1].systems[0].is_none());
        assert_eq!(shown[1].systems[1].unwrap().utilization, 0.63);
    }
}
