//! Parquet files as CSV, for whoever has nothing that reads them.

use std::io::{self, Write};
use std::path::Path;

use parquet::basic::Type as Physical;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::reader::RowGroupReader;

use super::read::{Reader, column, io_error};

/// Writes one of the Parquet files of a run as CSV: a line of names, then one a row, nothing where
/// a value lacks. Texts with a comma or a quote are quoted.
pub fn export(path: &Path, out: &mut impl Write) -> io::Result<()> {
    let reader = Reader::open(path).map_err(io_error)?;
    let columns = reader.columns();
    let mut out = csv::Writer::from_writer(out);
    out.write_record(columns.iter().map(|(name, _)| name))?;
    for rows in reader.groups().map_err(io_error)? {
        let cells: Vec<Vec<String>> = columns
            .iter()
            .map(|(name, kind)| texts(&*rows, name, *kind))
            .collect::<Result<_, _>>()
            .map_err(io_error)?;
        for row in 0..rows.metadata().num_rows() as usize {
            out.write_record(cells.iter().map(|column| &column[row]))?;
        }
    }
    out.flush()
}

fn texts(
    rows: &dyn RowGroupReader,
    name: &str,
    kind: Physical,
) -> Result<Vec<String>, ParquetError> {
    fn all<T>(cells: Vec<Option<T>>, text: impl Fn(T) -> String) -> Vec<String> {
        cells.into_iter().map(|cell| cell.map_or_else(String::new, &text)).collect()
    }
    let utf8 = |bytes: ByteArray| String::from_utf8_lossy(bytes.data()).into_owned();
    Ok(match kind {
        Physical::BOOLEAN => all(column::<BoolType>(rows, name)?, |value| value.to_string()),
        Physical::INT64 => all(column::<Int64Type>(rows, name)?, |value| value.to_string()),
        Physical::DOUBLE => all(column::<DoubleType>(rows, name)?, |value| value.to_string()),
        Physical::BYTE_ARRAY => all(column::<ByteArrayType>(rows, name)?, utf8),
        other => return Err(ParquetError::General(format!("`{name}` holds {other}"))),
    })
}
