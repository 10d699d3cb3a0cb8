//! Progressive filling: all rates rise together until a link is full, where they are frozen
//! (Bertsekas and Gallager 6.5.2).

use sluice_units::Rate;

use super::network::Route;

/// Links, and the routes that have flows.
pub(super) struct Fill {
    links: Vec<Link>,
    routes: Vec<RouteRate>,
    /// While filling: the rate at which each link is full, and the link. A list of its own, since every
    /// step searches it for the minimum.
    open: Vec<(f64, u32)>,
}

struct Link {
    /// Capacity in bytes per nanosecond.
    capacity: f64,
    /// Crossings of flows.
    crossings: f64,
    /// Routes with flows that cross it.
    routes: Vec<u32>,
    /// While filling: the capacity that frozen routes leave, in bytes per nanosecond ...
    room: f64,
    /// ... crossings of flows whose rates still rise, and number of their routes, which alone is exact
    /// where flows cross in part ...
    rising: f64,
    rising_routes: usize,
    /// ... and its place in the list of links that are not full.
    place: usize,
}

struct RouteRate {
    /// Links with the crossings of each flow.
    links: Vec<(u32, f64)>,
    flows: u64,
    /// Rate of each flow in bytes per nanosecond.
    rate: f64,
    rises: bool,
}

impl Fill {
    pub(super) fn new(capacities: &[Rate]) -> Self {
        let link = |capacity: &Rate| Link {
            capacity: capacity.as_bytes_per_sec_f64() / 1e9,
            crossings: 0.0,
            routes: Vec::new(),
            room: 0.0,
            rising: 0.0,
            rising_routes: 0,
            place: 0,
        };
        Self { links: capacities.iter().map(link).collect(), routes: Vec::new(), open: Vec::new() }
    }

    /// Adds a route, without flows.
    pub(super) fn add_route(&mut self, route: &Route) {
        let part = |&(link, times): &(u32, u32)| (link, f64::from(times) / f64::from(route.paths));
        let links = route.links.iter().map(part).collect();
        self.routes.push(RouteRate { links, flows: 0, rate: 0.0, rises: false });
    }

    /// Leaves flows this part of a link, in bytes per nanosecond.
    pub(super) fn leave(&mut self, link: usize, capacity: f64) {
        self.links[link].capacity = capacity;
    }

    /// Adds a flow to a route.
    pub(super) fn add(&mut self, route: u32) {
        let RouteRate { links, flows, .. } = &mut self.routes[route as usize];
        *flows += 1;
        for &(link, times) in &*links {
            let link = &mut self.links[link as usize];
            link.crossings += times;
            if *flows == 1 {
                link.routes.push(route);
            }
        }
    }

    /// Removes a flow from a route.
    pub(super) fn remove(&mut self, route: u32) {
        let RouteRate { links, flows, .. } = &mut self.routes[route as usize];
        *flows -= 1;
        for &(link, times) in &*links {
            let link = &mut self.links[link as usize];
            link.crossings -= times;
            if *flows == 0 {
                link.routes.retain(|&other| other != route);
                if link.routes.is_empty() {
                    // What rounding has left.
                    link.crossings = 0.0;
                }
            }
        }
    }

    pub(super) fn flows(&self, route: u32) -> u64 {
        self.routes[route as usize].flows
    }

    /// The rate of each flow of a route, as last filled.
    pub(super) fn rate(&self, route: u32) -> f64 {
        self.routes[route as usize].rate
    }

    /// Computes all rates.
    pub(super) fn fill(&mut self) {
        self.open.clear();
        for (number, link) in self.links.iter_mut().enumerate() {
            if !link.routes.is_empty() {
                (link.room, link.rising) = (link.capacity, link.crossings);
                link.rising_routes = link.routes.len();
                link.place = self.open.len();
                self.open.push((link.room / link.rising, number as u32));
                for &route in &link.routes {
                    self.routes[route as usize].rises = true;
                }
            }
        }
        while let Some(&(rate, full)) = self.open.iter().min_by(|a, b| a.0.total_cmp(&b.0)) {
            self.stay(full, rate);
        }
    }

    /// Freezes the routes over a full link at `rate`.
    fn stay(&mut self, full: u32, rate: f64) {
        let crossing = std::mem::take(&mut self.links[full as usize].routes);
        for &number in &crossing {
            let route = &mut self.routes[number as usize];
            if !std::mem::take(&mut route.rises) {
                continue;
            }
            route.rate = rate;
            for &(number, times) in &route.links {
                let link = &mut self.links[number as usize];
                let crossings = route.flows as f64 * times;
                link.rising -= crossings;
                link.rising_routes -= 1;
                link.room = (link.room - rate * crossings).max(0.0);
                if link.rising_routes > 0 {
                    self.open[link.place].0 = link.room / link.rising;
                } else {
                    close(&mut self.open, &mut self.links, number);
                }
            }
        }
        self.links[full as usize].routes = crossing;
    }
}

/// Removes a link over which no rate rises any more.
fn close(open: &mut Vec<(f64, u32)>, links: &mut [Link], link: u32) {
    let place = links[link as usize].place;
    open.swap_remove(place);
    if let Some(&(_, moved)) = open.get(place) {
        links[moved as usize].place = place;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rates in bits per second of routes, each given by its links and its number of flows.
    fn rates(capacities: &[u64], routes: &[(&[u32], u64)]) -> Vec<f64> {
        let capacities: Vec<Rate> = capacities.iter().map(|&bps| Rate::from_bps(bps)).collect();
        let mut fill = Fill::new(&capacities);
        for (route, &(links, flows)) in routes.iter().enumerate() {
            let links = links.iter().map(|&link| (link, 1)).collect();
            fill.add_route(&Route { links, paths: 1 });
            (0..flows).for_each(|_| fill.add(route as u32));
        }
        fill.fill();
        let rates = (0..routes.len()).map(|route| fill.rate(route as u32) * 8e9);
        rates.map(|bps| (bps * 1e3).round() / 1e3).collect()
    }

    #[test]
    fn one_link_is_shared_evenly() {
        assert_eq!(rates(&[12_000], &[(&[0], 3)]), [4_000.0]);
    }

    #[test]
    fn the_parking_lot() {
        // One flow all the way, one on each link: halves of the first, what is left on the others.
        let routes: [(&[u32], u64); 4] = [(&[0, 1, 2], 1), (&[0], 1), (&[1], 1), (&[2], 1)];
        let found = rates(&[1_000, 2_000, 3_000], &routes);
        assert_eq!(found, [500.0, 500.0, 1_500.0, 2_500.0]);
    }

    #[test]
    fn whoever_is_held_elsewhere_leaves_the_rest() {
        // Three share a link at a third each; one of them shares another link, where the other flow gets
        // two thirds; a fifth flow is alone.
        let routes: [(&[u32], u64); 5] = [(&[0, 1], 1), (&[0], 1), (&[0], 1), (&[1], 1), (&[2], 1)];
        let found = rates(&[3_000, 3_000, 3_000], &routes);
        assert_eq!(found, [1_000.0, 1_000.0, 1_000.0, 2_000.0, 3_000.0]);
    }

    /// Thirds do not add up to one: a link is open until no route over it rises.
    #[test]
    fn flows_in_part_are_filled_too() {
        let mut fill = Fill::new(&[Rate::from_bps(8_000_000_000); 4]);
        fill.add_route(&Route { links: vec![(0, 3), (1, 1), (2, 1), (3, 1)], paths: 3 });
        fill.add_route(&Route { links: vec![(1, 1)], paths: 1 });
        (0..4).for_each(|_| fill.add(0));
        fill.add(1);
        fill.fill();
        // A quarter of the first link each; they leave two thirds of the second.
        assert!((fill.rate(0) - 0.25).abs() < 1e-15);
        assert!((fill.rate(1) - 2.0 / 3.0).abs() < 1e-15);
        (0..4).for_each(|_| fill.remove(0));
        fill.fill();
        assert!((fill.rate(1) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn those_who_leave_give_back() {
        let mut fill = Fill::new(&[Rate::from_bps(8_000_000_000); 2]);
        fill.add_route(&Route { links: vec![(0, 1), (1, 1)], paths: 1 });
        fill.add_route(&Route { links: vec![(1, 2)], paths: 1 });
        fill.add(0);
        fill.add(1);
        fill.fill();
        // The second crosses its link twice: thirds.
        assert!((fill.rate(0) - 1.0 / 3.0).abs() < 1e-15);
        assert!((fill.rate(1) - 1.0 / 3.0).abs() < 1e-15);
        fill.remove(1);
        fill.fill();
        assert_eq!(fill.rate(0), 1.0);
    }
}
