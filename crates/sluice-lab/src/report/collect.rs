//! Reads a folder of results once and makes what a page shows of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::data::{Page, ReportNetwork, SizeBin, SizePoint};
use super::digits::digits;
use super::error::ReportError;
use super::flows::{FlowStatistics, Size};
use super::groups::groups;
use super::links::{self, Links};
use super::metrics::MetricsReader;
use super::network::network;
use super::ratios::ratios;
use super::rows::{self, Groups};
use super::sample::{self, FlowSample};
use super::sizes::{self, SIZES};
use super::slowdowns::slowdowns;
use super::systems::{of_systems, of_theory};
use super::theory;
use crate::results::read::io_error;
use crate::results::{FolderLock, SUMMARY, Severity, System, Warning};
use crate::{RunSummary, Summary};

/// The file's name in a folder of results.
const SCENARIO: &str = "scenario.toml";

/// What a page of the results in a folder shows.
pub fn page(results: &Path) -> Result<Page, ReportError> {
    let io = |name: &str| {
        let path = results.join(name);
        |error| ReportError::Io(path, error)
    };
    let (found, scenario) = {
        // Of one writer, not of two.
        let _lock = FolderLock::shared(results);
        let scenario = fs::read_to_string(results.join(SCENARIO));
        (Summary::read(results).map_err(io(SUMMARY))?, scenario.map_err(io(SCENARIO))?)
    };
    let read = Read::all(&found, results)?;
    let limits: Vec<String> = found.protocols.first().map_or(Vec::new(), |first| {
        first.links.iter().map(|link| format!("{} → {}", link.from, link.to)).collect()
    });
    let bottlenecks = limits.len() + found.links_left_out;
    let measured = read.links.means();
    let (links, links_left_out) = links::busiest(&measured, &limits);
    let (metrics, metrics_left_out) = read.metrics.finish(read.seed);
    let sizes = by_size(&found, &read.sizes);
    let mut systems = of_systems(&found, &sizes);
    systems.extend(found.analytic.as_ref().map(of_theory));
    let ratios = ratios(&found, &systems);
    Ok(Page {
        name: found.name.clone(),
        build: found.build.clone(),
        confidence: found.confidence,
        bottleneck_capacity: found.bottleneck_capacity,
        warnings: warnings(&found),
        scenario,
        systems,
        sizes,
        ratios,
        slowdowns: slowdowns(&read.sizes),
        sample: sample::side_by_side(&read.samples, read.groups.names),
        metrics,
        metrics_left_out,
        network: network(&measured),
        links,
        bottlenecks,
        links_left_out,
        groups: groups(&found),
    })
}

/// The network of the results in a folder, from the links of its runs alone.
pub fn network_of(results: &Path) -> Result<ReportNetwork, ReportError> {
    let _lock = FolderLock::shared(results);
    let io = |error| ReportError::Io(results.join(SUMMARY), error);
    let found = Summary::read(results).map_err(io)?;
    let (mut links, systems) = (Links::default(), found.systems().count());
    for system in 0..systems {
        for run in counted_runs(&found, system) {
            add_links(&mut links, system, systems, &results.join(&run.folder))?;
        }
    }
    Ok(network(&links.means()))
}

/// The runs of a system, without those that repeat the first one.
fn counted_runs(found: &Summary, system: usize) -> impl Iterator<Item = &RunSummary> {
    let system = found.systems().nth(system);
    let name = system.map(|system| system.protocol);
    let runs = found.runs.iter().filter(move |run| Some(run.protocol) == name);
    runs.take(system.map_or(0, |system| system.runs))
}

/// Adds the links of a run of one of `systems`.
fn add_links(
    links: &mut Links,
    system: usize,
    systems: usize,
    run: &Path,
) -> Result<(), ReportError> {
    let file = run.join("links.parquet");
    let rows = rows::links(&file).map_err(|error| ReportError::Io(file, io_error(error)))?;
    links.add(system, systems, rows);
    Ok(())
}

/// What the runs' files add up to, by system.
struct Read {
    groups: Groups,
    sizes: Vec<Vec<Size>>,
    samples: Vec<FlowSample>,
    links: Links,
    metrics: MetricsReader,
    /// Of the runs whose metrics are shown.
    seed: u64,
}

impl Read {
    fn all(found: &Summary, results: &Path) -> Result<Self, ReportError> {
        let systems = found.systems().count();
        let mut read = Self {
            groups: Groups::default(),
            sizes: Vec::new(),
            samples: Vec::new(),
            links: Links::default(),
            metrics: MetricsReader::new(systems),
            seed: found.runs.iter().map(|run| run.seed).min().unwrap_or(0),
        };
        for number in 0..systems {
            let flows = read.system(found, systems, number, results)?;
            read.sizes.push(flows.by_size());
            read.samples.push(flows.sample);
        }
        Ok(read)
    }

    fn system(
        &mut self,
        found: &Summary,
        systems: usize,
        number: usize,
        results: &Path,
    ) -> Result<FlowStatistics, ReportError> {
        let mut flows = FlowStatistics::default();
        for run in counted_runs(found, number) {
            let folder = results.join(&run.folder);
            let wrong = |name: &str| {
                let path = folder.join(name);
                move |error| ReportError::Io(path, io_error(error))
            };
            let name = "flows.parquet";
            rows::add_flows(&folder.join(name), run.seed, &mut self.groups, &mut flows)
                .map_err(wrong(name))?;
            add_links(&mut self.links, number, systems, &folder)?;
            if run.seed == self.seed {
                let name = "series.parquet";
                let add = |subject: &str, quantity: &str, time: u64, value: f64| {
                    self.metrics.add(number, (subject, quantity, time, value));
                };
                rows::samples(&folder.join(name), add).map_err(wrong(name))?;
            }
        }
        Ok(flows)
    }
}

fn warnings(found: &Summary) -> Vec<Warning> {
    let mut warnings = found.warnings.clone();
    if !found.interrupted.is_empty() {
        let mut early: BTreeMap<System, usize> = BTreeMap::new();
        found.interrupted.iter().for_each(|(system, _)| *early.entry(*system).or_default() += 1);
        let early: Vec<String> =
            early.iter().map(|(system, runs)| format!("{runs} of {system}")).collect();
        let text = format!("interrupted runs are not part of the results: {}", early.join(", "));
        let severity = Severity::Uncertainty;
        warnings.push(Warning { severity, code: "interrupted".into(), text });
        warnings.sort_by_key(|warning| warning.severity);
    }
    warnings
}

fn by_size(found: &Summary, systems: &[Vec<Size>]) -> Vec<SizeBin> {
    // Every system has the same flows, as far as they finished.
    let theory: Option<Vec<Option<SizePoint>>> = found
        .analytic
        .as_ref()
        .zip(systems.first())
        .map(|(analytic, sizes)| theory::points(analytic, sizes));
    let bin = |number: usize| {
        let mut points: Vec<_> = systems.iter().map(|sizes| sizes[number].point).collect();
        let flows: u64 = points.iter().flatten().map(|point| point.flows).sum();
        let bytes: u128 = systems.iter().map(|sizes| sizes[number].bytes).sum();
        points.extend(theory.as_ref().map(|theory| theory[number]));
        let (from, to) = sizes::edges(number);
        let mean = digits(bytes as f64 / flows as f64, 5);
        (flows > 0).then_some(SizeBin { from, to, mean, systems: points })
    };
    (0..SIZES).filter_map(bin).collect()
}
