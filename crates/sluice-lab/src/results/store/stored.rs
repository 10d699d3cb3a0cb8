//! The files of a complete run, and whether they are as they were written.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use fs_err::{self as fs, File};

use super::damage::{Damage, DamageKind};
use crate::results::run_file::StoredRun;
use crate::results::sealed::{Digest, Sealed};

/// The file of a run's totals, and of the digests of its other files.
pub const RUN: &str = "run.json";

/// Writes `run.json`, with digests of the other files in the folder.
pub fn seal(folder: &Path, run: &mut StoredRun) -> io::Result<()> {
    let digest = |name: String| Ok((name.clone(), Digest::of_file(&folder.join(name))?));
    run.files =
        other_files(folder)?.into_iter().map(digest).collect::<io::Result<BTreeMap<_, _>>>()?;
    let mut out = BufWriter::new(File::create(folder.join(RUN))?);
    Sealed::write(&*run, &mut out)?;
    out.flush()
}

/// Reads a run and checks all its files.
pub fn read(folder: &Path) -> Result<StoredRun, Damage> {
    let damaged = |name: &str, kind| Damage { file: folder.join(name), kind };
    let text = fs::read(folder.join(RUN)).map_err(|error| damaged(RUN, DamageKind::of(&error)))?;
    let run: StoredRun = Sealed::read(&text).ok_or_else(|| damaged(RUN, DamageKind::Altered))?;
    for (name, written) in &run.files {
        let found = Digest::of_file(&folder.join(name))
            .map_err(|error| damaged(name, DamageKind::of(&error)))?;
        if found != *written {
            return Err(damaged(name, DamageKind::Altered));
        }
    }
    Ok(run)
}

/// Checks all files of a run.
pub fn check_run(folder: &Path) -> Result<(), Damage> {
    read(folder).map(drop)
}

/// The names of all files in the folder but `run.json`.
pub fn other_files(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().into_string();
        names.push(name.map_err(|_| io::Error::other("a file name that is not UTF-8"))?);
    }
    names.retain(|name| name != RUN);
    Ok(names)
}
