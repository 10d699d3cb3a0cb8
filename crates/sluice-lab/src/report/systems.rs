//! The systems of a page: titles, styles and totals.

use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_sim::ideal::Ideal;

use super::data::{Estimates, ReportSystem, ReportTotals, SizeBin, SystemKind};
use super::digits::digits;
use super::estimated::estimated;
use super::look::{LIGHT, Look};
use crate::results::System;
use crate::{Analytic, ProtocolSummary, Summary};

/// The systems that ran, with totals: protocols, custom laws, ideals.
pub fn of_systems(found: &Summary, sizes: &[SizeBin]) -> Vec<ReportSystem> {
    let systems: Vec<System> = found.systems().map(|system| system.protocol).collect();
    let with_totals = |(described, found): (ReportSystem, &ProtocolSummary)| ReportSystem {
        runs: found.runs,
        totals: Some(totals(found, sizes)),
        ..described
    };
    describe(&systems).into_iter().zip(found.systems()).map(with_totals).collect()
}

/// Systems with their names and styles, and without results.
pub fn describe(systems: &[System]) -> Vec<ReportSystem> {
    let mut further = further_styles(systems);
    systems.iter().map(|&system| of_system(system, &mut further)).collect()
}

/// Styles of custom laws, after those of the registered protocols: first those in colours that no
/// protocol of the page has.
fn further_styles(systems: &[System]) -> impl Iterator<Item = usize> + use<> {
    let colour = |style| Look::of(SystemKind::Protocol, style).colour;
    let taken = systems.iter().filter_map(|system| match system {
        System::Protocol(name) => Some(colour(index_of(ProtocolName::ALL, *name))),
        _ => None,
    });
    let taken: Vec<Option<usize>> = taken.collect();
    let first = ProtocolName::ALL.len();
    let after = first + LIGHT.protocols.len();
    let (free, others): (Vec<usize>, Vec<usize>) =
        (first..after).partition(|&style| !taken.contains(&colour(style)));
    free.into_iter().chain(others).chain(after..)
}

fn of_system(system: System, further: &mut impl Iterator<Item = usize>) -> ReportSystem {
    let (kind, title, about, style) = match system {
        System::Protocol(name) => {
            let about = Parameters::default().protocol(name).about().title;
            (SystemKind::Protocol, title(name), about, index_of(ProtocolName::ALL, name))
        }
        System::Measured(name) => {
            let (title, style) =
                (format!("{} on Linux", title(name)), index_of(ProtocolName::ALL, name));
            (SystemKind::Measured, title, "Measured: the kernel of this machine", style)
        }
        System::Custom(name) => {
            let style = further.next().unwrap_or(0);
            (SystemKind::Protocol, name.as_str().to_owned(), "Custom law", style)
        }
        System::Ideal(ideal) => {
            // `max_min` consists of words, `srpt` is an abbreviation.
            let name = ideal.name();
            let is_words = name.contains('_');
            let name = if is_words { name.replace('_', "-") } else { name.to_uppercase() };
            (
                SystemKind::Ideal,
                format!("ideal: {name}"),
                ideal.title(),
                index_of(Ideal::ALL, ideal),
            )
        }
    };
    ReportSystem {
        name: system.to_string(),
        title,
        about: about.into(),
        kind,
        style,
        look: Look::of(kind, style),
        runs: 0,
        totals: None,
    }
}

/// The name of a protocol in texts.
fn title(protocol: ProtocolName) -> String {
    match protocol {
        // Words; the others are abbreviations.
        ProtocolName::Prague => "Prague".into(),
        ProtocolName::Swift => "Swift".into(),
        ProtocolName::Ledger => "Ledger".into(),
        _ => protocol.as_str().to_uppercase().replace('_', "-"),
    }
}

/// Theory, as a system of the charts by size.
pub fn of_theory(found: &Analytic) -> ReportSystem {
    let Analytic { source, from, to, load, .. } = found;
    let load = 100.0 * load;
    ReportSystem {
        name: "theory".into(),
        title: "theory: processor sharing".into(),
        about: format!("{source}; link {from} to {to} at load {load:.1} %"),
        kind: SystemKind::Theory,
        style: 0,
        look: Look::of(SystemKind::Theory, 0),
        runs: 0,
        totals: None,
    }
}

fn index_of<T: PartialEq>(all: &[T], one: T) -> usize {
    all.iter().position(|other| *other == one).unwrap_or(0)
}

fn totals(found: &ProtocolSummary, sizes: &[SizeBin]) -> ReportTotals {
    let long = found.long.as_ref();
    ReportTotals {
        flows: found.all.flows,
        unfinished: found.unfinished,
        completion: Estimates::of(&found.all.completion),
        estimate: found.estimate.as_ref().map(|found| estimated(found, sizes)),
        slowdown: Estimates::of(&found.all.slowdown),
        offered: digits(found.bottleneck.offered, 5),
        utilization: digits(found.bottleneck.utilization, 5),
        mean_queue: digits(found.bottleneck.mean_queue, 5),
        p99_queue: digits(found.bottleneck.p99_queue, 5),
        bottleneck_drops: digits(found.bottleneck.drops, 5),
        drops: found.drops,
        retransmissions: found.retransmissions,
        long_flows: long.map_or(0, |long| long.flows),
        jain: long.and_then(|long| long.jain).map(|jain| digits(jain, 5)),
    }
}
