//! What a law of one's own is called.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};
use sluice_laws::registry::ProtocolName;
use sluice_sim::ideal::Ideal;

/// The most characters of a name.
const LONGEST: usize = 24;
/// What pages call the line of a formula.
const THEORY: &str = "theory";

/// The name of a law of one's own ([`crate::Plan::with_law`]): 1 to 24 ASCII letters, digits, `_`
/// and `-`, the first a letter or a digit; not the name of a protocol or of an ideal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct LawName([u8; LONGEST]);

/// Why a text cannot name a law of one's own, and what can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawNameError(String);

impl LawName {
    /// The name that `text` is.
    pub fn new(text: &str) -> Result<Self, LawNameError> {
        let good = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
        let begins_well = text.starts_with(|c: char| c.is_ascii_alphanumeric());
        if !begins_well || text.len() > LONGEST || !text.chars().all(good) {
            return Err(LawNameError(format!(
                "`{text}` cannot name a law: letters, digits, `_` and `-`, the latter two not \
                 first; 1 to {LONGEST} of them"
            )));
        }
        if let Some(taken) = taken_names().find(|taken| taken.eq_ignore_ascii_case(text)) {
            let all: Vec<String> = taken_names().map(|name| format!("`{name}`")).collect();
            let all = all.join(", ");
            return Err(LawNameError(format!(
                "`{taken}` is taken: a law of one's own has another name than {all}"
            )));
        }
        let mut name = [0; LONGEST];
        name[..text.len()].copy_from_slice(text.as_bytes());
        Ok(Self(name))
    }

    /// The name as it was given.
    pub fn as_str(&self) -> &str {
        let length = self.0.iter().position(|&byte| byte == 0).unwrap_or(LONGEST);
        std::str::from_utf8(&self.0[..length]).unwrap_or_default()
    }
}

/// What else in results has a name.
fn taken_names() -> impl Iterator<Item = &'static str> {
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
    fn what_cannot_be_told_apart_or_be_a_folder_is_refused() {
        let refused = |text: &str| LawName::new(text).unwrap_err().to_string();
        for text in ["", "-x", "a b", "a/b", "a.b", "\u{e9}", "abcdefghijklmnopqrstuvwxy"] {
            assert!(refused(text).contains("cannot name a law"), "{text}");
        }
        for text in ["rcp", "RCP", "max_min", "theory"] {
            assert!(refused(text).contains("is taken"), "{text}");
        }
    }
}
