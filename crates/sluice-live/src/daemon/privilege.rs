//! What a process of the data plane may do, and how soon it runs.

use std::num::NonZeroU64;

use rustix::process::setpriority_process;
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, set_capabilities, set_current_timer_slack,
    set_no_new_privs,
};

use crate::error::LiveError;

/// To load programs that read the kernel's structures, and to attach them.
const TO_START: CapabilitySet =
    CapabilitySet::BPF.union(CapabilitySet::PERFMON).union(CapabilitySet::NET_ADMIN);
/// To read maps, to put back sysctls, and to detach in the end.
const TO_RUN: CapabilitySet = CapabilitySet::BPF.union(CapabilitySet::NET_ADMIN);

/// Fails without the capabilities that a service takes.
///
/// # Errors
/// With those that are missing.
pub fn need() -> Result<(), LiveError> {
    let held = capabilities(None).map(|sets| sets.effective).unwrap_or(CapabilitySet::empty());
    // Which implies CAP_BPF and CAP_PERFMON.
    let held = if held.contains(CapabilitySet::SYS_ADMIN) {
        held.union(TO_START - CapabilitySet::NET_ADMIN)
    } else {
        held
    };
    let names = [
        (CapabilitySet::BPF, "CAP_BPF"),
        (CapabilitySet::PERFMON, "CAP_PERFMON"),
        (CapabilitySet::NET_ADMIN, "CAP_NET_ADMIN"),
    ];
    let lacking: Vec<_> =
        names.iter().filter(|(one, _)| !held.contains(*one)).map(|(_, name)| *name).collect();
    if lacking.is_empty() {
        return Ok(());
    }
    let lacking = lacking.join(", ");
    Err(LiveError::other(format!("only root may do this: use sudo (missing: {lacking})")))
}

/// Keeps the capabilities that a running service needs, for this thread and those that it starts. Nothing that it
/// executes gets more.
pub fn narrow() -> Result<(), LiveError> {
    let held = capabilities(None).map_err(|cause| failed(cause.into()))?;
    let kept = if held.permitted.contains(TO_RUN) {
        TO_RUN
    } else {
        // Of a kernel before CAP_BPF, or a process that was given CAP_SYS_ADMIN instead.
        held.permitted & (TO_RUN | CapabilitySet::SYS_ADMIN)
    };
    let sets =
        CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() };
    set_capabilities(None, sets).map_err(|cause| failed(cause.into()))?;
    set_no_new_privs(true).map_err(|cause| failed(cause.into()))
}

fn failed(cause: std::io::Error) -> LiveError {
    LiveError::File("capabilities".into(), cause)
}

/// Makes this thread run soon after its sleep ends, as far as the system lets it: R is updated each millisecond or so.
pub fn be_punctual() {
    let _ = set_current_timer_slack(NonZeroU64::new(1));
    let _ = setpriority_process(None, -20);
}
