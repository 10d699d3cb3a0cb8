//! The values of swept fields at each point, as columns.

use super::field::SweptField;
use crate::scenario::{Point, PointColumn, PointValue};

/// The columns of each point of a sweep: the same at all points, in the sweep's order.
pub(crate) fn point_columns(points: &[Point]) -> Vec<Vec<PointColumn>> {
    let fields = SweptField::all(points);
    let of_point = |point: &Point| {
        fields.iter().zip(&point.0).map(|(field, (_, value))| column(field, value)).collect()
    };
    points.iter().map(of_point).collect()
}

fn column(field: &SweptField, text: &str) -> PointColumn {
    let number = field.index(text).zip(field.numbers.as_ref()).map(|(index, all)| all[index]);
    let value = number.map_or_else(|| PointValue::Text(text.into()), PointValue::Number);
    PointColumn { field: field.path.clone(), value, unit: field.unit.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(points: &[[(&str, &str); 2]]) -> Vec<Vec<PointColumn>> {
        let point = |set: &[(&str, &str); 2]| {
            Point(set.map(|(field, value)| (field.to_owned(), value.to_owned())).to_vec())
        };
        point_columns(&points.iter().map(point).collect::<Vec<_>>())
    }

    #[test]
    fn quantities_are_numbers_in_one_unit_and_words_are_text() {
        let points = columns(&[
            [("rtt", "10 ms"), ("recovery", "rack")],
            [("rtt", "1 s"), ("recovery", "newreno")],
        ]);
        let values: Vec<Vec<PointValue>> = points
            .iter()
            .map(|point| point.iter().map(|column| column.value.clone()).collect())
            .collect();
        let text = |word: &str| PointValue::Text(word.into());
        let wanted =
            [[PointValue::Number(0.01), text("rack")], [PointValue::Number(1.0), text("newreno")]];
        assert_eq!(values, wanted);
        assert_eq!(points[0].iter().map(|column| &*column.unit).collect::<Vec<_>>(), ["s", ""]);
    }

    #[test]
    fn a_word_among_numbers_makes_all_of_them_text() {
        let points =
            columns(&[[("buffer", "1 bdp"), ("x", "1")], [("buffer", "5 ms"), ("x", "2")]]);
        assert_eq!(points[0][0].value, PointValue::Text("1 bdp".into()));
        assert_eq!(points[1][1].value, PointValue::Number(2.0));
    }
}
