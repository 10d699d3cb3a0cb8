//! One of the texts that a document is made of.

use std::ops::Range;

/// One text of a document.
#[derive(Clone, Debug)]
pub(super) struct Text {
    /// What errors call it.
    pub origin: String,
    pub text: String,
    pub kind: Kind,
    /// Bytes are counted through all texts of a document, so that a place in any of them is a
    /// range of numbers; this many come before.
    pub base: usize,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    File,
    /// `PATH = VALUE`: the value of a field.
    Set(String),
    /// `PATH = VALUES`: what a field is swept over.
    Vary(String),
    /// `sweep = WAYS`: how the values of several fields go together.
    How(String),
}

impl Text {
    /// Where in this text the bytes are, if they begin in it.
    pub fn within(&self, bytes: &Range<usize>) -> Option<Range<usize>> {
        let here = (self.base..=self.base + self.text.len()).contains(&bytes.start);
        here.then(|| bytes.start - self.base..bytes.end.saturating_sub(self.base))
    }
}
