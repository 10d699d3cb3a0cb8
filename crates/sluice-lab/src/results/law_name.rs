//! The name of a custom law.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};
use sluice_laws::registry::ProtocolName;
use sluice_sim::ideal::Ideal;

/// The maximum length of a name.
const MAX_LENGTH: usize = 24;
/// The name of a formula's line in pages.
const THEORY: &str = "theory";

/// The name of a custom law ([`crate::Plan::with_law`]): 1 to 24 ASCII letters, digits, `_`
/// and `-`, the first a letter or a digit; not the name of a protocol or of an ideal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct LawName([u8; MAX_LENGTH]);

/// Why a text is no valid name of a custom law, and what is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawNameError(String);

impl LawName {
    /// The name that `text` is.
    pub fn new(text: &str) -> Result<Self, LawNameError> {
        let good = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
        let begins_well = text.starts_with(|c: char| c.is_ascii_alphanumeric());
        if !begins_well || text.len() > MAX_LENGTH || !text.chars().all(good) {
            return Err(LawNameError(format!(
                "invalid law name `{text}`; expected 1 to {MAX_LENGTH} letters, digits, `_` and `-`, \
                 the first a letter or a digit"
            )));
        }
        if reserved_names().any(|reserved| reserved.eq_ignore_ascii_case(text)) {
            let all: Vec<String> = reserved_names().map(|name| format!("`{name}`")).collect();
            let all = all.join(", ");
            return Err(LawNameError(format!(
                "law name `{text}` is reserved; the reserved names are {all}"
            )));
        }
        let mut name = [0; MAX_LENGTH];
        name[..text.len()].copy_from_slice(text.as_bytes());
        Ok(Self(name))
    }

    /// The name as it was given.
    pub fn as_str(&self) -> &str {
        let length = self.0.iter().position(|&byte| byte == 0).unwrap_or(MAX_LENGTH);
        std::str::from_utf8(&self.0[..length]).unwrap_or_default()
    }
}

/// The names of other systems in results.
fn reserved_names() -> impl Iterator<Item = &'static str> {
    let protocols = ProtocolName::ALL.iter().map(|name| name.as_str());
    protocols.chain(Ideal::ALL.iter().map(|ideal| ideal.name())).chain([THEORY])
}

impl TryFrom<String> for LawName {
    type Error = LawNameError;

    fn try_from(text: String) -> Result<Self, LawNameError> {
        Self::new(&text)
    }
}

impl Serialize for LawName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_str().serialize(serializer)
    }
}

impl fmt::Display for LawName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for LawName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl fmt::Display for LawNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LawNameError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_kept_to_the_letter() {
        for text in ["x", "2-rates_B", "abcdefghijklmnopqrstuvwx"] {
            assert_eq!(LawName::new(text).unwrap().as_str(), text);
        }
    }

    #[test]
    fn names_that_are_reserved_or_no_folder_are_refused() {
        let refused = |text: &str| LawName::new(text).unwrap_err().to_string();
        for text in ["", "-x", "a b", "a/b", "a.b", "\u{e9}", "abcdefghijklmnopqrstuvwxy"] {
            assert!(refused(text).contains("invalid law name"), "{text}");
        }
        for text in ["rcp", "RCP", "max_min", "theory"] {
            assert!(refused(text).contains("is reserved"), "{text}");
        }
    }
}
