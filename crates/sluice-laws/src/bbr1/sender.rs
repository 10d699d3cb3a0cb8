//! A BBR v1 sender. Sections and names are those of draft-cardwell-iccrg-bbr-congestion-control-00.

use sluice_units::{Rate, Span, Time};

use super::params::Bbr1Params;
use crate::WireHeader;
use crate::bbr::{
    Ack, Aggregation, Connection, FullPipe, MIN_PIPE_CWND, MaxFilter, OFFLOAD_BUDGET, Pacing,
    ProbeRttHold, Rounds, Window, bdp, draw, is_over, packets,
};
use crate::host::{
    AckEvent, CongestionEvent, HostLaw, PacketKind, RateSample, RtoEvent, SendEvent, SenderContext,
};

/// "BBRHighGain" (section 4.3.2.1): 2/ln(2), the least gain that doubles the rate each round.
const HIGH_GAIN: f64 = 2.0 / core::f64::consts::LN_2;
/// "pacing_gain_cycle" (section 4.3.4): one phase probes, the next drains what that queued.
const GAIN_CYCLE: [f64; 8] = [1.25, 0.75, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
/// Linux adds no more than this time's worth for aggregated acknowledgements (bbr_extra_acked_max_us).
const MOST_EXTRA: Span = Span::from_millis(100);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Startup,
    Drain,
    /// With "BBR.cycle_index".
    ProbeBw(usize),
    ProbeRtt,
}

/// A BBR v1 sender's model and state.
#[derive(Clone, Copy, Debug)]
pub struct Bbr1Sender {
    cwnd_gain: f64,
    /// What the margin leaves of the pace.
    pacing_part: f64,
    filter_len: Span,
    probe_rtt_duration: Span,
    initial_window: u32,
    connection: Connection,
    rounds: Rounds,
    /// "BBR.BtlBwFilter", of "BtlBwFilterLen" = 10 rounds (section 4.1.1).
    btl_bw: MaxFilter<10>,
    /// "BBR.RTprop" and "BBR.rtprop_stamp"; `None` for infinity.
    rtprop: Option<Span>,
    rtprop_stamp: Time,
    pipe: FullPipe,
    aggregation: Aggregation,
    state: State,
    cycle_stamp: Time,
    hold: ProbeRttHold,
    idle_restart: bool,
    packet_conservation: bool,
    pacing: Pacing,
    window: Window,
}

impl Bbr1Sender {
    /// "BBRInit" (section 4.3).
    pub fn new(params: &Bbr1Params, context: &SenderContext) -> Self {
        let mut pacing = Pacing::new(context.packet);
        pacing.init(HIGH_GAIN, context.initial_window, None);
        Self {
            cwnd_gain: params.cwnd_gain.get(),
            pacing_part: 1.0 - params.pacing_margin.get(),
            filter_len: params.rtprop_filter_len,
            probe_rtt_duration: params.probe_rtt_duration,
            initial_window: context.initial_window,
            connection: Connection::default(),
            rounds: Rounds::default(),
            btl_bw: MaxFilter::new(),
            rtprop: None,
            rtprop_stamp: Time::ZERO,
            pipe: FullPipe::default(),
            aggregation: Aggregation::new(),
            state: State::Startup,
            cycle_stamp: Time::ZERO,
            hold: ProbeRttHold::default(),
            idle_restart: false,
            packet_conservation: false,
            pacing,
            window: Window::new(context.initial_window),
        }
    }

    /// The connection is open: the first RTT sample gives the first pace (section 4.2.1).
    fn open(&mut self, event: &AckEvent) {
        self.pacing.init(HIGH_GAIN, self.initial_window, event.srtt);
        (self.rtprop, self.rtprop_stamp) = (event.rtt, event.now);
        self.aggregation.begin(event.now);
    }

    /// "BBRUpdateModelAndState" (section 3.5).
    fn update_model_and_state(&mut self, ack: &Ack) {
        self.update_btl_bw(ack);
        let (bw, full) = (self.btl_bw.max(), self.pipe.reached);
        self.aggregation.update(ack, &self.rounds, full, bw, self.window.cwnd);
        self.check_cycle_phase(ack);
        self.pipe.check(ack, &self.rounds, bw);
        self.check_drain(ack);
        let expired = self.update_rtprop(ack);
        self.check_probe_rtt(ack, expired);
    }

    /// "BBRUpdateBtlBw" (section 4.1.1.6). An application-limited sample counts if it is no lower than the
    /// estimate.
    fn update_btl_bw(&mut self, ack: &Ack) {
        if ack.enters_recovery {
            self.rounds.begin(ack.total_delivered);
        }
        self.rounds.update(ack);
        if let Some(rate) = ack.delivery_rate()
            && (rate >= self.btl_bw.max() || !ack.is_app_limited())
        {
            self.btl_bw.enter(self.rounds.count, rate);
        }
    }

    /// "BBRInflight" (section 4.2.3.2): `gain` bandwidth-delay products and three quanta.
    fn inflight(&self, gain: f64) -> f64 {
        match self.rtprop {
            None => f64::from(self.initial_window),
            Some(rtprop) => gain * bdp(self.btl_bw.max(), rtprop) + OFFLOAD_BUDGET,
        }
    }

    fn pacing_gain(&self) -> f64 {
        match self.state {
            State::Startup => HIGH_GAIN,
            State::Drain => 1.0 / HIGH_GAIN, // "slow", section 4.3.3
            State::ProbeBw(index) => GAIN_CYCLE[index],
            State::ProbeRtt => 1.0,
        }
    }

    fn current_cwnd_gain(&self) -> f64 {
        match self.state {
            State::Startup | State::Drain => HIGH_GAIN,
            State::ProbeBw(_) => self.cwnd_gain,
            State::ProbeRtt => 1.0,
        }
    }

    /// "BBRCheckCyclePhase" (section 4.3.4.3).
    fn check_cycle_phase(&mut self, ack: &Ack) {
        if let State::ProbeBw(index) = self.state
            && self.is_next_cycle_phase(ack, GAIN_CYCLE[index])
        {
            self.state = State::ProbeBw((index + 1) % GAIN_CYCLE.len());
            self.cycle_stamp = ack.now;
        }
    }

    /// "BBRIsNextCyclePhase": a phase lasts RTprop, longer while it has yet to raise what is in flight, and
    /// shorter once that has fallen to a bandwidth-delay product.
    fn is_next_cycle_phase(&self, ack: &Ack, gain: f64) -> bool {
        let is_full_length = is_over(ack.now, self.cycle_stamp, self.rtprop.unwrap_or(Span::ZERO));
        let in_flight = f64::from(ack.prior_in_flight);
        if gain > 1.0 {
            is_full_length && (ack.newly_lost > 0 || in_flight >= self.inflight(gain))
        } else if gain < 1.0 {
            is_full_length || in_flight <= self.inflight(1.0)
        } else {
            is_full_length
        }
    }

    /// "BBREnterProbeBW" (section 4.3.4.2): at any phase but the one of 3/4, which drains no queue unless
    /// that of 5/4 was before.
    fn enter_probe_bw(&mut self, now: Time) {
        let drawn = (draw(now, self.connection.delivered, 0) * 7.0) as usize;
        let last = GAIN_CYCLE.len() - 1 - drawn;
        self.state = State::ProbeBw((last + 1) % GAIN_CYCLE.len());
        self.cycle_stamp = now;
    }

    /// "BBRCheckDrain" (section 4.3.3).
    fn check_drain(&mut self, ack: &Ack) {
        if self.state == State::Startup && self.pipe.reached {
            self.state = State::Drain;
        }
        if self.state == State::Drain && f64::from(ack.in_flight) <= self.inflight(1.0) {
            self.enter_probe_bw(ack.now);
        }
    }

    /// "BBRUpdateRTprop" (section 4.1.2). Whether the estimate had expired.
    fn update_rtprop(&mut self, ack: &Ack) -> bool {
        let expired = is_over(ack.now, self.rtprop_stamp, self.filter_len);
        if let Some(rtt) = ack.rtt
            && (self.rtprop.is_none_or(|rtprop| rtt <= rtprop) || expired)
        {
            (self.rtprop, self.rtprop_stamp) = (Some(rtt), ack.now);
        }
        expired
    }

    /// "BBRCheckProbeRTT" and "BBRHandleProbeRTT" (section 4.3.5).
    fn check_probe_rtt(&mut self, ack: &Ack, expired: bool) {
        if self.state != State::ProbeRtt && expired && !self.idle_restart {
            self.window.save(self.connection.is_recovering());
            self.state = State::ProbeRtt;
            self.hold = ProbeRttHold::default();
        }
        if self.state == State::ProbeRtt {
            self.connection.mark_app_limited(); // "Ignore low rate samples during ProbeRTT"
            let (most, duration) = (MIN_PIPE_CWND, self.probe_rtt_duration);
            if self.hold.is_done(ack, &mut self.rounds, most, duration) {
                self.leave_probe_rtt(ack.now);
            }
        }
        self.idle_restart &= ack.newly_acked == 0;
    }

    /// "BBRExitProbeRTT", where it is over.
    fn leave_probe_rtt(&mut self, now: Time) {
        self.rtprop_stamp = now;
        self.window.restore();
        if self.pipe.reached {
            self.enter_probe_bw(now);
        } else {
            self.state = State::Startup;
        }
    }

    /// "BBRSetPacingRate" (section 4.2.1).
    fn set_pacing_rate(&mut self, gain: f64) {
        self.pacing.set(gain * self.btl_bw.max() * self.pacing_part, self.pipe.reached);
    }

    /// "BBRSetCwnd" (section 4.2.3.6).
    fn set_cwnd(&mut self, ack: &Ack) {
        self.modulate_for_recovery(ack);
        if !self.packet_conservation {
            let extra = bdp(self.btl_bw.max(), MOST_EXTRA).min(self.aggregation.extra());
            let extra = if self.pipe.reached { extra } else { 0.0 };
            let target = packets(self.inflight(self.current_cwnd_gain()) + extra);
            let young = ack.total_delivered < u64::from(self.initial_window);
            self.window.approach(target, ack.newly_acked, self.pipe.reached, young);
        }
        if self.state == State::ProbeRtt {
            // "BBRModulateCwndForProbeRTT" (section 4.2.3.5)
            self.window.cwnd = self.window.cwnd.min(MIN_PIPE_CWND);
        }
    }

    /// "BBRModulateCwndForRecovery" (section 4.2.3.4), and what happens as a recovery begins and ends.
    fn modulate_for_recovery(&mut self, ack: &Ack) {
        let in_network = ack.in_flight.saturating_add(ack.newly_acked);
        if ack.leaves_recovery {
            self.packet_conservation = false;
            self.window.restore();
        } else if self.rounds.started {
            self.packet_conservation = false; // after a round
        }
        let lost = u32::try_from(ack.newly_lost).unwrap_or(u32::MAX);
        self.window.cwnd = self.window.cwnd.saturating_sub(lost).max(1);
        if ack.enters_recovery {
            // "cwnd = packets_in_flight + max(packets_delivered, 1)"
            self.packet_conservation = true;
            self.window.cwnd = ack.in_flight.saturating_add(ack.newly_acked.max(1));
        }
        if self.packet_conservation {
            self.window.cwnd = self.window.cwnd.max(in_network);
        }
    }

    /// "BBRHandleRestartFromIdle" (section 4.3.4.4).
    fn restart_from_idle(&mut self, now: Time) {
        self.idle_restart = true;
        self.aggregation.begin(now);
        match self.state {
            State::ProbeBw(_) => self.set_pacing_rate(1.0),
            State::ProbeRtt if self.hold.has_lasted(now) => self.leave_probe_rtt(now),
            _ => {}
        }
    }
}

impl HostLaw for Bbr1Sender {
    fn needs_rate_samples(&self) -> bool {
        true
    }

    fn on_ack(&mut self, event: &AckEvent) {
        if event.kind == PacketKind::SynAck {
            return self.open(event);
        }
        let ack = self.connection.on_ack(event);
        self.update_model_and_state(&ack);
        self.set_pacing_rate(self.pacing_gain());
        self.set_cwnd(&ack);
    }

    fn on_rate_sample(&mut self, sample: &RateSample) {
        self.connection.on_rate_sample(sample);
    }

    fn on_packets_lost(&mut self, lost: u64) {
        self.connection.on_packets_lost(lost);
    }

    /// The window follows with the next acknowledgement, as in Linux.
    fn on_congestion(&mut self, _event: &CongestionEvent) {
        let reduced = self.connection.is_recovering() || self.state == State::ProbeRtt;
        self.window.save(reduced);
        self.connection.on_fast_recovery();
    }

    fn on_recovered(&mut self) {
        self.connection.on_recovered();
    }

    /// "Upon a retransmission timeout" (section 4.2.3.4): "a value that will allow 1 SMSS".
    fn on_rto(&mut self, event: &RtoEvent) {
        let reduced = self.connection.is_recovering() || self.state == State::ProbeRtt;
        self.window.save(reduced);
        self.connection.on_rto(event);
        self.window.cwnd = 1;
        self.packet_conservation = false;
    }

    fn window(&self) -> u32 {
        self.window.cwnd
    }

    fn rate(&self) -> Option<Rate> {
        Some(self.pacing.rate())
    }

    fn header(&mut self, out: &SendEvent) -> WireHeader {
        if out.kind == PacketKind::Data && self.connection.on_send(out, self.window.cwnd) {
            self.restart_from_idle(out.now);
        }
        WireHeader::default()
    }

    /// `bw_bps` is BtlBw, `min_rtt_s` RTprop; `state` is 0 for Startup, 1 for Drain, 2 for ProbeBW, 3 for
    /// ProbeRTT.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("cwnd", f64::from(self.window.cwnd));
        out("rate", self.pacing.rate().as_bps_f64());
        out("bw_bps", self.pacing.bps(self.btl_bw.max()));
        out("min_rtt_s", self.rtprop.map_or(0.0, Span::as_secs_f64));
        let state = match self.state {
            State::Startup => 0.0,
            State::Drain => 1.0,
            State::ProbeBw(_) => 2.0,
            State::ProbeRtt => 3.0,
        };
        out("state", state);
    }
}

#[cfg(test)]
#[path = "sender_tests.rs"]
mod tests;
