//! The folder of running services.

use std::fmt;
use std::fs::{self, DirBuilder, File};
use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use crate::error::LiveError;

/// The folder in which each service has its control socket, its lock, its log and its state. Root alone may enter it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunDir(PathBuf);

/// What a process is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DaemonRole {
    /// A host.
    Host,
    /// The router at the device of this name.
    Router(String),
}

/// A process of the data plane. There is one of each name at most.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DaemonName {
    /// What it is.
    pub role: DaemonRole,
    /// The number of its network namespace.
    pub namespace: u64,
}

impl Default for RunDir {
    /// `/run/sluice`, or the folder that the environment variable `SLUICE_RUN` names.
    fn default() -> Self {
        let named = std::env::var_os("SLUICE_RUN").map(PathBuf::from);
        let path = named.unwrap_or_else(|| "/run/sluice".into());
        // A process in the background leaves the present folder.
        Self(std::path::absolute(&path).unwrap_or(path))
    }
}

impl RunDir {
    /// This folder.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Creates it, unless it is there.
    pub(crate) fn create(&self) -> Result<(), LiveError> {
        let created = DirBuilder::new().recursive(true).mode(0o700).create(&self.0);
        created.map_err(LiveError::file(self.0.display()))
    }

    /// Waits until no other service of it attaches or detaches filters, and keeps them waiting until the result is dropped: a
    /// router and a host at one device both look whether its qdisc is there, or still of use. `None` if the folder is
    /// gone.
    #[must_use = "others wait until it is dropped"]
    pub(crate) fn take_turn(&self) -> Option<File> {
        let folder = File::open(&self.0).ok()?;
        folder.lock().ok().map(|()| folder)
    }

    /// Removes it, if nothing is in it.
    pub fn remove_if_empty(&self) {
        // Fails where something is.
        let _ = fs::remove_dir(&self.0);
    }

    /// The services that have a lock there, running or ended by an error or a kill, or a state to put back; in order.
    pub(crate) fn names(&self) -> Result<Vec<DaemonName>, LiveError> {
        let entries = match fs::read_dir(&self.0) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                let path = self.0.display();
                return Err(LiveError::other(format!("{path} is root's: use sudo")));
            }
            entries => entries.map_err(LiveError::file(self.0.display()))?,
        };
        let names = entries.filter_map(|entry| {
            let name = entry.ok()?.file_name();
            let name = name.to_str()?;
            DaemonName::of_stem(name.strip_suffix(".lock").or(name.strip_suffix(".state"))?)
        });
        let mut names: Vec<_> = names.collect();
        names.sort();
        names.dedup();
        Ok(names)
    }

    pub(crate) fn lock(&self, name: &DaemonName) -> PathBuf {
        self.file(name, "lock")
    }

    pub(crate) fn socket(&self, name: &DaemonName) -> PathBuf {
        self.file(name, "sock")
    }

    pub(crate) fn log(&self, name: &DaemonName) -> PathBuf {
        self.file(name, "log")
    }

    /// What a host changed and has to put back.
    pub(crate) fn state(&self, name: &DaemonName) -> PathBuf {
        self.file(name, "state")
    }

    /// All files that a service may have there.
    pub(crate) fn files(&self, name: &DaemonName) -> [PathBuf; 4] {
        [self.lock(name), self.socket(name), self.log(name), self.state(name)]
    }

    fn file(&self, name: &DaemonName, extension: &str) -> PathBuf {
        self.0.join(format!("{}.{extension}", name.stem()))
    }
}

impl DaemonName {
    /// The host of a network namespace.
    pub fn host(namespace: u64) -> Self {
        Self { role: DaemonRole::Host, namespace }
    }

    /// The router at a device of a network namespace.
    pub fn router(device: impl Into<String>, namespace: u64) -> Self {
        Self { role: DaemonRole::Router(device.into()), namespace }
    }

    /// The command that starts it.
    pub(crate) fn up_command(&self) -> String {
        match &self.role {
            DaemonRole::Host => "sluice host up".into(),
            DaemonRole::Router(device) => format!("sluice router up --dev {device}"),
        }
    }

    /// The command that ends it.
    pub(crate) fn down_command(&self) -> String {
        match &self.role {
            DaemonRole::Host => "sluice host down".into(),
            DaemonRole::Router(device) => format!("sluice router down --dev {device}"),
        }
    }

    /// The name of its files.
    fn stem(&self) -> String {
        match &self.role {
            DaemonRole::Host => format!("host-{}", self.namespace),
            DaemonRole::Router(device) => format!("router-{device}-{}", self.namespace),
        }
    }

    fn of_stem(stem: &str) -> Option<Self> {
        let (role, namespace) = stem.rsplit_once('-')?;
        let namespace = namespace.parse().ok()?;
        match role.strip_prefix("router-") {
            Some(device) => Some(Self::router(device, namespace)),
            None => (role == "host").then(|| Self::host(namespace)),
        }
    }
}

impl fmt::Display for DaemonName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.role {
            DaemonRole::Host => f.write_str("host"),
            DaemonRole::Router(device) => write!(f, "router at {device}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_change_filters_in_turn() {
        let path = std::env::temp_dir().join(format!("sluice-turn-{}", std::process::id()));
        let dir = RunDir::at(&path);
        assert!(dir.take_turn().is_none());
        dir.create().unwrap();
        let turn = dir.take_turn().unwrap();
        assert!(File::open(&path).unwrap().try_lock().is_err());
        drop(turn);
        drop(dir.take_turn().unwrap());
        dir.remove_if_empty();
    }

    #[test]
    fn names_are_read_from_their_files() {
        for name in [DaemonName::host(1), DaemonName::router("eth-1", 4_026_531_840)] {
            assert_eq!(DaemonName::of_stem(&name.stem()), Some(name));
        }
        for other in ["host", "router-1", "hosts-1", "router-eth1-x", ""] {
            assert_eq!(DaemonName::of_stem(other), None, "{other}");
        }
    }
}
