//! Why a configuration has no fixed point here.

use std::fmt;

use serde::Serialize;

use crate::check::ConfigError;

/// Why a configuration has no fixed point here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is no configuration.
    Invalid(ConfigError),
    /// The models lack something for it; at least one entry.
    NotModelled(Vec<Lack>),
}

/// A setting that has no model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lack {
    /// The path of the field, as scenarios write it where they have it: `rcp.interval`, `groups[0].traffic`.
    pub field: String,
    /// What is not modelled.
    pub reason: String,
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.reason)
    }
}

impl fmt::Display for Refused {
    /// One field a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = match self {
            Self::Invalid(error) => return error.fmt(f),
            Self::NotModelled(found) => found,
        };
        for (number, lack) in found.iter().enumerate() {
            let separator = if number == 0 { "" } else { "\n" };
            write!(f, "{separator}{lack}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Refused {}

impl From<ConfigError> for Refused {
    fn from(error: ConfigError) -> Self {
        Self::Invalid(error)
    }
}

/// Collects what is not modelled under one path.
#[derive(Debug, Default)]
pub(super) struct Lacks {
    under: String,
    found: Vec<Lack>,
}

impl Lacks {
    /// Fields below this path, which ends in a dot if fields follow.
    pub(super) fn under(path: impl Into<String>) -> Self {
        Self { under: path.into(), found: Vec::new() }
    }

    /// Adds a field unless it is modelled.
    pub(super) fn need(&mut self, is_modelled: bool, field: &str, reason: &str) {
        if !is_modelled {
            self.add(field, reason);
        }
    }

    pub(super) fn add(&mut self, field: &str, reason: &str) {
        let field = format!("{}{field}", self.under);
        self.found.push(Lack { field, reason: reason.to_owned() });
    }

    pub(super) fn extend(&mut self, others: Self) {
        self.found.extend(others.found);
    }

    /// `value`, if nothing is missing.
    pub(super) fn or<T>(self, value: T) -> Result<T, Refused> {
        if self.found.is_empty() { Ok(value) } else { Err(Refused::NotModelled(self.found)) }
    }
}
