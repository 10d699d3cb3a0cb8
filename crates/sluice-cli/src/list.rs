//! `sluice list` and `sluice explain`.

use std::fmt::Write;

use sluice_lab::manual::{self, Entry, EntryKind, Field};

use crate::complete;
use crate::exit::{Exit, fail, print};

/// Arguments of `sluice list`.
#[derive(clap::Args)]
pub struct ListArgs {
    /// List only entries whose name or kind (`protocol`, `workload`, ...) contains this
    #[arg(add = complete::listed_names())]
    filter: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints what scenarios may name, with a title and a source each.
pub fn list(args: &ListArgs) -> Exit {
    let filter = args.filter.as_deref().unwrap_or_default();
    let matches =
        |entry: &Entry| entry.name.contains(filter) || entry.kind.heading().contains(filter);
    let entries: Vec<&Entry> = manual::entries().iter().filter(|&entry| matches(entry)).collect();
    if entries.is_empty() {
        let kinds = EntryKind::LISTED.map(EntryKind::heading);
        let error = format!(
            "error: nothing to list: no name or kind contains `{filter}`\n   = kinds: {}; \
             `sluice list` lists all names",
            kinds.join(", ")
        );
        return fail(Exit::WrongInput, &error);
    }
    if args.json {
        return json(&entries);
    }
    let mut out = String::new();
    for kind in EntryKind::LISTED {
        let of_kind: Vec<&Entry> =
            entries.iter().copied().filter(|entry| entry.kind == kind).collect();
        if of_kind.is_empty() {
            continue;
        }
        _ = writeln!(out, "{}{}", if out.is_empty() { "" } else { "\n" }, kind.heading());
        for entry in of_kind {
            _ = writeln!(out, "  {:<18}{}", entry.name, entry.title);
            if !entry.source.is_empty() {
                _ = writeln!(out, "  {:<18}{}", "", entry.source);
            }
        }
    }
    print(&out)
}

/// Arguments of `sluice explain`.
#[derive(clap::Args)]
pub struct ExplainArgs {
    /// Any word of a scenario: a name that `sluice list` prints, a field (`replay`, also by its path,
    /// `topology.dumbbell.buffer`), a value (`rack`) or a unit (`bdp`)
    #[arg(add = complete::words())]
    name: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Describes a word: its parameters, and the sources of its equations.
pub fn explain(args: &ExplainArgs) -> Exit {
    let found = match manual::find(&args.name) {
        Ok(found) => found,
        Err(error) => return fail(Exit::WrongInput, &format!("error: {error}")),
    };
    if args.json {
        return json(&found.iter().collect::<Vec<_>>());
    }
    print(&found.iter().map(explained).collect::<Vec<_>>().join("\n"))
}

fn explained(entry: &Entry) -> String {
    let mut out = format!("{} ({})\n", entry.name, entry.kind.heading());
    wrap(&mut out, "  ", &entry.title);
    if !entry.source.is_empty() {
        wrap(&mut out, "  source: ", &entry.source);
    }
    if !entry.equations.is_empty() {
        out.push_str("\nequations\n");
        entry.equations.iter().for_each(|line| wrap(&mut out, "  ", line));
    }
    if !entry.takes.is_empty() {
        wrap(&mut out, "  value: ", &entry.takes);
    }
    if !entry.places.is_empty() {
        wrap(&mut out, "  in: ", &entry.places.join(", "));
    }
    if !entry.fields.is_empty() {
        out.push_str("\nfields\n");
        entry.fields.iter().for_each(|field| explain_field(&mut out, field));
    }
    if entry.kind == EntryKind::Scenario {
        _ = writeln!(
            out,
            "\nRun it with `sluice run {0}`, or copy it with `sluice new --from {0}`.",
            entry.name
        );
    }
    out
}

fn explain_field(out: &mut String, field: &Field) {
    let state = match (field.required, &field.default[..]) {
        (true, _) => "; required".into(),
        (false, "") => String::new(),
        (false, default) => format!("; default {default}"),
    };
    wrap(out, &format!("  {:<18}", field.name), &format!("{}{state}", field.takes));
    wrap(out, &" ".repeat(20), &field.about);
}

/// Adds a paragraph that begins with `lead` and is indented by its width.
fn wrap(out: &mut String, lead: &str, text: &str) {
    const WIDTH: usize = 96;
    let indent = lead.chars().count();
    let mut column = indent;
    out.push_str(lead);
    for word in text.split_whitespace() {
        let wide = word.chars().count();
        if column > indent && column + 1 + wide > WIDTH {
            _ = write!(out, "\n{}", " ".repeat(indent));
            column = indent;
        }
        if column > indent {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += wide;
    }
    out.push('\n');
}

fn json(entries: &[&Entry]) -> Exit {
    match serde_json::to_string_pretty(entries) {
        Ok(text) => print(&format!("{text}\n")),
        Err(error) => fail(Exit::Failure, &format!("error: {error}")),
    }
}
