//! Names the build by what can change a result: the version and a hash of the sources and of
//! `Cargo.lock`. Equal sources have equal names on every machine.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// A page shows results and changes none: it may be mended without running all again.
const NO_SOURCE: &str = "src/report";
/// What results depend on, seen from this crate. Tests inside `src` count too.
const SOURCES: [&str; 5] =
    ["../sluice-units/src", "../sluice-laws/src", "../sluice-sim/src", "src", "../../Cargo.lock"];

fn main() -> io::Result<()> {
    let mut files = Vec::new();
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
        collect(Path::new(source), &mut files)?;
    }
    files.sort();
    let mut hash = Sha256::new();
    for file in &files {
        // A checkout may write other ends of lines and other separators.
        let text = String::from_utf8_lossy(&fs::read(file)?).replace("\r\n", "\n");
        let name = file.to_string_lossy().replace('\\', "/");
        hash.update(format!("{name}\n{}\n{text}", text.len()));
    }
    let digest: String = hash.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    println!("cargo::rustc-env=SLUICE_BUILD={}+{digest}", env!("CARGO_PKG_VERSION"));
    Ok(())
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if path == Path::new(NO_SOURCE) {
        return Ok(());
    }
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            collect(&entry?.path(), files)?;
        }
    } else if path.exists() {
        files.push(path.to_owned());
    }
    Ok(())
}
