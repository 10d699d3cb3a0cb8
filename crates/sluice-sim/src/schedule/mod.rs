//! Capacity that varies: a link's capacity as a function of time, known beforehand.
//!
//! A packet's departure is computed before the clock gets there, so capacity may not depend on
//! anything that happens in the run. What a link can send follows from the integral of its capacity
//! (`curve.rs`).

mod curve;
mod link_capacity;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Bytes, Faults, Rate, Span, Time};

use crate::limits;

pub(crate) use curve::{ServiceCurve, Work, work_of};
pub(crate) use link_capacity::LinkCapacity;

/// How the capacity of a link varies. The link's `capacity` holds before the first change, and is the
/// nominal one: buffers in BDPs and in time, loads of traffic and disciplines of queues go by it.
///
/// At capacity zero the link is down: the packet in transmission waits and is finished when the link
/// returns, others queue and are dropped if there is no room, those on the wire arrive. Only in the
/// outages of [`CapacitySchedule::down`] may packets be lost ([`CapacitySchedule::on_down`]).
#[derive(Clone, Debug, PartialEq)]
pub struct CapacitySchedule {
    /// The course of the capacity.
    pub course: CapacityCourse,
    /// After this time the course begins anew; `None` if its last capacity lasts. Opportunities
    /// always begin anew, at the last of them.
    pub every: Option<Span>,
    /// When the link is down, whatever its course: from the first instant to the second. In order,
    /// apart from each other.
    pub down: Vec<(Time, Time)>,
    /// What becomes of packets in these outages.
    pub on_down: OnDown,
}

/// What becomes of packets at a link that goes down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnDown {
    /// The packet in transmission waits and is finished after the outage, others queue, and those on
    /// the wire arrive.
    #[default]
    Wait,
    /// Packets are lost as at an interface that loses its carrier, whose queue Linux resets: as the
    /// outage begins, those that wait, the one in transmission and those on the wire; during the outage,
    /// each as it arrives. After it, the link begins with an empty queue.
    ///
    /// A packet whose last bit leaves at the instant at which the outage begins is on the wire. One that
    /// reaches the end of the link at that instant has arrived, one that reaches its beginning finds
    /// the link down, and one that does so as the outage ends finds it up. Packets lost on the wire
    /// count as `errors` of the link, the others as `drops`.
    Drop,
}

/// The course of a link's capacity. Each capacity is 0 or within [`limits::CAPACITY`].
#[derive(Clone, Debug, PartialEq)]
pub enum CapacityCourse {
    /// Always the link's `capacity`, between outages.
    Constant,
    /// From each instant on, this capacity. Instants rise.
    Steps(Vec<(Time, Rate)>),
    /// At each instant this capacity, and on a straight line between two of them; the first line
    /// begins at time zero. Instants rise. A line is a staircase of [`STAIRS`] equal steps, each at the
    /// line's mean over it.
    Ramps(Vec<(Time, Rate)>),
    /// The link sends nothing but [`OPPORTUNITY`] at once at each of these instants, shared by packets
    /// in order; what is not used then is lost. Instants do not fall, and the last is above zero.
    Opportunities(Arc<[Time]>),
}

/// Steps of a line of [`CapacityCourse::Ramps`].
pub const STAIRS: u64 = 256;

/// Bytes of an opportunity, as in Mahimahi (`src/frontend/link_queue.hh`: "const static unsigned int
/// PACKET_SIZE = 1504; /* default max TUN payload size */").
pub const OPPORTUNITY: Bytes = Bytes::new(1504);

impl CapacitySchedule {
    /// A schedule with this course that neither repeats nor fails.
    pub fn new(course: CapacityCourse) -> Self {
        Self { course, every: None, down: Vec::new(), on_down: OnDown::Wait }
    }

    /// The schedule for a fluid, which what an opportunity can send reaches evenly from the last one on.
    pub(crate) fn fluid(&self) -> Self {
        let CapacityCourse::Opportunities(times) = &self.course else { return self.clone() };
        let end = times.last().copied().unwrap_or(Time::ZERO);
        let (mut steps, mut since) = (Vec::new(), Time::ZERO);
        for chunk in times.chunk_by(|a, b| a == b).filter(|chunk| chunk[0] > Time::ZERO) {
            let at_zero = times.iter().take_while(|&&time| time == Time::ZERO).count();
            let count = chunk.len() + if chunk[0] == end { at_zero } else { 0 };
            let bytes = OPPORTUNITY.as_f64() * count as f64;
            let seconds = chunk[0].after(since).as_secs_f64();
            steps.push((since, Rate::from_bps_f64(bytes * 8.0 / seconds)));
            since = chunk[0];
        }
        let every = Some(end.since(Time::ZERO));
        let (course, down) = (CapacityCourse::Steps(steps), self.down.clone());
        Self { course, every, down, on_down: self.on_down }
    }

    /// The highest capacity of a link of this nominal one, as a fluid has it.
    pub(crate) fn highest(&self, nominal: Rate) -> Rate {
        match self.fluid().course {
            CapacityCourse::Steps(changes) | CapacityCourse::Ramps(changes) => {
                changes.into_iter().map(|(_, rate)| rate).fold(nominal, Rate::max)
            }
            CapacityCourse::Constant | CapacityCourse::Opportunities(_) => nominal,
        }
    }

    /// Adds what is wrong with it at a link of `capacity`.
    pub fn check(&self, capacity: Rate, faults: &mut Faults) {
        match &self.course {
            CapacityCourse::Constant => {}
            CapacityCourse::Steps(changes) => check_changes("steps", changes, faults),
            CapacityCourse::Ramps(changes) => check_changes("ramps", changes, faults),
            CapacityCourse::Opportunities(times) => {
                let last = times.last().is_some_and(|&last| last > Time::ZERO);
                faults.need(last, "opportunities", "the last must be after time zero");
                faults.need(times.is_sorted(), "opportunities", "times must not fall");
                faults.need(self.every.is_none(), "every", "opportunities repeat by themselves");
            }
        }
        if let Some(every) = self.every {
            self.check_every(every, capacity, faults);
        }
        let ends = self.down.iter().flat_map(|&(from, to)| [from, to]);
        let apart = self.down.iter().all(|(from, to)| from < to) && ends.is_sorted();
        faults.need(apart, "down", "each must end after it begins, and not after the next begins");
    }

    fn check_every(&self, every: Span, capacity: Rate, faults: &mut Faults) {
        let (CapacityCourse::Steps(changes) | CapacityCourse::Ramps(changes)) = &self.course else {
            return;
        };
        let last = changes.last().map_or(Time::ZERO, |&(at, _)| at);
        let starts = changes.first().is_some_and(|&(at, _)| at == Time::ZERO);
        let sends = (!starts && capacity > Rate::ZERO)
            || changes.iter().any(|&(at, rate)| at < Time::ZERO + every && rate > Rate::ZERO);
        faults.need(Time::ZERO + every > last, "every", "must be after the last change");
        faults.need(sends, "every", "the capacity is zero all the time");
    }
}

fn check_changes(field: &str, changes: &[(Time, Rate)], faults: &mut Faults) {
    faults.need(!changes.is_empty(), field, "must not be empty");
    faults.need(changes.is_sorted_by(|a, b| a.0 < b.0), field, "times must rise");
    let sound = |rate: Rate| rate == Rate::ZERO || limits::CAPACITY.contains(&rate);
    if let Some((_, rate)) = changes.iter().find(|(_, rate)| !sound(*rate)) {
        let (min, max) = (limits::CAPACITY.start(), limits::CAPACITY.end());
        faults.add(field, format!("capacities must be 0 or {min} to {max}, not {rate}"));
    }
}
