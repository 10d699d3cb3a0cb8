//! The scenarios that come with the command: the files of `scenarios/`.

use std::path::Path;

use crate::scenario::{Document, FileError, suggest};

/// A scenario file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ready {
    /// Its name: the file's, without `.toml`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// A starter scenario, in which every line is explained.
pub const STARTER: &str = include_str!("ready/starter.toml");

macro_rules! ready {
    ($($name:literal),+ $(,)?) => {
        impl Ready {
            /// Every ready scenario.
            pub const ALL: &'static [Self] = &[$(Self {
                name: $name,
                text: include_str!(concat!("../../../scenarios/", $name, ".toml")),
            }),+];
        }
    };
}

ready! {
    "access-link",
    "cellular-steps",
    "data-center",
    "demo",
    "dumbbell-xcp-155",
    "dumbbell-xcp-2480",
    "fct-5",
    "flash-crowd",
    "geo-satellite",
    "incast",
    "leaf-spine",
    "leaf-spine-failure",
    "ncp-1",
    "overlay",
    "ps2-rcp",
    "ps7-rcp",
    "reno-lossy",
    "ring-wan",
    "transoceanic",
    "wan",
    "websearch",
    "xcp-5.8",
    "xcp-5.9",
}

impl Ready {
    /// The scenario of that name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|ready| ready.name == name)
    }

    /// Its title: the first paragraph of its first comment.
    pub fn title(&self) -> String {
        let lines = self.text.lines().map_while(|line| line.strip_prefix('#'));
        let first: Vec<&str> = lines.map(str::trim).take_while(|line| !line.is_empty()).collect();
        first.join(" ")
    }

    /// Its source, if its comment has a paragraph `Source:`.
    pub fn source(&self) -> String {
        let mut lines = self.text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
        let first = lines.find_map(|line| line.strip_prefix("Source:"));
        let Some(first) = first else { return String::new() };
        let rest = lines.take_while(|line| !line.is_empty());
        std::iter::once(first.trim()).chain(rest).collect::<Vec<_>>().join(" ")
    }
}

/// A scenario file, or a ready scenario by its name.
pub fn document(file: &Path) -> Result<Document, FileError> {
    let ready = file.to_str().filter(|_| !file.exists()).and_then(Ready::find);
    match ready {
        Some(ready) => Ok(Document::new(ready.name, ready.text, ready.name)),
        None => Document::read(file).map_err(|error| with_nearest(file, error)),
    }
}

/// Suggests the nearest ready scenario if the name may be that of one.
fn with_nearest(file: &Path, error: FileError) -> FileError {
    let word = file.to_string_lossy();
    if file.exists() || word.contains(['/', '\\']) || word.ends_with(".toml") {
        return error;
    }
    let help = suggest(&word, Ready::ALL.iter().map(|ready| ready.name));
    FileError::whole(&word, format!("no such file or ready scenario\n   = {help}"))
}
