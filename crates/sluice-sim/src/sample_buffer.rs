//! Samples that wait for the clock: elements run ahead of it, and what they sampled after the end of the
//! run does not count.

use std::borrow::Cow;

use sluice_units::Time;

use crate::observer::Observer;
use crate::samples::{Samples, Subject};

/// The waiting samples of one subject.
pub(crate) struct SampleBuffer {
    subject: Subject,
    columns: Vec<Cow<'static, str>>,
    times: Vec<Time>,
    values: Vec<f64>,
}

impl SampleBuffer {
    pub(crate) fn new(
        subject: Subject,
        columns: impl IntoIterator<Item = impl Into<Cow<'static, str>>>,
    ) -> Self {
        let columns = columns.into_iter().map(Into::into).collect();
        Self { subject, columns, times: Vec::new(), values: Vec::new() }
    }

    /// For a subject whose columns are known when it is first sampled.
    pub(crate) fn without_columns(subject: Subject) -> Self {
        Self::new(subject, [""; 0])
    }

    /// Sets the columns unless they are known.
    pub(crate) fn name_columns(&mut self, columns: impl FnOnce(&mut Vec<Cow<'static, str>>)) {
        if self.columns.is_empty() {
            self.name_more(columns);
        }
    }

    /// Adds columns, before the first row.
    pub(crate) fn name_more(&mut self, columns: impl FnOnce(&mut Vec<Cow<'static, str>>)) {
        columns(&mut self.columns);
    }

    /// Adds a row, whose values are to be added to those returned.
    pub(crate) fn add_row(&mut self, time: Time) -> &mut Vec<f64> {
        self.times.push(time);
        &mut self.values
    }

    /// Emits the rows before `time`, which the clock has reached.
    pub(crate) fn emit(&mut self, time: Time, observer: &mut dyn Observer) {
        let rows = self.times.partition_point(|&sampled| sampled < time);
        if rows == 0 {
            return;
        }
        let values = rows * self.columns.len();
        observer.samples(&Samples {
            subject: self.subject,
            columns: &self.columns,
            times: &self.times[..rows],
            values: &self.values[..values],
        });
        self.times.drain(..rows);
        self.values.drain(..values);
    }
}
