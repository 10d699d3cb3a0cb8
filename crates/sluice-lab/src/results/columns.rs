//! Parquet files, written row by row.

use std::io;
use std::path::Path;
use std::sync::Arc;

use fs_err::File;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{ColumnPath, Type};

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

    /// A double or none.
    pub fn float(value: Option<f64>) -> Self {
        value.map_or(Self::None, Self::Float)
    }
}

/// Rows per row group, which are held in memory: some megabytes.
const GROUP: usize = 1 << 16;

/// A Parquet file that is being written.
pub struct Rows {
    writer: SerializedFileWriter<File>,
    columns: Vec<Buffer>,
    rows: usize,
}

impl Rows {
    /// A new file with these columns, and with what is said of the whole in its metadata.
    pub fn create(path: &Path, columns: &[Column], about: &[(&str, String)]) -> io::Result<Self> {
        let schema = schema(columns).map_err(io::Error::other)?;
        let writer = SerializedFileWriter::new(
            File::create(path)?,
            Arc::new(schema),
            properties(columns, about),
        );
        let columns = columns.iter().map(|&(_, kind, may)| Buffer::new(kind, may)).collect();
        Ok(Self { writer: writer.map_err(io::Error::other)?, columns, rows: 0 })
    }

    /// Adds a row: a value for each column, in order.
    pub fn push<const N: usize>(&mut self, row: [Cell; N]) -> io::Result<()> {
        for (column, cell) in self.columns.iter_mut().zip(row) {
            column.push(cell);
        }
        self.rows += 1;
        if self.rows < GROUP { Ok(()) } else { self.flush() }
    }

    /// Writes what is left and the end of the file.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.writer.finish().map_err(io::Error::other)?;
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.rows > 0 {
            self.rows = 0;
            write_group(&mut self.writer, &mut self.columns).map_err(io::Error::other)?;
        }
        Ok(())
    }
}

fn schema(columns: &[Column]) -> Result<Type, ParquetError> {
    let field = |&(name, kind, may): &Column| {
        let (physical, logical) = match kind {
            ColumnType::Int => (Physical::INT64, None),
            ColumnType::Float => (Physical::DOUBLE, None),
            ColumnType::Bool => (Physical::BOOLEAN, None),
            ColumnType::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let repetition = if may { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        let column = Type::primitive_type_builder(name, physical);
        column.with_repetition(repetition).with_logical_type(logical).build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<_, _>>()?;
    Type::group_type_builder("schema").with_fields(fields).build()
}

fn properties(columns: &[Column], about: &[(&str, String)]) -> WriterPropertiesPtr {
    let about = about.iter().map(|(key, value)| KeyValue::new((*key).into(), value.clone()));
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_dictionary_enabled(false)
        .set_key_value_metadata(Some(about.collect()));
    let texts = columns.iter().filter(|&&(_, kind, _)| kind == ColumnType::Text);
    let properties = texts.fold(properties, |properties, &(name, ..)| {
        properties.set_column_dictionary_enabled(ColumnPath::from(name), true)
    });
    Arc::new(properties.build())
}

fn write_group(
    writer: &mut SerializedFileWriter<File>,
    columns: &mut [Buffer],
) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    for column in columns {
        if let Some(mut out) = group.next_column()? {
            column.write(&mut out)?;
            out.close()?;
        }
    }
    group.close().map(drop)
}

/// Values of a column that wait to be written.
struct Buffer {
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
    fn new(kind: ColumnType, may_lack: bool) -> Self {
        let values = match kind {
            ColumnType::Int => Values::Int(Vec::new()),
            ColumnType::Float => Values::Float(Vec::new()),
            ColumnType::Bool => Values::Bool(Vec::new()),
            ColumnType::Text => Values::Text(Vec::new()),
        };
        Self { values, present: may_lack.then(Vec::new) }
    }

    fn push(&mut self, cell: Cell) {
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

    fn write(&mut self, out: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
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
