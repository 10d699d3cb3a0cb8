//! TOML files that are no scenarios, such as the settings of the Linux data plane.

use std::path::Path;

use serde::Deserialize;
use toml::de::DeTable;

use super::deserialize::{problem, read_all};
use super::document::Document;
use super::file_error::FileError;
use super::problem::{Problem, Problems};
use super::tree::locate;

/// Reads a TOML file that is no scenario into a type. Its errors are as those of scenarios: all that can be found at
/// once, each with its line and the accepted values. `check` reports what is wrong beyond the types of fields, by their
/// paths (`router[0].rate`).
pub fn read_toml<T: for<'de> Deserialize<'de>>(
    path: &Path,
    check: impl FnOnce(&T, &mut Problems),
) -> Result<T, FileError> {
    let document = Document::read(path)?;
    let (table, syntax) = DeTable::parse_recoverable(document.file_text());
    if !syntax.is_empty() {
        let problems: Vec<Problem> = syntax.iter().map(|error| problem(error, &[])).collect();
        return Err(document.error(&problems, |_| None));
    }
    let table = table.into_inner();
    let mut problems = Problems::default();
    let value = read_all(table.clone(), &(0..document.len()), &[], &mut problems.0);
    if let Some(value) = value.filter(|_| problems.0.is_empty()) {
        check(&value, &mut problems);
        if problems.0.is_empty() {
            return Ok(value);
        }
    }
    Err(document.error(&problems.0, |field| locate(&table, field)))
}

#[cfg(test)]
mod tests {
    use sluice_units::{Rate, Span};

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Settings {
        link: Vec<LinkSettings>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct LinkSettings {
        rate: Rate,
        delay: Option<Span>,
    }

    fn read(name: &str, text: &str) -> Result<Settings, String> {
        let path = std::env::temp_dir().join(format!("{}-{name}.toml", std::process::id()));
        std::fs::write(&path, text).unwrap();
        let found = read_toml(&path, |settings: &Settings, problems| {
            for (index, link) in settings.link.iter().enumerate() {
                if link.rate == Rate::ZERO {
                    problems.field(format!("link[{index}].rate"), "must be above 0");
                }
            }
        });
        std::fs::remove_file(&path).unwrap();
        found.map_err(|error| error.to_string().replace(&path.display().to_string(), "f.toml"))
    }

    #[test]
    fn a_file_is_read_into_its_type() {
        let link = LinkSettings { rate: Rate::from_bps(1_000_000), delay: None };
        assert_eq!(read("right", "[[link]]\nrate = \"1 mbit\""), Ok(Settings { link: vec![link] }));
    }

    #[test]
    fn errors_have_their_lines_and_the_accepted_values() {
        let error = read("fields", "[[link]]\nrate = \"1 sm\"\ndlay = \"1 ms\"\n").unwrap_err();
        assert!(error.contains("f.toml:2:8: `1 sm` is not a rate"), "{error}");
        assert!(error.contains("f.toml:3:1: unknown field `dlay`"), "{error}");
        assert!(error.contains("did you mean `delay`? expected one of `rate`, `delay`"), "{error}");
        let error = read("checked", "[[link]]\nrate = \"0 bps\"\n").unwrap_err();
        assert!(error.starts_with("error: f.toml:2:8: must be above 0\n"), "{error}");
        let error = read("syntax", "[[link]\n").unwrap_err();
        assert!(error.starts_with("error: f.toml:1:"), "{error}");
    }
}
