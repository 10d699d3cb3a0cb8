//! Numbers with units, and wrapped lines.

/// Wraps a text to 100 columns; lines after the first are indented.
pub(super) fn wrapped(text: &str) -> String {
    const WIDTH: usize = 100;
    const INDENT: &str = "         ";
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.len() - 1;
        if !lines[line].is_empty() && lines[line].chars().count() + 1 + word.chars().count() > WIDTH
        {
            lines.push(format!("{INDENT}{word}"));
            continue;
        }
        if !lines[line].is_empty() {
            lines[line].push(' ');
        }
        lines[line].push_str(word);
    }
    lines.join("\n")
}

/// The format of a value.
pub(super) type Print = fn(f64) -> String;

pub(super) fn time(seconds: f64) -> String {
    scaled(seconds, &[(1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")])
}

pub(super) fn rate(bps: f64) -> String {
    scaled(bps, &[(1e12, "Tb/s"), (1e9, "Gb/s"), (1e6, "Mb/s"), (1e3, "kb/s"), (1.0, "b/s")])
}

pub(super) fn size(bytes: f64) -> String {
    scaled(bytes, &[(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B")])
}

pub(super) fn percent(part: f64) -> String {
    format!("{} %", figures(100.0 * part))
}

/// In the largest unit that leaves at least 1, to three digits.
fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    let fits = units.iter().find(|(unit, _)| value >= *unit * 0.9995);
    match fits.or(units.last()) {
        Some((unit, name)) => format!("{} {name}", figures(value / unit)),
        None => figures(value),
    }
}

/// A number with three significant digits, or more before the decimal point.
pub(super) fn figures(value: f64) -> String {
    match value {
        v if v >= 99.95 || v == 0.0 => format!("{v:.0}"),
        v if v >= 9.995 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_three_digits_in_the_unit_that_fits() {
        assert_eq!(time(0.038_24), "38.2 ms");
        assert_eq!(time(0.999_9), "1.00 s");
        assert_eq!(time(123.4), "123 s");
        assert_eq!(rate(2.4e9), "2.40 Gb/s");
        assert_eq!(size(0.0), "0 B");
    }

    #[test]
    fn long_lines_wrap_at_100_columns() {
        let text = wrapped(&"word ".repeat(50));
        assert!(text.lines().count() == 3 && text.lines().all(|line| line.len() <= 100), "{text}");
        assert!(text.lines().nth(1).is_some_and(|line| line.starts_with("         word")));
    }
}
