//! Priority by urgency: the most urgent flow gets the whole capacity of its path, the next what is left
//! on its own, and so on.
//!
//! Of one route only the most urgent flow, its *head*, can send: it leaves nothing on one of its
//! links. So only heads are ranked, and the others wait in a heap. Rates are integers, so that a
//! remainder of zero is exact.
//!
//! Under SRPT a head that sends faster than one before it overtakes it eventually. That changes rates
//! only if the two share a link and both send, and then for good: the one that overtakes does not
//! become slower, nor the other faster.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sluice_units::Time;

use super::network::{Network, Route};
use super::sharing::{Entrant, Rank, Sharing, Slot, place};

/// Nanoseconds per byte at one bit per second.
const BYTE: f64 = 8e9;

/// The order of flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Urgency {
    /// Least bytes left first: SRPT.
    LeastLeft,
    /// First to enter first: FCFS.
    FirstIn,
}

pub(super) struct Ranked {
    urgency: Urgency,
    /// Capacity of each link in bits per second.
    capacities: Vec<u64>,
    routes: Vec<RouteHead>,
    flows: Vec<Flow>,
    /// Routes that have flows, the most urgent head first.
    order: Vec<u32>,
    /// Those whose heads send, in the same order.
    sending: Vec<u32>,
    /// Whether heads have changed since rates were computed.
    is_stale: bool,
    next: Option<(f64, Change)>,
    /// The route whose head has just finished.
    done: Option<u32>,
    /// While rates are computed, the capacity left of each link.
    room: Vec<u64>,
    /// For each link, the least urgent route so far that sends over it.
    last: Vec<u32>,
}

struct RouteHead {
    route: Route,
    head: Slot,
    /// Rate of its head in bits per second.
    rate: u64,
    waiting: BinaryHeap<Reverse<(Key, Slot)>>,
}

/// Urgency of a flow, lower is more urgent: its bytes left as bits (floats that are not negative order
/// as their bits), or when it entered in nanoseconds; then its rank.
type Key = (u64, Rank);

#[derive(Clone, Default)]
struct Flow {
    route: u32,
    left: f64,
    carried: f64,
    enters: Time,
    rank: Rank,
}

#[derive(Clone, Copy, Debug)]
enum Change {
    /// The head of this route is done.
    Done(u32),
    /// The head of the second overtakes that of the first.
    Overtakes(u32, u32),
}

impl Ranked {
    pub(super) fn new(network: &Network, urgency: Urgency) -> Self {
        let links = network.capacities.len();
        Self {
            urgency,
            capacities: network.capacities.iter().map(|rate| rate.as_bps()).collect(),
            routes: Vec::new(),
            flows: Vec::new(),
            order: Vec::new(),
            sending: Vec::new(),
            is_stale: false,
            next: None,
            done: None,
            room: vec![0; links],
            last: vec![u32::MAX; links],
        }
    }

    fn key(&self, slot: Slot) -> Key {
        let flow = &self.flows[slot as usize];
        match self.urgency {
            Urgency::LeastLeft => (flow.left.to_bits(), flow.rank),
            Urgency::FirstIn => (flow.enters.as_nanos(), flow.rank),
        }
    }

    fn head(&self, route: u32) -> &Flow {
        &self.flows[self.routes[route as usize].head as usize]
    }

    fn left(&self, route: u32) -> f64 {
        self.head(route).left
    }

    /// Makes a flow the head of its route, and inserts it into the order.
    fn install(&mut self, route: u32, slot: Slot) {
        let RouteHead { head, rate, .. } = &mut self.routes[route as usize];
        (*head, *rate) = (slot, 0);
        let key = self.key(slot);
        // Heads may have overtaken others meanwhile, so the order may not be sorted.
        self.sort();
        let at = self.order.partition_point(|&other| {
            let other = self.routes[other as usize].head;
            self.key(other) < key
        });
        self.order.insert(at, route);
        self.is_stale = true;
    }

    fn uninstall(&mut self, route: u32) {
        self.order.retain(|&other| other != route);
        self.routes[route as usize].head = Slot::MAX;
        self.is_stale = true;
    }

    /// Removes the head of a route; the next flow becomes its head.
    fn replace(&mut self, route: u32) {
        self.uninstall(route);
        if let Some(Reverse((_, slot))) = self.routes[route as usize].waiting.pop() {
            self.install(route, slot);
        }
    }

    /// Sorts heads by bytes left. Stable: of two heads with equal bytes left, one came first by rank or
    /// has just overtaken the other.
    fn sort(&mut self) {
        if self.urgency == Urgency::LeastLeft {
            let (routes, flows) = (&self.routes, &self.flows);
            let left = |route: u32| flows[routes[route as usize].head as usize].left;
            self.order.sort_by(|&a, &b| left(a).total_cmp(&left(b)));
        }
    }

    /// Computes all rates.
    fn allot(&mut self) {
        self.sort();
        self.room.copy_from_slice(&self.capacities);
        self.sending.clear();
        for &number in &self.order {
            let route = &mut self.routes[number as usize];
            let Route { links, paths } = &route.route;
            let share = |&(link, times): &(u32, u32)| {
                part(self.room[link as usize], u64::from(*paths), u64::from(times))
            };
            route.rate = links.iter().map(share).min().unwrap_or(0);
            if route.rate > 0 {
                self.sending.push(number);
                for &(link, times) in links {
                    let carried = carried(route.rate, u64::from(times), u64::from(*paths));
                    self.room[link as usize] -= carried;
                }
            }
        }
    }

    fn next_done(&self) -> Option<(f64, Change)> {
        let due = |&number: &u32| {
            let nanos = self.left(number) * BYTE / self.routes[number as usize].rate as f64;
            (nanos, Change::Done(number))
        };
        self.sending.iter().map(due).min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The first time that a head overtakes another with which it shares a link. The first to do so
    /// overtakes its neighbour in the order of some link.
    fn next_overtaking(&mut self) -> Option<(f64, Change)> {
        let mut first: Option<(f64, Change)> = None;
        self.last.fill(u32::MAX);
        for &number in &self.sending {
            let (left, rate) = (self.left(number), self.routes[number as usize].rate);
            for &(link, _) in &self.routes[number as usize].route.links {
                let before = std::mem::replace(&mut self.last[link as usize], number);
                let Some(ahead) = self.routes.get(before as usize) else { continue };
                if rate > ahead.rate && left.is_finite() {
                    let gap = (left - self.left(before)).max(0.0);
                    let nanos = gap * BYTE / (rate - ahead.rate) as f64;
                    if first.is_none_or(|(soonest, _)| nanos < soonest) {
                        first = Some((nanos, Change::Overtakes(before, number)));
                    }
                }
            }
        }
        first
    }

    fn overtake(&mut self, ahead: u32, behind: u32) {
        let left = self.left(ahead);
        let head = self.routes[behind as usize].head;
        self.flows[head as usize].left = left;
        self.order.retain(|&other| other != behind);
        let at = self.order.iter().position(|&other| other == ahead).unwrap_or(0);
        self.order.insert(at, behind);
        self.is_stale = true;
    }
}

/// The rate of a flow that leaves nothing of the `room` of a link, which `times` of its paths cross.
fn part(room: u64, paths: u64, times: u64) -> u64 {
    u64::try_from(u128::from(room) * u128::from(paths) / u128::from(times)).unwrap_or(u64::MAX)
}

/// The rate that such a link carries of a flow; at most the room.
fn carried(rate: u64, times: u64, paths: u64) -> u64 {
    (u128::from(rate) * u128::from(times)).div_ceil(u128::from(paths)) as u64
}

impl Sharing for Ranked {
    fn add_route(&mut self, links: &Route) {
        let (route, waiting) = (links.clone(), BinaryHeap::new());
        self.routes.push(RouteHead { route, head: Slot::MAX, rate: 0, waiting });
    }

    fn enter(&mut self, entrant: &Entrant) {
        let &Entrant { slot, route: number, bytes, enters, rank } = entrant;
        *place(&mut self.flows, slot) =
            Flow { route: number, left: bytes, carried: 0.0, enters, rank };
        let (key, head) = (self.key(slot), self.routes[number as usize].head);
        if head == Slot::MAX {
            self.install(number, slot);
            return;
        }
        let head_key = self.key(head);
        if head_key <= key {
            self.routes[number as usize].waiting.push(Reverse((key, slot)));
        } else {
            self.routes[number as usize].waiting.push(Reverse((head_key, head)));
            self.uninstall(number);
            self.install(number, slot);
        }
    }

    fn leave(&mut self, slot: Slot) {
        let number = self.flows[slot as usize].route;
        if self.routes[number as usize].head == slot {
            self.replace(number);
        } else {
            let waiting = &mut self.routes[number as usize].waiting;
            waiting.retain(|&Reverse((_, other))| other != slot);
        }
    }

    fn reserve(&mut self, left: &[f64]) {
        self.capacities = left.iter().map(|left| (left * BYTE) as u64).collect();
        self.is_stale = true;
    }

    fn horizon(&mut self) -> f64 {
        if std::mem::take(&mut self.is_stale) {
            self.allot();
        }
        let done = self.next_done();
        let overtaking = match self.urgency {
            Urgency::LeastLeft if self.sending.len() > 1 => self.next_overtaking(),
            _ => None,
        };
        self.next = done.into_iter().chain(overtaking).min_by(|a, b| a.0.total_cmp(&b.0));
        self.next.map_or(f64::INFINITY, |(nanos, _)| nanos)
    }

    fn advance(&mut self, nanos: f64) {
        for &number in &self.sending {
            let RouteHead { head, rate, .. } = self.routes[number as usize];
            let flow = &mut self.flows[head as usize];
            let bytes = rate as f64 * nanos / BYTE;
            flow.left = (flow.left - bytes).max(0.0);
            flow.carried += bytes;
        }
        match self.next.filter(|&(due, _)| due <= nanos) {
            Some((_, Change::Done(route))) => self.done = Some(route),
            Some((_, Change::Overtakes(ahead, behind))) => self.overtake(ahead, behind),
            None => {}
        }
    }

    fn finished(&mut self) -> Option<Slot> {
        let route = self.done.take()?;
        let slot = self.routes[route as usize].head;
        self.replace(route);
        Some(slot)
    }

    fn carried(&self, slot: Slot) -> f64 {
        self.flows[slot as usize].carried
    }

    fn busy(&self) -> usize {
        self.order.len()
    }
}
