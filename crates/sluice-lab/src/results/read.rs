//! Columns of a Parquet file, a group of rows at a time.

use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use parquet::basic::Type as Physical;
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};

/// A file that is being read.
pub struct Reader(SerializedFileReader<File>);

impl Reader {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Self, ParquetError> {
        let file = File::open(path).map_err(|error| ParquetError::External(Box::new(error)))?;
        guarded(|| SerializedFileReader::new(file).map(Self))
    }

    /// Its columns: name and type.
    pub fn columns(&self) -> Vec<(String, Physical)> {
        let columns = self.0.metadata().file_metadata().schema_descr().columns().iter();
        columns.map(|column| (column.name().to_owned(), column.physical_type())).collect()
    }

    /// Its groups of rows, in order.
    pub fn groups(&self) -> Result<Vec<Box<dyn RowGroupReader + '_>>, ParquetError> {
        let groups = 0..self.0.num_row_groups();
        guarded(|| groups.map(|number| self.0.get_row_group(number)).collect())
    }
}

/// The library takes some of what a damaged file says for granted, and panics.
fn guarded<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    // What was being read is dropped.
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err(damaged("it cannot be decoded")))
}

fn damaged(what: &str) -> ParquetError {
    ParquetError::General(format!("the file is damaged: {what}"))
}

/// The error that a file could not be opened with, or another one for what is in it.
pub fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => {
            inner.downcast::<io::Error>().map_or_else(io::Error::other, |error| *error)
        }
        error => io::Error::other(error),
    }
}

/// The values of a column in a group of rows; `None` where a row has none.
pub fn column<T: DataType>(
    rows: &dyn RowGroupReader,
    name: &str,
) -> Result<Vec<Option<T::T>>, ParquetError> {
    guarded(|| whole_column::<T>(rows, name))
}

fn whole_column<T: DataType>(
    rows: &dyn RowGroupReader,
    name: &str,
) -> Result<Vec<Option<T::T>>, ParquetError> {
    let columns = rows.metadata().schema_descr_ptr();
    let number = columns.columns().iter().position(|column| column.name() == name);
    let number = number.ok_or_else(|| ParquetError::General(format!("no column `{name}`")))?;
    let mut reader = get_typed_column_reader::<T>(rows.get_column_reader(number)?);
    let total = rows.metadata().num_rows();
    let total = usize::try_from(total).map_err(|_| damaged("a negative number of rows"))?;
    let (mut values, mut present) = (Vec::new(), Vec::new());
    let mut read = 0;
    while read < total {
        let (more, ..) =
            reader.read_records(total - read, Some(&mut present), None, &mut values)?;
        if more == 0 {
            return Err(ParquetError::General(format!("column `{name}` ends early")));
        }
        read += more;
    }
    let is_flat = columns.column(number).max_def_level() == 0;
    if total != if is_flat { values.len() } else { present.len() } {
        return Err(damaged(&format!("column `{name}` has more or less than a value a row")));
    }
    if is_flat {
        return Ok(values.into_iter().map(Some).collect());
    }
    let mut values = values.into_iter();
    Ok(present.into_iter().map(|there| if there > 0 { values.next() } else { None }).collect())
}
