//! XCP's router with groups of flows by RTT (thesis section 9.3.2): "Each of these groups will have a
//! different efficiency and fairness controllers (i.e., each group will have separate parameters d, phi,
//! xi_p, xi_n, ...)".
//!
//! A group's controllers see its own traffic, at its own control interval, and take its fair share of the
//! link for the capacity: "The fair share of each group can be computed based on the number of its flow,
//! which is computed using equation 9.1". Left open, and read so:
//!
//! - Packets that state no throughput (acknowledgements, a flow's first) belong to no group. What they take of
//!   the link is left out before it is shared.
//! - Of the persistent queue, which all groups share, each drains its fair share, as its part of the
//!   capacity: then the phi of groups add up to that of (4.3). Each takes it over half of its own average RTT.
//! - Feedback of a group goes to the packets of the group, so nothing moves between groups but by their
//!   shares. What a group cannot use, because another link limits its flows, nobody uses.

use sluice_units::{Bytes, Rate, Span, Time};

use super::capacity::KnownCapacity;
use super::efficiency::{EfficiencyController, Load};
use super::fairness::FairnessController;
use super::feedback::{XcpGrant, XcpSums};
use super::grouped_fast::{GroupGrant, GroupResidue, GroupSums};
use super::header::XcpHeader;
use super::intervals::Intervals;
use super::params::XcpParams;
use super::rtt_groups::{MAX_GROUPS, TickBounds};
use crate::protocol::LinkContext;
use crate::router::{
    LinkSample, MAX_TIMERS, QueueCounts, RouterLaw, Sampled, Sums as _, Tick, Train,
};

/// The timer of control decisions, of whichever group is due; the other one is that of queues.
const CONTROL: usize = 0;

/// Names of the metrics of groups: rates and numbers of flows.
const RATES: [&str; MAX_GROUPS] = ["y_0", "y_1", "y_2", "y_3", "y_4", "y_5"];
const FLOWS: [&str; MAX_GROUPS] = ["N_0", "N_1", "N_2", "N_3", "N_4", "N_5"];

/// The law at one link.
#[derive(Clone, Debug)]
pub struct GroupedRouter {
    params: XcpParams,
    efficiency: EfficiencyController,
    fairness: FairnessController,
    capacity: KnownCapacity,
    intervals: Intervals,
    bounds: TickBounds,
    groups: Vec<Group>,
    grant: GroupGrant,
}

/// The state of a group.
#[derive(Clone, Debug)]
struct Group {
    /// When its control interval ends, and how many seconds of it have been seen.
    due: Time,
    seen: f64,
    /// What its packets added in this interval.
    sums: XcpSums,
    /// Bytes of packets of no group in this interval, and those that the link could send.
    others: f64,
    room: f64,
    /// The average RTT of its flows by (4.2).
    average_rtt: Span,
    /// N by (9.1).
    flows: f64,
    /// y, in bytes a second.
    input: f64,
    /// Q, the persistent queue of the link, in bytes; the least in this interval of T_q, and when that ends.
    queue: f64,
    least_queue: Bytes,
    queue_due: Time,
    /// What the link has for all groups, in bytes a second.
    for_groups: f64,
    /// The aggregate feedback and the shuffled traffic, in bytes a second.
    phi: f64,
    shuffled: f64,
}

impl Group {
    fn new(average_rtt: Span, first_interval: Span) -> Self {
        Self {
            due: Time::ZERO + first_interval,
            seen: 0.0,
            queue: 0.0,
            least_queue: Bytes::MAX,
            queue_due: Time::ZERO,
            sums: XcpSums::default(),
            others: 0.0,
            room: 0.0,
            average_rtt,
            flows: 0.0,
            input: 0.0,
            for_groups: 0.0,
            phi: 0.0,
            shuffled: 0.0,
        }
    }

    /// Its estimates at the end of its interval.
    fn measure(&mut self) {
        // An interval without packets has no RTT: the last estimate stands.
        self.average_rtt = self.sums.average_rtt().unwrap_or(self.average_rtt);
        if self.seen <= 0.0 {
            return;
        }
        self.flows = self.sums.flows(self.seen);
        self.input = self.sums.bytes as f64 / self.seen;
        self.for_groups = ((self.room - self.others) / self.seen).max(0.0);
    }

    fn begin(&mut self, now: Time, interval: Span) {
        self.due = now + interval;
        self.sums = XcpSums::default();
        (self.seen, self.others, self.room) = (0.0, 0.0, 0.0);
    }

    /// The least queue since the last call. Intervals of T_q are those of its own RTT.
    fn see_queue(&mut self, now: Time, least: Bytes, interval: Span) {
        self.least_queue = self.least_queue.min(least);
        if self.queue_due <= now {
            self.queue = self.least_queue.as_f64();
            self.least_queue = Bytes::MAX;
            self.queue_due = now + interval;
        }
    }
}

impl GroupedRouter {
    /// The law with these parameters at that link, before any traffic.
    pub fn new(params: XcpParams, link: &LinkContext) -> Self {
        let bounds = TickBounds::new(&params.rtt_groups);
        let lowest = core::iter::once(Span::ZERO).chain(params.rtt_groups.bounds().iter().copied());
        // Until a header states an RTT, that of a group is the first interval's, or the least that it can be.
        let groups = lowest
            .map(|least| Group::new(params.first_interval.max(least), params.first_interval))
            .collect();
        Self {
            params,
            efficiency: EfficiencyController::new(&params, link.packet),
            fairness: FairnessController::new(&params),
            capacity: KnownCapacity::new(&params),
            intervals: Intervals::new(&params),
            bounds,
            groups,
            grant: GroupGrant::new(bounds),
        }
    }

    /// What has passed since the last tick, for each group's interval. Time in which the link could send nothing
    /// is no part of it.
    fn add(&mut self, sums: &GroupSums, sample: &LinkSample) {
        let elapsed = sample.now.since(sample.since).as_secs_f64();
        let room = self.capacity.after(sample).as_bytes_per_sec_f64() * elapsed;
        let stated = |(number, _): (usize, &Group)| sums.of(number).bytes as f64;
        let stated: f64 = self.groups.iter().enumerate().map(stated).sum();
        let others = (sample.arrived.as_f64() - stated).max(0.0);
        for (number, group) in self.groups.iter_mut().enumerate() {
            group.sums = group.sums.plus(sums.of(number));
            group.seen += elapsed;
            group.others += others;
            group.room += room;
        }
    }

    /// The decision of a group.
    fn decide(&mut self, number: usize, now: Time) {
        let flows: f64 = self.groups.iter().map(|group| group.flows).sum();
        let group = &mut self.groups[number];
        let share = if flows > 0.0 { group.flows / flows } else { 0.0 };
        let interval = self.intervals.control(group.average_rtt);
        group.phi = self.efficiency.aggregate_feedback(&Load {
            // "The job of the efficiency controller of each group is to make the traffic in the group
            // converge to the group's fair share."
            capacity: group.for_groups * share,
            input: group.input,
            queue: group.queue * share,
            interval,
        });
        group.shuffled = self.fairness.shuffled(group.input, group.phi, || 0.0);
        let positive = group.shuffled + group.phi.max(0.0); // (4.7)
        let negative = group.shuffled + (-group.phi).max(0.0); // (4.10)
        self.grant.replace(number, XcpGrant::new(positive, negative, &group.sums));
        group.begin(now, interval);
    }

    /// When the next of the groups' queues is known.
    fn next_queue(&self) -> Time {
        self.groups.iter().map(|group| group.queue_due).min().unwrap_or(Time::NEVER)
    }

    /// The average RTT of all flows: each group's counts for its flows.
    fn average_rtt(&self) -> Span {
        let sum = |of: fn(&Group) -> f64| self.groups.iter().map(of).sum::<f64>();
        let flows = sum(|group| group.flows);
        if flows == 0.0 {
            return self.params.first_interval;
        }
        Span::from_secs_f64(sum(|group| group.flows * group.average_rtt.as_secs_f64()) / flows)
    }
}

impl RouterLaw for GroupedRouter {
    type Header = XcpHeader;
    type Sums = GroupSums;
    type Grant = GroupGrant;
    type Budget = GroupResidue;

    fn sums(&self) -> GroupSums {
        GroupSums::new(self.bounds)
    }

    fn arrive(sums: &mut GroupSums, _: &GroupGrant, header: &XcpHeader, train: Train) {
        sums.add(header, train);
    }

    fn stamp(grant: &GroupGrant, left: &mut GroupResidue, header: &mut XcpHeader, train: Train) {
        grant.stamp(left, header, train);
    }

    fn fresh(grant: &GroupGrant) -> GroupResidue {
        GroupResidue::fresh(grant)
    }

    /// Only groups that have decided get a new residue.
    fn renew(grant: &GroupGrant, left: &GroupResidue) -> GroupResidue {
        left.renewed(grant)
    }

    fn share(grant: &GroupGrant, part: &GroupSums, whole: &GroupSums) -> GroupGrant {
        grant.share(part, whole)
    }

    fn start(&mut self, capacity: Rate) -> (GroupGrant, [Time; MAX_TIMERS]) {
        let capacity = self.capacity.start(capacity);
        for group in &mut self.groups {
            group.queue_due =
                Time::ZERO + self.intervals.queue(group.average_rtt, Bytes::ZERO, capacity);
        }
        (self.grant, [Time::ZERO + self.params.first_interval, self.next_queue()])
    }

    fn tick(&mut self, timer: usize, sums: &GroupSums, sample: &LinkSample) -> Tick<GroupGrant> {
        let now = sample.now;
        if timer != CONTROL {
            let queue = sample.queue_by(self.params.queue_counts);
            let capacity = self.capacity.at(sample);
            for group in &mut self.groups {
                let interval = self.intervals.queue(group.average_rtt, queue, capacity);
                group.see_queue(now, sample.min_queue, interval);
            }
            return Tick { grant: None, next: self.next_queue() };
        }
        self.add(sums, sample);
        let is_due = |group: &Group| group.due <= now;
        // All first, since the share of each follows from the flows of all.
        self.groups.iter_mut().filter(|group| is_due(group)).for_each(Group::measure);
        for number in 0..self.groups.len() {
            if is_due(&self.groups[number]) {
                self.decide(number, now);
            }
        }
        let due = self.groups.iter().map(|group| group.due).min();
        Tick { grant: Some(self.grant), next: due.unwrap_or(now + self.params.min_interval) }
    }

    fn grants(timer: usize) -> bool {
        timer == CONTROL
    }

    fn stamped(&self) -> Sampled {
        self.params.stamp_at
    }

    fn queue_sampled(&self) -> Sampled {
        self.params.queue_at
    }

    fn min_queue_counts(&self) -> QueueCounts {
        self.params.queue_counts
    }

    /// phi, h and y summed over groups, y without packets of no group; `d`, the average RTT of all flows, and the
    /// least Q of a group; then y and N of each group. Units are those of one group's law.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        let sum = |of: fn(&Group) -> f64| self.groups.iter().map(of).sum::<f64>();
        out("phi", sum(|group| group.phi));
        out("h", sum(|group| group.shuffled));
        out("y", sum(|group| group.input));
        out("d", self.average_rtt().as_secs_f64());
        out("Q", self.groups.iter().map(|group| group.queue).fold(f64::INFINITY, f64::min));
        out("N", sum(|group| group.flows));
        for (group, (rate, flows)) in self.groups.iter().zip(RATES.into_iter().zip(FLOWS)) {
            out(rate, group.input);
            out(flows, group.flows);
        }
    }
}

#[cfg(test)]
#[path = "grouped_tests.rs"]
mod tests;
