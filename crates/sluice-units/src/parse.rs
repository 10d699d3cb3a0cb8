//! Parses quantities with units, with errors that say what is wrong.

use crate::decimal::{Decimal, OutOfRange, split};

/// Why a text is not a quantity: what is wrong, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitError(String);

impl UnitError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// "`100 sm` is not a duration: unknown unit `sm`; write ..."
    pub(crate) fn not(text: &str, what: &str, why: &str, allowed: &str) -> Self {
        Self(format!("`{}` is not {what}: {why}; write {allowed}", shortened(text)))
    }
}

impl core::fmt::Display for UnitError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UnitError {}

/// A unit: how it is written and how many of the finest unit it holds.
pub(crate) struct Unit {
    pub name: &'static str,
    pub also: &'static [&'static str],
    pub size: u64,
    pub shown: Shown,
}

/// When a unit is used to print a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Wherever it fits; its size is a power of ten.
    Decimal,
    /// Where the value is a whole number of it and the text gets shorter.
    Whole,
    /// Never; it is only read.
    Never,
}

/// A kind of quantity; its finest unit comes first, its units of [`Shown::Decimal`] ascend.
pub(crate) struct Kind {
    pub what: &'static str,
    /// The finest unit in words.
    pub finest: &'static str,
    pub example: &'static str,
    pub units: &'static [Unit],
}

impl Kind {
    /// The value of `text` in the finest unit.
    pub(crate) fn read(&self, text: &str) -> Result<u64, UnitError> {
        split(text)
            .and_then(|(number, unit)| {
                self.value(number, unit).unwrap_or_else(|| Err(unknown_unit(unit)))
            })
            .map_err(|why| {
                let allowed = format!("e.g. `{}` (units: {})", self.example, self.unit_names());
                UnitError::not(text, self.what, &why, &allowed)
            })
    }

    /// The value of `number` times `unit`, or what is wrong with it; `None` if the unit is of another
    /// kind.
    pub(crate) fn value(&self, number: &str, unit: &str) -> Option<Result<u64, String>> {
        let unit = self.units.iter().find(|u| u.name == unit || u.also.contains(&unit))?;
        let finest = self.units[0].name;
        Some(Decimal::parse(number).and_then(|decimal| {
            decimal.times(unit.size).map_err(|error| match error {
                OutOfRange::TooLarge => format!("it is more than {}", self.most()),
                OutOfRange::TooSmall => format!("it is less than half of 1 {finest}"),
            })
        }))
    }

    /// The largest value, rounded down to a whole number of the largest decimal unit.
    fn most(&self) -> String {
        let decimal = |unit: &&Unit| unit.shown == Shown::Decimal;
        let largest = self.units.iter().rfind(decimal).unwrap_or(&self.units[0]);
        format!("{} {}", u64::MAX / largest.size, largest.name)
    }

    /// Every way to write a unit, with its value: `kB` is "1000 B".
    pub(crate) fn words(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.units.iter().flat_map(|unit| {
            let value = self.in_smaller(unit);
            let names = std::iter::once(&unit.name).chain(unit.also);
            names.map(move |name| (*name, value.clone()))
        })
    }

    /// A unit as a number of the next smaller one that divides it.
    fn in_smaller(&self, unit: &Unit) -> String {
        let divides = |smaller: &&Unit| {
            let is_decimal = smaller.shown == Shown::Decimal;
            is_decimal && smaller.size < unit.size && unit.size.is_multiple_of(smaller.size)
        };
        match self.units.iter().filter(divides).max_by_key(|smaller| smaller.size) {
            Some(smaller) => format!("{} {}", unit.size / smaller.size, smaller.name),
            None => self.finest.into(),
        }
    }

    /// "ns, us, ms, s, min, h"
    pub(crate) fn unit_names(&self) -> String {
        self.units.iter().map(|unit| unit.name).collect::<Vec<_>>().join(", ")
    }
}

/// The error for an unknown unit.
pub(crate) fn unknown_unit(unit: &str) -> String {
    format!("unknown unit `{}`", shortened(unit))
}

/// A text without what follows its first 60 characters, for an error message.
pub fn shortened(text: &str) -> String {
    shortened_to(60, text)
}

/// A text without what follows its first `max` characters.
pub fn shortened_to(max: usize, text: &str) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
