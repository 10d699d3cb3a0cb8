//! One entry for each class of traffic.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// Number of classes of traffic, from 0 ([`crate::limits::CLASS`]).
pub(crate) const CLASSES: usize = 8;

/// Entries for class 0, 1, and so on, 1 to 8. Classes beyond the last entry have it together with the last
/// class listed.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(deserialize = "T: Copy + Deserialize<'de>", serialize = "T: Copy + Serialize"))]
#[serde(try_from = "Vec<T>", into = "Vec<T>")]
pub struct ByClass<T> {
    /// The last one again beyond `count`.
    entries: [T; CLASSES],
    count: usize,
}

/// The number of entries is not 1 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByClassError {
    count: usize,
}

impl<T: Copy> ByClass<T> {
    /// These entries, of which there must be 1 to 8.
    pub fn new(entries: &[T]) -> Result<Self, ByClassError> {
        let count = entries.len();
        match entries.last() {
            Some(&last) if count <= CLASSES => {
                let mut all = [last; CLASSES];
                all[..count].copy_from_slice(entries);
                Ok(Self { entries: all, count })
            }
            _ => Err(ByClassError { count }),
        }
    }

    /// The entries as given.
    pub fn as_slice(&self) -> &[T] {
        &self.entries[..self.count]
    }

    /// The entry of a class.
    pub fn get(&self, class: u8) -> T {
        self.entries[self.place(class)]
    }

    /// The place in the list of the entry of a class.
    pub(crate) fn place(&self, class: u8) -> usize {
        usize::from(class).min(self.count - 1)
    }
}

impl<T: Copy> TryFrom<Vec<T>> for ByClass<T> {
    type Error = ByClassError;

    fn try_from(entries: Vec<T>) -> Result<Self, ByClassError> {
        Self::new(&entries)
    }
}

impl<T: Copy> From<ByClass<T>> for Vec<T> {
    fn from(entries: ByClass<T>) -> Self {
        entries.as_slice().to_vec()
    }
}

impl<T: JsonSchema> JsonSchema for ByClass<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("ByClass_of_{}", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "array",
            "items": generator.subschema_for::<T>(),
            "minItems": 1,
            "maxItems": CLASSES,
        })
    }
}

impl<T: Copy + fmt::Debug> fmt::Debug for ByClass<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}

impl fmt::Display for ByClassError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "must have 1 to {CLASSES} entries, one for each class, not {}", self.count)
    }
}

impl std::error::Error for ByClassError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_beyond_the_last_entry_have_it() {
        let entries = ByClass::new(&['a', 'b', 'c']).unwrap();
        let found: String = (0..8).map(|class| entries.get(class)).collect();
        assert_eq!(found, "abcccccc");
        assert_eq!(entries.as_slice(), ['a', 'b', 'c']);
    }

    #[test]
    fn there_are_1_to_8_entries() {
        let refused =
            |count: usize| ByClass::new(&vec![1; count]).map_err(|error| error.to_string());
        let expected =
            |count| Err(format!("must have 1 to 8 entries, one for each class, not {count}"));
        assert_eq!(refused(0), expected(0));
        assert_eq!(refused(9), expected(9));
        for count in 1..=8 {
            assert_eq!(refused(count).unwrap().as_slice().len(), count);
        }
    }
}
