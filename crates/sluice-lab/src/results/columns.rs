//! Parquet files, written row by row.

use std::io;
use std::path::Path;
use std::sync::Arc;

use fs_err::File;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type};

use super::buffer::{Buffer, write_copies};
pub use super::cell::{Cell, Column, ColumnType};
use super::label::{ConstantColumn, RunLabel};

/// Rows per row group, which are held in memory: some megabytes.
const GROUP: usize = 1 << 16;

/// A Parquet file that is being written.
pub struct Rows {
    writer: SerializedFileWriter<File>,
    /// The label's columns, which come first.
    constants: Vec<ConstantColumn>,
    columns: Vec<Buffer>,
    rows: usize,
}

impl Rows {
    /// A new file with the columns and the metadata of a label, then these columns.
    pub fn create(path: &Path, columns: &[Column], label: &RunLabel) -> io::Result<Self> {
        let constants = label.columns(columns);
        let schema = schema(&constants, columns).map_err(io::Error::other)?;
        let writer = SerializedFileWriter::new(
            File::create(path)?,
            Arc::new(schema),
            properties(&constants, columns, &label.metadata),
        );
        let columns = columns.iter().map(|&(_, kind, may)| Buffer::new(kind, may)).collect();
        Ok(Self { writer: writer.map_err(io::Error::other)?, constants, columns, rows: 0 })
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
            self.write_group().map_err(io::Error::other)?;
            self.rows = 0;
        }
        Ok(())
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        for constant in &self.constants {
            if let Some(mut out) = group.next_column()? {
                write_copies(&constant.value, constant.kind, self.rows, &mut out)?;
                out.close()?;
            }
        }
        for column in &mut self.columns {
            if let Some(mut out) = group.next_column()? {
                column.write(&mut out)?;
                out.close()?;
            }
        }
        group.close().map(drop)
    }
}

fn schema(constants: &[ConstantColumn], columns: &[Column]) -> Result<Type, ParquetError> {
    let constants = constants.iter().map(|column| field(&column.name, column.kind, false));
    let columns = columns.iter().map(|&(name, kind, may)| field(name, kind, may));
    let fields = constants.chain(columns).collect::<Result<_, _>>()?;
    Type::group_type_builder("schema").with_fields(fields).build()
}

fn field(name: &str, kind: ColumnType, may: bool) -> Result<Arc<Type>, ParquetError> {
    let (physical, logical) = match kind {
        ColumnType::Int => (Physical::INT64, None),
        ColumnType::Float => (Physical::DOUBLE, None),
        ColumnType::Bool => (Physical::BOOLEAN, None),
        ColumnType::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let repetition = if may { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let column = Type::primitive_type_builder(name, physical);
    column.with_repetition(repetition).with_logical_type(logical).build().map(Arc::new)
}

/// Columns whose values repeat are dictionary-encoded.
fn properties(
    constants: &[ConstantColumn],
    columns: &[Column],
    metadata: &[(String, String)],
) -> WriterPropertiesPtr {
    let metadata = metadata.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_dictionary_enabled(false)
        .set_key_value_metadata(Some(metadata.collect()));
    let texts = columns.iter().filter(|&&(_, kind, _)| kind == ColumnType::Text);
    let repeating =
        constants.iter().map(|column| &*column.name).chain(texts.map(|&(name, ..)| name));
    let properties = repeating.fold(properties, |properties, name| {
        properties.set_column_dictionary_enabled(ColumnPath::from(name), true)
    });
    Arc::new(properties.build())
}

#[cfg(test)]
mod tests {
    use parquet::data_type::{ByteArrayType, DoubleType, Int64Type};
    use sluice_laws::registry::ProtocolName;

    use super::*;
    use crate::results::key::RunId;
    use crate::results::read::{Reader, column};
    use crate::results::system::System;
    use crate::scenario::{PointColumn, PointValue};

    #[test]
    fn the_label_is_in_every_row_of_every_group() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.parquet");
        let value = PointValue::Number(0.5);
        let load = PointColumn { field: "load".into(), value, unit: String::new() };
        let id = RunId { system: System::Protocol(ProtocolName::Tcp), seed: 7, key: String::new() };
        let columns = [("index", ColumnType::Int, false)];
        let mut rows = Rows::create(&path, &columns, &RunLabel::of(&id, &[load])).unwrap();
        let counts = [GROUP, 1500];
        (0..counts.iter().sum::<usize>() as u64)
            .for_each(|index| rows.push([Cell::Int(index)]).unwrap());
        rows.finish().unwrap();
        let reader = Reader::open(&path).unwrap();
        let groups = reader.groups().unwrap();
        assert_eq!(groups.len(), counts.len());
        for (rows, count) in groups.iter().zip(counts) {
            let seeds = column::<Int64Type>(&**rows, "seed").unwrap();
            assert_eq!(seeds, vec![Some(7); count]);
            assert_eq!(column::<DoubleType>(&**rows, "load").unwrap(), vec![Some(0.5); count]);
            let names = column::<ByteArrayType>(&**rows, "protocol").unwrap();
            assert_eq!(names.len(), count);
            assert!(
                names.iter().all(|name| name.as_ref().is_some_and(|name| name.data() == b"tcp"))
            );
        }
    }
}
