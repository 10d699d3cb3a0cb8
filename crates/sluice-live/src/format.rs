//! Numbers as people read them.

/// A rate with three digits and a unit.
pub fn rate(bps: f64) -> String {
    scaled(bps, &["b/s", "kb/s", "Mb/s", "Gb/s", "Tb/s"])
}

/// A size with three digits and a unit.
pub fn bytes(bytes: u64) -> String {
    scaled(bytes as f64, &["B", "kB", "MB", "GB", "TB"])
}

/// A time with three digits and a unit.
pub fn seconds(seconds: f64) -> String {
    scaled(seconds * 1e9, &["ns", "us", "ms", "s"])
}

/// A part of a whole in percent; a dash of nothing.
pub fn percent(part: u64, whole: u64) -> String {
    match whole {
        0 => "-".into(),
        _ => format!("{:.1} %", 100.0 * part as f64 / whole as f64),
    }
}

fn scaled(value: f64, units: &[&str]) -> String {
    let mut value = value;
    let mut units = units.iter();
    let mut unit = units.next().unwrap_or(&"");
    while value >= 999.5 {
        let Some(next) = units.next() else { break };
        (value, unit) = (value / 1e3, next);
    }
    let digits = match value {
        value if value >= 99.95 || value == 0.0 => 0,
        value if value >= 9.995 => 1,
        _ => 2,
    };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_shown() {
        assert_eq!(rate(950_123_456.0), "950 Mb/s");
        assert_eq!(rate(999_600_000.0), "1.00 Gb/s");
        assert_eq!(rate(0.0), "0 b/s");
        assert_eq!(bytes(15_140), "15.1 kB");
        assert_eq!(seconds(0.0123), "12.3 ms");
        assert_eq!((percent(1, 3), percent(0, 0)), ("33.3 %".to_owned(), "-".to_owned()));
    }
}
