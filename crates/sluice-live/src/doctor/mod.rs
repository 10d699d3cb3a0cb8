//! What a machine has and lacks for the data plane, and how to mend it.

mod device;
mod kernel;
mod tcp;

use serde::Serialize;
use sluice_units::{Rate, Span};

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// As it should be.
    Ok,
    /// Only for information.
    Info,
    /// It works, but worse than it could.
    Warning,
    /// It does not work.
    Missing,
}

/// A check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What was looked at.
    pub name: String,
    /// How it ended.
    pub outcome: Outcome,
    /// What was found.
    pub found: String,
    /// How to mend it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
}

/// A path for which buffers should suffice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prospect {
    /// The rate of a flow.
    pub rate: Rate,
    /// Its round-trip time.
    pub rtt: Span,
}

/// Looks at this machine: at the kernel, at these devices (all Ethernet devices that are up, if there are none), and
/// at the kernel's TCP. Changes nothing.
pub fn examine(devices: &[String], prospect: Option<Prospect>) -> Vec<Check> {
    let mut checks = kernel::checks();
    checks.extend(device::checks(devices));
    checks.extend(tcp::checks(prospect));
    checks
}

impl Outcome {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Missing => "missing",
        }
    }
}

impl Check {
    fn new(name: impl Into<String>, outcome: Outcome, found: impl Into<String>) -> Self {
        Self { name: name.into(), outcome, found: found.into(), mend: None }
    }

    fn ok(name: impl Into<String>, found: impl Into<String>) -> Self {
        Self::new(name, Outcome::Ok, found)
    }

    fn info(name: impl Into<String>, found: impl Into<String>) -> Self {
        Self::new(name, Outcome::Info, found)
    }

    fn warning(name: impl Into<String>, found: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { mend: Some(mend.into()), ..Self::new(name, Outcome::Warning, found) }
    }

    fn missing(name: impl Into<String>, found: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { mend: Some(mend.into()), ..Self::new(name, Outcome::Missing, found) }
    }
}
