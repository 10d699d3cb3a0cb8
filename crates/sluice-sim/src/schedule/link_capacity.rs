//! The capacity of a link, constant or not.

use std::sync::Arc;

use sluice_units::{Bytes, Rate, Span, Time};

use super::CapacitySchedule;
use super::curve::{ServiceCurve, Work};
use crate::limits;

/// A link's nominal capacity, and its curve if it varies.
#[derive(Clone, Debug)]
pub(crate) struct LinkCapacity {
    nominal: Rate,
    curve: Option<Arc<ServiceCurve>>,
}

impl LinkCapacity {
    pub(crate) fn new(nominal: Rate, schedule: Option<&CapacitySchedule>) -> Self {
        let curve = schedule.map(|schedule| ServiceCurve::new(nominal, schedule).into());
        Self { nominal, curve }
    }

    pub(crate) fn nominal(&self) -> Rate {
        self.nominal
    }

    /// Its curve if it varies.
    pub(crate) fn curve(&self) -> Option<&Arc<ServiceCurve>> {
        self.curve.as_ref()
    }

    /// Work that can have been done by `time`.
    pub(crate) fn by(&self, time: Time) -> Work {
        match &self.curve {
            Some(curve) => curve.by(time),
            None => Work::from(self.nominal.as_bps()) * Work::from(time.as_nanos()),
        }
    }

    /// Bytes whose transmission takes `time` at the nominal capacity.
    pub(crate) fn bytes_in(&self, time: Span) -> Bytes {
        self.nominal.bytes_in(time)
    }

    /// Bytes that can be sent in [`from`, `to`].
    pub(crate) fn bytes_between(&self, from: Time, to: Time) -> Bytes {
        match &self.curve {
            Some(curve) => curve.bytes_between(from, to),
            None => self.nominal.bytes_in(to.since(from)),
        }
    }

    /// If it can send nothing in [`from`, `to`]: the instant from which it sends, `to` or later.
    pub(crate) fn resumes(&self, from: Time, to: Time) -> Option<Time> {
        let curve = self.curve.as_ref().filter(|_| from < to)?;
        let work = curve.by(to);
        (curve.by(from) == work).then(|| curve.goes_beyond(work).max(to))
    }

    /// Mean capacity over [`from`, `to`], and no less than any link has ([`limits::CAPACITY`]), for
    /// router laws and metrics.
    pub(crate) fn mean(&self, from: Time, to: Time) -> Rate {
        match &self.curve {
            Some(curve) => curve.mean(from, to).max(*limits::CAPACITY.start()),
            None => self.nominal,
        }
    }
}
