//! Quantities of traffic: an amount of data in packets or bytes, and arrivals per second.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use sluice_units::{Bytes, Faults, Ratio, WORDS};

/// An amount of data, written as "25 packets" or "10 kB".
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// The data of this number of full packets, not always a whole number (a mean may be 2.5).
    Packets(Ratio),
    /// A number of bytes.
    Bytes(Bytes),
}

impl Amount {
    /// The amount in bytes where a full packet carries `payload`; at least 1.
    pub fn bytes(self, payload: Bytes) -> Bytes {
        match self {
            // `as` saturates, and the number is finite and positive.
            Self::Packets(n) => Bytes::new(((n.get() * payload.as_f64() + 0.5) as u64).max(1)),
            Self::Bytes(bytes) => bytes,
        }
    }

    /// Checks that a flow can have this size, or this mean size.
    pub(super) fn check(self, payload: Bytes, faults: &mut Faults) {
        let some = self.bytes(payload) > Bytes::ZERO;
        faults.need(some, "", "a flow has at least 1 byte to send");
    }
}

impl From<Bytes> for Amount {
    fn from(bytes: Bytes) -> Self {
        Self::Bytes(bytes)
    }
}

impl FromStr for Amount {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let packets = text.trim().strip_suffix("packets").or(text.trim().strip_suffix("packet"));
        match packets {
            Some(number) => match number.trim().parse::<f64>() {
                Ok(n) if n > 0.0 && n.is_finite() => Ok(Self::Packets(Ratio::new(n))),
                _ => Err(format!("`{text}` is not a number of packets; write e.g. `25 packets`")),
            },
            None => match text.parse::<Bytes>() {
                Ok(bytes) => Ok(Self::Bytes(bytes)),
                Err(error) => Err(format!("{error}; or in packets, e.g. `25 packets`")),
            },
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Packets(n) => write!(f, "{} packets", n.get()),
            Self::Bytes(bytes) => bytes.fmt(f),
        }
    }
}

/// Arrivals per second, written as "400 /s".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PerSecond(pub Ratio);

impl FromStr for PerSecond {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.trim().strip_suffix("/s").map(|number| number.trim().parse::<f64>());
        match number {
            Some(Ok(n)) if n > 0.0 && n.is_finite() => Ok(Self(Ratio::new(n))),
            _ => Err(format!(
                "`{text}` is not a number of flows a second above 0; write e.g. `400 /s`"
            )),
        }
    }
}

impl fmt::Display for PerSecond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} /s", self.0.get())
    }
}

macro_rules! as_text {
    ($($type:ident: $what:literal, $example:literal, { $($word:literal: $meaning:literal),+ };)+) => {$(
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "type": "string",
                    "description": $what,
                    "examples": [$example],
                    WORDS: { $($word: $meaning),+ },
                })
            }
        }

        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
            }
        }
    )+};
}

as_text! {
    Amount: "an amount of data: a number of packets, or a size", "25 packets", {
        "packet": "the data of a full packet",
        "packets": "the data of this number of full packets"
    };
    PerSecond: "arrivals a second", "400 /s", { "/s": "per second" };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_carry_what_headers_leave() {
        let payload = Bytes::new(1460);
        assert_eq!("25 packets".parse::<Amount>().unwrap().bytes(payload), Bytes::new(36_500));
        assert_eq!("2.5 packets".parse::<Amount>().unwrap().bytes(payload), Bytes::new(3_650));
        assert_eq!("10 kB".parse::<Amount>().unwrap().bytes(payload), Bytes::new(10_000));
    }

    #[test]
    fn errors_give_an_example_of_an_amount() {
        for text in ["", "packets", "-3 packets", "nan packets", "25", "10 kBps"] {
            let error = text.parse::<Amount>().unwrap_err();
            assert!(error.contains("25 packets"), "{text}: {error}");
        }
        for text in ["", "400", "0 /s", "-1 /s", "inf /s", "400 /min"] {
            let error = text.parse::<PerSecond>().unwrap_err();
            assert!(error.contains("400 /s"), "{text}: {error}");
        }
    }
}
