//! `sluice plot`: a measure of a sweep over a swept field as a figure, in SVG or PNG.
//!
//! The way through: `SweepResults` and a [`Choice`] -> `Figure` (`figure`) -> SVG (`draw`, with
//! `scale` and `text`) -> pixels (`png`).

mod choice;
mod draw;
mod error;
mod figure;
mod png;
mod scale;
mod text;

pub use choice::Choice;
pub use error::PlotError;

use std::path::Path;

use crate::replace::replace;
use crate::swept::SweepResults;

/// Draws the results of a sweep in a folder into a file, whose name ends in `.svg` or `.png`.
pub fn write(sweep: &Path, choice: &Choice, out: &Path) -> Result<(), PlotError> {
    let is_png = match out.extension().and_then(|end| end.to_str()) {
        Some("svg") => false,
        Some("png") => true,
        _ => return Err(PlotError::Format(out.to_owned())),
    };
    let read = SweepResults::read(sweep).map_err(|(path, error)| PlotError::Io(path, error))?;
    let svg = draw::svg(&figure::figure(&read, choice)?);
    let bytes = if is_png { png::png(&svg)? } else { svg.into_bytes() };
    replace(out, &bytes).map_err(|error| PlotError::Io(out.to_owned(), error))
}
