//! Numbers of costs: two digits and a unit.

use sluice_units::{Bytes, Span};

pub(super) fn plural(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// A number with at most two digits behind the point, in the largest unit that it reaches.
fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    let Some((scale, unit)) = units.iter().rev().find(|(scale, _)| value >= *scale) else {
        return format!("{value:.0}");
    };
    let value = value / scale;
    let digits = usize::from(value < 9.95);
    format!("{value:.digits$}{unit}")
}

pub(super) fn count(value: f64) -> String {
    scaled(value, &[(1e3, " thousand"), (1e6, " million"), (1e9, " billion")])
}

pub(crate) fn size(bytes: Bytes) -> String {
    let units = [(1e3, " kB"), (1e6, " MB"), (1e9, " GB"), (1e12, " TB"), (1e15, " PB")];
    if bytes < Bytes::new(1_000) {
        format!("{} B", bytes.as_u64())
    } else {
        scaled(bytes.as_f64(), &units)
    }
}

pub(super) fn time(span: Span) -> String {
    let seconds = span.as_secs_f64();
    if seconds < 1.0 {
        return "less than 1 s".into();
    }
    scaled(seconds, &[(1.0, " s"), (60.0, " min"), (3600.0, " h"), (86_400.0, " days")])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_two_digits_and_a_unit() {
        assert_eq!((count(999.0), count(1_250.0)), ("999".into(), "1.2 thousand".into()));
        assert_eq!((count(1e7), count(3.6e9)), ("10 million".into(), "3.6 billion".into()));
        assert_eq!(size(Bytes::new(1_600_000_000_000)), "1.6 TB");
        assert_eq!(
            (size(Bytes::new(0)), size(Bytes::new(999_000))),
            ("0 B".into(), "999 kB".into())
        );
        assert_eq!(time(Span::from_millis(400)), "less than 1 s");
        assert_eq!(
            (time(Span::from_secs(90)), time(Span::from_secs(40))),
            ("1.5 min".into(), "40 s".into())
        );
        assert_eq!(time(Span::from_secs(200_000)), "2.3 days");
    }
}
