//! What a page takes from `summary.json`.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::ReportError;
use crate::results::System;

/// A summary, as far as a page shows it.
#[derive(Debug, Deserialize)]
pub struct Found {
    pub name: String,
    pub build: String,
    pub confidence: f64,
    pub bottleneck_capacity: f64,
    pub protocols: Vec<OfSystem>,
    pub ideals: Vec<OfSystem>,
    pub analytic: Option<Analytic>,
    pub warnings: Vec<Warning>,
    pub runs: Vec<Run>,
    pub interrupted: Vec<(System, u64)>,
}

#[derive(Debug, Deserialize)]
pub struct OfSystem {
    pub protocol: System,
    pub runs: usize,
    pub unfinished: u64,
    pub retransmissions: u64,
    pub drops: u64,
    pub all: AllSizes,
    pub bottleneck: Bottleneck,
    pub groups: Vec<Group>,
    pub long: Option<Long>,
}

#[derive(Debug, Deserialize)]
pub struct AllSizes {
    pub flows: u64,
    pub completion: Quantiles,
    pub slowdown: Quantiles,
}

#[derive(Debug, Deserialize)]
pub struct Quantiles {
    pub mean: Option<f64>,
    pub p50: Option<f64>,
    pub p99: Option<f64>,
    pub intervals: Intervals,
}

#[derive(Debug, Deserialize)]
pub struct Intervals {
    pub mean: Option<[f64; 2]>,
    pub p50: Option<[f64; 2]>,
    pub p99: Option<[f64; 2]>,
}

#[derive(Debug, Deserialize)]
pub struct Bottleneck {
    pub utilization: f64,
    pub mean_queue: f64,
    pub p99_queue: f64,
    pub offered: f64,
}

#[derive(Debug, Deserialize)]
pub struct Group {
    pub name: String,
    pub throughput: f64,
}

#[derive(Debug, Deserialize)]
pub struct Long {
    pub flows: u64,
    pub jain: Option<f64>,
}

#[derive(Debug, Deserialize)]
pub struct Analytic {
    pub source: String,
    pub from: String,
    pub to: String,
    pub load: f64,
    pub by_size: Vec<AnalyticBin>,
}

#[derive(Debug, Deserialize)]
pub struct AnalyticBin {
    pub from: u64,
    pub completion: f64,
}

#[derive(Debug, Deserialize)]
pub struct Warning {
    pub code: String,
    pub text: String,
}

#[derive(Debug, Deserialize)]
pub struct Run {
    pub protocol: System,
    pub seed: u64,
    pub folder: String,
}

impl Found {
    /// Reads the summary in a folder of results.
    pub fn read(results: &Path) -> Result<Self, ReportError> {
        let path = results.join("summary.json");
        let text = fs::read(&path).map_err(|error| ReportError::Io(path.clone(), error))?;
        serde_json::from_slice(&text).map_err(|error| ReportError::Summary(path, error))
    }

    /// What ran: protocols, then ideals.
    pub fn systems(&self) -> impl Iterator<Item = &OfSystem> {
        self.protocols.iter().chain(&self.ideals)
    }
}
