//! `sluice list` and `sluice explain`.

use std::fmt::Write;

use sluice_lab::manual::{self, Entry, EntryKind, Field};

use crate::exit::{Exit, WRONG_INPUT, fail, print};

/// What `sluice list` is told.
#[derive(clap::Args)]
pub struct ListArgs {
    /// Only what has a name like this, or is of this kind (`protocol`, `workload`, ...).
    filter: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Prints what scenarios may name, a line and a source each.
pub fn list(args: &ListArgs) -> Exit {
    let filter = args.filter.as_deref().unwrap_or_default();
    let matches = |entry: &Entry| {
        let heading = EntryKind::ALL.iter().find(|(kind, _)| *kind == entry.kind);
        entry.name.contains(filter) || heading.is_some_and(|(_, name)| name.contains(filter))
    };
    let entries: Vec<Entry> = manual::entries().into_iter().filter(matches).collect();
    if args.json {
        return json(&entries);
    }
    let mut out = String::new();
    for (kind, heading) in EntryKind::ALL {
        let of_kind: Vec<&Entry> = entries.iter().filter(|entry| entry.kind == kind).collect();
        if of_kind.is_empty() {
            continue;
        }
        _ = writeln!(out, "{}{heading}", if out.is_empty() { "" } else { "\n" });
        for entry in of_kind {
            _ = writeln!(out, "  {:<18}{}", entry.name, entry.title);
            if !entry.source.is_empty() {
                _ = writeln!(out, "  {:<18}{}", "", entry.source);
            }
        }
    }
    print(&out);
    Exit::SUCCESS
}

/// What `sluice explain` is told.
#[derive(clap::Args)]
pub struct ExplainArgs {
    /// A protocol, topology, traffic model, size model, workload, ready scenario, or a table of a
    /// scenario file; `sluice list` names them.
    name: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Says what something is, its parameters, and where its equations are from.
pub fn explain(args: &ExplainArgs) -> Exit {
    let found = match manual::find(&args.name) {
        Ok(found) => found,
        Err(error) => return fail(WRONG_INPUT, &format!("error: {error}")),
    };
    if args.json {
        return json(&found);
    }
    print(&found.iter().map(explained).collect::<Vec<_>>().join("\n"));
    Exit::SUCCESS
}

fn explained(entry: &Entry) -> String {
    let heading =
        EntryKind::ALL.iter().find(|(kind, _)| *kind == entry.kind).map_or("", |(_, of)| of);
    let mut out = format!("{} ({heading})\n", entry.name);
    wrap(&mut out, "  ", &entry.title);
    if !entry.source.is_empty() {
        wrap(&mut out, "  from ", &entry.source);
    }
    if !entry.equations.is_empty() {
        out.push_str("\nequations\n");
        entry.equations.iter().for_each(|line| wrap(&mut out, "  ", line));
    }
    if !entry.takes.is_empty() {
        wrap(&mut out, "  takes ", &entry.takes);
    }
    if !entry.fields.is_empty() {
        out.push_str("\nfields\n");
        entry.fields.iter().for_each(|field| explain_field(&mut out, field));
    }
    if entry.kind == EntryKind::Scenario {
        _ = writeln!(
            out,
            "\n`sluice run {0}` runs it; `sluice new --from {0}` writes it",
            entry.name
        );
    }
    out
}

fn explain_field(out: &mut String, field: &Field) {
    let state = match (field.required, &field.default[..]) {
        (true, _) => "; must be given".into(),
        (false, "") => String::new(),
        (false, default) => format!("; {default} if left out"),
    };
    wrap(out, &format!("  {:<18}", field.name), &format!("{}{state}", field.takes));
    wrap(out, &" ".repeat(20), &field.about);
}

/// Adds a paragraph, its lines indented as far as the first one's lead is long.
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

fn json(entries: &[Entry]) -> Exit {
    match serde_json::to_string_pretty(entries) {
        Ok(text) => print(&format!("{text}\n")),
        Err(error) => return fail(1, &format!("error: {error}")),
    }
    Exit::SUCCESS
}
