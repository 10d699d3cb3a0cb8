//! Mean completion times relative to those under an ideal or a protocol, by class of flow sizes.

use std::fmt::Write;

use super::label::{CELL, label};
use super::text::{figures, size};
use super::title::title;
use super::warnings;
use crate::results::classes;
use crate::{ClassRatio, CompletionRatios, GroupRatios, ProtocolSummary, Summary, System};

/// A cell of flows of some sizes.
type Value = fn(&ClassRatio) -> Option<String>;
/// Columns behind those of ratios.
const LINK: [&str; 2] = ["dropped", "p99 queue"];

/// A block for each ideal.
pub(super) fn to_ideals(out: &mut String, summary: &Summary) {
    for ideal in &summary.ideals {
        if let Some(block) = Block::of(summary, ideal.protocol) {
            block.ratios(out, |_| String::new());
        }
    }
}

/// Protocols relative to one ideal or protocol, with packets dropped and queue at the bottleneck.
pub fn against(summary: &Summary, reference: System) -> String {
    let mut out = String::new();
    title(&mut out, summary);
    let Some(block) = Block::of(summary, reference) else {
        return out + &format!("\nno measured flow finished under {reference}\n");
    };
    block.ratios(&mut out, |system| {
        let mut all = summary.protocols.iter();
        all.find(|found| Some(found.protocol) == system)
            .map_or_else(|| LINK.map(cell).concat(), |found| link(found).map(cell).concat())
    });
    if let Some(first) = summary.protocols.first() {
        let (from, to) = (&first.bottleneck.from, &first.bottleneck.to);
        let runs = if first.runs == 1 { "" } else { ", mean over runs" };
        _ = writeln!(out, "  dropped, p99 queue: of the link from {from} to {to}{runs}");
    }
    out + &warnings::lines(summary.warnings.iter().map(|warning| warning.text.clone()))
}

fn cell(text: impl std::fmt::Display) -> String {
    format!("{text:>CELL$}")
}

/// What [`LINK`] names, of the bottleneck.
fn link(found: &ProtocolSummary) -> [String; 2] {
    let link = &found.bottleneck;
    let queue = if link.bdp > 0.0 {
        format!("{} BDP", figures(link.p99_queue / link.bdp))
    } else {
        size(link.p99_queue)
    };
    [super::links::count(link.drops), queue]
}

/// What is known of all protocols relative to one system.
struct Block<'a> {
    reference: System,
    found: Vec<&'a CompletionRatios>,
    /// The classes that have flows.
    used: Vec<usize>,
    /// Width of the column of names.
    wide: usize,
}

impl<'a> Block<'a> {
    /// `None` if no flow finished under the reference.
    fn of(summary: &'a Summary, reference: System) -> Option<Self> {
        const MIN: usize = 10;
        let of_it = summary.ratios.iter().filter(|ratios| ratios.reference == reference);
        let found: Vec<&CompletionRatios> = of_it.collect();
        let used = CompletionRatios::used(&found);
        let laws = found.iter().map(|one| label(Some(one.protocol)));
        let groups = found.iter().flat_map(|one| several(one)).map(|group| of_group(&group.name));
        let names = laws.chain(groups).chain([label(Some(reference))]);
        let wide = names.map(|name| name.chars().count()).fold(MIN, usize::max);
        (!found.is_empty()).then_some(Self { reference, found, used, wide })
    }

    /// Ratios by class, with `more` columns for each protocol, and for the header.
    fn ratios(&self, out: &mut String, more: impl Fn(Option<System>) -> String) {
        let reference = self.reference;
        _ = writeln!(
            out,
            "\nrelative to {reference}: mean completion time, by data packets of a flow"
        );
        _ = write!(out, "{:wide$}{:>CELL$}", "  packets", "all", wide = self.wide);
        let heads = self.used.iter().map(|&class| cell(classes::label(classes::edges(class))));
        _ = writeln!(out, "{}{}", heads.collect::<String>(), more(None));
        // Those that finished under the reference, of all protocols alike.
        let have_equal_flows = CompletionRatios::have_equal_flows(&self.found);
        if have_equal_flows {
            self.rows(out, "  flows", self.found[0], |flows| Some(flows.flows.to_string()), "");
        }
        if !reference.is_ideal() {
            let one = |_: &ClassRatio| Some(figures(1.0));
            let name = label(Some(reference));
            self.row(
                out,
                &name,
                (&self.found[0].all, &self.found[0].by_class),
                one,
                &more(Some(reference)),
            );
        }
        for one in &self.found {
            let name = label(Some(one.protocol));
            self.rows(
                out,
                &name,
                one,
                |flows| Some(figures(flows.ratio)),
                &more(Some(one.protocol)),
            );
        }
        if !have_equal_flows {
            self.part(out, "  flows, of which some runs are missing", |flows| {
                Some(flows.flows.to_string())
            });
        }
        self.part(out, "  95 % interval, lower end", |flows| end(flows, 0));
        self.part(out, "  95 % interval, upper end", |flows| end(flows, 1));
        self.part(out, "  unfinished, counted until the end of the run: lower bounds", |flows| {
            positive(flows.unfinished)
        });
        let left_out = format!("  left out: unfinished under {reference}");
        self.part(out, &left_out, |flows| positive(flows.left_out));
    }

    /// A row for each protocol that has a value for all flows; nothing if there is none.
    fn part(&self, out: &mut String, name: &str, value: Value) {
        let have: Vec<_> = self.found.iter().filter(|one| value(&one.all).is_some()).collect();
        if !have.is_empty() {
            _ = writeln!(out, "{name}");
        }
        for one in have {
            self.row(out, &label(Some(one.protocol)), (&one.all, &one.by_class), value, "");
        }
    }

    /// A protocol's row, and one for each group.
    fn rows(&self, out: &mut String, name: &str, of: &CompletionRatios, value: Value, more: &str) {
        self.row(out, name, (&of.all, &of.by_class), value, more);
        for group in several(of) {
            self.row(out, &of_group(&group.name), (&group.all, &group.by_class), value, "");
        }
    }

    fn row(
        &self,
        out: &mut String,
        name: &str,
        (all, by_class): (&ClassRatio, &[ClassRatio]),
        value: Value,
        more: &str,
    ) {
        let classes = self.used.iter().map(|&class| ClassRatio::of_class(by_class, class));
        let cells = std::iter::once(Some(all)).chain(classes);
        let cells: String =
            cells.map(|flows| cell(flows.and_then(value).unwrap_or("-".into()))).collect();
        _ = writeln!(out, "{name:<wide$}{cells}{more}", wide = self.wide);
    }
}

/// The groups that have flows, if there are several.
fn several(of: &CompletionRatios) -> &[GroupRatios] {
    if of.groups.len() > 1 { &of.groups } else { &[] }
}

/// The name of a group below that of a protocol.
fn of_group(name: &str) -> String {
    format!("    {name}")
}

fn end(flows: &ClassRatio, end: usize) -> Option<String> {
    flows.ratio_interval.map(|interval| figures(interval[end]))
}

fn positive(flows: u64) -> Option<String> {
    (flows > 0).then(|| flows.to_string())
}
