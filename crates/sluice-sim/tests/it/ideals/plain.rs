//! The ideals in their plainest form: each flow individually, every link of its path, everything
//! recomputed at each step. Only for few flows.

use sluice_sim::ideal::Ideal;

/// A flow: when its data enter, in seconds, how many bytes, and the links they cross.
#[derive(Clone, Debug)]
pub struct Job {
    pub enters: f64,
    pub bytes: f64,
    pub path: Vec<usize>,
}

/// Time at which each flow has sent all its data, in seconds; `capacities` in bytes per second.
/// Steps to the next arrival or end, at most `step`, after which SRPT's order is recomputed.
pub fn ends(jobs: &[Job], capacities: &[f64], ideal: Ideal, step: f64) -> Vec<f64> {
    let mut left: Vec<f64> = jobs.iter().map(|job| job.bytes).collect();
    let mut ends = vec![f64::NAN; jobs.len()];
    let mut now = 0.0;
    while ends.iter().any(|end| end.is_nan()) {
        let present: Vec<usize> =
            (0..jobs.len()).filter(|&i| jobs[i].enters <= now && ends[i].is_nan()).collect();
        let rates = match ideal {
            Ideal::MaxMin => max_min(jobs, &present, capacities),
            Ideal::Srpt => in_order(jobs, &present, capacities, |i| left[i]),
            Ideal::Fcfs => in_order(jobs, &present, capacities, |i| jobs[i].enters),
        };
        let to_end = present.iter().zip(&rates).map(|(&i, rate)| left[i] / rate);
        let to_arrival = jobs.iter().map(|job| job.enters - now).filter(|&wait| wait > 0.0);
        let wait = to_end.chain(to_arrival).fold(f64::INFINITY, f64::min);
        // Between arrivals nothing changes where nobody is.
        let wait = if present.is_empty() || ideal != Ideal::Srpt { wait } else { wait.min(step) };
        now = next_instant(jobs, now, wait);
        for (&i, rate) in present.iter().zip(&rates) {
            left[i] -= rate * wait;
            if left[i] <= 1e-6 {
                ends[i] = now;
            }
        }
    }
    ends
}

/// `now + wait`, or the arrival that rounding would miss.
fn next_instant(jobs: &[Job], now: f64, wait: f64) -> f64 {
    let then = now + wait;
    let near = |job: &&Job| job.enters > now && (job.enters - then).abs() < 1e-12;
    jobs.iter().find(near).map_or(then, |job| job.enters)
}

/// All rates rise until a link is full; the rates of flows that cross it are then fixed.
fn max_min(jobs: &[Job], present: &[usize], capacities: &[f64]) -> Vec<f64> {
    let mut rates = vec![f64::NAN; present.len()];
    while rates.iter().any(|rate| rate.is_nan()) {
        let crossings = |link: usize, of: usize| {
            jobs[present[of]].path.iter().filter(|&&other| other == link).count() as f64
        };
        let level = |link: usize| {
            let (mut room, mut rising) = (capacities[link], 0.0);
            for (of, rate) in rates.iter().enumerate() {
                if rate.is_nan() {
                    rising += crossings(link, of);
                } else {
                    room -= rate * crossings(link, of);
                }
            }
            if rising > 0.0 { room / rising } else { f64::INFINITY }
        };
        let levels: Vec<f64> = (0..capacities.len()).map(level).collect();
        let full = (0..levels.len()).min_by(|&a, &b| levels[a].total_cmp(&levels[b])).unwrap();
        for of in 0..rates.len() {
            if rates[of].is_nan() && jobs[present[of]].path.contains(&full) {
                rates[of] = levels[full];
            }
        }
    }
    rates
}

/// Flows take all remaining capacity of their path in order of arrival. Less than a millionth of a
/// link counts as none, being a rounding error.
fn in_order(
    jobs: &[Job],
    present: &[usize],
    capacities: &[f64],
    urgency: impl Fn(usize) -> f64,
) -> Vec<f64> {
    let mut room = capacities.to_vec();
    let mut order: Vec<usize> = (0..present.len()).collect();
    order.sort_by(|&a, &b| urgency(present[a]).total_cmp(&urgency(present[b])));
    let mut rates = vec![0.0; present.len()];
    for of in order {
        let path = &jobs[present[of]].path;
        let rate = path.iter().map(|&link| room[link]).fold(f64::INFINITY, f64::min);
        if rate > 1.0 {
            rates[of] = rate;
            path.iter().for_each(|&link| room[link] -= rate);
        }
    }
    rates
}
