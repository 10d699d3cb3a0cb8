//! Max-min fairness. Flows of one route have one rate, so a route keeps one count of the bytes that each
//! of its flows would have sent since the route was last idle: its *service*. A flow that enters at
//! service S with L bytes is done at S + L, so a heap of these gives the next flow.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::fill::Fill;
use super::network::{Network, Route};
use super::sharing::{Entrant, Sharing, Slot, place};

pub(super) struct MaxMin {
    fill: Fill,
    routes: Vec<RouteService>,
    /// Routes that have flows.
    busy: Vec<u32>,
    flows: Vec<Flow>,
    /// Whether flows have come or gone since rates were computed.
    is_stale: bool,
    /// The route whose first flow is done next, and the nanoseconds until then.
    next: Option<(u32, f64)>,
    /// The route of which a flow may just have been done.
    done: Option<u32>,
}

#[derive(Default)]
struct RouteService {
    service: f64,
    /// Service at which flows are done, as bits: floats that are not negative order as their bits.
    marks: BinaryHeap<Reverse<(u64, Slot)>>,
}

#[derive(Clone, Default)]
struct Flow {
    route: u32,
    /// Service when it entered.
    entered: f64,
}

impl MaxMin {
    pub(super) fn new(network: &Network) -> Self {
        Self {
            fill: Fill::new(&network.capacities),
            routes: Vec::new(),
            busy: Vec::new(),
            flows: Vec::new(),
            is_stale: false,
            next: None,
            done: None,
        }
    }

    fn remove(&mut self, route: u32) {
        self.is_stale = true;
        self.fill.remove(route);
        if self.fill.flows(route) == 0 {
            self.busy.retain(|&other| other != route);
        }
    }

    /// Nanoseconds until the first flow of a route is done.
    fn due(&self, number: u32) -> Option<(u32, f64)> {
        let route = &self.routes[number as usize];
        let &Reverse((mark, _)) = route.marks.peek()?;
        let left = (f64::from_bits(mark) - route.service).max(0.0);
        // Streams may leave it no rate.
        let nanos = if left > 0.0 { left / self.fill.rate(number) } else { 0.0 };
        Some((number, nanos))
    }
}

impl Sharing for MaxMin {
    fn add_route(&mut self, links: &Route) {
        self.fill.add_route(links);
        self.routes.push(RouteService::default());
    }

    fn enter(&mut self, entrant: &Entrant) {
        let &Entrant { slot, route: number, bytes, .. } = entrant;
        let route = &mut self.routes[number as usize];
        if self.fill.flows(number) == 0 {
            self.busy.push(number);
            // Counting from 0 again keeps the precision.
            route.service = 0.0;
        }
        if bytes.is_finite() {
            route.marks.push(Reverse(((route.service + bytes).to_bits(), slot)));
        }
        *place(&mut self.flows, slot) = Flow { route: number, entered: route.service };
        self.fill.add(number);
        self.is_stale = true;
    }

    fn leave(&mut self, slot: Slot) {
        let number = self.flows[slot as usize].route;
        self.routes[number as usize].marks.retain(|&Reverse((_, other))| other != slot);
        self.remove(number);
    }

    fn reserve(&mut self, left: &[f64]) {
        left.iter().enumerate().for_each(|(link, &left)| self.fill.leave(link, left));
        self.is_stale = true;
    }

    fn horizon(&mut self) -> f64 {
        if std::mem::take(&mut self.is_stale) {
            self.fill.fill();
        }
        let dues = self.busy.iter().filter_map(|&number| self.due(number));
        self.next = dues.min_by(|a, b| a.1.total_cmp(&b.1));
        self.next.map_or(f64::INFINITY, |(_, nanos)| nanos)
    }

    fn advance(&mut self, nanos: f64) {
        for &number in &self.busy {
            self.routes[number as usize].service += self.fill.rate(number) * nanos;
        }
        self.done = self.next.filter(|&(_, due)| due <= nanos).map(|(number, _)| number);
        if let Some(number) = self.done {
            let route = &mut self.routes[number as usize];
            if let Some(&Reverse((mark, _))) = route.marks.peek() {
                route.service = f64::from_bits(mark);
            }
        }
    }

    fn finished(&mut self) -> Option<Slot> {
        let number = self.done?;
        let route = &mut self.routes[number as usize];
        let &Reverse((mark, slot)) = route.marks.peek()?;
        if f64::from_bits(mark) > route.service {
            return None;
        }
        route.marks.pop();
        self.remove(number);
        Some(slot)
    }

    fn carried(&self, slot: Slot) -> f64 {
        let flow = &self.flows[slot as usize];
        self.routes[flow.route as usize].service - flow.entered
    }

    fn busy(&self) -> usize {
        self.busy.len()
    }
}
