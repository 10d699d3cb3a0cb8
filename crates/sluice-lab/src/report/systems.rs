//! What carried the flows, as a page names and counts it.

use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_sim::ideal::Ideal;

use super::data::{Figures, ReportTotals, System as Shown, SystemKind};
use super::digits::digits;
use super::flows::figure;
use crate::results::System;
use crate::{Analytic, ProtocolSummary, Quantiles, Summary};

/// All that ran, with totals: protocols, laws of one's own, ideals.
pub fn of_systems(found: &Summary) -> Vec<Shown> {
    let is_own = |one: &&ProtocolSummary| matches!(one.protocol, System::Own(_));
    let own: Vec<System> = found.systems().filter(is_own).map(|system| system.protocol).collect();
    found.systems().map(|system| of_system(system, &own)).collect()
}

fn of_system(found: &ProtocolSummary, own: &[System]) -> Shown {
    let (kind, title, about, style) = match found.protocol {
        System::Protocol(name) => {
            let about = Parameters::default().protocol(name).about().title;
            let title = name.as_str().to_uppercase().replace('_', "-");
            (SystemKind::Protocol, title, about, place(ProtocolName::ALL, name))
        }
        // Looks like a protocol that comes after those there are.
        system @ System::Own(name) => {
            let style = ProtocolName::ALL.len() + place(own, system);
            (SystemKind::Protocol, name.as_str().to_owned(), "A law of one's own", style)
        }
        System::Ideal(ideal) => {
            // `max_min` is words, `srpt` an abbreviation.
            let name = ideal.name();
            let is_words = name.contains('_');
            let name = if is_words { name.replace('_', "-") } else { name.to_uppercase() };
            (SystemKind::Ideal, format!("ideal: {name}"), ideal.title(), place(Ideal::ALL, ideal))
        }
    };
    Shown {
        name: found.protocol.to_string(),
        title,
        about: about.into(),
        kind,
        style,
        runs: found.runs,
        totals: Some(totals(found)),
    }
}

/// What theory says, as one more line of the charts by size.
pub fn of_theory(found: &Analytic) -> Shown {
    let Analytic { source, from, to, load, .. } = found;
    let load = 100.0 * load;
    Shown {
        name: "theory".into(),
        title: "theory: processor sharing".into(),
        about: format!("{source}; the link from {from} to {to} at a load of {load:.1} %"),
        kind: SystemKind::Theory,
        style: 0,
        runs: 0,
        totals: None,
    }
}

fn place<T: PartialEq>(all: &[T], one: T) -> usize {
    all.iter().position(|other| *other == one).unwrap_or(0)
}

fn totals(found: &ProtocolSummary) -> ReportTotals {
    let long = found.long.as_ref();
    ReportTotals {
        flows: found.all.flows,
        unfinished: found.unfinished,
        completion: figures(&found.all.completion),
        slowdown: figures(&found.all.slowdown),
        offered: digits(found.bottleneck.offered, 5),
        utilization: digits(found.bottleneck.utilization, 5),
        mean_queue: digits(found.bottleneck.mean_queue, 5),
        p99_queue: digits(found.bottleneck.p99_queue, 5),
        drops: found.drops,
        retransmissions: found.retransmissions,
        long_flows: long.map_or(0, |long| long.flows),
        jain: long.and_then(|long| long.jain).map(|jain| digits(jain, 5)),
    }
}

fn figures(found: &Quantiles) -> Figures {
    let ends = &found.intervals;
    Figures {
        mean: figure(found.mean, ends.mean),
        p50: figure(found.p50, ends.p50),
        p99: figure(found.p99, ends.p99),
    }
}
