//! Kernel parameters of the network namespace of this process.

use std::fs;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::error::LiveError;

/// Kernel parameters that a host sets, and their values. Trains of segments are to be of a millisecond at most
/// (tcp_tso_autosize): by default, those over RTTs of a millisecond are longer, and those at low rates of two segments.
pub const HOST_PARAMETERS: &[(&str, &str)] =
    &[("net.ipv4.tcp_tso_rtt_log", "0"), ("net.ipv4.tcp_min_tso_segs", "1")];

/// How long the kernel may take to forget the congestion control of a host that ended, and how often that is looked for.
const GOES_WITHIN: Duration = Duration::from_secs(1);
const LOOKS_EVERY: Duration = Duration::from_millis(50);

/// A parameter that a host changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedSysctl {
    /// Its name, with dots.
    pub name: String,
    /// Its value before.
    pub before: String,
    /// The host's value.
    pub value: String,
}

/// The parameters that a host would change now: those of the kernel that differ from its own.
pub fn of_host() -> Vec<ChangedSysctl> {
    let mut changes = Vec::new();
    for &(name, value) in HOST_PARAMETERS {
        match read(name) {
            Some(before) if before != value => {
                changes.push(ChangedSysctl { name: name.into(), before, value: value.into() });
            }
            // Kernels before 5.18 have none.
            _ => {}
        }
    }
    changes
}

/// Whether a host is up on this machine, in any namespace: its congestion control is there.
pub fn has_host() -> bool {
    first_host().is_some()
}

/// The same, of one that stays: the kernel takes a moment to forget the congestion control of a host that ended.
pub fn has_host_still() -> bool {
    stays(has_host)
}

/// Whether a host was there before the one whose congestion control has this name, and stays.
pub fn has_earlier_host_still(name: &str) -> bool {
    stays(|| first_host().is_some_and(|first| first != name))
}

/// The congestion control of a host that was attached first: the kernel lists them in this order.
fn first_host() -> Option<String> {
    let controls = read("net.ipv4.tcp_available_congestion_control")?;
    controls.split(' ').find(|name| name.starts_with("sluice_")).map(str::to_owned)
}

/// The process of that host, whose number is in the name in hexadecimal.
pub fn host_process() -> Option<u32> {
    u32::from_str_radix(first_host()?.split('_').nth(1)?, 16).ok()
}

fn stays(is_so: impl Fn() -> bool) -> bool {
    let asked = Instant::now();
    while is_so() {
        if asked.elapsed() > GOES_WITHIN {
            return true;
        }
        sleep(LOOKS_EVERY);
    }
    false
}

impl ChangedSysctl {
    /// Sets the host's value.
    pub fn apply(&self) -> Result<(), LiveError> {
        write(&self.name, &self.value)
    }

    /// Puts back the value before, unless somebody else set another one meanwhile.
    pub fn restore(&self) -> Result<(), LiveError> {
        if self.is_there() {
            write(&self.name, &self.before)?;
        }
        Ok(())
    }

    /// Whether the parameter has the host's value.
    pub fn is_there(&self) -> bool {
        read(&self.name).as_deref() == Some(&*self.value)
    }
}

/// The value of a parameter, with single spaces; `None` if the kernel has none of this name.
pub fn read(name: &str) -> Option<String> {
    let text = fs::read_to_string(path(name)).ok()?;
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn write(name: &str, value: &str) -> Result<(), LiveError> {
    fs::write(path(name), value).map_err(LiveError::file(format!("{name}={value}")))
}

fn path(name: &str) -> PathBuf {
    PathBuf::from("/proc/sys").join(name.replace('.', "/"))
}
