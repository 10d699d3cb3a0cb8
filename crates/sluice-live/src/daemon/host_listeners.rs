//! Sockets that listened when the host came up.

use std::path::Path;

use sluice_linux::{KernelHost, ListenerCounts};

/// What became of them.
#[derive(Default)]
pub struct HostListeners {
    pub counts: ListenerCounts,
    /// Why some take no part.
    pub warning: Option<String>,
}

impl HostListeners {
    /// Lets those of a cgroup take part. A host is of use without them.
    pub fn watch(cgroup: &Path, kernel: &mut KernelHost<'_>) -> Self {
        let (counts, why) = match kernel.watch_listeners(cgroup) {
            Ok(counts) if counts.left == 0 => return Self { counts, warning: None },
            Ok(counts) => (counts, format!("this kernel, before Linux 6.12, left {}", counts.left)),
            Err(error) => (ListenerCounts::default(), error.to_string()),
        };
        let warning = format!(
            "sockets that listened when the host came up take no part until their servers are started again, \
             which `ss -ltp` lists with others ({why})"
        );
        Self { counts, warning: Some(warning) }
    }
}
