//! Source models: what the flows of a class offer to the links of their path, given what these grant, how long they
//! queue and how much they lose.

use super::law::{Granted, Model};
use super::link_state::LinkState;
use super::network::{Class, Demand, Network, SizedFlows};
use super::path::{LeastGrants, Path};
use super::ramp::{Feedback, Sending, Times, tcp, xcp};

/// What a class offers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Offered {
    /// Round trip with queues.
    pub(super) rtt: f64,
    /// Part of the packets lost on the path.
    pub(super) loss: f64,
    /// Bytes a second, each counted once: of flows with a size, without one, and of streams.
    pub(super) sized: f64,
    pub(super) long: f64,
    pub(super) streams: f64,
    /// Flows with a size that send at a time, and flows without one.
    pub(super) sending: f64,
    pub(super) endless: f64,
    /// Squares of the bytes that leave in bursts, a second, and the rate of a burst.
    pub(super) bursts: f64,
    pub(super) peak: f64,
    /// Bytes a second that leave at the flow's share, and flows a second that reach it.
    pub(super) shared: f64,
    pub(super) sharing: f64,
    /// The rate of one flow at its share.
    pub(super) rate: f64,
    /// Bytes a second of SYNs on the way out, and of their answers and acknowledgements on the way back.
    pub(super) opening: f64,
    pub(super) answers: f64,
    /// The least grants of the path.
    pub(super) grants: LeastGrants,
}

/// What a class offers to links in this state. `carried` is the part of its flows that overloaded links let through.
pub(super) fn offered(
    network: &Network,
    model: &Model,
    class: &Class,
    links: &[LinkState],
    carried: f64,
) -> Offered {
    let path = Path::new(network, class, links);
    match &class.demand {
        Demand::Sized(flows) => path.sized(model, flows, carried),
        &Demand::Long { count } => {
            let rate = path.long_rate(model);
            let long = count * rate;
            let answers = network.acknowledgements(model, long * (1.0 - path.loss));
            Offered { long, endless: count, rate, answers, ..path.empty() }
        }
        &Demand::Streams { rate, .. } => Offered { streams: rate, ..path.empty() },
    }
}

impl Path<'_> {
    fn empty(&self) -> Offered {
        let (rtt, loss, grants) = (self.rtt, self.loss, self.grants);
        Offered { rtt, loss, grants, ..Offered::default() }
    }

    fn sized(&self, model: &Model, flows: &SizedFlows, carried: f64) -> Offered {
        let sending = self.sending(model, flows);
        let (peak, rate) = match model {
            Model::Fluid => (self.class.narrowest, self.granted()),
            Model::Granted(_) => (self.granted(), self.granted()),
            Model::Xcp(_) => (self.class.narrowest, self.pipe(model).share),
            // Each acknowledgement of slow start lets two packets leave.
            Model::Tcp(_) => (2.0 * self.class.narrowest, self.pipe(model).share),
        };
        let per_second = flows.per_second * carried;
        let [opening, answers] = flows.control(model);
        Offered {
            sized: per_second * flows.sizes.mean(),
            sending: per_second * sending.mean,
            bursts: per_second * sending.bursts,
            peak,
            shared: per_second * sending.shared,
            sharing: per_second * sending.sharing,
            rate,
            opening: per_second * opening,
            answers: per_second * answers,
            ..self.empty()
        }
    }

    /// How the flows of a class send.
    pub(super) fn sending(&self, model: &Model, flows: &SizedFlows) -> Sending {
        match model {
            Model::Fluid => self.fluid(flows),
            Model::Granted(law) => self.at_grant(flows, law),
            Model::Xcp(law) => {
                let routers =
                    self.class.out.iter().filter(|&&link| self.network.links[link].is_router);
                let feedback: Vec<Feedback> =
                    routers.map(|&link| self.links[link].feedback(law, self.rtt)).collect();
                xcp(&flows.sizes, &self.pipe(model), law, &feedback)
            }
            Model::Tcp(law) => tcp(&flows.sizes, &self.pipe(model), law, self.loss),
        }
    }

    /// Rates of a fluid: no bursts.
    fn fluid(&self, flows: &SizedFlows) -> Sending {
        Sending { shared: flows.sizes.mean(), sharing: 1.0, ..self.at(flows) }
    }

    /// At the rate granted, which other flows lower once they are known.
    fn at_grant(&self, flows: &SizedFlows, law: &Granted) -> Sending {
        let unaware = self.granted() * law.unaware() * self.rtt;
        let shared = flows.sizes.mean() - flows.sizes.mean_up_to(unaware);
        let bursts = flows.sizes.square_up_to(unaware);
        Sending { shared, bursts, ..self.at(flows) }
    }

    fn at(&self, flows: &SizedFlows) -> Sending {
        let byte = 1.0 / self.granted() + self.excess;
        let mean = flows.sizes.mean() * byte;
        Sending { times: Times::PerByte(byte), mean, ..Sending::default() }
    }
}
