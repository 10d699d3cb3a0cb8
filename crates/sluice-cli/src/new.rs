//! `sluice new`, `sluice schema` and `sluice completions`.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use sluice_lab::manual;
use sluice_lab::ready::{Ready, STARTER};
use sluice_lab::scenario::suggest;

use crate::complete;
use crate::exit::{Exit, fail, print};

/// Arguments of `sluice new`.
#[derive(clap::Args)]
pub struct NewArgs {
    /// File to write; an existing one is not overwritten
    #[arg(default_value = "scenario.toml")]
    file: PathBuf,
    /// Copy this ready scenario (see `sluice list scenarios`)
    #[arg(long, value_name = "NAME", add = complete::ready_scenarios())]
    from: Option<String>,
}

/// Writes a starter scenario.
pub fn new(args: &NewArgs) -> Exit {
    let text = match &args.from {
        None => STARTER,
        Some(name) => match Ready::find(name) {
            Some(ready) => ready.text,
            None => {
                let names = Ready::ALL.iter().map(|ready| ready.name);
                let help = suggest(name, names);
                let error = format!("error: unknown scenario `{name}`\n   = {help}");
                return fail(Exit::WrongInput, &error);
            }
        },
    };
    match write_new(&args.file, text) {
        Ok(()) => {
            let file = args.file.display();
            print(&format!("Wrote {file}. Run it with `sluice run {file}`.\n"))
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let file = args.file.display();
            fail(Exit::WrongInput, &format!("error: {file} already exists"))
        }
        Err(error) => fail(Exit::Failure, &format!("error: {}: {error}", args.file.display())),
    }
}

fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
}

/// Prints the JSON Schema of scenario files.
pub fn schema() -> Exit {
    print(&format!("{:#}\n", manual::schema()))
}

/// Arguments of `sluice completions`.
#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// Shell to write the script for
    #[arg(value_parser = PossibleValuesParser::new(complete::shells()))]
    shell: String,
}

/// Prints a shell completion script.
pub fn completions(args: &CompletionsArgs) -> Exit {
    match complete::registration(&args.shell) {
        Ok(script) => print(&script),
        Err(error) => fail(Exit::Failure, &format!("error: {error}")),
    }
}
