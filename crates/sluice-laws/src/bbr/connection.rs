//! The connection ("C" in v3 section 2.2), and what one acknowledgement says of it ("RS").

use sluice_units::{Span, Time};

use crate::host::{AckEvent, RateSample, RtoEvent, SendEvent};

/// What BBR reads of the transport, put together from the events of a law.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Connection {
    /// "C.delivered".
    pub(crate) delivered: u64,
    /// "C.lost", and what of it the last acknowledgement knew.
    lost: [u64; 2],
    /// "C.inflight", as of the last departure or acknowledgement.
    in_flight: u32,
    /// That of the acknowledgement to come.
    sample: Option<RateSample>,
    /// "C.app_limited", as of the newest sample.
    app_limited: bool,
    /// Packets that left while this much was delivered are application-limited, because the law said so.
    bubble: Option<(u64, u64)>,
    recovery: Recovery,
    entered: bool,
    left: bool,
    /// "C.is_cwnd_limited" in this round and the one before.
    cwnd_limited: [bool; 2],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Recovery {
    #[default]
    None,
    Fast,
    /// After a time-out, with the number of packets yet to be acknowledged in sequence.
    TimedOut(u32),
}

/// An acknowledgement. Counts are packets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ack {
    pub(crate) now: Time,
    /// "RS.rtt".
    pub(crate) rtt: Option<Span>,
    /// "RS.newly_acked".
    pub(crate) newly_acked: u32,
    /// "RS.newly_lost": found lost since the acknowledgement before.
    pub(crate) newly_lost: u64,
    /// "C.inflight", and before the acknowledgement.
    pub(crate) in_flight: u32,
    pub(crate) prior_in_flight: u32,
    /// "C.delivered" with it.
    pub(crate) total_delivered: u64,
    /// The rest of "RS", if it delivered a packet that left later than all delivered before.
    pub(crate) sample: Option<RateSample>,
    /// Fast recovery began with it, or a little before.
    pub(crate) enters_recovery: bool,
    /// A loss recovery ended with it.
    pub(crate) leaves_recovery: bool,
}

impl Ack {
    /// "RS.delivery_rate", in packets a second.
    pub(crate) fn delivery_rate(&self) -> Option<f64> {
        let RateSample { delivered, interval, .. } = self.sample?;
        Some(delivered as f64 / interval?.as_secs_f64())
    }

    /// "RS.is_app_limited".
    pub(crate) fn is_app_limited(&self) -> bool {
        self.sample.is_none_or(|sample| sample.app_limited)
    }
}

impl Connection {
    /// An acknowledgement of data.
    pub(crate) fn on_ack(&mut self, event: &AckEvent) -> Ack {
        self.delivered = self.delivered.saturating_add(u64::from(event.delivered));
        if let Recovery::TimedOut(left) = &mut self.recovery {
            *left = left.saturating_sub(event.acked);
            if *left == 0 {
                self.on_recovered();
            }
        }
        let sample = self.sample.take().map(|sample| RateSample {
            app_limited: sample.app_limited || self.is_in_bubble(sample.prior_delivered),
            ..sample
        });
        self.app_limited = sample.map_or(self.app_limited, |sample| sample.app_limited);
        let [lost, known] = self.lost;
        self.lost[1] = lost;
        Ack {
            now: event.now,
            rtt: event.rtt,
            newly_acked: event.delivered,
            newly_lost: lost.saturating_sub(known),
            in_flight: event.in_flight,
            prior_in_flight: core::mem::replace(&mut self.in_flight, event.in_flight),
            total_delivered: self.delivered,
            sample,
            enters_recovery: core::mem::take(&mut self.entered),
            leaves_recovery: core::mem::take(&mut self.left),
        }
    }

    /// A data packet leaves, with that window. Whether the connection restarts from idle: "C.inflight == 0
    /// && C.app_limited".
    pub(crate) fn on_send(&mut self, out: &SendEvent, cwnd: u32) -> bool {
        self.in_flight = out.in_flight.saturating_add(1);
        self.cwnd_limited[0] |= self.in_flight >= cwnd;
        out.in_flight == 0 && self.app_limited
    }

    pub(crate) fn on_rate_sample(&mut self, sample: &RateSample) {
        self.sample = Some(*sample);
    }

    pub(crate) fn on_packets_lost(&mut self, lost: u64) {
        self.lost[0] = lost;
    }

    pub(crate) fn on_fast_recovery(&mut self) {
        self.recovery = Recovery::Fast;
        (self.entered, self.left) = (true, false);
    }

    pub(crate) fn on_recovered(&mut self) {
        self.recovery = Recovery::None;
        (self.entered, self.left) = (false, true);
    }

    /// What was outstanding then is to be acknowledged before the recovery is over.
    pub(crate) fn on_rto(&mut self, event: &RtoEvent) {
        self.recovery = match event.in_flight {
            0 => Recovery::None, // a SYN
            outstanding => Recovery::TimedOut(outstanding),
        };
        (self.entered, self.left) = (false, false);
    }

    /// "InLossRecovery".
    pub(crate) fn is_recovering(&self) -> bool {
        self.recovery != Recovery::None
    }

    /// Whether it repairs losses other than by a time-out.
    pub(crate) fn is_in_fast_recovery(&self) -> bool {
        self.recovery == Recovery::Fast
    }

    /// "C.is_cwnd_limited": at any point of this round or the one before.
    pub(crate) fn is_cwnd_limited(&self) -> bool {
        self.cwnd_limited != [false; 2]
    }

    /// A round began.
    pub(crate) fn turn_round(&mut self) {
        self.cwnd_limited = [false, self.cwnd_limited[0]];
    }

    /// "MarkConnectionAppLimited", for a phase in which the law itself keeps the flow from using the path.
    pub(crate) fn mark_app_limited(&mut self) {
        let until = self.delivered.saturating_add(u64::from(self.in_flight));
        let goes_on = self.bubble.filter(|&(_, until)| self.delivered <= until);
        self.bubble = Some((goes_on.map_or(self.delivered, |(from, _)| from), until));
    }

    fn is_in_bubble(&self, prior_delivered: u64) -> bool {
        self.bubble.is_some_and(|(from, until)| (from..=until).contains(&prior_delivered))
    }
}
