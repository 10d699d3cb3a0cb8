//! Error messages of invalid scenarios: `wrong/NAME.toml` gives exactly `wrong/NAME.txt`.
//! `UPDATE_GOLDEN=1` rewrites the texts; read them before you commit them.

use std::path::Path;

use sluice_lab::{Plan, PlanOverrides};

#[test]
fn every_wrong_file_is_explained() {
    let folder = Path::new("tests/wrong");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    assert!(files.len() > 15, "{files:?}");
    let mut wrong = Vec::new();
    for file in files {
        let error = match Plan::read(&file, &PlanOverrides::default()) {
            Ok(_) => panic!("{} was taken for right", file.display()),
            Err(error) => format!("{error}\n"),
        };
        let golden = file.with_extension("txt");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&golden, &error).unwrap();
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        if error != expected {
            wrong.push(format!("{}\nexpected:\n{expected}\ngot:\n{error}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_missing_file_is_an_error() {
    let error =
        Plan::read(Path::new("tests/wrong/none.toml"), &PlanOverrides::default()).unwrap_err();
    assert!(error.to_string().starts_with("error: tests/wrong/none.toml: No such file"), "{error}");
}
