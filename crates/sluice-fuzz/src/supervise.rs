//! Hands ranges of numbers to workers, and collects counts and failures.

use std::fs;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::process::{Command, ExitCode, Output, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::Campaign;
use crate::counts::Counts;
use crate::finding::Findings;
use crate::target::Target;
use crate::worker::State;

/// Time between reports of progress.
const REPORT_EVERY: Duration = Duration::from_secs(30);

/// Runs the campaign. Fails if an input did.
pub fn run(target: Target, campaign: &Campaign) -> ExitCode {
    let begin = Instant::now();
    let progress = Mutex::new(Progress {
        next: campaign.from,
        counts: Counts::None,
        findings: Findings::default(),
        reported: begin,
    });
    thread::scope(|scope| {
        for _ in 0..campaign.jobs.max(1) {
            scope.spawn(|| work(target, campaign, begin, &progress));
        }
    });
    let progress = progress.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!("{} in {:.0} s", progress.counts, begin.elapsed().as_secs_f64());
    for (kind, times) in progress.findings.kinds() {
        println!("{times} times: {kind}");
    }
    println!("to go on: --from {}", progress.next);
    if progress.findings.kinds().count() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Of all workers together.
struct Progress {
    /// The first number that no worker has.
    next: u64,
    counts: Counts,
    findings: Findings,
    reported: Instant,
}

impl Progress {
    /// The next batch, unless all are done or the time is over.
    fn take(&mut self, target: Target, campaign: &Campaign, begin: Instant) -> Option<Range<u64>> {
        let end = campaign.count.map_or(u64::MAX, |count| campaign.from.saturating_add(count));
        let first = self.next;
        if first >= end || begin.elapsed() > campaign.time() {
            return None;
        }
        self.next = first.saturating_add(target.batch()).min(end);
        Some(first..self.next)
    }

    fn report(&mut self, begin: Instant) {
        if self.reported.elapsed() > REPORT_EVERY {
            self.reported = Instant::now();
            println!("{:.0} s: {}", begin.elapsed().as_secs_f64(), self.counts);
        }
    }
}

fn work(target: Target, campaign: &Campaign, begin: Instant, progress: &Mutex<Progress>) {
    let lock = || progress.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().expect("a folder of the worker's state");
    let state = folder.path().join("state.json");
    loop {
        let Some(mut left) = lock().take(target, campaign, begin) else { return };
        while !left.is_empty() {
            let (ended, output) = batch(target, left.clone(), &state).expect("a worker runs");
            let mut progress = lock();
            progress.counts = progress.counts.and(ended.counts);
            if ended.number < left.end {
                let errors = String::from_utf8_lossy(&output.stderr);
                let text = format!("{}\n{}", output.status, tail(&errors));
                let file = progress.findings.add(target, ended.number, &text, &campaign.out);
                if let Some(file) = file.expect("the failure is written") {
                    println!("number {} failed: see {}", ended.number, file.display());
                }
            }
            left.start = ended.number.saturating_add(1).min(left.end);
            progress.report(begin);
            _ = io::stdout().flush();
        }
    }
}

/// Runs one worker to its end.
fn batch(target: Target, numbers: Range<u64>, state: &Path) -> io::Result<(State, Output)> {
    let output = Command::new(std::env::current_exe()?)
        .args(["worker", target.name(), &numbers.start.to_string(), &numbers.end.to_string()])
        .arg(state)
        .env("RUST_BACKTRACE", "0")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?
        .wait_with_output()?;
    let text = fs::read_to_string(state)?;
    Ok((serde_json::from_str(&text)?, output))
}

/// The end of what a worker printed: a failing case of a law prints a panic for each attempt to shorten
/// it.
fn tail(errors: &str) -> &str {
    const MAX: usize = 20_000;
    let from = errors.len().saturating_sub(MAX);
    let from = (from..=errors.len()).find(|&at| errors.is_char_boundary(at)).unwrap_or(0);
    &errors[from..]
}
