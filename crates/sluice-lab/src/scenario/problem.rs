//! What is wrong with a file, told so that it can be put right: where, what, and what is allowed.

use std::fmt;
use std::ops::Range;

/// Where in a file something is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// These bytes of it.
    Bytes(Range<usize>),
    /// A field by its way from the top, e.g. `group[2].poisson.load`.
    Field(String),
}

/// One thing that is wrong with a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What is wrong.
    pub what: String,
    /// What is allowed, or what was probably meant.
    pub help: Option<String>,
}

impl Problem {
    /// What is wrong at these bytes.
    pub(super) fn at(place: Range<usize>, what: impl Into<String>) -> Self {
        Self { place: Place::Bytes(place), what: what.into(), help: None }
    }
}

/// Problems as they are found, so that several can be told at once.
#[derive(Debug, Default)]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// Notes that the field is wrong.
    pub fn field(&mut self, field: impl Into<String>, what: impl Into<String>) {
        let place = Place::Field(field.into());
        self.0.push(Problem { place, what: what.into(), help: None });
    }

    /// Notes that the field is wrong, and what would be right.
    pub fn field_help(
        &mut self,
        field: impl Into<String>,
        what: impl Into<String>,
        help: impl Into<String>,
    ) {
        let place = Place::Field(field.into());
        self.0.push(Problem { place, what: what.into(), help: Some(help.into()) });
    }

    /// Notes the problem if there is one, and gives the value if there is none.
    pub fn keep<T>(
        &mut self,
        field: impl Into<String>,
        result: Result<T, impl fmt::Display>,
    ) -> Option<T> {
        result.map_err(|error| self.field(field, error.to_string())).ok()
    }
}
