//! Labels of axes: values in their units.

/// A value beside an axis, in the largest unit that leaves at least 1.
pub fn label(value: f64, unit: &str) -> String {
    let units: &[(f64, &str)] = match unit {
        "s" => &[(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")],
        "B" => &[(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B")],
        "bit/s" => &[(1e12, "Tb/s"), (1e9, "Gb/s"), (1e6, "Mb/s"), (1e3, "kb/s"), (1.0, "b/s")],
        "%" => &[(0.01, "%")],
        other => &[(1.0, other)],
    };
    if value == 0.0 {
        return "0".into();
    }
    let fitting = units.iter().find(|(size, _)| value.abs() >= size * 0.9995);
    let (size, name) = fitting.or(units.last()).copied().unwrap_or((1.0, unit));
    let number = number(value / size);
    if name.is_empty() { number } else { format!("{number} {name}") }
}

/// Four digits at most, without trailing zeros.
fn number(value: f64) -> String {
    if !(1e-4..1e5).contains(&value.abs()) {
        return format!("{value:e}");
    }
    // By way of text, which gives the double that prints shortest.
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    rounded.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_short() {
        assert_eq!(label(0.300_000_000_04, "s"), "300 ms");
        assert_eq!(label(2e7, "bit/s"), "20 Mb/s");
        assert_eq!(label(0.95, "%"), "95 %");
        assert_eq!(label(0.1, "bdp"), "0.1 bdp");
        assert_eq!((label(0.0, "s"), label(2e6, "")), ("0".into(), "2e6".into()));
    }
}
