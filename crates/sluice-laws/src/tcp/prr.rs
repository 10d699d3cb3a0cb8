//! Proportional rate reduction (RFC 6937): how much leaves while a loss is repaired, so that the
//! window falls over a round trip and not at once.
//!
//! Counts are packets where the RFC has bytes. The bound is its default, PRR-SSRB.

/// How far the reduction of one episode has gone; inactive by default.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Prr {
    /// RecoverFS: packets outstanding as the episode began; 0 while inactive.
    flight: u32,
    /// prr_delivered.
    delivered: u32,
    /// prr_out.
    out: u32,
    /// DeliveredData of the latest acknowledgement, and prr_out before it.
    latest: (u32, u32),
}

impl Prr {
    /// Begins an episode with `flight` packets outstanding. The RFC counts those SACKed before,
    /// which can no longer be delivered, so that the window ends below ssthresh; its successor's
    /// draft (draft-ietf-tcpm-prr-rfc6937bis) leaves them out, and so does the caller.
    pub(super) fn begin(flight: u32) -> Self {
        Self { flight: flight.max(1), ..Self::default() }
    }

    /// An acknowledgement delivered `packets`, in sequence or selectively.
    pub(super) fn delivered(&mut self, packets: u32) {
        self.delivered = self.delivered.saturating_add(packets);
        self.latest = (packets, self.out);
    }

    /// A packet left.
    pub(super) fn sent(&mut self) {
        self.out = self.out.saturating_add(1);
    }

    /// Whether a packet may leave with `pipe` packets in flight and a window of `ssthresh`.
    pub(super) fn allows(&self, pipe: u32, ssthresh: u32) -> bool {
        if self.flight == 0 {
            return pipe < ssthresh;
        }
        if pipe > ssthresh {
            // sndcnt = CEIL(prr_delivered * ssthresh / RecoverFS) - prr_out
            let due = u64::from(self.delivered) * u64::from(ssthresh);
            return u64::from(self.out) < due.div_ceil(u64::from(self.flight));
        }
        // limit = MAX(prr_delivered - prr_out, DeliveredData) + MSS,
        // sndcnt = MIN(ssthresh - pipe, limit)
        let (newly, out) = self.latest;
        let limit = self.delivered.max(out.saturating_add(newly)).saturating_add(1);
        pipe < ssthresh && self.out < limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 6937 section 4, the first packet of 20 lost: "every other ACK" brings a
    /// packet out, from the retransmission on, and the window ends at ssthresh.
    #[test]
    fn one_loss_of_twenty_lets_a_packet_leave_for_every_other_acknowledgement() {
        let ssthresh = 10;
        let mut prr = Prr::begin(20);
        prr.sent(); // the retransmission
        let mut pipe = 20;
        let mut sent = Vec::new();
        for ack in 1..=19 {
            prr.delivered(1);
            pipe -= 1;
            while prr.allows(pipe, ssthresh) {
                prr.sent();
                pipe += 1;
                sent.push(ack);
            }
        }
        // From the 17th on the pipe is at ssthresh and stays there.
        assert_eq!(sent, [3, 5, 7, 9, 11, 13, 15, 18, 19]);
        assert_eq!(pipe, ssthresh);
    }

    /// With less in flight than ssthresh it may grow by a packet for each acknowledgement.
    #[test]
    fn below_ssthresh_it_sends_one_more_than_was_delivered() {
        let mut prr = Prr::begin(20);
        prr.sent();
        prr.delivered(1);
        let mut pipe = 4;
        let mut sent = 0;
        while prr.allows(pipe, 10) {
            prr.sent();
            (pipe, sent) = (pipe + 1, sent + 1);
        }
        assert_eq!(sent, 2);
    }

    #[test]
    fn inactive_it_is_the_window() {
        let prr = Prr::default();
        assert!(prr.allows(9, 10) && !prr.allows(10, 10));
    }
}
