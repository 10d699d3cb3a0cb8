//! How deep a queue is, in the units people use for it.

use core::fmt;
use core::str::FromStr;

use crate::decimal::{Decimal, split};
use crate::parse::unknown_unit;
use crate::{Bytes, Rate, Ratio, Span, UnitError, bytes, time};

/// The size of a buffer, as in a scenario.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum BufferSize {
    /// No limit: "unlimited".
    #[default]
    Unlimited,
    /// A number of waiting packets, whatever their size: "25 packets".
    Packets(u64),
    /// Bytes waiting: "64 kB".
    Bytes(Bytes),
    /// As many bytes as leave in this time: "5 ms".
    Time(Span),
    /// A multiple of the link's bandwidth-delay product (capacity x largest RTPD of its flows):
    /// "1 bdp".
    Bdp(Ratio),
}

/// The size of a buffer as a queue counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Nothing is ever too much.
    None,
    /// Maximum number of waiting packets.
    Packets(u64),
    /// Maximum number of waiting bytes.
    Bytes(Bytes),
}

impl BufferSize {
    /// This size on a link of `capacity` whose flows have a round-trip propagation delay of at most
    /// `rtpd`. A size of the bandwidth-delay product is rounded to the nearest byte.
    pub fn limit(&self, capacity: Rate, rtpd: Span) -> Limit {
        match *self {
            Self::Unlimited => Limit::None,
            Self::Packets(packets) => Limit::Packets(packets),
            Self::Bytes(bytes) => Limit::Bytes(bytes),
            Self::Time(span) => Limit::Bytes(capacity.bytes_in(span)),
            Self::Bdp(multiple) => {
                let bdp = capacity.as_bytes_per_sec_f64() * rtpd.as_nanos() as f64 / 1e9;
                Limit::Bytes(Bytes::new((bdp * multiple.get()).round() as u64))
            }
        }
    }
}

impl FromStr for BufferSize {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        if text.trim().eq_ignore_ascii_case("unlimited") {
            return Ok(Self::Unlimited);
        }
        split(text).and_then(|(number, unit)| read(number, unit)).map_err(|why| {
            let allowed = format!(
                "e.g. `25 packets`, `64 kB`, `5 ms`, `1 bdp` or `unlimited` \
                 (units: packets, {}, {}, bdp)",
                bytes::SIZE.unit_names(),
                time::LENGTH.unit_names(),
            );
            UnitError::not(text, "a buffer size", &why, &allowed)
        })
    }
}

impl fmt::Display for BufferSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match self {
            Self::Unlimited => "unlimited".to_owned(),
            Self::Packets(1) => "1 packet".to_owned(),
            Self::Packets(packets) => format!("{packets} packets"),
            Self::Bytes(bytes) => bytes.to_string(),
            Self::Time(span) => span.to_string(),
            Self::Bdp(multiple) => format!("{multiple} bdp"),
        })
    }
}

fn read(number: &str, unit: &str) -> Result<BufferSize, String> {
    if unit.eq_ignore_ascii_case("packets") || unit.eq_ignore_ascii_case("packet") {
        return packets(number).map(BufferSize::Packets);
    }
    if unit.eq_ignore_ascii_case("bdp") {
        return Ratio::read(number).map(BufferSize::Bdp).map_err(str::to_owned);
    }
    let bytes =
        bytes::SIZE.value(number, unit).map(|n| n.map(|n| BufferSize::Bytes(Bytes::new(n))));
    bytes
        .or_else(|| {
            let nanos = time::LENGTH.value(number, unit)?;
            Some(nanos.map(|n| BufferSize::Time(Span::from_nanos(n))))
        })
        .unwrap_or_else(|| Err(unknown_unit(unit)))
}

/// A fraction of a packet is an error: it is not rounded.
fn packets(number: &str) -> Result<u64, String> {
    let count = Decimal::parse(number)?;
    if !count.is_whole() {
        return Err("packets come whole".into());
    }
    count.times(1).map_err(|_| format!("it is more than {} packets", u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_a_buffer_is_read() {
        let bdp = |x| BufferSize::Bdp(Ratio::new(x));
        let wanted = [
            ("25 packets", BufferSize::Packets(25)),
            ("1 packet", BufferSize::Packets(1)),
            ("64 kB", BufferSize::Bytes(Bytes::new(64_000))),
            ("5 ms", BufferSize::Time(Span::from_millis(5))),
            ("1 bdp", bdp(1.0)),
            ("0.1 BDP", bdp(0.1)),
            (" Unlimited ", BufferSize::Unlimited),
        ];
        for (text, size) in wanted {
            assert_eq!(text.parse(), Ok(size), "{text}");
        }
    }

    #[test]
    fn an_invalid_buffer_is_rejected() {
        for text in ["", "64", "2.5 packets", "1 Gbps", "-1 bdp", "nan bdp", "1e400 bdp", "1e30 ms"]
        {
            let error = text.parse::<BufferSize>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{text}` is not a buffer size: ")), "{error}");
        }
    }

    #[test]
    fn a_limit_follows_from_the_link() {
        let (capacity, rtpd) = (Rate::from_bps(2_400_000_000), Span::from_millis(100));
        let limit = |text: &str| text.parse::<BufferSize>().unwrap().limit(capacity, rtpd);
        assert_eq!(limit("unlimited"), Limit::None);
        assert_eq!(limit("25 packets"), Limit::Packets(25));
        assert_eq!(limit("64 kB"), Limit::Bytes(Bytes::new(64_000)));
        assert_eq!(limit("5 ms"), Limit::Bytes(Bytes::new(1_500_000)));
        assert_eq!(limit("1 bdp"), Limit::Bytes(Bytes::new(30_000_000)));
        assert_eq!(limit("0.1 bdp"), Limit::Bytes(Bytes::new(3_000_000)));
    }

    #[test]
    fn a_decimal_multiple_of_the_product_loses_no_byte() {
        let size = BufferSize::Bdp(Ratio::new(0.29)); // 0.29 x 100 is 28.999... in floating point
        let limit = size.limit(Rate::from_bps(800), Span::from_secs(1));
        assert_eq!(limit, Limit::Bytes(Bytes::new(29)));
    }

    #[test]
    fn a_limit_is_defined_at_the_extremes() {
        let at = |x: f64, rate, span| BufferSize::Bdp(Ratio::new(x)).limit(rate, span);
        assert_eq!(at(f64::MAX, Rate::MAX, Span::MAX), Limit::Bytes(Bytes::new(u64::MAX)));
        assert_eq!(at(f64::MAX, Rate::ZERO, Span::MAX), Limit::Bytes(Bytes::ZERO));
        assert_eq!(at(-1.0, Rate::MAX, Span::MAX), Limit::Bytes(Bytes::ZERO));
    }
}
