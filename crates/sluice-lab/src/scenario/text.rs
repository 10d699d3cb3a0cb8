//! One of the texts that a document is made of.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// One text of a document.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Text {
    /// Its name in errors.
    pub origin: String,
    pub text: String,
    pub kind: Kind,
    /// Number of bytes of the texts before it. Spans count through all texts of a document, so that
    /// one range identifies bytes in any of them.
    pub base: usize,
}

/// The kinds of texts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Kind {
    File,
    /// `PATH = VALUE`: the value of a field.
    Set(String),
    /// `PATH = VALUES`: the values that a field is swept over.
    Vary(String),
    /// `sweep = OPTIONS`: how the values of several fields are combined.
    SweepOptions(String),
}

impl Text {
    /// The range of `bytes` within this text, if they begin in it.
    pub fn within(&self, bytes: &Range<usize>) -> Option<Range<usize>> {
        let here = (self.base..=self.base + self.text.len()).contains(&bytes.start);
        here.then(|| bytes.start - self.base..bytes.end.saturating_sub(self.base))
    }
}
