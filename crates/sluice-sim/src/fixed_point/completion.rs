//! The mean completion time of the flows of a class.

use super::law::Model;
use super::network::SizedFlows;
use super::path::Path;

impl Path<'_> {
    /// The mean over sizes of the time on the empty path, of queues, of what sending takes longer than the narrowest
    /// link, and of recovery from losses, in seconds.
    ///
    /// A SYN, its answer and the last packet queue. A SYN that is lost is sent again after the first time-out,
    /// which doubles each time: p / (1 - 2 p) of it on average, bounded where losses are many.
    pub(super) fn completion(&self, model: &Model, flows: &SizedFlows) -> f64 {
        let sending = self.sending(model, flows);
        let last = self.last_packets(model);
        let of = |place: usize| {
            let bytes = flows.sizes.bytes[place];
            let seconds = sending.times.of(place, bytes);
            let longer = (seconds - bytes / self.class.narrowest).max(0.0);
            let recovery = self.recovery(flows.packets[place].min(last));
            flows.sizes.weights[place] * (flows.alone[place] + longer + recovery)
        };
        let mean = self.out + (0..flows.alone.len()).map(of).sum::<f64>();
        if !self.network.handshake {
            return mean;
        }
        let again =
            self.syn_loss / (1.0 - 2.0 * self.syn_loss.min(0.45)) * self.network.initial_rto;
        mean + self.out + self.back + again
    }

    /// The packets whose loss is repaired after the last one has been sent: those of a round trip.
    fn last_packets(&self, model: &Model) -> f64 {
        let packets = match model {
            Model::Xcp(law) => law.initial_window,
            Model::Tcp(law) => law.initial_window,
            Model::Fluid | Model::Granted(_) => self.granted() * self.rtt / self.network.packet,
        };
        packets.max(1.0)
    }

    /// Rounds until the last packets have arrived, an RTT each: one more whenever any of them is lost j times in a
    /// row, with independent losses. Losses before them are repaired meanwhile.
    fn recovery(&self, packets: f64) -> f64 {
        let mut chance = 1.0;
        let mut rounds = 0.0;
        for _ in 0..8 {
            chance *= self.loss;
            if packets * chance < 1e-6 {
                break;
            }
            rounds -= libm::expm1(packets * libm::log1p(-chance));
        }
        rounds * self.rtt
    }
}
