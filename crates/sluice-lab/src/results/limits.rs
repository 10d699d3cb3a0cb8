//! The links that limit flows, found from what was measured.

use super::links::LinkTotals;
use super::run_file::StoredRun;
use crate::Plan;

/// The maximum number of links in a summary.
pub(crate) const MAX_LINKS: usize = 5;
/// At a loss of one packet in 100 a link presses as hard as a full one: a window of TCP has 12
/// packets then, sqrt(1.5 / p) (Mathis, Semke, Mahdavi and Ott 1997, with every packet answered).
const LOSS_OF_A_FULL_LINK: f64 = 100.0;
/// A link is left out that presses less than this part as hard as the hardest, or as a full one if
/// that is less.
const MIN_PRESSURE: f64 = 0.5;

/// The numbers of the links that limit flows, those that hold back most first; never empty.
///
/// Under a protocol a link presses as hard as the part of its capacity that is used, or as
/// [`LOSS_OF_A_FULL_LINK`] times the part of its packets that are dropped, marked or lost, if that is
/// more. Of each way that data or acknowledgements take, the link that presses hardest limits
/// the flows that take it, under some protocol at least, if it presses hard enough to count. What
/// a link holds back is how hard it presses times what it carries.
pub(crate) fn of(plan: &Plan, runs: &[StoredRun]) -> Vec<usize> {
    let mut holds = vec![0.0_f64; plan.config.links.len()];
    for protocol in plan.protocols() {
        let runs: Vec<&StoredRun> = runs.iter().filter(|run| run.protocol == protocol).collect();
        if !runs.is_empty() {
            let under = Under::of(plan, &runs);
            for link in under.limits(plan) {
                holds[link] = holds[link].max(under.presses[link] * under.carried[link]);
            }
        }
    }
    let mut found: Vec<usize> = (0..holds.len()).filter(|&link| holds[link] > 0.0).collect();
    // Stable, so that it is the same every time.
    found.sort_by(|&a, &b| holds[b].total_cmp(&holds[a]));
    if found.is_empty() {
        // Nothing was sent: the first link of the protocol.
        found.push(plan.config.links.iter().position(|link| link.router).unwrap_or(0));
    }
    found
}

/// The links under one protocol.
struct Under {
    presses: Vec<f64>,
    /// Bytes sent.
    carried: Vec<f64>,
    /// Mean queues as the time that they take to leave, in nanoseconds.
    queues: Vec<f64>,
}

impl Under {
    fn of(plan: &Plan, runs: &[&StoredRun]) -> Self {
        let carries_data = |link: usize| plan.groups.iter().any(|g| g.paths.out.contains(&link));
        let of_link = |link: usize| {
            let mean = |value: fn(&LinkTotals) -> f64| -> f64 {
                runs.iter().map(|run| value(&run.links[link])).sum::<f64>() / runs.len() as f64
            };
            let packet = if carries_data(link) { plan.config.packet } else { plan.config.control };
            let lost = mean(|found| (found.drops + found.marks + found.errors) as f64);
            let sent = mean(|found| found.sent as f64);
            let came = sent / packet.as_f64() + lost;
            let part = if came > 0.0 { lost / came } else { 0.0 };
            let capacity = plan.config.links[link].capacity.as_bps_f64();
            let queue = mean(|found| found.mean_queue as f64) * 8e9 / capacity;
            (mean(|found| found.utilization).max(LOSS_OF_A_FULL_LINK * part), sent, queue)
        };
        let mut under = Self { presses: Vec::new(), carried: Vec::new(), queues: Vec::new() };
        for (presses, carried, queue) in (0..plan.config.links.len()).map(of_link) {
            under.presses.push(presses);
            under.carried.push(carried);
            under.queues.push(queue);
        }
        under
    }

    /// The links that press hardest on some way, and hard enough.
    fn limits(&self, plan: &Plan) -> Vec<usize> {
        let ways = plan.groups.iter().flat_map(|group| [&group.paths.out, &group.paths.back]);
        let mut found: Vec<usize> = ways.filter_map(|way| self.hardest(plan, way)).collect();
        found.sort_unstable();
        found.dedup();
        let top = found.iter().map(|&link| self.presses[link]).fold(0.0, f64::max);
        found.retain(|&link| self.presses[link] >= MIN_PRESSURE * top.min(1.0));
        found
    }

    /// Of links that press alike, to a hundredth, one of the protocol; of those, one with a queue.
    fn hardest(&self, plan: &Plan, way: &[usize]) -> Option<usize> {
        let place = |link: usize| {
            let presses = (100.0 * self.presses[link]).round();
            (presses, f64::from(u8::from(plan.config.links[link].router)), self.queues[link])
        };
        let harder = |a: usize, b: usize| {
            let ((a, ra, qa), (b, rb, qb)) = (place(a), place(b));
            b.total_cmp(&a).then(rb.total_cmp(&ra)).then(qb.total_cmp(&qa)).is_gt()
        };
        way.iter().copied().reduce(|best, link| if harder(best, link) { link } else { best })
    }
}
