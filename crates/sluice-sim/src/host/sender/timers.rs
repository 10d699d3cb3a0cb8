//! A sender's timers: of retransmission, reordering, tail loss probes and rounds.

use sluice_laws::host::RtoEvent;
use sluice_units::{Span, Time};

use super::{Sender, State, whole};

/// Shortest round, so that time advances on a path without delay.
const MIN_ROUND: Span = Span::from_micros(1);

/// TLP.max_ack_delay (RFC 8985 section 7.2), for a single packet in flight, whose acknowledgement a
/// receiver may delay; 200 ms, as in Linux.
const MAX_ACK_DELAY: Span = Span::from_millis(200);

impl Sender {
    /// A timer fires at `now`.
    pub(crate) fn timer(&mut self, now: Time) {
        if self.state == State::Closed {
            return;
        }
        if self.application_due <= now {
            self.on_application(now);
        } else if self.rto_due <= now {
            self.time_out(now);
        } else if self.reordering_due <= now {
            self.reordering_over(now);
        }
    }

    /// The application stops, or begins or ceases to have data.
    #[cold]
    #[inline(never)]
    fn on_application(&mut self, now: Time) {
        let Some(application) = self.pausing.as_mut().filter(|own| own.stop() > now) else {
            self.state = State::Closed;
            return;
        };
        let has_data = application.change();
        self.application_due = application.due();
        // A pause ends the data at what has left. The flow goes on.
        self.end = if has_data { u64::MAX } else { self.repair.nxt() };
    }

    /// The reordering window has passed for packets that were overtaken.
    #[cold]
    fn reordering_over(&mut self, now: Time) {
        let signal = self.repair.expired(now, self.rto.rtts());
        self.on_loss_signal(now, signal, 0);
        self.window = self.law.window();
        self.refresh_pace();
    }

    fn time_out(&mut self, now: Time) {
        if self.state == State::Sending && self.repair.in_rounds() {
            return self.wait_for_round(now);
        }
        if self.state == State::Sending && self.repair.may_probe() {
            return self.probe_tail(now);
        }
        if self.rto_due != self.late_until {
            let late = self.lateness.of(self.rto.current());
            if late > Span::ZERO {
                self.rto_due = now + late;
                self.late_until = self.rto_due;
                return;
            }
        }
        let in_flight = self.flight_size(); // a SYN is not data
        let first = if self.state == State::Opened {
            self.state = State::Opening;
            true
        } else {
            self.repair.timed_out(now, self.rto.rtts())
        };
        self.reordering_due = Time::NEVER;
        self.report_losses();
        self.signals.timed_out(self.repair.nxt());
        self.law.on_rto(&RtoEvent { now, in_flight, first });
        self.window = self.law.window();
        self.refresh_pace();
        self.rto.back_off();
        self.rto_due = now.plus(self.rto.current());
    }

    /// An acknowledgement is overdue for a tail loss probe (RFC 8985 section 7.2). New data put the probe
    /// off, and so does a single packet in flight, whose acknowledgement may be delayed, but not beyond
    /// the time-out. The timer is not restarted as packets leave; the remaining wait is computed here.
    #[cold]
    fn probe_tail(&mut self, now: Time) {
        let (una, waited) = (self.repair.una(), self.overdue());
        if self.waits_since.0 != una {
            self.waits_since = (una, now - waited);
        }
        let since = self.waits_since.1;
        let paced = self.rate.is_some().then(|| whole(self.paced.0));
        let last_sent = paced.unwrap_or(self.last_sent);
        let delay = if self.repair.in_flight() == 1 { MAX_ACK_DELAY } else { Span::ZERO };
        let rto = self.rto.current();
        let due = (last_sent.max(since) + waited + delay).min(since + rto);
        if due > now {
            self.rto_due = due;
            return;
        }
        self.repair.probe(last_sent);
        self.rto_due = now.plus(rto);
    }

    /// Length of the timer that a departing packet starts.
    pub(super) fn wait(&self) -> Span {
        match self.rto.srtt() {
            Some(rtt) if self.repair.in_rounds() => (rtt * 2).max(MIN_ROUND),
            _ => self.overdue(),
        }
    }

    /// Begins the next round if the last packet of this one left long enough ago. The timer is not
    /// restarted as packets leave; the remaining wait is computed here.
    #[cold]
    fn wait_for_round(&mut self, now: Time) {
        let wait = self.wait();
        let goes_on = self.repair.choose(self.window, self.end).is_some();
        let last = if goes_on { now } else { whole(self.paced.0) };
        self.rto_due = last + wait;
        if self.rto_due <= now {
            self.repair.timed_out(now, self.rto.rtts());
            self.rto_due = now + wait;
        }
    }
}
