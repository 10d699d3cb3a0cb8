//! Parameters that are wrong: [`Fault`], and [`Faults`], which collects all of them.

use core::fmt;
use core::ops::{Bound, RangeBounds};

/// A parameter that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The parameter, by its path from what was checked, as `sizes.pareto.shape`; empty for all of it.
    pub field: String,
    /// What is wrong, and what is allowed.
    pub what: String,
}

impl fmt::Display for Fault {
    /// `field: what`, or `what` alone where the field is empty.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.what)
    }
}

impl core::error::Error for Fault {}

/// Collects faults, so that one check reports all of them.
///
/// ```
/// use sluice_units::{Faults, above, Ratio};
/// let faults = Faults::of(|faults| {
///     faults.inside("rcp", |faults| {
///         faults.within("alpha", &Ratio::new(11.0), &above(Ratio::new(0.0), Ratio::new(10.0)));
///         faults.within("rtt_every", &0, &(1..=1000));
///     });
/// });
/// assert_eq!(faults[0].to_string(), "rcp.alpha: must be above 0 and at most 10, not 11");
/// assert_eq!(faults[1].to_string(), "rcp.rtt_every: must be 1 to 1000, not 0");
/// ```
#[derive(Debug, Default)]
pub struct Faults {
    found: Vec<Fault>,
    /// The path of the table being checked, each part followed by a dot.
    table: String,
}

impl Faults {
    /// The faults that `check` finds.
    pub fn of(check: impl FnOnce(&mut Self)) -> Vec<Fault> {
        let mut faults = Self::default();
        check(&mut faults);
        faults.found
    }

    /// Adds a fault of `field` in the current table; of the table itself where `field` is empty.
    pub fn add(&mut self, field: &str, what: impl Into<String>) {
        let field = format!("{}{field}", self.table);
        self.found.push(Fault { field: field.trim_end_matches('.').into(), what: what.into() });
    }

    /// Adds a fault of `field` unless `holds`.
    pub fn need(&mut self, holds: bool, field: &str, what: &str) {
        if !holds {
            self.add(field, what);
        }
    }

    /// Adds a fault of `field` unless its value lies in `range`, and states the range.
    pub fn within<T>(&mut self, field: &str, value: &T, range: &impl RangeBounds<T>)
    where
        T: PartialOrd + fmt::Display,
    {
        if !range.contains(value) {
            self.add(field, format!("must be {}, not {value}", words(range)));
        }
    }

    /// Whether `check` finds nothing.
    pub fn sound(&mut self, check: impl FnOnce(&mut Self)) -> bool {
        let before = self.found.len();
        check(self);
        self.found.len() == before
    }

    /// Whether `check` finds nothing in the table `field` of the current one.
    pub fn inside(&mut self, field: &str, check: impl FnOnce(&mut Self)) -> bool {
        let length = self.table.len();
        self.table.push_str(field);
        self.table.push('.');
        let sound = self.sound(check);
        self.table.truncate(length);
        sound
    }

    /// Whether nothing was found yet.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The faults, in the order in which they were found.
    pub fn into_found(self) -> Vec<Fault> {
        self.found
    }
}

/// A range of the values above `bound` up to `max`, for constants.
pub const fn above<T>(bound: T, max: T) -> (Bound<T>, Bound<T>) {
    (Bound::Excluded(bound), Bound::Included(max))
}

/// The range in words, e.g. "1 to 10" or "above 0 and at most 10".
fn words<T: fmt::Display>(range: &impl RangeBounds<T>) -> String {
    let min = match range.start_bound() {
        Bound::Included(min) => format!("at least {min}"),
        Bound::Excluded(bound) => format!("above {bound}"),
        Bound::Unbounded => String::new(),
    };
    let max = match range.end_bound() {
        Bound::Included(max) => format!("at most {max}"),
        Bound::Excluded(bound) => format!("below {bound}"),
        Bound::Unbounded => String::new(),
    };
    match (range.start_bound(), range.end_bound()) {
        (Bound::Included(min), Bound::Included(max)) => format!("{min} to {max}"),
        (Bound::Unbounded, _) => max,
        (_, Bound::Unbounded) => min,
        _ => format!("{min} and {max}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ratio, Span};

    #[test]
    fn a_fault_names_its_field_by_its_path() {
        let faults = Faults::of(|faults| {
            faults.inside("sizes", |faults| {
                faults.inside("pareto", |faults| faults.add("shape", "must be above 1"));
                faults.add("", "give one of them");
            });
            faults.add("", "leave it out");
        });
        let texts: Vec<String> = faults.iter().map(Fault::to_string).collect();
        assert_eq!(
            texts,
            ["sizes.pareto.shape: must be above 1", "sizes: give one of them", "leave it out"]
        );
    }

    #[test]
    fn a_check_is_sound_if_it_adds_nothing() {
        let mut faults = Faults::default();
        assert!(faults.sound(|faults| faults.need(true, "a", "wrong")));
        assert!(faults.is_empty());
        assert!(!faults.inside("table", |faults| faults.need(false, "a", "wrong")));
        assert!(faults.sound(|_| ()), "an earlier fault is not this check's");
        let found = faults.into_found();
        assert_eq!(found, [Fault { field: "table.a".into(), what: "wrong".into() }]);
    }

    #[test]
    fn ranges_are_stated_with_their_bounds() {
        let what = |check: fn(&mut Faults)| Faults::of(check).pop().map(|fault| fault.what);
        let is = |text: &str| Some(text.to_string());
        assert_eq!(what(|f| f.within("n", &3, &(1..=3))), None);
        assert_eq!(what(|f| f.within("n", &4, &(1..=3))), is("must be 1 to 3, not 4"));
        assert_eq!(what(|f| f.within("n", &4, &(..=3))), is("must be at most 3, not 4"));
        assert_eq!(what(|f| f.within("n", &4, &(5..))), is("must be at least 5, not 4"));
        assert_eq!(
            what(|f| f.within("p", &1.0, &(0.0..1.0))),
            is("must be at least 0 and below 1, not 1")
        );
        let range = above(Span::ZERO, Span::from_secs(60));
        assert!(Faults::of(|f| f.within("rto", &Span::from_secs(60), &range)).is_empty());
        assert_eq!(
            Faults::of(|f| f.within("rto", &Span::ZERO, &range))[0].what,
            "must be above 0 s and at most 60 s, not 0 s"
        );
        assert_eq!(
            Faults::of(|f| f.within(
                "gain",
                &Ratio::new(-0.5),
                &above(Ratio::new(0.0), Ratio::new(1.0))
            ))[0]
                .what,
            "must be above 0 and at most 1, not -0.5"
        );
    }
}
