//! What a host changes beyond what ends with its process. Filters are found by their place at devices.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sluice_linux::AttachedFilter;

use super::filters;
use crate::error::LiveError;
use crate::run_dir::RunDir;
use crate::sysctl::{self, ChangedSysctl};

/// The changes of a host, written to a file before they are made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostState {
    /// Kernel parameters of its namespace.
    pub sysctls: Vec<ChangedSysctl>,
}

impl HostState {
    /// What a host would change now.
    pub fn planned() -> Self {
        Self { sysctls: sysctl::of_host() }
    }

    /// What a host left that was killed; nothing if there is no file.
    pub fn read(path: &Path) -> Result<Self, LiveError> {
        match fs::read(path) {
            Ok(text) => serde_json::from_slice(&text)
                .map_err(|error| LiveError::File(path.display().to_string(), error.into())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(LiveError::File(path.display().to_string(), error)),
        }
    }

    /// Writes it; the file is whole at any time.
    pub fn write(&self, path: &Path) -> Result<(), LiveError> {
        let partial = path.with_extension("state.part");
        let text = serde_json::to_vec(self).unwrap_or_default();
        fs::write(&partial, text)
            .and_then(|()| fs::rename(&partial, path))
            .map_err(LiveError::file(path.display()))
    }

    /// Puts everything back, in the namespace of this process, with these filters of its devices, and removes the file: the
    /// caller has the lock of the host there, which is not up any more. What fails does not keep the rest from it, and the
    /// first failure is returned.
    pub fn restore(
        &self,
        dir: &RunDir,
        filters: Vec<Result<AttachedFilter, LiveError>>,
        path: &Path,
    ) -> Result<(), LiveError> {
        let sysctls = self.sysctls.iter().map(|change| change.restore());
        let detach = |filter| filters::detach(dir, filter);
        let filters = filters.into_iter().map(|filter| filter.and_then(detach));
        let all: Vec<_> = sysctls.chain(filters).collect();
        all.into_iter().collect::<Result<(), _>>()?;
        match fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(LiveError::File(path.display().to_string(), error))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let path = std::env::temp_dir().join(format!("sluice-{}.state", std::process::id()));
        assert_eq!(HostState::read(&path).unwrap(), HostState::default());
        let sysctl = ChangedSysctl { name: "a.b".into(), before: "9".into(), value: "0".into() };
        let state = HostState { sysctls: vec![sysctl] };
        state.write(&path).unwrap();
        assert_eq!(HostState::read(&path).unwrap(), state);
        fs::write(&path, "{").unwrap();
        assert!(HostState::read(&path).is_err());
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn the_file_stays_until_all_is_put_back() {
        let path = std::env::temp_dir().join(format!("sluice-left-{}", std::process::id()));
        let (dir, state) = (RunDir::at(&path), HostState::default());
        let file = path.with_extension("state");
        state.write(&file).unwrap();
        let unknown = |what: &str| Err(LiveError::other(what));
        let failed = state.restore(&dir, vec![unknown("first"), unknown("second")], &file);
        assert_eq!(failed.unwrap_err().to_string(), "first");
        assert!(file.exists());
        state.restore(&dir, Vec::new(), &file).unwrap();
        assert!(!file.exists());
    }
}
