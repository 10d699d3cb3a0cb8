//! The point of a sweep as columns of tables.

use serde::{Deserialize, Serialize};

/// A swept field and its value at a point, as a column of the tables of the point's runs. Columns of
/// a field have one type and one unit at all points of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointColumn {
    /// The field's path, as `--set` takes it.
    pub field: String,
    /// Its value at the point.
    pub value: PointValue,
    /// The unit of numbers: `s`, `bit/s` or `B` for quantities, else what follows the numbers
    /// (`bdp`); empty for bare numbers and for text.
    pub unit: String,
}

/// The value of a swept field at a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PointValue {
    /// If the values at all points are numbers, or quantities of one kind.
    Number(f64),
    /// Otherwise, as the sweep has it.
    Text(String),
}
