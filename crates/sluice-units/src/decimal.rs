//! Decimal numbers as people write them, scaled to a unit without floating point.
//!
//! "2.4 Gbps" must be 2400000000 bit/s exactly, and the same on every machine.

/// Digits kept: 25 of them times the largest unit (8 x 10^12) stay below 2^128.
const MAX_DIGITS: usize = 25;
/// Exponents beyond this mean nothing in any unit here.
const MAX_EXPONENT: i64 = 1000;

/// The number `digits` x 10^`exponent`, `digits` without trailing zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    digits: u128,
    exponent: i64,
}

/// Why a number cannot be held as a whole count of the finest unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutOfRange {
    /// 2^64 or more.
    TooLarge,
    /// Not zero, but rounds to it.
    TooSmall,
}

/// Splits "2.4 Gbps" into its number and its unit; the error says what is wrong with the text.
pub(crate) fn split(text: &str) -> Result<(&str, &str), String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("it is empty".into());
    }
    let unsigned = text.strip_prefix(['-', '\u{2212}']);
    if unsigned.is_some_and(|rest| number_len(rest.trim_start()) > 0) {
        return Err("it is negative".into());
    }
    match text.split_at(number_len(text)) {
        ("", _) => Err("it does not start with a number".into()),
        (number, "") => Err(format!("a bare {number} needs a unit")),
        (number, unit) => Ok((number, unit.trim_start())),
    }
}

/// How many bytes at the start of `text` are digits, points and an exponent.
fn number_len(text: &str) -> usize {
    let digits = |from: usize| text.bytes().skip(from).take_while(u8::is_ascii_digit).count();
    let mantissa = text.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
    let rest = &text.as_bytes()[mantissa..];
    let sign = match rest {
        [b'e' | b'E', b'+' | b'-', ..] => 1,
        [b'e' | b'E', ..] => 0,
        _ => return mantissa,
    };
    match digits(mantissa + 1 + sign) {
        0 => mantissa,
        power if mantissa > 0 => mantissa + 1 + sign + power,
        _ => 0,
    }
}

impl Decimal {
    /// Reads "12", "1.5", ".5" or "1.5e-3"; the error says what is wrong with the number.
    pub(crate) fn parse(number: &str) -> Result<Self, String> {
        let (mantissa, power) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = [whole, fraction].concat();
        if all.is_empty() || !all.bytes().all(|b| b.is_ascii_digit()) {
            return Err(format!("`{number}` is not a number"));
        }
        let significant = all.trim_end_matches('0');
        let dropped = all.len() - significant.len();
        let significant = significant.trim_start_matches('0');
        if significant.is_empty() {
            return Ok(Self { digits: 0, exponent: 0 });
        }
        if significant.len() > MAX_DIGITS {
            return Err(format!("it has more than {MAX_DIGITS} significant digits"));
        }
        let power = power.parse().ok().filter(|p: &i64| p.abs() <= MAX_EXPONENT);
        let power = power.ok_or("its exponent is out of range")?;
        let digits = significant.bytes().fold(0, |n, b| n * 10 + u128::from(b - b'0'));
        Ok(Self { digits, exponent: power + dropped as i64 - fraction.len() as i64 })
    }

    /// This many units of `size`, rounded to the nearest whole number (halves up).
    pub(crate) fn times(self, size: u64) -> Result<u64, OutOfRange> {
        if self.digits == 0 {
            return Ok(0);
        }
        let scaled = self.digits * u128::from(size);
        let power = u32::try_from(self.exponent.unsigned_abs()).unwrap_or(u32::MAX);
        let scale = 10u128.checked_pow(power);
        let value = if self.exponent >= 0 {
            scale.and_then(|s| scaled.checked_mul(s)).ok_or(OutOfRange::TooLarge)?
        } else {
            scale.map_or(0, |s| (scaled + s / 2) / s)
        };
        match u64::try_from(value) {
            Ok(0) => Err(OutOfRange::TooSmall),
            Ok(value) => Ok(value),
            Err(_) => Err(OutOfRange::TooLarge),
        }
    }

    /// Whether there is nothing behind the decimal point.
    pub(crate) fn is_whole(self) -> bool {
        self.exponent >= 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(number: &str, size: u64) -> Result<u64, OutOfRange> {
        Decimal::parse(number).unwrap().times(size)
    }

    #[test]
    fn decimals_scale_exactly() {
        assert_eq!(times("2.4", 1_000_000_000), Ok(2_400_000_000));
        assert_eq!(times("0.1", 10), Ok(1));
        assert_eq!(times("18446744073.709551615", 1_000_000_000), Ok(u64::MAX));
        assert_eq!(times("1.50e3", 1), Ok(1500));
        assert_eq!(times("100e-2", 1), Ok(1));
        assert_eq!(times(&format!("0.5{}", "0".repeat(500)), 2), Ok(1));
    }

    #[test]
    fn halves_round_up_and_nothing_vanishes() {
        assert_eq!(times("2.5", 1), Ok(3));
        assert_eq!(times("2.4999999999", 1), Ok(2));
        assert_eq!(times("0.5", 1), Ok(1));
        assert_eq!(times("0.49", 1), Err(OutOfRange::TooSmall));
        assert_eq!(times("1e-999", u64::MAX), Err(OutOfRange::TooSmall));
        assert_eq!(times("0.000", 1), Ok(0));
    }

    #[test]
    fn too_much_is_an_error() {
        assert_eq!(times("18446744073709551616", 1), Err(OutOfRange::TooLarge));
        assert_eq!(times("1e999", 1), Err(OutOfRange::TooLarge));
        // 2^50 x 10^38 x 2^40 is a multiple of 2^128.
        assert_eq!(times("1125899906842624e38", 1 << 40), Err(OutOfRange::TooLarge));
        assert!(Decimal::parse("1e1001").is_err());
        assert!(Decimal::parse("1e99999999999999999999").is_err());
        assert!(Decimal::parse("12345678901234567890123456").is_err());
    }

    #[test]
    fn numbers_end_where_units_begin() {
        assert_eq!(split("5e3s"), Ok(("5e3", "s")));
        assert_eq!(split(" 1.5e-3 s "), Ok(("1.5e-3", "s")));
        assert_eq!(split("5 e3"), Ok(("5", "e3")));
        assert_eq!(split("5el"), Ok(("5", "el")));
        assert!(split("e5 s").is_err());
        assert_eq!(split("-5 s"), Err("it is negative".into()));
        assert_eq!(split("100"), Err("a bare 100 needs a unit".into()));
    }
}
