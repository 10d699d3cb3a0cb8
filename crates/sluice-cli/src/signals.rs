//! Signals that end runs in order: Ctrl-C, and what `kill`, a batch system or a closed terminal sends.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::exit::Exit;

/// Returns a flag that SIGINT, SIGTERM and SIGHUP set. A second signal ends the program at once.
pub fn handle_interrupts() -> io::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [Some(SIGINT), Some(SIGTERM), hangup()].into_iter().flatten() {
        // In this order: the first signal finds the flag unset.
        let code = i32::from(Exit::Interrupted.code());
        flag::register_conditional_shutdown(signal, code, Arc::clone(&interrupted))?;
        flag::register(signal, Arc::clone(&interrupted))?;
    }
    Ok(interrupted)
}

/// SIGHUP, unless it is ignored: then `nohup` started the program, which should outlive its terminal.
#[cfg(target_os = "linux")]
fn hangup() -> Option<i32> {
    use signal_hook::consts::SIGHUP;
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    let ignored = u64::from_str_radix(ignored.trim(), 16).ok()?;
    (ignored >> (SIGHUP - 1) & 1 == 0).then_some(SIGHUP)
}

/// Elsewhere, safe code cannot see whether a signal is ignored, so SIGHUP is left as it is.
#[cfg(not(target_os = "linux"))]
fn hangup() -> Option<i32> {
    None
}
