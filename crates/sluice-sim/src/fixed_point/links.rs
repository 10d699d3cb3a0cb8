//! The network model: what a link makes of the traffic that classes offer, how long it queues, what is lost, and
//! what the link grants.

use super::grant::{AtGrant, SteadyLink};
use super::law::{GrantKind, Granted, Model};
use super::link_state::{LEAST_LOSS, LinkState};
use super::network::{Class, Demand, Link, Network, UNLIMITED};
use super::queue::{Noise, chance_to_wait};
use super::source::Offered;

/// Sums over the traffic that crosses a link.
#[derive(Clone, Copy, Debug, Default)]
struct Crossing {
    /// Bytes a second: all that arrives; without retransmissions, of flows with a size, without one, and what
    /// does not respond to grants (streams, SYNs and acknowledgements).
    arrives: f64,
    sized: f64,
    long: f64,
    smooth: f64,
    shared: f64,
    sharing: f64,
    sending: f64,
    endless: f64,
    /// Flows without an end, each by the part of its losses that is here.
    limited: f64,
    /// RTTs, weighted by bytes a second, and these.
    rtts: [f64; 2],
    noise: Noise,
}

/// A link with its present state and what crosses it.
#[derive(Clone, Copy)]
struct AtLink<'a> {
    place: usize,
    link: &'a Link,
    state: &'a LinkState,
    sums: &'a Crossing,
}

impl AtLink<'_> {
    /// Mean RTT of the traffic of flows.
    fn rtt(&self) -> f64 {
        let [weighted, weights] = self.sums.rtts;
        if weights > 0.0 { weighted / weights } else { self.state.rtt }
    }

    /// The load that bursts find. Flows without an end yield to them, as if they were not there, but where they follow
    /// grants, which change after the burst; and where others exceed the link, they are lost alike.
    fn load_of_bursts(&self, model: &Model) -> f64 {
        let without = (self.sums.arrives - self.sums.long) / self.link.capacity;
        let follow = self.sums.sized > 0.0 && matches!(model, Model::Granted(_));
        if without > 1.0 || follow {
            self.sums.arrives / self.link.capacity
        } else {
            without.max(0.0)
        }
    }
}

/// The links of a network, and which classes cross each.
#[derive(Debug)]
pub(super) struct Links<'a> {
    network: &'a Network,
    model: &'a Model,
    /// Classes whose data cross each link, all in a row, and where those of each begin.
    crossing: Vec<usize>,
    begin: Vec<usize>,
}

impl<'a> Links<'a> {
    pub(super) fn new(network: &'a Network, model: &'a Model) -> Self {
        let mut begin = vec![0; network.links.len() + 1];
        for class in &network.classes {
            class.out.iter().for_each(|&link| begin[link + 1] += 1);
        }
        for link in 0..network.links.len() {
            begin[link + 1] += begin[link];
        }
        let (mut next, mut crossing) = (begin.clone(), vec![0; begin[network.links.len()]]);
        for (place, class) in network.classes.iter().enumerate() {
            for &link in &class.out {
                crossing[next[link]] = place;
                next[link] += 1;
            }
        }
        Self { network, model, crossing, begin }
    }

    fn of(&self, link: usize) -> &[usize] {
        &self.crossing[self.begin[link]..self.begin[link + 1]]
    }

    /// What links make of these offers, from the state that these were made in.
    pub(super) fn next(&self, states: &[LinkState], offers: &[Offered]) -> Vec<LinkState> {
        let sums = self.sums(states, offers);
        let links = self.network.links.iter().zip(states).zip(&sums).enumerate();
        links
            .map(|(place, ((link, state), sums))| {
                self.next_of(&AtLink { place, link, state, sums }, offers)
            })
            .collect()
    }

    fn sums(&self, states: &[LinkState], offers: &[Offered]) -> Vec<Crossing> {
        let mut sums = vec![Crossing::default(); self.network.links.len()];
        for (class, offer) in self.network.classes.iter().zip(offers) {
            let mut survives = 1.0;
            for &link in &class.out {
                self.cross(&mut sums[link], &states[link], link, offer, class, survives);
                survives *= 1.0 - states[link].loss;
            }
            for (path, bytes) in [(&class.out, offer.opening), (&class.back, offer.answers)] {
                for &link in path {
                    sums[link].arrives += bytes;
                    sums[link].smooth += bytes;
                    let capacity = self.network.links[link].capacity;
                    let square = bytes * self.network.control / capacity;
                    sums[link].noise.add(square, 1.0, states[link].load);
                }
            }
        }
        sums
    }

    /// Adds a class to a link that this part of its packets reaches. Of what flows with a size lose, each packet is
    /// sent until it arrives, 1 / (1 - loss) times.
    fn cross(
        &self,
        sums: &mut Crossing,
        state: &LinkState,
        link: usize,
        offer: &Offered,
        class: &Class,
        survives: f64,
    ) {
        let Link { capacity, .. } = self.network.links[link];
        let bytes = offer.sized + offer.long;
        let sized = offer.sized * survives / (1.0 - offer.loss);
        // The rate of flows without an end is that at which they send.
        let (long, streams) = (offer.long * survives, offer.streams * survives);
        sums.arrives += sized + long + streams;
        sums.sized += offer.sized;
        sums.long += long;
        sums.smooth += streams;
        // Of its losses, this part is here.
        let here =
            if offer.loss > 0.0 { (survives * state.loss / offer.loss).min(1.0) } else { 0.0 };
        sums.limited += offer.endless * here;
        sums.shared += offer.shared;
        sums.sharing += offer.sharing;
        sums.sending += offer.sending;
        sums.endless += offer.endless;
        sums.rtts[0] += bytes * offer.rtt;
        sums.rtts[1] += bytes;
        if offer.bursts > 0.0 {
            sums.noise.add(offer.bursts / capacity, offer.peak / capacity, state.load);
        }
        // Packets at random phases, as in M/D/1: whole batches of one, at C.
        let packet = match class.demand {
            Demand::Streams { datagram, .. } => datagram,
            Demand::Sized(_) | Demand::Long { .. } => self.network.packet,
        };
        let single = (sized + streams) * packet / capacity;
        if single > 0.0 && !matches!(self.model, Model::Fluid) {
            sums.noise.add(single, 1.0, state.load);
        }
    }

    fn next_of(&self, at: &AtLink<'_>, offers: &[Offered]) -> LinkState {
        let AtLink { link, state, sums, .. } = *at;
        let rtt = at.rtt();
        let mut next = LinkState {
            load: sums.arrives / link.capacity,
            flows: sums.sending + sums.endless,
            endless: sums.endless,
            rtt,
            ..*state
        };
        // What responds to grants and queues shares this.
        let packet = if sums.endless > 0.0 { 0.0 } else { self.network.packet };
        let room = link.room(self.model, rtt, packet, sums.smooth).max(1e-9 * link.capacity);
        next.excess = excess(self.model, sums, state, room);
        let queue = sums.noise.queue(at.load_of_bursts(self.model), link.buffer);
        let mut bytes = queue.mean;
        next.loss = queue.loss;
        match self.model {
            // A fluid has what streams leave, even alone.
            Model::Fluid => next.grant = fair(state, sums, room - sums.sized, room),
            Model::Xcp(_) if link.is_router => {
                next.grant = fair(state, sums, room - sums.sized, link.capacity);
            }
            Model::Granted(law) if link.is_router => {
                next.grant = self.grant(law, at, room, offers);
                // Flows without an end fill what there is.
                if sums.endless > 0.0 {
                    let standing = law.counted_out(link.capacity, sums.smooth, rtt);
                    bytes = bytes.max(standing.min(link.buffer));
                }
            }
            Model::Tcp(_) => {
                bytes =
                    (bytes + standing(sums, link, (rtt - state.wait).max(0.0))).min(link.buffer);
                if sums.endless > 0.0 {
                    next.loss = priced(state, sums, room).max(queue.loss);
                }
            }
            Model::Xcp(_) | Model::Granted(_) => {}
        }
        next.wait = bytes / link.capacity;
        next
    }

    /// R of RCP and NCP.
    fn grant(&self, law: &Granted, at: &AtLink<'_>, room: f64, offers: &[Offered]) -> f64 {
        let AtLink { link, state, sums, .. } = *at;
        let highest = law.target * link.capacity;
        let highest = match law.kind {
            GrantKind::Ncp if sums.endless > 0.0 => {
                let rest = link.capacity - sums.smooth - sums.sized;
                Granted::counted_grant(room, sums.endless, sums.sending)
                    .min(fair(state, sums, rest, room))
            }
            _ => fair(state, sums, room - sums.sized, highest),
        };
        if sums.sized <= 0.0 {
            return highest;
        }
        let steady =
            SteadyLink { capacity: link.capacity, rtt: at.rtt(), packet: self.network.packet };
        law.equilibrium(&steady, highest, |rate| {
            // Flows without an end have as much more as R is higher.
            let long = sums.long * rate / state.grant;
            let load = (sums.arrives - sums.long + long) / link.capacity;
            self.at_grant(law, at, &steady, rate, load.min(1.0 - 1e-9), offers)
        })
    }

    /// What this link makes of flows with a size if it grants `rate`, with all of the load.
    fn at_grant(
        &self,
        law: &Granted,
        at: &AtLink<'_>,
        steady: &SteadyLink,
        rate: f64,
        load: f64,
        offers: &[Offered],
    ) -> AtGrant {
        let AtLink { place, link, sums, .. } = *at;
        let mut noise = Noise::default();
        let mut squares = 0.0;
        for &class in self.of(place) {
            let Class { demand: Demand::Sized(flows), narrowest, .. } =
                &self.network.classes[class]
            else {
                continue;
            };
            let offer = &offers[class];
            let per_second = offer.sized / flows.sizes.mean();
            let peak = rate.min(offer.grants.but(place)).min(*narrowest);
            let square = |seconds: f64| per_second * flows.sizes.square_up_to(peak * seconds);
            noise.add(
                square(law.unaware() * offer.rtt) / link.capacity,
                peak / link.capacity,
                load,
            );
            squares += square(steady.rtt);
        }
        let bursts = noise.queue(load, link.buffer).mean;
        let packets = load * load * steady.packet / (2.0 * (1.0 - load));
        let counted = match law.kind {
            // (8) has no traffic that states no rate.
            GrantKind::Ncp => (load - sums.smooth / link.capacity).max(0.0),
            GrantKind::NcpS | GrantKind::Rcp => load,
        };
        let variance = squares / (link.capacity * link.capacity * steady.rtt);
        AtGrant { queue: bursts + packets, variance, counted }
    }
}

/// Seconds that a byte at its flow's share waits for other flows.
///
/// With C for what flows have of the link (`room`), flows at a peak rate of C / m share as in M/G/m-PS: they take pi(m, rho) / (C (1 - rho)) longer for each byte, which
/// does not depend on sizes but by their mean (Cohen, "The multiple phase service network with generalized processor
/// sharing", Acta Informatica 12, 1979). At m = 1 it is M/G/1-PS: rho / (C (1 - rho)) beside 1 / C. Only the part of
/// the traffic that leaves at its flow's share waits at senders; the rest queues at the link. With K flows that do not
/// end a byte takes (K + 1) / (C (1 - rho)): K of them in the grant, one here. Under RCP
/// those are a load like any other, whose R takes many round trips.
fn excess(model: &Model, sums: &Crossing, state: &LinkState, room: f64) -> f64 {
    if sums.sized <= 0.0 {
        return 0.0;
    }
    let load = (sums.sized / room).min(1.0 - 1e-9);
    let part = sums.shared / sums.sized;
    let peak = state.grant.min(room) / room;
    let is_rcp = matches!(model, Model::Granted(law) if law.kind == GrantKind::Rcp);
    let waits = match sums.endless > 0.0 {
        true if is_rcp => chance_to_wait(peak, (sums.arrives - sums.smooth) / room),
        true => 1.0,
        false => chance_to_wait(peak, load),
    };
    part * waits / (room * (1.0 - load))
}

/// A grant under which flows without an end fill what others leave: as much higher than now as they are short of it.
/// At its fixed point flows are max-min fair (Bertsekas and Gallager, Data Networks, 6.5.2): each has the grant of a
/// link that is full.
fn fair(state: &LinkState, sums: &Crossing, rest: f64, highest: f64) -> f64 {
    if sums.long <= 0.0 {
        return highest;
    }
    let rest = rest.max(1e-9 * highest);
    (state.grant * rest / sums.long).min(highest)
}

/// The loss ratio at which flows of TCP without an end fill what others leave: their rates fall as 1 / sqrt(p).
fn priced(state: &LinkState, sums: &Crossing, room: f64) -> f64 {
    let rest = (room - sums.sized).max(1e-9 * room);
    // What gets through: `long` is what they send.
    let over = sums.long * (1.0 - state.loss) / rest;
    (state.loss.max(LEAST_LOSS) * over * over).clamp(LEAST_LOSS, 1.0 - 1e-9)
}

/// The standing queue of TCP flows that are limited by the link, in bytes. `rtt` is without this queue.
///
/// Flows without an end are limited where they lose packets. Flows with a size are limited by the link a part of the
/// time, as in M/G/1-PS, 1 / (1 - rho) of them at a time. Of what such a flow sends in slow start above its share,
/// half joins the queue, so on average a quarter of it at most is there.
fn standing(sums: &Crossing, link: &Link, rtt: f64) -> f64 {
    let of = |flows: f64| saw_tooth(link.capacity * rtt, link.buffer, flows.max(1.0));
    if sums.endless > 0.0 {
        // Without a limit of the buffer nothing is lost, and no saw tooth begins.
        let limited = if link.buffer < UNLIMITED { sums.limited } else { 0.0 };
        return limited.min(1.0) * of(limited + sums.sending);
    }
    if sums.sharing <= 0.0 {
        return 0.0;
    }
    let load = (sums.sized / link.capacity).min(0.999);
    let shared = load * sums.shared / sums.sized;
    let busy = shared / (1.0 - load + shared);
    let each = sums.shared / sums.sharing;
    busy * of(1.0 / (1.0 - load)).min(each / 4.0)
}

/// The mean over time of the queue that the windows of these flows make, in bytes.
///
/// The windows together, W, rise to BDP + B, where a packet is lost. One flow halves its own then; N, out of phase, have
/// saw teeth 1 / sqrt N as high (Appenzeller, Keslassy, McKeown, "Sizing router buffers", SIGCOMM 2004, section 3).
/// W rises by the same in each round trip, of max(BDP, W) / C, and W - BDP of it is queued, if that is positive. One
/// flow with B = BDP: from BDP to 2 BDP, which makes 5/9 of B (1/2 of it if each round trip counted the same).
fn saw_tooth(bdp: f64, buffer: f64, flows: f64) -> f64 {
    let top = bdp + buffer;
    let lowest = top * (1.0 - 0.5 / flows.sqrt());
    let from = lowest.max(bdp);
    if top <= from {
        return 0.0;
    }
    // Over top - from, which divides numerator and denominator: integrals of w dw and of w (w - BDP) dw.
    let width = top - from;
    let queued = (top * top + top * from + from * from) / 3.0 - bdp * (top + from) / 2.0;
    let time = (top + from) / 2.0 + bdp * (from - lowest) / width;
    queued / time
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (b^3 / 3 + b^2 / 2) / ((1 - b) / 2 + b + b^2 / 2) of a BDP up to b = 1; 7/9 (1 + b) - 1 above.
    #[test]
    fn saw_teeth_of_one_flow() {
        let exact = |b: f64| b * b * (b / 3.0 + 0.5) / ((1.0 + b + b * b) / 2.0);
        for b in [0.01, 0.25, 1.0] {
            assert!((saw_tooth(1e5, b * 1e5, 1.0) / (1e5 * exact(b)) - 1.0).abs() < 1e-9, "{b}");
        }
        assert!((exact(1.0) - 5.0 / 9.0).abs() < 1e-12);
        assert!((saw_tooth(1e5, 3e5, 1.0) / (1e5 * (28.0 / 9.0 - 1.0)) - 1.0).abs() < 1e-9);
        assert_eq!(saw_tooth(1e5, 0.0, 1.0), 0.0);
        assert_eq!(saw_tooth(0.0, 0.0, 1.0), 0.0);
    }

    /// A sum over the round trips of one flow's congestion avoidance, each as long as its packets take.
    #[test]
    fn saw_teeth_are_those_of_rounds() {
        let (bdp, buffer) = (1000.0, 400.0);
        let (mut time, mut queued) = (0.0, 0.0);
        for window in 700..1400 {
            let window = f64::from(window);
            time += window.max(bdp);
            queued += window.max(bdp) * (window - bdp).max(0.0);
        }
        assert!((saw_tooth(bdp, buffer, 1.0) / (queued / time) - 1.0).abs() < 0.01);
    }

    #[test]
    fn many_flows_keep_the_buffer_fuller() {
        let queues = [1.0, 4.0, 100.0, 1e6].map(|flows| saw_tooth(1e5, 1e5, flows));
        assert!(queues.is_sorted() && queues[3] > 0.999e5 && queues[3] <= 1e5, "{queues:?}");
    }
}
