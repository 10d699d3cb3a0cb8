//! Ideal processor sharing of one link, exactly: every flow in the system is served at C / N.
//!
//! Virtual time V grows at C / N(t) bytes a second, so a flow that enters at V0 with L bytes leaves
//! when V reaches V0 + L: a heap of those, and one pass over arrivals and departures in order.
#![allow(dead_code)] // each test uses a part of it

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A flow: its arrival time and its bytes.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// Seconds.
    pub enters: f64,
    /// Bytes, more than zero.
    pub bytes: f64,
}

/// Departure time of each job from a link of `capacity` bytes per second, in seconds.
pub fn processor_sharing(jobs: &[Job], capacity: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    order.sort_by(|&a, &b| jobs[a].enters.total_cmp(&jobs[b].enters));
    let mut leaves = vec![f64::NAN; jobs.len()];
    // Virtual times at which jobs leave; non-negative floats order as their bits do.
    let mut present: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
    let (mut now, mut virtual_now) = (0.0_f64, 0.0_f64);
    let mut arrivals = order.into_iter().peekable();
    loop {
        let enters = arrivals.peek().map_or(f64::INFINITY, |&job| jobs[job].enters);
        let share = present.len() as f64 / capacity; // seconds per byte of virtual time
        let first = present.peek().map(|&Reverse((at, job))| (f64::from_bits(at), job));
        match first.map(|(at, job)| (now + (at - virtual_now) * share, at, job)) {
            Some((time, at, job)) if time <= enters => {
                present.pop();
                (now, virtual_now) = (time, at);
                leaves[job] = time;
            }
            _ => {
                let Some(job) = arrivals.next() else { return leaves };
                // An empty link starts its virtual time afresh, which keeps all digits.
                virtual_now = if share > 0.0 { virtual_now + (enters - now) / share } else { 0.0 };
                now = enters;
                present.push(Reverse(((virtual_now + jobs[job].bytes).to_bits(), job)));
            }
        }
    }
}

/// Completion times in seconds, from the SYN to the arrival of the last byte, of flows that start
/// as in `jobs`. Like every protocol, the ideal pays for the SYN exchange: data enter the link one
/// round trip of propagation after the start, and arrive half a round trip after their service (PS
/// 3.1, equation (3)).
pub fn completion_times(jobs: &[Job], capacity: f64, rtpd: f64) -> Vec<f64> {
    let entering: Vec<Job> =
        jobs.iter().map(|job| Job { enters: job.enters + rtpd, ..*job }).collect();
    let leaves = processor_sharing(&entering, capacity);
    leaves.iter().zip(jobs).map(|(leaves, job)| leaves + rtpd / 2.0 - job.enters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(jobs: &[(f64, f64)]) -> Vec<f64> {
        let jobs: Vec<Job> = jobs.iter().map(|&(enters, bytes)| Job { enters, bytes }).collect();
        processor_sharing(&jobs, 10.0)
    }

    #[test]
    fn alone_a_job_has_the_link() {
        assert_eq!(shared(&[(1.0, 50.0), (100.0, 5.0)]), [6.0, 100.5]);
    }

    #[test]
    fn two_at_once_share_it() {
        // 5 bytes a second each until 4 s, when the short one has its 20; then 10 for the last 30.
        assert_eq!(shared(&[(0.0, 20.0), (0.0, 50.0)]), [4.0, 7.0]);
    }

    #[test]
    fn a_latecomer_slows_the_first() {
        // Alone until 2 s: 30 of 50 left. Then 5 a second each: the newcomer's 10 last until 4 s,
        // the first has 20 left, alone again: until 6 s.
        assert_eq!(shared(&[(0.0, 50.0), (2.0, 10.0)]), [6.0, 4.0]);
        // The order in the list means nothing.
        assert_eq!(shared(&[(2.0, 10.0), (0.0, 50.0)]), [4.0, 6.0]);
    }

    #[test]
    fn equal_jobs_leave_together() {
        assert_eq!(shared(&[(0.0, 20.0), (0.0, 20.0), (0.0, 20.0)]), [6.0; 3]);
    }

    #[test]
    fn one_leaves_as_another_comes() {
        assert_eq!(shared(&[(0.0, 20.0), (2.0, 20.0)]), [2.0, 4.0]);
    }

    #[test]
    fn no_work_is_lost() {
        // However it is shared, a link that is never idle has done all work after work / capacity.
        let jobs: Vec<(f64, f64)> =
            (0..1000).map(|i| (f64::from(i) * 0.001, 1.0 + f64::from(i * 7919 % 101))).collect();
        let work: f64 = jobs.iter().map(|job| job.1).sum();
        let last = shared(&jobs).into_iter().fold(0.0, f64::max);
        assert!((last - work / 10.0).abs() < 1e-9 * last, "{last}");
    }

    #[test]
    fn the_mean_is_that_of_m_m_1() {
        // M/M/1 processor sharing at load 0.8 and mean service 1 s: a job stays 1 / (1 - 0.8) s.
        let mut state = 1_u64;
        let mut exponential = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            -libm::log(((state >> 11) as f64 + 0.5) / (1_u64 << 53) as f64)
        };
        let mut now = 0.0;
        let jobs: Vec<Job> = (0..1_000_000)
            .map(|_| {
                now += exponential() / 0.8;
                Job { enters: now, bytes: exponential() }
            })
            .collect();
        let leaves = processor_sharing(&jobs, 1.0);
        let stay: f64 = leaves.iter().zip(&jobs).map(|(leaves, job)| leaves - job.enters).sum();
        let mean = stay / jobs.len() as f64;
        assert!((mean - 5.0).abs() < 0.15, "{mean} s");
    }

    #[test]
    fn the_ideal_pays_the_syn_exchange() {
        let jobs = [Job { enters: 3.0, bytes: 20.0 }];
        let took = completion_times(&jobs, 10.0, 0.1)[0];
        assert!((took - (0.15 + 2.0)).abs() < 1e-12, "{took}");
    }
}
