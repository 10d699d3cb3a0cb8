//! Runs inputs one after another. The process ends at the first that fails.

use std::alloc::System;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use cap::Cap;
use serde::{Deserialize, Serialize};
use sluice_fuzz::pulse::{beat, beats};

use crate::counts::Counts;
use crate::target::Target;

/// Counts the heap, and refuses more than its limit: the process then aborts.
#[global_allocator]
static HEAP: Cap<System> = Cap::new(System, usize::MAX);

/// The most bytes that a worker may have on its heap.
const MAX_HEAP: usize = 512 << 20;
/// Processor time without a sign of life after which an input hangs.
const MAX_SILENCE: Duration = Duration::from_secs(2);
/// Time between looks at signs of life.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// How far a worker is, as it writes it before each input.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct State {
    /// The number of the input under way; the end of the range if there is none.
    pub number: u64,
    /// Counts of the inputs before.
    pub counts: Counts,
}

/// Runs the inputs of these numbers.
pub fn run(target: Target, numbers: Range<u64>, state: &Path) -> ExitCode {
    HEAP.set_limit(MAX_HEAP).expect("little is in use yet");
    thread::spawn(watch);
    let mut file = File::create(state).expect("a file of the state");
    let mut counts = Counts::None;
    for number in numbers.clone() {
        write(&mut file, State { number, counts }).expect("the state is written");
        beat();
        counts = counts.and(target.run(number));
    }
    write(&mut file, State { number: numbers.end, counts }).expect("the state is written");
    ExitCode::SUCCESS
}

/// Later lines are longer: counts grow.
fn write(file: &mut File, state: State) -> io::Result<()> {
    file.rewind()?;
    file.write_all((serde_json::to_string(&state)? + "\n").as_bytes())
}

/// Aborts where nothing gives a sign of life. Processor time passes only while this process runs, so that
/// a busy machine is no hang.
fn watch() {
    let (mut seen, mut since) = (beats(), spent());
    loop {
        thread::sleep(LOOK_EVERY);
        if beats() != seen {
            (seen, since) = (beats(), spent());
        } else if spent().saturating_sub(since) > MAX_SILENCE {
            eprintln!("hang: no sign of life in {MAX_SILENCE:?} of processor time");
            std::process::abort();
        }
    }
}

/// Processor time of this process.
#[cfg(unix)]
fn spent() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The wall clock, where no other is at hand.
#[cfg(not(unix))]
fn spent() -> Duration {
    std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default()
}
