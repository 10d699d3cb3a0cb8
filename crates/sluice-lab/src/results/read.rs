//! Columns of a Parquet file, a group of rows at a time.

use std::fs::File;
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
        SerializedFileReader::new(file).map(Self)
    }

    /// Its columns: name and type.
    pub fn columns(&self) -> Vec<(String, Physical)> {
        let columns = self.0.metadata().file_metadata().schema_descr().columns().iter();
        columns.map(|column| (column.name().to_owned(), column.physical_type())).collect()
    }

    /// Its groups of rows, in order.
    pub fn groups(&self) -> Result<Vec<Box<dyn RowGroupReader + '_>>, ParquetError> {
        (0..self.0.num_row_groups()).map(|number| self.0.get_row_group(number)).collect()
    }
}

/// The values of a column in a group of rows; `None` where a row has none.
pub fn column<T: DataType>(
    rows: &dyn RowGroupReader,
    name: &str,
) -> Result<Vec<Option<T::T>>, ParquetError> {
    let columns = rows.metadata().schema_descr_ptr();
    let number = columns.columns().iter().position(|column| column.name() == name);
    let number = number.ok_or_else(|| ParquetError::General(format!("no column `{name}`")))?;
    let mut reader = get_typed_column_reader::<T>(rows.get_column_reader(number)?);
    let total = rows.metadata().num_rows() as usize;
    let (mut values, mut present) = (Vec::with_capacity(total), Vec::with_capacity(total));
    let mut read = 0;
    while read < total {
        let (more, ..) =
            reader.read_records(total - read, Some(&mut present), None, &mut values)?;
        if more == 0 {
            return Err(ParquetError::General(format!("column `{name}` ends early")));
        }
        read += more;
    }
    if columns.column(number).max_def_level() == 0 {
        return Ok(values.into_iter().map(Some).collect());
    }
    let mut values = values.into_iter();
    Ok(present.into_iter().map(|there| if there > 0 { values.next() } else { None }).collect())
}
