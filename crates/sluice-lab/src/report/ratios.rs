//! Mean completion times relative to ideals.

use super::data::{ReportRatio, ReportRatios, ReportSystem};
use super::estimates::estimate;
use crate::results::classes::{self, CLASSES};
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
    let has = |&class: &usize| all.iter().any(|ratios| of_class(ratios, class).is_some());
    let used: Vec<usize> = (0..CLASSES).filter(has).collect();
    let labels = used.iter().map(|&class| classes::label(classes::edges(class)));
    let cells = |ratios: &CompletionRatios| {
        let of_class = used.iter().map(|&class| of_class(ratios, class));
        std::iter::once(Some(&ratios.all)).chain(of_class).map(Option::<&_>::copied).collect()
    };
    let of_system = |system: &ReportSystem| {
        let ratios = all.iter().find(|ratios| ratios.protocol.as_str() == system.name)?;
        let cells: Vec<Option<ClassRatio>> = cells(ratios);
        Some(cells.into_iter().map(|flows| flows.map(ratio)).collect())
    };
    let flows: Vec<Option<ClassRatio>> = cells(first);
    Some(ReportRatios {
        reference: systems.iter().find(|one| one.name == ideal.protocol.as_str())?.title.clone(),
        classes: std::iter::once("all".into()).chain(labels).collect(),
        flows: flows.iter().map(|flows| flows.map_or(0, |flows| flows.flows)).collect(),
        systems: systems.iter().map(of_system).collect(),
    })
}

fn of_class(ratios: &CompletionRatios, class: usize) -> Option<&ClassRatio> {
    ratios.by_class.iter().find(|found| found.from == classes::edges(class).0)
}

fn ratio(flows: ClassRatio) -> ReportRatio {
    ReportRatio {
        ratio: estimate(Some(flows.ratio), flows.ratio_interval),
        unfinished: flows.unfinished,
    }
}
