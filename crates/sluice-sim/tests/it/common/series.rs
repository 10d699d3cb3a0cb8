//! All samples of a run, by subject.

use std::borrow::Cow;

use sluice_sim::{Config, Samples, Subject};
use sluice_units::Time;

/// All samples of one subject.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub subject: Subject,
    pub columns: Vec<Cow<'static, str>>,
    pub times: Vec<Time>,
    /// `columns.len()` values per row, row after row.
    pub values: Vec<f64>,
}

impl Series {
    pub fn column(&self, name: &str) -> Vec<f64> {
        let place = self.columns.iter().position(|column| *column == name).expect("a column");
        self.values.chunks(self.columns.len()).map(|row| row[place]).collect()
    }
}

/// A series for each of the metrics of links, flows and groups.
pub fn empty_series(config: &Config) -> Vec<Series> {
    let links = config.link_metrics.iter().map(|sampled| Subject::Link(sampled.link));
    let flows = config.flow_metrics.iter();
    let flows = flows.map(|flow| Subject::Flow { group: flow.group, index: flow.index });
    let groups = (0..config.group_metrics.len()).map(Subject::Group);
    let empty =
        |subject| Series { subject, columns: Vec::new(), times: Vec::new(), values: Vec::new() };
    links.chain(flows).chain(groups).map(empty).collect()
}

pub fn add(all: &mut [Series], samples: &Samples<'_>) {
    let found = all.iter_mut().find(|series| series.subject == samples.subject);
    let series = found.expect("samples of a metric");
    assert!(series.times.last() < samples.times.first(), "samples are in order of time");
    series.columns = samples.columns.to_vec();
    series.times.extend(samples.times);
    series.values.extend(samples.values);
    assert_eq!(series.values.len(), series.times.len() * series.columns.len());
}
