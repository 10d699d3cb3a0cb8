//! The mean completion times of the flows of a class.

use super::law::Model;
use super::network::SizedFlows;
use super::path::Path;

impl Path<'_> {
    /// Of each size, the time on the empty path, of queues, of what sending takes longer than the narrowest link, and
    /// of recovery from losses, in seconds.
    ///
    /// A SYN, its answer and the last packet queue.
    pub(super) fn completions(&self, model: &Model, flows: &SizedFlows) -> Vec<f64> {
        let sending = self.sending(model, flows);
        let last = self.last_packets(model);
        let queues = self.out + self.opening();
        let of = |(place, &bytes): (usize, &f64)| {
            let seconds = sending.times.of(place, bytes);
            let longer = (seconds - bytes / self.class.narrowest).max(0.0);
            let recovery = self.recovery(flows.packets[place].min(last));
            flows.alone[place] + queues + longer + recovery
        };
        flows.sizes.bytes.iter().enumerate().map(of).collect()
    }

    /// What queues and losses add to the exchange of a SYN and its answer. If either is lost, the SYN is sent again
    /// after a time-out.
    fn opening(&self) -> f64 {
        if !self.network.handshake {
            return 0.0;
        }
        self.out + self.back + time_outs(self.syn_loss, self.network.initial_rto)
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
        rounds(packets, self.loss) * self.rtt
    }
}

/// The time that a packet is expected to wait for time-outs, the first after this time, each of the next after twice
/// as long, up to 60 s (RFC 6298 (5.5), (2.5)): the sum of p^k times the k-th one.
fn time_outs(loss: f64, first: f64) -> f64 {
    const LONGEST: f64 = 60.0;
    let (mut chance, mut timeout, mut all) = (loss, first, 0.0);
    while timeout < LONGEST {
        all += chance * timeout;
        chance *= loss;
        timeout *= 2.0;
    }
    all + chance * timeout.min(LONGEST) / (1.0 - loss)
}

/// The mean of the largest of n independent numbers of losses in a row, each at least j with the probability p^j: the
/// sum over j of 1 - (1 - p^j)^n. Where that has many terms, it is near H_n / -ln p - 1/2 (Szpankowski and Rego, "Yet
/// another application of a binomial recurrence", Computing 43, 1990).
fn rounds(n: f64, p: f64) -> f64 {
    if p > 0.9 {
        let harmonic = libm::log(n) + EULER + 1.0 / (2.0 * n) - 1.0 / (12.0 * n * n);
        return harmonic / -libm::log(p) - 0.5;
    }
    let (mut chance, mut rounds) = (p, 0.0);
    // The rest of the sum, to first order, is n times a geometric series.
    while n * chance > 1e-3 {
        rounds -= libm::expm1(n * libm::log1p(-chance));
        chance *= p;
    }
    rounds + n * chance / (1.0 - p)
}

/// Euler's constant.
const EULER: f64 = 0.577_215_664_901_532_9;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_near(found: f64, wanted: f64, part: f64) {
        assert!((found / wanted - 1.0).abs() < part, "{found}, not {wanted}");
    }

    /// One packet is lost p / (1 - p) times; of two, the maximum of both is 2 m1 - m2 with the minimum's m2 at p^2.
    #[test]
    fn rounds_of_one_and_two_packets() {
        for (p, part) in [(1e-6, 1e-3), (0.01, 1e-3), (0.4, 1e-3), (0.6, 0.03), (0.999, 0.01)] {
            let of_one = |p: f64| p / (1.0 - p);
            assert_near(rounds(1.0, p), of_one(p), part);
            assert_near(rounds(2.0, p), 2.0 * of_one(p) - of_one(p * p), part);
        }
        assert_eq!(rounds(1000.0, 0.0), 0.0);
    }

    #[test]
    fn many_packets_have_more_rounds() {
        let sum = |n: f64, p: f64| -> f64 {
            (1..2000).map(|j| 1.0 - libm::pow(1.0 - libm::pow(p, f64::from(j)), n)).sum()
        };
        for (n, p) in [(1000.0, 0.01), (1000.0, 0.5), (1000.0, 0.51), (30.0, 0.9)] {
            assert_near(rounds(n, p), sum(n, p), 0.02);
        }
    }

    /// 1 s with the probability p, 2 s with p^2, ..., 32 s with p^6, and 60 s from then on.
    #[test]
    fn time_outs_double_up_to_a_minute() {
        let by_hand = 0.5 + 0.5 + 0.5 + 0.5 + 0.5 + 0.5 + 60.0 / 64.0;
        assert_near(time_outs(0.5, 1.0), by_hand, 1e-9);
        assert_near(time_outs(0.01, 1.0), 0.01 / (1.0 - 0.02), 1e-6);
        assert_eq!(time_outs(0.0, 1.0), 0.0);
    }
}
