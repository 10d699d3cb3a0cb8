//! What a testbed could not do.

use std::fmt;

/// What failed, where, and the reason, as one line of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestbedError(String);

impl TestbedError {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}

impl fmt::Display for TestbedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TestbedError {}

/// Says what was attempted when a call of the system failed.
pub(crate) trait Attempt<T> {
    fn attempt(self, what: impl FnOnce() -> String) -> Result<T, TestbedError>;
}

impl<T, E: fmt::Display> Attempt<T> for Result<T, E> {
    fn attempt(self, what: impl FnOnce() -> String) -> Result<T, TestbedError> {
        self.map_err(|cause| TestbedError(format!("{}: {cause}", what())))
    }
}
