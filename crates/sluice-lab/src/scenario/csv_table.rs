//! CSV files with a header: cells by column, quantities with units, errors with their lines.

use std::path::Path;
use std::str::FromStr;

use csv::{ReaderBuilder, StringRecord, Trim};
use sluice_units::{Bytes, Ratio, Time, UnitError, shortened};

use super::file_text::text;
use super::row_faults::RowFaults;
use super::suggest::suggest;

/// A column that a file may have.
pub(super) struct Column {
    pub name: &'static str,
    pub kind: ColumnKind,
    pub required: bool,
}

/// The values of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnKind {
    /// Times: seconds, unless the cell or the header has another unit.
    Time,
    /// Sizes: bytes, unless the cell or the header has another unit.
    Size,
    /// Numbers.
    Number,
    /// Names.
    Name,
}

impl ColumnKind {
    /// The unit of numbers without one.
    fn default_unit(self) -> Option<&'static str> {
        match self {
            Self::Time => Some("s"),
            Self::Size => Some("B"),
            Self::Number | Self::Name => None,
        }
    }

    /// Checks the unit of a header such as `start (ms)`.
    fn check_unit(self, unit: &str) -> Result<(), String> {
        let one = format!("1 {unit}");
        let checked = match self {
            Self::Time => one.parse::<Time>().map(drop),
            Self::Size => one.parse::<Bytes>().map(drop),
            Self::Number | Self::Name => return Err("takes no unit".into()),
        };
        checked.map_err(|error| error.to_string())
    }
}

/// A column of a file's header.
struct HeaderColumn {
    name: &'static str,
    /// The unit of numbers without one, if it holds quantities.
    unit: Option<String>,
}

/// A row below the header.
pub(super) struct Row<'a> {
    header: &'a [HeaderColumn],
    cells: &'a StringRecord,
    /// The row's first line, from 1.
    pub line: usize,
}

impl<'a> Row<'a> {
    /// The cell of a column; `None` if the file lacks the column.
    pub fn cell(&self, column: &str) -> Option<&'a str> {
        let index = self.header.iter().position(|header| header.name == column)?;
        self.cells.get(index)
    }

    /// The quantity in a column.
    pub fn quantity<Q: FromStr<Err = UnitError>>(&self, column: &str) -> Result<Q, String> {
        let cell = self.cell(column).unwrap_or("");
        let unit = self.header.iter().find(|header| header.name == column);
        let read = match unit.and_then(|header| header.unit.as_ref()) {
            Some(unit) if cell.parse::<f64>().is_ok() => format!("{cell} {unit}").parse(),
            _ => cell.parse(),
        };
        read.map_err(|error| format!("`{column}`: {error}"))
    }

    /// The fraction in a column.
    pub fn fraction(&self, column: &str) -> Result<Ratio, String> {
        let cell = self.cell(column).unwrap_or("");
        let number = cell.parse::<f64>().ok().filter(|number| (0.0..=1.0).contains(number));
        number
            .map(Ratio::new)
            .ok_or_else(|| format!("`{column}`: `{}` is not a fraction in [0, 1]", shortened(cell)))
    }
}

/// Calls `each` with every row of a file; returns the columns that the file has.
pub(super) fn read(
    path: &Path,
    columns: &[Column],
    mut each: impl FnMut(&Row<'_>) -> Result<(), String>,
) -> Result<Vec<&'static str>, RowFaults> {
    let file = path.display().to_string();
    let text = text(path).map_err(|what| RowFaults::whole(&file, what))?;
    let mut reader =
        ReaderBuilder::new().flexible(true).trim(Trim::All).from_reader(text.as_bytes());
    let names = reader.headers().map_err(|error| RowFaults::whole(&file, error.to_string()))?;
    let header = header(names, columns).map_err(|what| RowFaults::whole(&file, what))?;
    let mut faults = RowFaults::none(&file);
    let mut lines = LineCounter { text: &text, at: 0, line: 1 };
    let mut cells = StringRecord::new();
    while reader.read_record(&mut cells).map_err(|e| RowFaults::whole(&file, e.to_string()))? {
        if cells.iter().all(str::is_empty) && cells.len() == 1 {
            continue;
        }
        let line = lines.line_at(cells.position().map_or(0, csv::Position::byte) as usize);
        let row = if cells.len() == header.len() {
            each(&Row { header: &header, cells: &cells, line })
        } else {
            Err(format!("{} cells, but the header has {}", cells.len(), header.len()))
        };
        if let Err(what) = row {
            faults.add(line, what);
        }
    }
    if faults.is_empty() {
        Ok(header.iter().map(|column| column.name).collect())
    } else {
        Err(faults)
    }
}

/// The columns of a header.
fn header(names: &StringRecord, columns: &[Column]) -> Result<Vec<HeaderColumn>, String> {
    let mut header: Vec<HeaderColumn> = Vec::new();
    if names.is_empty() {
        return Err("empty file".into());
    }
    for cell in names {
        let (name, unit) = split_unit(cell);
        let Some(column) = columns.iter().find(|column| column.name == name) else {
            let name = shortened(name);
            let help = suggest(&name, columns.iter().map(|column| column.name));
            return Err(format!("unknown column `{name}`; {help}"));
        };
        if header.iter().any(|other| other.name == name) {
            return Err(format!("duplicate column `{name}`"));
        }
        if let Some(unit) = unit {
            column.kind.check_unit(unit).map_err(|what| format!("column `{name}`: {what}"))?;
        }
        let unit = unit.or(column.kind.default_unit()).map(str::to_owned);
        header.push(HeaderColumn { name: column.name, unit });
    }
    let is_missing =
        |column: &&Column| column.required && header.iter().all(|other| other.name != column.name);
    match columns.iter().find(is_missing) {
        Some(column) => Err(format!("missing column `{}`", column.name)),
        None => Ok(header),
    }
}

/// Splits `start (ms)` into the name and the unit.
fn split_unit(cell: &str) -> (&str, Option<&str>) {
    let split = cell.strip_suffix(')').and_then(|cell| cell.split_once('('));
    split.map_or((cell, None), |(name, unit)| (name.trim_end(), Some(unit.trim())))
}

/// Lines of ascending positions in a text.
struct LineCounter<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl LineCounter<'_> {
    /// The line of the record at `byte`, past line ends before it.
    fn line_at(&mut self, byte: usize) -> usize {
        let bytes = self.text.as_bytes();
        let ends = bytes[byte..].iter().take_while(|&&byte| byte == b'\n' || byte == b'\r');
        let begin = byte + ends.count();
        self.line += bytes[self.at..begin].iter().filter(|&&byte| byte == b'\n').count();
        self.at = begin;
        self.line
    }
}
