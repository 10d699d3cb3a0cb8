//! What is wrong with a scenario: where, what, and what is allowed.

use std::fmt;
use std::ops::Range;

use sluice_units::{Fault, Faults};

/// Where in a document something is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// The document as a whole.
    Document,
    /// These bytes of it.
    Bytes(Range<usize>),
    /// A field by its path from the top, e.g. `group[2].poisson.load`.
    Field(String),
    /// Whichever of these fields is written last. Settings follow the file, so if one of the fields
    /// is set outside the file, the problem is shown there.
    LastOf(Vec<String>),
}

/// One thing that is wrong with a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub location: Location,
    /// What is wrong.
    pub what: String,
    /// What is allowed, or what was probably meant.
    pub help: Option<String>,
}

impl Problem {
    /// A problem without help.
    pub fn new(location: Location, what: impl Into<String>) -> Self {
        Self { location, what: what.into(), help: None }
    }

    /// A problem at these bytes.
    pub(super) fn at(bytes: Range<usize>, what: impl Into<String>) -> Self {
        Self::new(Location::Bytes(bytes), what)
    }

    /// A fault in the table `table`.
    pub(super) fn of(fault: Fault, table: &str) -> Self {
        let steps = [table, &fault.field].into_iter().filter(|step| !step.is_empty());
        let path: Vec<&str> = steps.collect();
        Self::new(Location::Field(path.join(".")), fault.what)
    }

    /// Adds what is allowed, or what was probably meant.
    #[must_use]
    pub(super) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

/// The problems found so far: all of them are reported together.
#[derive(Debug, Default)]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// Reports that the field is wrong.
    pub fn field(&mut self, field: impl Into<String>, what: impl Into<String>) {
        self.0.push(Problem::new(Location::Field(field.into()), what));
    }

    /// Reports that the field is wrong, and what would be right.
    pub fn field_help(
        &mut self,
        field: impl Into<String>,
        what: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.0.push(Problem::new(Location::Field(field.into()), what).with_help(help));
    }

    /// Reports that fields of the table `table` exclude each other.
    pub fn conflict(&mut self, table: &str, fields: &[&str], help: impl Into<String>) {
        let path = |field: &&str| match table {
            "" => (*field).to_owned(),
            table => format!("{table}.{field}"),
        };
        let location = Location::LastOf(fields.iter().map(path).collect());
        self.0.push(Problem::new(location, both_set(fields)).with_help(help));
    }

    /// Reports the faults that `check` finds in the table `table`; whether there are none.
    pub fn check(&mut self, table: &str, check: impl FnOnce(&mut Faults)) -> bool {
        let faults = Faults::of(check);
        let sound = faults.is_empty();
        self.0.extend(faults.into_iter().map(|fault| Problem::of(fault, table)));
        sound
    }

    /// Reports the error, if the result is one.
    pub fn keep<T>(
        &mut self,
        field: impl Into<String>,
        result: Result<T, impl fmt::Display>,
    ) -> Option<T> {
        result.map_err(|error| self.field(field, error.to_string())).ok()
    }
}

/// "`a` and `b` are both set", of fields that exclude each other.
pub(super) fn both_set(fields: &[&str]) -> String {
    let quoted: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
    match &quoted[..] {
        [first, second] => format!("{first} and {second} are both set"),
        [others @ .., last] => format!("{} and {last} are all set", others.join(", ")),
        [] => "no field is set".into(),
    }
}

/// "set exactly one of `a`, `b`".
pub(super) fn set_exactly_one<'a>(fields: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = fields.into_iter().map(|field| format!("`{field}`")).collect();
    format!("set exactly one of {}", quoted.join(", "))
}
