//! Dimensionless numbers: gains, loads, probabilities, weights.

use core::fmt;
use core::str::FromStr;

use crate::UnitError;

/// A finite dimensionless number.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Ratio(f64);

impl Ratio {
    /// The number `value`, for constants of the code; input goes through
    /// [`Ratio::try_new`].
    ///
    /// # Panics
    /// If `value` is infinite or NaN.
    pub const fn new(value: f64) -> Self {
        assert!(value.is_finite(), "a ratio is a finite number");
        Self(value)
    }

    /// The number `value`, or why it cannot be one.
    pub fn try_new(value: f64) -> Result<Self, UnitError> {
        if value.is_finite() {
            Ok(Self(value))
        } else {
            Err(UnitError::new(format!("{value} is not a finite number")))
        }
    }

    /// The number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl Ratio {
    /// The number `text` is, or what is wrong with it.
    pub(crate) fn read(text: &str) -> Result<Self, &'static str> {
        match text.parse::<f64>() {
            Ok(value) if !value.is_finite() => Err("it is not a finite number"),
            Ok(value) if value == 0.0 && !is_zero(text) => Err("it is too close to zero"),
            Ok(value) => Ok(Self(value)),
            Err(_) if text.is_empty() => Err("it is empty"),
            Err(_) => Err("it is not a single number"),
        }
    }
}

impl FromStr for Ratio {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        Self::read(text.trim())
            .map_err(|why| UnitError::not(text, "a plain number", why, "e.g. `0.4`"))
    }
}

/// Whether all digits before the exponent are zero.
fn is_zero(number: &str) -> bool {
    let mantissa = number.split(['e', 'E']).next().unwrap_or(number);
    !mantissa.bytes().any(|b| matches!(b, b'1'..=b'9'))
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.0;
        let plain = value == 0.0 || (1e-5..1e16).contains(&value.abs());
        f.pad(&if plain { format!("{value}") } else { format!("{value:e}") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read() {
        for (text, value) in [("0.4", 0.4), (" 2 ", 2.0), ("-1e-3", -0.001), ("0.000", 0.0)] {
            assert_eq!(text.parse(), Ok(Ratio::new(value)), "{text}");
        }
    }

    #[test]
    fn a_number_that_is_not_finite_is_rejected() {
        for text in ["", "nan", "inf", "-infinity", "1e999", "1e-999", "0.4 s", "5%"] {
            assert!(text.parse::<Ratio>().is_err(), "{text}");
        }
        assert!(Ratio::try_new(f64::NAN).is_err());
        assert!(Ratio::try_new(f64::INFINITY).is_err());
        assert_eq!(Ratio::try_new(0.4), Ok(Ratio::new(0.4)));
    }

    #[test]
    fn numbers_print_short() {
        for text in ["0.4", "1", "-2.5", "0.00001", "123456", "1e-7", "1e300", "0"] {
            assert_eq!(text.parse::<Ratio>().unwrap().to_string(), text);
        }
    }
}
