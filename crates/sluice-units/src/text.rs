//! Every quantity as text: `FromStr`, `Display` and serde.
//!
//! A scenario, a result file and the command line all hold quantities as the same text.

use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::parse::Kind;
use crate::{BufferSize, Bytes, Rate, Ratio, Span, Time, UnitError};
use crate::{bytes, rate, time};

/// `FromStr` and `Display` of a type that counts the finest unit of its kind in a `u64`.
macro_rules! quantity {
    ($type:ty, $kind:path, $from:path, $to:path) => {
        impl FromStr for $type {
            type Err = UnitError;
            fn from_str(text: &str) -> Result<Self, UnitError> {
                Kind::read(&$kind, text).map($from)
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&$kind.write($to(*self)))
            }
        }
    };
}

quantity!(Time, time::INSTANT, Time::from_nanos, Time::as_nanos);
quantity!(Span, time::LENGTH, Span::from_nanos, Span::as_nanos);
quantity!(Rate, rate::RATE, Rate::from_bps, Rate::as_bps);
quantity!(Bytes, bytes::SIZE, Bytes::new, Bytes::as_u64);

macro_rules! serialize_as_text {
    ($($type:ty),*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    )*};
}

serialize_as_text!(Time, Span, Rate, Bytes, BufferSize);

impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.get())
    }
}

macro_rules! deserialize_from_text {
    ($($type:ty: $expected:literal),*) => {$(
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any(TextVisitor { expected: $expected, read: PhantomData })
            }
        }
    )*};
}

deserialize_from_text!(
    Time: "a point in time such as \"1.5 s\"",
    Span: "a duration such as \"100 ms\"",
    Rate: "a rate such as \"2.4 Gbps\"",
    Bytes: "a size such as \"1000 B\"",
    BufferSize: "a buffer size such as \"25 packets\"",
    Ratio: "a number such as 0.4"
);

/// Reads strings, and bare numbers as the text they are: that of a [`Ratio`] is complete, any other
/// gets the same "needs a unit" as it would in quotes.
struct TextVisitor<T> {
    expected: &'static str,
    read: PhantomData<T>,
}

impl<T: FromStr<Err = UnitError>> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
        self.visit_str(&format!("{number:?}"))
    }
}

#[cfg(test)]
mod tests {
    use serde::de::IntoDeserializer;
    use serde::de::value::Error;

    use super::*;

    fn de<'de, T: Deserialize<'de>>(value: impl IntoDeserializer<'de, Error>) -> Result<T, Error> {
        T::deserialize(value.into_deserializer())
    }

    /// What serde writes: `fmt::Formatter` is a `Serializer` of single values.
    struct Written<T>(T);

    impl<T: Serialize> fmt::Display for Written<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.serialize(f)
        }
    }

    #[test]
    fn strings_deserialise_to_every_type() {
        assert_eq!(de("1 min"), Ok(Time::from_nanos(60_000_000_000)));
        assert_eq!(de("100 ms"), Ok(Span::from_millis(100)));
        assert_eq!(de("2.4 Gbps"), Ok(Rate::from_bps(2_400_000_000)));
        assert_eq!(de("1.5 MiB"), Ok(Bytes::new(1_572_864)));
        assert_eq!(de("unlimited"), Ok(BufferSize::Unlimited));
        assert_eq!(de("0.4"), Ok(Ratio::new(0.4)));
    }

    #[test]
    fn quantities_serialise_as_strings_and_ratios_as_numbers() {
        assert_eq!(Written(Rate::from_bps(155_000_000)).to_string(), "155 Mbps");
        assert_eq!(Written(BufferSize::Packets(1)).to_string(), "1 packet");
        assert_eq!(Written(Ratio::new(0.226)).to_string(), "0.226");
    }

    #[test]
    fn a_bare_number_is_a_ratio_and_nothing_else() {
        assert_eq!(de(0.4f64), Ok(Ratio::new(0.4)));
        assert_eq!(de(2i64), Ok(Ratio::new(2.0)));
        assert!(de::<Ratio>(f64::NAN).is_err());
        assert!(de::<Ratio>(f64::INFINITY).is_err());
        let error = de::<Span>(100i64).unwrap_err().to_string();
        assert_eq!(
            error,
            "`100` is not a duration: a bare 100 needs a unit; \
             write e.g. `100 ms` (units: ns, us, ms, s, min, h)"
        );
        assert!(de::<Rate>(1.5f64).unwrap_err().to_string().contains("a bare 1.5 needs a unit"));
        assert!(de::<Bytes>(-1i64).unwrap_err().to_string().contains("negative"));
        assert!(de::<BufferSize>(25u64).unwrap_err().to_string().contains("a bare 25"));
    }

    #[test]
    fn errors_on_another_type_state_what_was_expected() {
        let error = de::<Span>(true).unwrap_err().to_string();
        assert!(error.contains("a duration such as \"100 ms\""), "{error}");
    }
}
