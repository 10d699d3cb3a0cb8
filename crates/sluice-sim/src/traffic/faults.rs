//! What is wrong with a model's parameters, collected so that several can be told at once.

/// One parameter that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which, by its way from the model down, as `sizes.pareto.shape`; empty for the model itself.
    pub field: String,
    /// What is wrong, and what is allowed.
    pub what: String,
}

/// The faults found so far.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    found: Vec<Fault>,
    /// Where we are, each step followed by a dot.
    at: String,
}

impl Faults {
    /// Notes that `field` is wrong here.
    pub(crate) fn add(&mut self, field: &str, what: impl Into<String>) {
        let field = format!("{}{field}", self.at);
        self.found.push(Fault { field: field.trim_end_matches('.').into(), what: what.into() });
    }

    /// Notes that `field` is wrong here unless `holds`.
    pub(crate) fn need(&mut self, holds: bool, field: &str, what: &str) {
        if !holds {
            self.add(field, what);
        }
    }

    /// Tells whether `check` finds nothing.
    pub(super) fn sound(&mut self, check: impl FnOnce(&mut Self)) -> bool {
        let before = self.found.len();
        check(self);
        self.found.len() == before
    }

    /// The same, going into `field`.
    pub(crate) fn inside(&mut self, field: &str, check: impl FnOnce(&mut Self)) -> bool {
        let length = self.at.len();
        self.at.push_str(field);
        self.at.push('.');
        let sound = self.sound(check);
        self.at.truncate(length);
        sound
    }

    /// Whether nothing is wrong so far.
    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    pub(crate) fn into_found(self) -> Vec<Fault> {
        self.found
    }
}
