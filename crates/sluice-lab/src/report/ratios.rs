//! Mean completion times relative to ideals.

use super::data::{ReportRatio, ReportRatios, ReportSystem};
use super::estimates::estimate;
use crate::results::classes;
use crate::{ClassRatio, CompletionRatios, ProtocolSummary, Summary};

/// The ratios to each ideal that has any; `systems` are those of the page.
pub fn ratios(found: &Summary, systems: &[ReportSystem]) -> Vec<ReportRatios> {
    found.ideals.iter().filter_map(|ideal| relative(found, systems, ideal)).collect()
}

fn relative(
    found: &Summary,
    systems: &[ReportSystem],
    ideal: &ProtocolSummary,
) -> Option<ReportRatios> {
    let is_its = |ratios: &&CompletionRatios| ratios.reference == ideal.protocol;
    let all: Vec<&CompletionRatios> = found.ratios.iter().filter(is_its).collect();
    let first = all.first()?;
    let used = CompletionRatios::used(&all);
    let labels = used.iter().map(|&class| classes::label(classes::edges(class)));
    let cells = |ratios: &CompletionRatios| {
        let of_class = used.iter().map(|&class| ClassRatio::of_class(&ratios.by_class, class));
        std::iter::once(Some(&ratios.all)).chain(of_class).map(Option::<&_>::copied).collect()
    };
    let of_system = |system: &ReportSystem| {
        let ratios = all.iter().find(|ratios| ratios.protocol.as_str() == system.name)?;
        let cells: Vec<Option<ClassRatio>> = cells(ratios);
        Some(cells.into_iter().map(|flows| flows.map(ratio)).collect())
    };
    let flows = if CompletionRatios::have_equal_flows(&all) { cells(first) } else { Vec::new() };
    Some(ReportRatios {
        reference: systems.iter().find(|one| one.name == ideal.protocol.as_str())?.title.clone(),
        classes: std::iter::once("all".into()).chain(labels).collect(),
        flows: flows.iter().map(|flows| flows.map_or(0, |flows| flows.flows)).collect(),
        systems: systems.iter().map(of_system).collect(),
    })
}

fn ratio(flows: ClassRatio) -> ReportRatio {
    ReportRatio {
        ratio: estimate(Some(flows.ratio), flows.ratio_interval),
        unfinished: flows.unfinished,
    }
}
