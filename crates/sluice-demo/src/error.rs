//! What ends a measurement.

use std::fmt;

use sluice_sim::ConfigError;
use sluice_testbed::TestbedError;

/// Why a scenario could not be played.
#[derive(Debug)]
pub enum DemoError {
    /// The scenario has something that this machine cannot play.
    Unsupported(String),
    /// The engine refused the configuration.
    Config(ConfigError),
    /// A namespace, a link or a program failed.
    Testbed(TestbedError),
    /// The data plane failed.
    DataPlane(sluice_linux::Error),
}

impl fmt::Display for DemoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(what) => f.write_str(what),
            Self::Config(error) => error.fmt(f),
            Self::Testbed(error) => error.fmt(f),
            Self::DataPlane(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DemoError {}

impl From<ConfigError> for DemoError {
    fn from(error: ConfigError) -> Self {
        Self::Config(error)
    }
}

impl From<TestbedError> for DemoError {
    fn from(error: TestbedError) -> Self {
        Self::Testbed(error)
    }
}

impl From<sluice_linux::Error> for DemoError {
    fn from(error: sluice_linux::Error) -> Self {
        Self::DataPlane(error)
    }
}
