//! Delivery rate samples for model-based laws (draft-ietf-ccwg-bbr, first published as
//! draft-cheng-iccrg-delivery-rate-estimation). Names in quotes are the draft's.
//!
//! The draft keeps state for each packet. Here acknowledgements echo the time at which the packet they
//! answer left, and packets that leave at one instant have the same state, so there is one record an
//! instant, and none for what left before the newest packet that was delivered.

use std::collections::VecDeque;

use sluice_units::{Span, Time};

use crate::host::RateSample;

/// The delivery rate estimator of one sender. Counts are packets.
#[derive(Clone, Debug, Default)]
pub struct DeliveryRate {
    /// "C.delivered": packets delivered so far.
    delivered: u64,
    /// "C.delivered_time": when the last of them was, or when sending resumed after silence.
    delivered_at: Time,
    /// "C.first_send_time": when the newest packet delivered left, or when sending resumed.
    first_sent: Time,
    /// "C.app_limited": the sample is application-limited until more than this is delivered.
    app_limited_until: Option<u64>,
    /// Packets lost when the last sample was taken.
    lost: u64,
    sent: VecDeque<Departure>,
}

/// The state in which packets left at one instant: "P" of the draft.
#[derive(Clone, Copy, Debug)]
struct Departure {
    at: Time,
    first_sent: Time,
    delivered: u64,
    delivered_at: Time,
    app_limited: bool,
    /// Of the last packet of this instant, itself included.
    in_flight: u32,
    lost: u64,
}

impl DeliveryRate {
    /// "OnPacketSent": a data packet leaves, for the first time or again. `in_flight` counts the packets
    /// in flight without it, `lost` all packets lost so far.
    pub fn on_send(&mut self, now: Time, in_flight: u32, lost: u64) {
        if in_flight == 0 {
            (self.first_sent, self.delivered_at) = (now, now);
        }
        let departure = Departure {
            at: now,
            first_sent: self.first_sent,
            delivered: self.delivered,
            delivered_at: self.delivered_at,
            app_limited: self.app_limited_until.is_some(),
            in_flight: in_flight.saturating_add(1),
            lost,
        };
        match self.sent.back_mut().filter(|last| last.at == now) {
            Some(last) => *last = departure,
            None => self.sent.push_back(departure),
        }
    }

    /// "MarkConnectionAppLimited": the application has no more data while the window has room. What
    /// `in_flight` packets deliver, and what leaves meanwhile, says nothing of the path's capacity.
    pub fn on_app_limited(&mut self, in_flight: u32) {
        self.app_limited_until = Some(self.delivered + u64::from(in_flight));
    }

    /// "GenerateRateSample": an acknowledgement of a packet that left at `sent` delivers `newly` packets;
    /// `lost` counts all packets lost so far. `None` if it delivers none, or none that left later than
    /// all delivered before.
    pub fn on_ack(
        &mut self,
        now: Time,
        sent: Time,
        newly: u32,
        lost: u64,
        min_rtt: Option<Span>,
    ) -> Option<RateSample> {
        if newly == 0 {
            return None;
        }
        self.delivered += u64::from(newly);
        self.delivered_at = now;
        if self.app_limited_until.is_some_and(|until| self.delivered > until) {
            self.app_limited_until = None;
        }
        // "IsNewestPacket": packets of the same instant may still be delivered.
        while self.sent.front().is_some_and(|departure| departure.at < sent) {
            self.sent.pop_front();
        }
        let newest = *self.sent.front().filter(|departure| departure.at == sent)?;
        self.first_sent = sent;
        // The send rate bounds the delivery rate where acknowledgements are compressed.
        let interval = sent.since(newest.first_sent).max(now.since(newest.delivered_at));
        // "Normally we expect interval >= MinRTT": a spurious retransmission makes it shorter.
        let valid = interval > Span::ZERO && min_rtt.is_none_or(|rtt| interval >= rtt);
        let newly_lost = lost - self.lost;
        self.lost = lost;
        Some(RateSample {
            sent,
            delivered: self.delivered - newest.delivered,
            prior_delivered: newest.delivered,
            interval: valid.then_some(interval),
            app_limited: newest.app_limited,
            in_flight_at_send: newest.in_flight,
            lost: lost - newest.lost,
            newly_lost,
        })
    }
}

#[cfg(test)]
mod tests {
    use sluice_units::{Bytes, Rate};

    use super::*;

    const RTT: Option<Span> = Some(Span::from_millis(40));

    fn at(ms: u64) -> Time {
        Time::from_nanos(ms * 1_000_000)
    }

    /// Ten packets, one a millisecond, delivered 40 ms later: the first ten samples cover less than a
    /// round trip's packets, and from the second flight on each covers 40 packets in 40 ms.
    #[test]
    fn a_steady_flow_is_measured_at_its_rate() {
        let mut rate = DeliveryRate::default();
        let mut samples = Vec::new();
        for ms in 0..200 {
            if ms >= 40 {
                samples.extend(rate.on_ack(at(ms), at(ms - 40), 1, 0, RTT));
            }
            rate.on_send(at(ms), ms.min(40) as u32, 0);
        }
        let first = samples[0];
        // P left as the flow began: one packet in 40 ms.
        assert_eq!((first.delivered, first.interval), (1, RTT));
        let later = samples[100];
        assert_eq!((later.delivered, later.prior_delivered), (40, 61));
        assert_eq!(later.interval, RTT);
        // 40 packets of 1000 bytes in 40 ms: 8 Mb/s
        assert_eq!(later.rate(Bytes::new(1000)), Some(Rate::from_bps(8_000_000)));
        assert_eq!(later.in_flight_at_send, 41);
    }

    /// Four packets leave 10 ms apart, and their acknowledgements come all at 100 ms: the time in which
    /// they were acknowledged would give any rate, the time in which they left does not.
    #[test]
    fn compressed_acknowledgements_do_not_raise_the_rate() {
        let mut rate = DeliveryRate::default();
        for ms in [0, 10, 20, 30] {
            rate.on_send(at(ms), (ms / 10) as u32, 0);
        }
        rate.on_ack(at(40), at(0), 1, 0, RTT);
        for ms in [40, 80] {
            rate.on_send(at(ms), 3, 0); // after one was delivered at 40 ms
        }
        rate.on_ack(at(100), at(30), 3, 0, RTT);
        // The packet of 80 ms left 80 ms after the one of 0 ms, which was the newest delivered then.
        let sample = rate.on_ack(at(120), at(80), 2, 0, RTT).unwrap();
        assert_eq!((sample.delivered, sample.interval), (5, Some(Span::from_millis(80))));
        assert_eq!(sample.sent, at(80));
    }

    /// Packets that leave at once have the same state, and each may be the newest.
    #[test]
    fn each_packet_of_a_burst_gives_a_sample() {
        let mut rate = DeliveryRate::default();
        for in_flight in 0..3 {
            rate.on_send(at(0), in_flight, 0);
        }
        let samples: Vec<_> =
            (40..43).filter_map(|ms| rate.on_ack(at(ms), at(0), 1, 0, RTT)).collect();
        let delivered: Vec<_> = samples.iter().map(|sample| sample.delivered).collect();
        assert_eq!(delivered, [1, 2, 3]);
        assert_eq!(samples[2].interval, Some(Span::from_millis(42)));
        assert_eq!(samples[2].in_flight_at_send, 3);
    }

    #[test]
    fn a_packet_older_than_the_newest_delivered_counts_but_gives_no_sample() {
        let mut rate = DeliveryRate::default();
        rate.on_send(at(0), 0, 0);
        rate.on_send(at(1), 1, 0);
        assert!(rate.on_ack(at(41), at(1), 1, 0, RTT).is_some());
        assert!(rate.on_ack(at(42), at(0), 1, 0, RTT).is_none());
        rate.on_send(at(50), 1, 0);
        let sample = rate.on_ack(at(90), at(50), 1, 0, RTT).unwrap();
        assert_eq!((sample.prior_delivered, sample.delivered), (2, 1));
    }

    /// After silence the interval begins as sending resumes, not with the last delivery.
    #[test]
    fn silence_is_in_no_interval() {
        let mut rate = DeliveryRate::default();
        rate.on_send(at(0), 0, 0);
        rate.on_ack(at(40), at(0), 1, 0, RTT);
        rate.on_send(at(5_000), 0, 0);
        let sample = rate.on_ack(at(5_040), at(5_000), 1, 0, RTT).unwrap();
        assert_eq!((sample.delivered, sample.interval), (1, RTT));
    }

    /// The mark holds for packets that leave until what was in flight is delivered, and one more.
    #[test]
    fn samples_are_app_limited_until_the_bubble_is_delivered() {
        let mut rate = DeliveryRate::default();
        rate.on_send(at(0), 0, 0);
        rate.on_send(at(1), 1, 0);
        rate.on_app_limited(2);
        rate.on_send(at(10), 2, 0);
        let limited = |sample: Option<RateSample>| sample.unwrap().app_limited;
        assert!(!limited(rate.on_ack(at(40), at(0), 1, 0, RTT)), "left before the mark");
        assert!(!limited(rate.on_ack(at(41), at(1), 1, 0, RTT)));
        rate.on_send(at(42), 1, 0);
        assert!(limited(rate.on_ack(at(50), at(10), 1, 0, RTT)));
        rate.on_send(at(51), 1, 0);
        assert!(limited(rate.on_ack(at(82), at(42), 1, 0, RTT)), "left before the bubble's end");
        assert!(!limited(rate.on_ack(at(91), at(51), 1, 0, RTT)));
    }

    #[test]
    fn an_interval_below_the_minimum_rtt_gives_no_rate() {
        let mut rate = DeliveryRate::default();
        rate.on_send(at(0), 0, 0);
        let sample = rate.on_ack(at(39), at(0), 1, 0, RTT).unwrap();
        assert_eq!((sample.interval, sample.rate(Bytes::new(1000))), (None, None));
    }

    #[test]
    fn losses_are_counted_since_departure_and_since_the_last_sample() {
        let mut rate = DeliveryRate::default();
        rate.on_send(at(0), 0, 0);
        rate.on_send(at(1), 1, 2);
        let first = rate.on_ack(at(40), at(0), 1, 3, RTT).unwrap();
        assert_eq!((first.lost, first.newly_lost), (3, 3));
        let second = rate.on_ack(at(41), at(1), 1, 5, RTT).unwrap();
        assert_eq!((second.lost, second.newly_lost), (3, 2));
        assert!(rate.on_ack(at(42), at(1), 0, 5, RTT).is_none(), "it delivers nothing");
    }
}
