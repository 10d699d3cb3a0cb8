//! A swept field: its values, as text and as numbers.

use sluice_units::{Bytes, Rate, Span};

use crate::scenario::Point;

/// A field that differs between the points of a sweep, and the values that it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct SweptField {
    /// Its path, as `--set` takes it.
    pub path: String,
    /// Its values, each once: in order of size if they are numbers, else of the sweep.
    pub values: Vec<String>,
    /// The values as numbers in `unit`, if all are numbers with the same unit or quantities of one
    /// kind.
    pub numbers: Option<Vec<f64>>,
    /// `s`, `bit/s` or `B` for quantities, else what follows the numbers (`bdp`, or nothing).
    pub unit: String,
}

impl SweptField {
    /// The fields of a sweep, from its points.
    pub(super) fn all(points: &[Point]) -> Vec<Self> {
        let Some(first) = points.first() else { return Vec::new() };
        let field = |(number, (path, _)): (usize, &(String, String))| {
            Self::new(path, points.iter().map(|point| point.0[number].1.clone()))
        };
        first.0.iter().enumerate().map(field).collect()
    }

    /// A field with the values of all points, in the sweep's order.
    fn new(path: &str, of_points: impl Iterator<Item = String>) -> Self {
        let mut values: Vec<String> = Vec::new();
        for value in of_points {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        let path = path.to_owned();
        let Some((numbers, unit)) = numbers(&values) else {
            return Self { path, values, numbers: None, unit: String::new() };
        };
        let mut sorted: Vec<(f64, String)> = numbers.into_iter().zip(values).collect();
        sorted.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let (numbers, values) = sorted.into_iter().unzip();
        Self { path, values, numbers: Some(numbers), unit }
    }

    /// Where a value is among `values`, also if it is written in another way (`1 s`, `1000ms`).
    pub fn index(&self, value: &str) -> Option<usize> {
        let same = self.values.iter().position(|known| known == value);
        same.or_else(|| {
            let (given, unit) = numbers(&[value.to_owned()])?;
            let known = self.numbers.as_ref().filter(|_| unit == self.unit)?;
            known.iter().position(|number| *number == given[0])
        })
    }
}

/// The values in a unit that all of them share.
fn numbers(values: &[String]) -> Option<(Vec<f64>, String)> {
    let plain = |text: &String| text.parse::<f64>().ok().filter(|number| number.is_finite());
    let seconds = |text: &String| text.parse::<Span>().ok().map(Span::as_secs_f64);
    let bits = |text: &String| text.parse::<Rate>().ok().map(Rate::as_bps_f64);
    let bytes = |text: &String| text.parse::<Bytes>().ok().map(Bytes::as_f64);
    type Kind<'a> = (&'a dyn Fn(&String) -> Option<f64>, &'a str);
    let kinds: [Kind; 4] = [(&plain, ""), (&seconds, "s"), (&bits, "bit/s"), (&bytes, "B")];
    for (kind, unit) in kinds {
        if let Some(numbers) = values.iter().map(kind).collect() {
            return Some((numbers, unit.to_owned()));
        }
    }
    // `0.1bdp`, `1 bdp`: the same word after each number.
    let parts = values.iter().map(|text| {
        let end = text.find(|c: char| c.is_alphabetic() || c == ' ')?;
        Some((text[..end].parse::<f64>().ok()?, text[end..].trim().to_owned()))
    });
    let (numbers, units): (Vec<f64>, Vec<String>) =
        parts.collect::<Option<Vec<_>>>()?.into_iter().unzip();
    let unit = units.first()?.clone();
    units.iter().all(|other| *other == unit).then_some((numbers, unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(values: &[&str]) -> SweptField {
        SweptField::new("x", values.iter().map(|&value| value.to_owned()))
    }

    #[test]
    fn values_are_numbers_in_one_unit_in_order() {
        let rtt = field(&["1 s", "10 ms", "100 ms", "1 s"]);
        assert_eq!((rtt.numbers, &rtt.unit[..]), (Some(vec![0.01, 0.1, 1.0]), "s"));
        assert_eq!(rtt.values, ["10 ms", "100 ms", "1 s"]);
        let buffer = field(&["2 bdp", "0.5bdp"]);
        assert_eq!((buffer.numbers, &buffer.unit[..]), (Some(vec![0.5, 2.0]), "bdp"));
        assert_eq!(field(&["0.3", "0.25"]).numbers, Some(vec![0.25, 0.3]));
        assert_eq!(field(&["10 Mbps", "1 Gbps"]).unit, "bit/s");
    }

    #[test]
    fn other_values_are_names_in_the_order_of_the_sweep() {
        let recovery = field(&["rack", "newreno"]);
        assert_eq!((recovery.numbers, recovery.unit), (None, String::new()));
        assert_eq!(recovery.values, ["rack", "newreno"]);
        assert_eq!(field(&["1 bdp", "10 ms"]).numbers, None);
    }

    #[test]
    fn a_value_is_found_however_it_is_written() {
        let rtt = field(&["10 ms", "1 s"]);
        assert_eq!(
            (rtt.index("1000ms"), rtt.index("10 ms"), rtt.index("2 s")),
            (Some(1), Some(0), None)
        );
    }
}
