//! Values of a row, and what a column holds.

use parquet::data_type::ByteArray;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// Signed integers of 64 bits.
    Int,
    /// Doubles.
    Float,
    /// Booleans.
    Bool,
    /// Text that repeats: each text is kept once, rows have its number.
    Text,
}

/// A column: its name, what it holds, and whether a row may have no value there.
pub type Column = (&'static str, ColumnType, bool);

/// A value of a row.
#[derive(Clone, Debug)]
pub enum Cell {
    /// None.
    None,
    /// Of a column of integers. What no `i64` can hold becomes the greatest one.
    Int(u64),
    /// Of a column of doubles.
    Float(f64),
    /// Of a column of booleans.
    Bool(bool),
    /// Of a column of text; a copy shares the bytes.
    Text(ByteArray),
}

impl Cell {
    /// An integer or none.
    pub fn int(value: Option<u64>) -> Self {
        value.map_or(Self::None, Self::Int)
    }

    /// A text or none.
    pub fn text(value: Option<&str>) -> Self {
        value.map_or(Self::None, |text| Self::Text(text.into()))
    }

    /// A double or none.
    pub fn float(value: Option<f64>) -> Self {
        value.map_or(Self::None, Self::Float)
    }
}
