//! Values of one column on their way to a file.

use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedColumnWriter;

use super::cell::{Cell, ColumnType};

/// Values of a column that wait to be written.
pub struct Buffer {
    values: Values,
    /// For a column that may lack values: 1 for each row that has one, else 0.
    present: Option<Vec<i16>>,
}

enum Values {
    Int(Vec<i64>),
    Float(Vec<f64>),
    Bool(Vec<bool>),
    Text(Vec<ByteArray>),
}

impl Buffer {
    /// An empty one.
    pub fn new(kind: ColumnType, may_lack: bool) -> Self {
        let values = match kind {
            ColumnType::Int => Values::Int(Vec::new()),
            ColumnType::Float => Values::Float(Vec::new()),
            ColumnType::Bool => Values::Bool(Vec::new()),
            ColumnType::Text => Values::Text(Vec::new()),
        };
        Self { values, present: may_lack.then(Vec::new) }
    }

    /// Adds a value.
    pub fn push(&mut self, cell: Cell) {
        let is_there = !matches!(cell, Cell::None);
        match (&mut self.values, cell) {
            (Values::Int(all), Cell::Int(value)) => {
                all.push(i64::try_from(value).unwrap_or(i64::MAX));
            }
            (Values::Float(all), Cell::Float(value)) => all.push(value),
            (Values::Bool(all), Cell::Bool(value)) => all.push(value),
            (Values::Text(all), Cell::Text(value)) => all.push(value),
            (_, cell) => debug_assert!(matches!(cell, Cell::None), "{cell:?} in another column"),
        }
        if let Some(present) = &mut self.present {
            present.push(i16::from(is_there));
        }
    }

    /// Writes the values and removes them.
    pub fn write(&mut self, out: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let present = self.present.as_deref();
        match &mut self.values {
            Values::Int(all) => {
                out.typed::<Int64Type>().write_batch(all, present, None)?;
                all.clear();
            }
            Values::Float(all) => {
                out.typed::<DoubleType>().write_batch(all, present, None)?;
                all.clear();
            }
            Values::Bool(all) => {
                out.typed::<BoolType>().write_batch(all, present, None)?;
                all.clear();
            }
            Values::Text(all) => {
                out.typed::<ByteArrayType>().write_batch(all, present, None)?;
                all.clear();
            }
        }
        if let Some(present) = &mut self.present {
            present.clear();
        }
        Ok(())
    }
}

/// Writes `count` copies of a value.
pub fn write_copies(
    value: &Cell,
    kind: ColumnType,
    count: usize,
    out: &mut SerializedColumnWriter<'_>,
) -> Result<(), ParquetError> {
    /// Copies written at once.
    const BLOCK: usize = 1024;
    let mut block = Buffer::new(kind, false);
    let mut left = count;
    while left > 0 {
        let some = left.min(BLOCK);
        (0..some).for_each(|_| block.push(value.clone()));
        block.write(out)?;
        left -= some;
    }
    Ok(())
}
