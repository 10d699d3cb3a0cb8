//! One length of time, or two to spread over evenly.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sluice_units::Span;

/// `"80 ms"` for everyone, or `["60 ms", "100 ms"]` for the first and the last and evenly between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// The first one's.
    pub first: Span,
    /// The last one's.
    pub last: Span,
}

impl Spread {
    /// The value of number `i` of `n`.
    pub fn at(self, i: usize, n: usize) -> Span {
        let (first, last) = (i128::from(self.first.as_nanos()), i128::from(self.last.as_nanos()));
        let steps = n.saturating_sub(1).max(1) as i128;
        let value = first + (last - first) * i as i128 / steps;
        Span::from_nanos(u64::try_from(value).unwrap_or(0))
    }

    /// The smaller of the two ends.
    pub fn min(self) -> Span {
        self.first.min(self.last)
    }
}

impl Serialize for Spread {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.first == self.last {
            self.first.serialize(serializer)
        } else {
            (self.first, self.last).serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Spread {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrTwo)
    }
}

impl JsonSchema for Spread {
    fn schema_name() -> Cow<'static, str> {
        "Spread".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let span = generator.subschema_for::<Span>();
        json_schema!({
            "description": "one length of time for all, or the first one's and the last one's and \
                            evenly between",
            "anyOf": [span, { "type": "array", "items": span, "minItems": 2, "maxItems": 2 }],
            "examples": ["80 ms", ["60 ms", "100 ms"]],
        })
    }
}

struct OneOrTwo;

impl<'de> Visitor<'de> for OneOrTwo {
    type Value = Spread;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a time such as `\"80 ms\"`, or a first and a last: `[\"60 ms\", \"100 ms\"]`")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Spread, E> {
        let span = text.parse().map_err(E::custom)?;
        Ok(Spread { first: span, last: span })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Spread, A::Error> {
        let mut next = |n| seq.next_element()?.ok_or(de::Error::invalid_length(n, &self));
        let (first, last) = (next(0)?, next(1)?);
        match seq.next_element::<Span>()? {
            None => Ok(Spread { first, last }),
            Some(_) => Err(de::Error::invalid_length(3, &self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_reaches_both_ends() {
        let rtt = Spread { first: Span::from_millis(60), last: Span::from_millis(100) };
        assert_eq!(rtt.at(0, 50), Span::from_millis(60));
        assert_eq!(rtt.at(49, 50), Span::from_millis(100));
        assert_eq!(rtt.at(1, 3), Span::from_millis(80));
        assert_eq!(rtt.at(0, 1), Span::from_millis(60));
    }
}
