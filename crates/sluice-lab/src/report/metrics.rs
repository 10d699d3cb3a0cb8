//! Metrics over time, thinned so that the page is bounded.

use super::data::{Quantity, ReportMetrics};
use super::thin::{ThinnedSeries, together};

/// About how many points a page has in charts over time.
const POINTS: usize = 200_000;
/// The fewest intervals of a line.
const MIN_INTERVALS: usize = 100;

/// A value with its name.
type Named<T> = (String, T);

/// The series of all systems, in order of appearance: by link or flow, by quantity, by system.
#[derive(Debug, Default)]
pub struct MetricsReader {
    systems: usize,
    subjects: Vec<Named<Vec<Named<Vec<ThinnedSeries>>>>>,
}

impl MetricsReader {
    /// No samples yet.
    pub fn new(systems: usize) -> Self {
        Self { systems, subjects: Vec::new() }
    }

    /// Adds a sample of a system; those of a series come in order of time.
    pub fn add(&mut self, system: usize, sample: (&str, &str, u64, f64)) {
        let (subject, quantity, time, value) = sample;
        let quantities = entry(&mut self.subjects, subject, Vec::new);
        let lines = entry(quantities, quantity, || vec![ThinnedSeries::default(); self.systems]);
        lines[system].add(time, value);
    }

    /// The metrics of a page, and how many lines it omits; `seed` is that of the runs.
    pub fn finish(self, seed: u64) -> (Vec<ReportMetrics>, usize) {
        let lines: usize = self.subjects.iter().flat_map(|(_, found)| found).map(count).sum();
        // An interval is two points.
        let intervals = (POINTS / 2 / lines.max(1)).max(MIN_INTERVALS);
        let mut left = POINTS / 2 / intervals;
        let (mut metrics, mut left_out) = (Vec::new(), 0);
        for (name, found) in self.subjects {
            let wanted: usize = found.iter().map(count).sum();
            if wanted > left {
                left_out += wanted;
                continue;
            }
            left -= wanted;
            let quantities = found.into_iter().map(|one| quantity(one, intervals)).collect();
            metrics.push(ReportMetrics { name, seed, quantities });
        }
        (metrics, left_out)
    }
}

/// The entry of that name, inserted if there is none. The search begins at the end, since samples
/// come series by series.
fn entry<'a, T>(list: &'a mut Vec<Named<T>>, name: &str, new: impl FnOnce() -> T) -> &'a mut T {
    let found = list.iter().rposition(|(known, _)| known == name);
    let place = found.unwrap_or_else(|| {
        list.push((name.to_owned(), new()));
        list.len() - 1
    });
    &mut list[place].1
}

fn count((_, lines): &Named<Vec<ThinnedSeries>>) -> usize {
    lines.iter().filter(|line| !line.is_empty()).count()
}

fn quantity((name, mut lines): Named<Vec<ThinnedSeries>>, intervals: usize) -> Quantity {
    lines.iter_mut().for_each(|line| line.thin_to(intervals));
    let points = together(lines);
    let (title, unit) = title(&name);
    let (times, values, thinned) = (points.times, points.values, points.thinned);
    Quantity { title, unit, times, thinned, values }
}

/// A quantity's title and unit. An unknown one is titled by its name, which may end in the unit.
fn title(name: &str) -> (String, &'static str) {
    let (title, unit) = match name {
        "queue_bytes" => ("Queue", "B"),
        "load" => ("Load: arrival rate over capacity", ""),
        "R" => ("R: rate granted to a flow", "bit/s"),
        "d0" => ("d0: the law's estimate of the mean RTT", "s"),
        "N" => ("N: the law's estimate of the number of flows", ""),
        "phi" => ("phi: aggregate feedback", "B/s"),
        "h" => ("h: shuffled traffic", "B/s"),
        "y" => ("y: input traffic", "B/s"),
        "d" => ("d: the law's estimate of the mean RTT", "s"),
        "Q" => ("Q: persistent queue", "B"),
        "throughput_bps" => ("Throughput", "bit/s"),
        "flows" => ("Flows over a whole interval", ""),
        "jain" => ("Jain's index of their throughputs (1 = all equal)", ""),
        "cwnd" => ("Congestion window", "packets"),
        "ssthresh" => ("Slow-start threshold", "packets"),
        "rate" => ("Sending rate", "bit/s"),
        "bw_bps" => ("Bandwidth estimate", "bit/s"),
        "min_rtt_s" => ("Minimum RTT", "s"),
        "inflight_longterm_packets" => ("Long-term bound in flight", "packets"),
        "inflight_shortterm_packets" => ("Short-term bound in flight", "packets"),
        "feedback" => ("Feedback", "B/s"),
        "sequence_packets" => ("Sequence number sent", "packets"),
        "acked_packets" => ("Sequence number acknowledged", "packets"),
        "in_flight_packets" => ("Packets in flight", "packets"),
        other => {
            let units = [("_bytes", "B"), ("_bps", "bit/s"), ("_packets", "packets"), ("_s", "s")];
            let unit = units.iter().find(|(end, _)| other.ends_with(end));
            (other, unit.map_or("", |(_, unit)| unit))
        }
    };
    (title.into(), unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(metrics: &[ReportMetrics]) -> usize {
        let lines = metrics.iter().flat_map(|metric| &metric.quantities).flat_map(|q| &q.values);
        lines.map(Vec::len).sum()
    }

    #[test]
    fn one_link_is_shown_as_it_was_sampled() {
        let mut sampled = MetricsReader::new(2);
        for time in 1..=900 {
            sampled.add(1, ("a → b", "queue_bytes", time, 5.0));
            sampled.add(1, ("a → b", "R", time, 5.0));
        }
        let (metrics, left_out) = sampled.finish(7);
        assert_eq!((metrics.len(), left_out, metrics[0].seed), (1, 0, 7));
        assert_eq!(metrics[0].quantities[1].unit, "bit/s");
        assert_eq!(metrics[0].quantities[0].values, [vec![], vec![Some(5.0); 900]]);
    }

    #[test]
    fn the_page_is_bounded_however_many_metrics_there_are() {
        for links in [30, 400] {
            let mut sampled = MetricsReader::new(2);
            for (link, system) in (0..links).flat_map(|link| [(link, 0), (link, 1)]) {
                for time in 0..3_000 {
                    let name = format!("link {link}");
                    sampled.add(system, (&name, "queue_bytes", time * 1_000, time as f64));
                    sampled.add(system, (&name, "load", time * 1_000, time as f64));
                }
            }
            let (metrics, left_out) = sampled.finish(1);
            assert!(
                points(&metrics) <= POINTS + 2 * POINTS / MIN_INTERVALS,
                "{}",
                points(&metrics)
            );
            assert_eq!(metrics.len() * 4 + left_out, links * 4);
            assert_eq!(left_out == 0, links == 30);
        }
    }
}
