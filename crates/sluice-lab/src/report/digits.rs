//! Numbers in a page have as many digits as a reader could see.

/// Rounds to a number of significant decimal digits.
pub fn digits(value: f64, count: i32) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    // By way of text, which rounds exactly and gives the double that prints shortest.
    format!("{value:.*e}", (count - 1).max(0) as usize).parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_digits_as_asked_for() {
        assert_eq!(digits(123_456.0, 3), 123_000.0);
        assert_eq!(digits(-0.000_123_456, 4), -0.000_123_5);
        assert_eq!(digits(0.1 + 0.2, 5).to_string(), "0.3");
        assert_eq!(digits(0.0, 3), 0.0);
        assert!(digits(f64::NAN, 3).is_nan());
    }
}
