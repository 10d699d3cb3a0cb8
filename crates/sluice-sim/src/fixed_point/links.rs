//! The network model: what a link makes of the traffic that classes offer, how long it queues, what is lost, and
//! what the link grants.

use super::grant::SteadyLink;
use super::law::{GrantKind, Granted, Model};
use super::link_state::LinkState;
use super::network::{Class, Demand, Link, Network};
use super::queue::{Noise, chance_to_wait};
use super::source::Offered;

/// Sums over the traffic that crosses a link.
#[derive(Clone, Copy, Debug, Default)]
struct Crossing {
    /// Bytes a second: all that arrives; without retransmissions, of flows with a size, without one, and what
    /// does not respond to grants (streams and acknowledgements).
    arrives: f64,
    sized: f64,
    long: f64,
    smooth: f64,
    shared: f64,
    sharing: f64,
    sending: f64,
    endless: f64,
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

    /// The load that bursts find. Flows without an end yield to them, as if they were not there; but where others
    /// exceed the link, they are lost alike.
    fn load_of_bursts(&self) -> f64 {
        let without = (self.sums.arrives - self.sums.long) / self.link.capacity;
        if without > 1.0 { self.sums.arrives / self.link.capacity } else { without.max(0.0) }
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
            // A stream is cut at each link; what flows lose is sent again, over all links before.
            let mut left = offer.streams;
            for &link in &class.out {
                self.cross(&mut sums[link], &states[link], link, offer, class, left);
                left *= 1.0 - states[link].loss;
            }
            for &link in &class.back {
                sums[link].arrives += offer.answers;
                sums[link].smooth += offer.answers;
                let capacity = self.network.links[link].capacity;
                let square = offer.answers * self.network.control / capacity;
                sums[link].noise.add(square, 1.0, states[link].load);
            }
        }
        sums
    }

    fn cross(
        &self,
        sums: &mut Crossing,
        state: &LinkState,
        link: usize,
        offer: &Offered,
        class: &Class,
        streams: f64,
    ) {
        let Link { capacity, .. } = self.network.links[link];
        let bytes = offer.sized + offer.long;
        let again = 1.0 / (1.0 - offer.loss);
        // The rate of flows without an end is that at which they send.
        sums.arrives += offer.sized * again + offer.long + streams;
        sums.sized += offer.sized;
        sums.long += offer.long;
        sums.smooth += streams;
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
        let single = (offer.sized * again + streams) * packet / capacity;
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
        let target = match self.model {
            Model::Granted(_) if !link.is_router => 1.0,
            Model::Granted(law) if sums.endless == 0.0 => {
                law.highest_load(self.network.packet, link.capacity * rtt)
            }
            model => model.target(),
        };
        // What responds to grants and queues shares this.
        let room = (target * link.capacity - sums.smooth).max(1e-9 * link.capacity);
        next.excess = excess(sums, state, link, room);
        let queue = sums.noise.queue(at.load_of_bursts(), link.buffer);
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
                bytes = (bytes + standing(sums, link, rtt, state.loss)).min(link.buffer);
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
        if sums.endless > 0.0 {
            return match law.kind {
                // (8) counts each flow, wherever it is limited, for as long as it sends.
                GrantKind::Ncp => {
                    let left = highest.min(link.capacity - sums.smooth).max(1e-9 * highest);
                    (left / (sums.endless + sums.sending)).min(left)
                }
                GrantKind::NcpS | GrantKind::Rcp => fair(state, sums, room - sums.sized, highest),
            };
        }
        if sums.sized <= 0.0 {
            return highest;
        }
        let load = at.load_of_bursts().min(1.0 - 1e-9);
        let (capacity, rtt, packet) = (link.capacity, at.rtt(), self.network.packet);
        let steady = SteadyLink { capacity, load, rtt, packet };
        law.equilibrium(&steady, |rate| self.at_grant(law, at, &steady, rate, offers))
    }

    /// The mean queue if this link granted `rate`, and the variance of what arrives in a d0, in capacities squared.
    fn at_grant(
        &self,
        law: &Granted,
        at: &AtLink<'_>,
        steady: &SteadyLink,
        rate: f64,
        offers: &[Offered],
    ) -> (f64, f64) {
        let AtLink { place, link, .. } = *at;
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
                steady.load,
            );
            squares += square(steady.rtt);
        }
        let bursts = noise.queue(steady.load, link.buffer).mean;
        let packets = steady.load * steady.load * steady.packet / (2.0 * (1.0 - steady.load));
        let variance = squares / (link.capacity * link.capacity * steady.rtt);
        (bursts + packets, variance)
    }
}

/// Seconds that a byte at its flow's share waits for other flows.
///
/// Flows at a peak rate of C / m share as in M/G/m-PS: they take pi(m, rho) / (C (1 - rho)) longer for each byte, which
/// does not depend on sizes but by their mean (Cohen, "The multiple phase service network with generalized processor
/// sharing", Acta Informatica 12, 1979). At m = 1 it is M/G/1-PS: rho / (C (1 - rho)) beside 1 / C. Only the part of
/// the traffic that leaves at its flow's share waits at senders; the rest queues at the link. With K flows that do not
/// end a byte takes (K + 1) / (C (1 - rho)): K of them in the grant, one here.
fn excess(sums: &Crossing, state: &LinkState, link: &Link, room: f64) -> f64 {
    if sums.sized <= 0.0 {
        return 0.0;
    }
    let load = (sums.sized / room).min(1.0 - 1e-9);
    let part = sums.shared / sums.sized;
    let peak = state.grant.min(link.capacity) / link.capacity;
    let waits = if sums.endless > 0.0 { 1.0 } else { chance_to_wait(peak, load) };
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
    (state.loss.max(LEAST_LOSS) * over * over).clamp(LEAST_LOSS, 0.5)
}

/// A loss ratio at which TCP of any realistic path is limited by something else.
const LEAST_LOSS: f64 = 1e-10;

/// The standing queue of TCP flows that are limited by the link, in bytes.
///
/// N long windows, out of phase, have saw teeth of (BDP + B) / sqrt N together (Appenzeller, Keslassy, McKeown,
/// "Sizing router buffers", SIGCOMM 2004), a quarter of which the mean queue is below the buffer: with one flow the
/// window is 3/4 of its peak, BDP + B, on average. Flows with a size do so while they are limited by the link, a part
/// of the time as in M/G/1-PS, 1 / (1 - rho) of them at a time. Of what a flow sends in slow start above its share,
/// half joins the queue, so on average a quarter of it at most is there.
fn standing(sums: &Crossing, link: &Link, rtt: f64, loss: f64) -> f64 {
    let bdp = link.capacity * rtt;
    let of =
        |flows: f64| (link.buffer - (bdp + link.buffer) / (4.0 * flows.max(1.0).sqrt())).max(0.0);
    if sums.endless > 0.0 {
        // None while they do not fill the link, which takes losses down to the least.
        return of(sums.endless + sums.sending) * loss / (loss + 1e-7);
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
