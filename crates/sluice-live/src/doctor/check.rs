//! A check of the machine.

use serde::Serialize;
use sluice_units::{Rate, Span};

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckOutcome {
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
    pub outcome: CheckOutcome,
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

impl CheckOutcome {
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
    pub(super) fn new(
        name: impl Into<String>,
        outcome: CheckOutcome,
        found: impl Into<String>,
    ) -> Self {
        Self { name: name.into(), outcome, found: found.into(), mend: None }
    }

    pub(super) fn ok(name: impl Into<String>, found: impl Into<String>) -> Self {
        Self::new(name, CheckOutcome::Ok, found)
    }

    pub(super) fn info(name: impl Into<String>, found: impl Into<String>) -> Self {
        Self::new(name, CheckOutcome::Info, found)
    }

    pub(super) fn warning(
        name: impl Into<String>,
        found: impl Into<String>,
        mend: impl Into<String>,
    ) -> Self {
        Self { mend: Some(mend.into()), ..Self::new(name, CheckOutcome::Warning, found) }
    }

    pub(super) fn missing(
        name: impl Into<String>,
        found: impl Into<String>,
        mend: impl Into<String>,
    ) -> Self {
        Self { mend: Some(mend.into()), ..Self::new(name, CheckOutcome::Missing, found) }
    }
}
