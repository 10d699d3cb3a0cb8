//! Finds the links that limit flows, from measurements.

use super::links::LinkTotals;
use super::run_file::StoredRun;
use crate::Plan;

/// The maximum number of links in a summary.
pub(crate) const MAX_LINKS: usize = 5;
/// A loss rate of 1/100 counts like full utilization: TCP's window is then 12 packets, sqrt(1.5 /
/// p) (Mathis, Semke, Mahdavi and Ott 1997, without delayed ACKs).
const LOSS_OF_A_FULL_LINK: f64 = 100.0;
/// Links whose pressure is below this fraction of the highest, or of 1 if that is lower, are left
/// out.
const MIN_PRESSURE: f64 = 0.5;

/// The indices of the links that limit flows, the most limiting first; never empty.
///
/// The pressure of a link under a protocol is its utilization, or [`LOSS_OF_A_FULL_LINK`] times the
/// fraction of its packets that are dropped, marked or lost, whichever is higher. On each path of
/// data or acknowledgements (all paths between which its flows choose), the link with the highest pressure limits the flows, under at least
/// one protocol, if its pressure is high enough to count. Links are ordered by pressure times bytes
/// carried.
pub(crate) fn of(plan: &Plan, runs: &[StoredRun]) -> Vec<usize> {
    let mut held_back = vec![0.0_f64; plan.config.links.len()];
    for protocol in plan.protocols() {
        let runs: Vec<&StoredRun> = runs.iter().filter(|run| run.protocol == protocol).collect();
        if !runs.is_empty() {
            let under = Under::of(plan, &runs);
            for link in under.limits(plan) {
                held_back[link] = held_back[link].max(under.pressure[link] * under.carried[link]);
            }
        }
    }
    let mut found: Vec<usize> =
        (0..held_back.len()).filter(|&link| held_back[link] > 0.0).collect();
    // Stable, so that the order is reproducible.
    found.sort_by(|&a, &b| held_back[b].total_cmp(&held_back[a]));
    if found.is_empty() {
        // Nothing was sent: the first link with a router law.
        found.push(plan.config.links.iter().position(|link| link.router.runs()).unwrap_or(0));
    }
    found
}

/// Measurements of the links under one protocol.
struct Under {
    pressure: Vec<f64>,
    /// Bytes sent.
    carried: Vec<f64>,
    /// Mean queues as transmission times, in nanoseconds.
    queues: Vec<f64>,
}

impl Under {
    fn of(plan: &Plan, runs: &[&StoredRun]) -> Self {
        let mut carries_data = vec![false; plan.config.links.len()];
        let data_links = plan.groups.iter().flat_map(|group| group.paths.out.links().into_owned());
        data_links.for_each(|link| carries_data[link] = true);
        let of_link = |link: usize| {
            let mean = |value: fn(&LinkTotals) -> f64| -> f64 {
                runs.iter().map(|run| value(&run.links[link])).sum::<f64>() / runs.len() as f64
            };
            let packet = if carries_data[link] { plan.config.packet } else { plan.config.control };
            let lost = mean(|found| (found.drops + found.marks + found.errors) as f64);
            let sent = mean(|found| found.sent as f64);
            let arrived = sent / packet.as_f64() + lost;
            let fraction = if arrived > 0.0 { lost / arrived } else { 0.0 };
            let capacity = plan.config.links[link].capacity.as_bps_f64();
            let queue = mean(|found| found.mean_queue as f64) * 8e9 / capacity;
            (mean(|found| found.utilization).max(LOSS_OF_A_FULL_LINK * fraction), sent, queue)
        };
        let mut under = Self { pressure: Vec::new(), carried: Vec::new(), queues: Vec::new() };
        for (pressure, carried, queue) in (0..plan.config.links.len()).map(of_link) {
            under.pressure.push(pressure);
            under.carried.push(carried);
            under.queues.push(queue);
        }
        under
    }

    /// The links with the highest pressure on some path, if it is high enough.
    fn limits(&self, plan: &Plan) -> Vec<usize> {
        let paths = plan.groups.iter().flat_map(|group| [&group.paths.out, &group.paths.back]);
        let mut found: Vec<usize> =
            paths.filter_map(|ways| self.bottleneck(plan, &ways.links())).collect();
        found.sort_unstable();
        found.dedup();
        let top = found.iter().map(|&link| self.pressure[link]).fold(0.0, f64::max);
        found.retain(|&link| self.pressure[link] >= MIN_PRESSURE * top.min(1.0));
        found
    }

    /// Among links of equal pressure, to a hundredth, prefers those with a router law, then the
    /// longest queue.
    fn bottleneck(&self, plan: &Plan, path: &[usize]) -> Option<usize> {
        let place = |link: usize| {
            let pressure = (100.0 * self.pressure[link]).round();
            (
                pressure,
                f64::from(u8::from(plan.config.links[link].router.runs())),
                self.queues[link],
            )
        };
        let exceeds = |a: usize, b: usize| {
            let ((a, ra, qa), (b, rb, qb)) = (place(a), place(b));
            b.total_cmp(&a).then(rb.total_cmp(&ra)).then(qb.total_cmp(&qa)).is_gt()
        };
        path.iter().copied().reduce(|best, link| if exceeds(best, link) { link } else { best })
    }
}
