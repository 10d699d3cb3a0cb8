//! Replaces a file beside results, which others may read.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Writes a file that has its name once it is complete. Others may read it as they may read any new
/// file, which those that `tempfile` makes by itself they may not.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::other("no name of a file"))?;
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let mut part = tempfile::Builder::new()
        .prefix(name)
        .suffix(".part")
        .make_in(folder, |path| File::create_new(path))?;
    part.write_all(bytes)?;
    part.persist(path)?;
    Ok(())
}
