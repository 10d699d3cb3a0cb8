//! Shell completion: the shell runs the command, which offers what fits the words typed so far.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Command;
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use clap_complete::env::{CompleteEnv, Shells};
use sluice_lab::manual::{self, EntryKind};
use sluice_lab::ready::{self, Ready};
use sluice_lab::scenario::DocumentNames;

use crate::exit::{Exit, fail};

/// The environment variable by which a shell asks for candidates; its value names the shell.
const VARIABLE: &str = "SLUICE_COMPLETE";

/// The names of the shells.
pub fn shells() -> Vec<&'static str> {
    Shells::builtins().names().collect()
}

/// The script that makes a shell ask for candidates.
pub fn registration(shell: &str) -> std::io::Result<String> {
    let shells = Shells::builtins();
    let shell = shells.completer(shell).ok_or(std::io::ErrorKind::Unsupported)?;
    let mut script = Vec::new();
    shell.write_registration(VARIABLE, "sluice", "sluice", "sluice", &mut script)?;
    Ok(String::from_utf8_lossy(&script).into_owned())
}

/// Prints candidates if a shell asks for them.
pub fn answer(args: &[OsString], command: impl Fn() -> Command) -> Option<Exit> {
    let names = Arc::new(names_in(args));
    let command = || with_fields(command(), &names);
    match CompleteEnv::with_factory(command).var(VARIABLE).try_complete(args, None) {
        Ok(false) => None,
        Ok(true) => Some(Exit::Success),
        Err(error) => Some(fail(Exit::WrongInput, &error)),
    }
}

/// Offers ready scenarios and scenario files.
pub fn scenarios() -> ArgValueCompleter {
    let is_scenario = |path: &Path| path.extension().is_some_and(|extension| extension == "toml");
    let files = PathCompleter::file().filter(is_scenario);
    ArgValueCompleter::new(move |typed: &OsStr| {
        let mut found = starting(typed, Ready::ALL.iter().map(|ready| (ready.name, ready.title())));
        found.extend(files.complete(typed));
        found
    })
}

/// Offers ready scenarios.
pub fn ready_scenarios() -> ArgValueCompleter {
    let names = || Ready::ALL.iter().map(|ready| (ready.name, ready.title()));
    ArgValueCompleter::new(move |typed: &OsStr| starting(typed, names()))
}

/// Offers protocols.
pub fn protocols() -> ArgValueCompleter {
    let listed = || manual::entries().iter().filter(|entry| entry.kind == EntryKind::Protocol);
    ArgValueCompleter::new(move |typed: &OsStr| {
        starting(typed, listed().map(|entry| (&*entry.name, entry.title.clone())))
    })
}

/// Offers ideals and protocols.
pub fn references() -> ArgValueCompleter {
    let is_one = |kind| matches!(kind, EntryKind::Ideal | EntryKind::Protocol);
    let listed = move || manual::entries().iter().filter(move |entry| is_one(entry.kind));
    ArgValueCompleter::new(move |typed: &OsStr| {
        starting(typed, listed().map(|entry| (&*entry.name, entry.title.clone())))
    })
}

/// Offers what `sluice list` prints.
pub fn listed_names() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        starting(typed, manual::entries().iter().map(|entry| (&*entry.name, entry.title.clone())))
    })
}

/// Offers every word of a scenario.
pub fn words() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let all = manual::entries().iter().chain(manual::words());
        starting(typed, all.map(|entry| (&*entry.name, entry.title.clone())))
    })
}

/// Offers the network devices of this machine, with their state.
pub fn devices() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        // There is none but on Linux.
        let entries = std::fs::read_dir("/sys/class/net").into_iter().flatten().flatten();
        let named = entries.filter_map(|entry| {
            // The bonding driver has a file beside the devices, which has no state.
            let state = std::fs::read_to_string(entry.path().join("operstate")).ok()?;
            let name = entry.file_name().to_string_lossy().into_owned();
            Some((name, state.trim().to_owned()))
        });
        starting(typed, named)
    })
}

/// The candidates that begin with what is typed, each once.
fn starting<N: AsRef<str>>(
    typed: &OsStr,
    candidates: impl Iterator<Item = (N, String)>,
) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let mut found: Vec<(N, String)> =
        candidates.filter(|(name, _)| name.as_ref().starts_with(&*typed)).collect();
    found.sort_by(|a, b| a.0.as_ref().cmp(b.0.as_ref()));
    found.dedup_by(|a, b| a.0.as_ref() == b.0.as_ref());
    let candidate = |(name, about): (N, String)| {
        CompletionCandidate::new(name.as_ref()).help(Some(about.into()))
    };
    found.into_iter().map(candidate).collect()
}

/// Adds fields to the options that take them.
fn with_fields(command: Command, names: &Arc<DocumentNames>) -> Command {
    command.mut_subcommands(|command| {
        command.mut_args(|arg| match arg.get_id().as_str() {
            "set" | "vary" => {
                let names = Arc::clone(names);
                arg.add(ArgValueCompleter::new(move |typed: &OsStr| fields(typed, &names)))
            }
            _ => arg,
        })
    })
}

/// The names in the first scenario on the line that is being completed.
fn names_in(args: &[OsString]) -> DocumentNames {
    let line = args.iter().skip_while(|arg| *arg != "--").skip(2);
    let found = line.map(PathBuf::from).find_map(|file| ready::document(&file).ok());
    found.map(|document| document.names()).unwrap_or_default()
}

/// Fields and variables (`load=`), or values after the `=`.
fn fields(typed: &OsStr, names: &DocumentNames) -> Vec<CompletionCandidate> {
    let text = typed.to_string_lossy();
    match text.split_once('=') {
        Some((path, _)) => {
            let place = schema_path(path, names);
            let values = manual::words()
                .iter()
                .filter(|word| word.kind == EntryKind::Value && word.places.contains(&place));
            starting(
                typed,
                values.map(|word| (format!("{path}={}", word.name), word.title.clone())),
            )
        }
        None => {
            let variables =
                names.variables.iter().map(|name| (format!("{name}="), "variable".into()));
            let fields = manual::words()
                .iter()
                .filter(|word| word.kind == EntryKind::Field && word.fields.is_empty())
                .flat_map(|word| word.places.iter().map(|place| (place, &word.title)))
                .flat_map(|(place, title)| {
                    settable(place, names)
                        .into_iter()
                        .map(move |path| (format!("{path}="), title.clone()))
                });
            starting(typed, variables.chain(fields))
        }
    }
}

/// Lists of tables: the start of the paths of their fields, and the names of their items.
fn lists(names: &DocumentNames) -> [(&'static str, &[String]); 2] {
    [("group.", &names.groups), ("link.", &names.links)]
}

/// The ways to name a field of the schema in a setting: `group.NAME.path` for each group.
fn settable(place: &str, names: &DocumentNames) -> Vec<String> {
    let in_list = |(start, items): (&str, &[String])| {
        let rest = place.strip_prefix(start)?;
        Some(items.iter().map(|name| format!("{start}{name}.{rest}")).collect())
    };
    lists(names).into_iter().find_map(in_list).unwrap_or_else(|| vec![place.to_owned()])
}

/// The path in the schema of a field that a setting names.
fn schema_path(path: &str, names: &DocumentNames) -> String {
    let in_list = |(start, items): (&str, &[String])| {
        let rest = path.strip_prefix(start)?;
        let within = |name: &String| rest.strip_prefix(name.as_str())?.strip_prefix('.');
        items.iter().find_map(within).map(|rest| format!("{start}{rest}"))
    };
    lists(names).into_iter().find_map(in_list).unwrap_or_else(|| path.into())
}
