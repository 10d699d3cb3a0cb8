//! The sending end of a flow: SYN, window and pacing by its law, loss recovery, timers.

mod timers;

use sluice_laws::WireHeader;
use sluice_laws::host::{
    AckEvent, CongestionEvent, FlowStatus, HostLaw, PacketKind, SendEvent, Service,
};
use sluice_laws::tcp::{
    Ack, AckProgress, Block, Ecn, EcnFeedback, LossSignal, NextPacket, Repair, Rto, Signals,
};
use sluice_laws::telemetry::HopReading;
use sluice_laws::transport::EcnMode;
use sluice_units::{Rate, Span, Time};

use super::jitter::Lateness;
use super::rate_samples::sampled;
use crate::packet::{FlowKey, Packet};
use crate::traffic::PausingApplication;

/// Pacing keeps time in units of 2^-8 ns: rounding each gap down to whole nanoseconds would raise the
/// rate.
const FINE: u32 = 8;

/// The order in memory puts what every reply needs into the first cache lines.
#[repr(C)]
pub(crate) struct Sender {
    law: Box<dyn HostLaw>,
    rate: Option<Rate>,
    /// The law's window in packets.
    window: u32,
    state: State,
    /// Whether it is known that the law does not pace.
    ack_clocked: bool,
    /// Packets of data; [`u64::MAX`] without an end. In a pause of its application, those that have left.
    end: u64,
    sent: u64,
    last_sent: Time,
    repair: Repair,
    rto: Rto,
    /// When an acknowledgement is overdue: time of a tail loss probe if [`Repair::may_probe`], else of
    /// the retransmission time-out.
    rto_due: Time,
    /// When packets that were overtaken count as lost ([`Repair::due`]).
    reordering_due: Time,
    /// The first outstanding packet when an acknowledgement was overdue, and the start of that wait.
    waits_since: (u64, Time),
    /// When it stops, finished or not, or its application begins or ceases to have data.
    application_due: Time,
    /// Most packets in flight in this window and the one before; the window ends with `round`.
    used: [u32; 2],
    round: u64,
    signals: Signals,
    sizes: Sizes,
    /// All ones where nobody knows how much is left, zero elsewhere: so [`SendEvent::left`] of new
    /// data needs no branch.
    endless: u64,
    probe: Option<Span>,
    /// When pacing lets the next packet leave, in 2^-8 ns.
    pace_due: u64,
    /// When the last data packet left by its pace, in 2^-8 ns, and its size.
    paced: (u64, u32),
    resent: Resent,
    count_until: Time,
    measured: (Time, Time),
    lateness: Lateness,
    /// When the late timer of a time-out fires.
    late_until: Time,
    lost_reported: u64,
    /// Whether packets may leave its first path, so that none leaves by [`Sender::send_new`].
    leaves_path: bool,
    /// The application, if it pauses.
    pausing: Option<Box<PausingApplication>>,
}

/// Retransmitted data packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Resent {
    /// Over the flow's life.
    pub(crate) ever: u64,
    /// Those of them in the time measured.
    pub(crate) measured: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Its SYN has yet to leave.
    Opening,
    /// The connection is open, and nothing has left.
    Ready,
    /// Its SYN has left.
    Opened,
    Sending,
    Closed,
}

#[derive(Clone, Copy)]
struct Sizes {
    full: u32,
    last: u32,
    control: u32,
}

/// What a flow sends, and the sizes of its packets on the wire.
pub(crate) struct SenderConfig {
    /// Packets of data; [`u64::MAX`] without an end.
    pub(crate) packets: u64,
    /// When it stops, finished or not.
    pub(crate) stop: Time,
    /// Its application, if it pauses.
    pub(crate) pausing: Option<Box<PausingApplication>>,
    /// Whether it begins with a SYN.
    pub(crate) handshake: bool,
    /// Size of a full data packet, of the last one, and of a packet without data, in bytes.
    pub(crate) full: u32,
    pub(crate) last: u32,
    pub(crate) control: u32,
    /// Codepoint of its data packets.
    pub(crate) ecn: EcnMode,
    /// How marks of them are reported.
    pub(crate) feedback: EcnFeedback,
    /// Retransmissions are counted up to here.
    pub(crate) count_until: Time,
    /// The time measured: from its first nanosecond to the one after its last.
    pub(crate) measured: (Time, Time),
    /// Whether its packets may not all take one path.
    pub(crate) leaves_path: bool,
}

/// A packet that leaves now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outgoing {
    pub(crate) kind: PacketKind,
    pub(crate) seq: u64,
    pub(crate) bytes: u32,
    pub(crate) header: WireHeader,
    pub(crate) ecn: Ecn,
}

impl Outgoing {
    /// The packet of `flow`, at the first step of its path.
    #[inline(always)]
    pub(crate) fn packet(self, flow: FlowKey, step: u32, hash: u16, now: Time) -> Packet {
        let Self { kind, seq, bytes, header, ecn } = self;
        Packet { at: now, seq, sent: now, header, flow, bytes, step, sacks: 0, kind, ecn, hash }
    }
}

/// An instant in units of pacing.
#[inline(always)]
fn fine(at: Time) -> u64 {
    at.as_nanos() << FINE
}

/// The first instant not before one in units of pacing.
#[inline(always)]
fn whole(fine: u64) -> Time {
    Time::from_nanos(fine.div_ceil(1 << FINE))
}

impl Sender {
    pub(crate) fn new(
        law: Box<dyn HostLaw>,
        repair: Repair,
        rto: Rto,
        lateness: Lateness,
        config: &SenderConfig,
    ) -> Self {
        let law = sampled(law, config.packets);
        Self {
            window: law.window(),
            rate: law.rate(),
            probe: law.probe_after(),
            law,
            ack_clocked: false,
            repair,
            rto,
            signals: Signals::new(config.ecn, config.feedback),
            state: if config.handshake { State::Opening } else { State::Ready },
            end: config.packets,
            endless: if config.packets == u64::MAX { u64::MAX } else { 0 },
            sizes: Sizes { full: config.full, last: config.last, control: config.control },
            application_due: config.pausing.as_ref().map_or(config.stop, |own| own.due()),
            pausing: config.pausing.clone(),
            rto_due: Time::NEVER,
            reordering_due: Time::NEVER,
            waits_since: (u64::MAX, Time::ZERO),
            pace_due: 0,
            paced: (0, 0),
            last_sent: Time::ZERO,
            used: [0; 2],
            round: 0,
            sent: 0,
            resent: Resent::default(),
            count_until: config.count_until,
            measured: config.measured,
            lateness,
            late_until: Time::NEVER,
            lost_reported: 0,
            leaves_path: config.leaves_path,
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.state == State::Closed
    }

    /// Whether it has ended. One whose application only pauses goes on: all its data may be acknowledged
    /// before it stops.
    #[inline(always)]
    pub(crate) fn closes(&mut self, now: Time) -> bool {
        self.is_closed() && !self.reopens(now)
    }

    #[inline(never)]
    fn reopens(&mut self, now: Time) -> bool {
        let pauses = self.pausing.as_ref().is_some_and(|own| own.stop() > now);
        if pauses {
            self.state = State::Sending;
        }
        pauses
    }

    /// The service of the packet that left last.
    pub(crate) fn service(&self) -> Service {
        self.law.service()
    }

    /// See [`HostLaw::status`].
    pub(crate) fn status(&self) -> Option<FlowStatus> {
        self.law.status()
    }

    /// Number of packets of every kind sent.
    pub(crate) fn sent(&self) -> u64 {
        self.sent
    }

    /// Retransmitted data packets.
    pub(crate) fn resent(&self) -> Resent {
        self.resent
    }

    /// Calls `out` with name and value of each metric: progress, then the law's own.
    pub(crate) fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("sequence_packets", self.repair.nxt() as f64);
        out("acked_packets", self.repair.una() as f64);
        out("in_flight_packets", f64::from(self.repair.in_flight()));
        self.law.metrics(out);
    }

    /// When it stops, finished or not; [`Time::NEVER`] with a size.
    pub(crate) fn stop(&self) -> Time {
        self.pausing.as_ref().map_or(self.application_due, |own| own.stop())
    }

    /// When its timer must fire, pacing apart; [`Time::NEVER`] for never.
    #[inline(always)]
    pub(crate) fn wake(&self) -> Time {
        self.rto_due.min(self.reordering_due).min(self.application_due)
    }

    /// When its timer must fire for pacing; [`Time::NEVER`] without.
    #[inline]
    pub(crate) fn wake_paced(&self) -> Time {
        if self.rate.is_none() || self.state != State::Sending {
            return Time::NEVER;
        }
        let next = match self.repair.choose(self.window, self.end) {
            Some(_) => whole(self.pace_due),
            None => Time::NEVER,
        };
        next.min(self.probe_due())
    }

    fn probe_due(&self) -> Time {
        let Some(silence) = self.probe else { return Time::NEVER };
        self.last_sent + silence.max(Span::NANO)
    }

    /// Packets from now on take a path of `hops` links.
    pub(crate) fn on_new_path(&mut self, hops: u32) {
        self.law.on_new_path(hops);
    }

    /// What links reported in a packet; the reply that returns it follows.
    pub(crate) fn on_telemetry(&mut self, hops: &[HopReading]) {
        self.law.on_telemetry(hops);
    }

    /// A reply arrives. Whether all that remains is to send new data as the window opens
    /// ([`Sender::send_new`]).
    #[inline(always)]
    pub(crate) fn on_reply(
        &mut self,
        now: Time,
        packet: &Packet,
        header: WireHeader,
        blocks: &[Block],
    ) -> bool {
        if self.state != State::Sending {
            self.on_early_reply(now, packet, header);
            return false;
        }
        if packet.ecn.has(Ecn::ECHO) {
            self.on_mark(now, packet);
        }
        if packet.kind == PacketKind::Ack
            && blocks.is_empty()
            && let Some(acked) = self.repair.on_ack_fast_path(packet.seq)
        {
            let rtt = self.sample(now, packet.sent);
            let goes_on = self.moved_on(now);
            self.notify_law(now, packet, header, Some(rtt), (acked, acked));
            return goes_on && self.ack_clocked;
        }
        self.on_other_reply(now, packet, header, blocks);
        false
    }

    /// A reply arrives while it does not send data.
    #[cold]
    fn on_early_reply(&mut self, now: Time, packet: &Packet, header: WireHeader) {
        if self.state == State::Opened && packet.kind == PacketKind::SynAck {
            self.open(now, packet, header);
        }
    }

    fn open(&mut self, now: Time, packet: &Packet, header: WireHeader) {
        self.state = State::Sending;
        self.rto_due = Time::NEVER;
        let rtt = self.sample(now, packet.sent);
        self.notify_law(now, packet, header, Some(rtt), (0, 0));
        // "First data packet at once when the SYN-ACK comes" (protocol notes).
        self.pace_due = fine(now);
    }

    /// A congestion mark arrives. During recovery the loss has reduced the window already.
    #[cold]
    fn on_mark(&mut self, now: Time, packet: &Packet) {
        if packet.kind == PacketKind::SynAck || self.repair.recovering() {
            return;
        }
        if self.signals.marked(packet.seq, self.repair.nxt()) {
            let event = CongestionEvent::new(now, self.flight_size());
            self.law.on_congestion(&event);
        }
    }

    /// FlightSize (RFC 5681 section 2): packets sent and not cumulatively acknowledged.
    fn flight_size(&self) -> u32 {
        u32::try_from(self.repair.nxt() - self.repair.una()).unwrap_or(u32::MAX)
    }

    /// A reply to a probe arrives, or an acknowledgement that is not a plain cumulative one.
    #[inline(never)]
    fn on_other_reply(&mut self, now: Time, packet: &Packet, header: WireHeader, blocks: &[Block]) {
        let kind = packet.kind;
        if kind == PacketKind::SynAck {
            return;
        }
        if kind == PacketKind::ProbeAck {
            let rtt = self.sample(now, packet.sent);
            return self.notify_law(now, packet, header, Some(rtt), (0, 0));
        }
        let in_doubt = !self.repair.may_probe();
        let AckProgress { acked, delivered, signal } = self.repair.on_ack(&Ack {
            now,
            sent: packet.sent,
            cumulative: packet.seq,
            sacks: blocks,
            rtts: self.rto.rtts(),
        });
        self.on_loss_signal(now, signal, delivered);
        let news = if self.repair.samples_selectively() { delivered } else { acked };
        let rtt = (news > 0).then(|| self.sample(now, packet.sent));
        if acked > 0 {
            self.moved_on(now);
        } else if !in_doubt && !self.repair.may_probe() {
            // No probe is sent while a loss is suspected (RFC 8985 section 7.2).
            self.rto_due = now.plus(self.rto.current());
        }
        self.notify_law(now, packet, header, rtt, (acked, delivered));
    }

    /// Reports a loss, or the end of a recovery, to the law.
    fn on_loss_signal(&mut self, now: Time, signal: LossSignal, delivered: u32) {
        self.reordering_due = self.repair.due().unwrap_or(Time::NEVER);
        self.report_losses();
        match signal {
            LossSignal::Nothing => {}
            LossSignal::Loss { in_flight } => {
                if self.reduce(now, in_flight) {
                    self.repair.reduced(delivered);
                }
                if self.repair.restarts_timer() {
                    self.rto_due = now.plus(self.rto.current());
                }
            }
            LossSignal::Recovered => self.law.on_recovered(),
        }
    }

    /// Reports packets newly marked lost to the law.
    fn report_losses(&mut self) {
        let lost = self.repair.lost();
        if lost != self.lost_reported {
            self.lost_reported = lost;
            self.law.on_packets_lost(lost);
        }
    }

    /// A loss is detected. Whether the law reduces its window.
    fn reduce(&mut self, now: Time, in_flight: u32) -> bool {
        if !self.signals.lost(self.repair.una(), self.repair.nxt()) {
            return false;
        }
        self.law.on_congestion(&CongestionEvent::new(now, in_flight));
        self.law.window() < self.window
    }

    #[inline(always)]
    fn sample(&mut self, now: Time, sent: Time) -> Span {
        let rtt = now.since(sent);
        self.rto.sample(rtt);
        rtt
    }

    /// New data are acknowledged: restarts the timer (RFC 6298 (5.2), (5.3)), and ends the round and
    /// the flow if they are over. Whether the flow goes on.
    #[inline(always)]
    fn moved_on(&mut self, now: Time) -> bool {
        self.turn_round();
        if self.repair.una() == self.repair.nxt() {
            self.rto_due = Time::NEVER;
            if self.repair.una() >= self.end {
                self.state = State::Closed;
                return false;
            }
        } else if !self.repair.keeps_timer() {
            self.rto_due = now.plus(self.overdue());
        }
        true
    }

    /// How long to wait for an acknowledgement. RFC 8985 section 7.2 (TLP_calc_PTO): twice the RTT
    /// for a probe, and no longer than the retransmission time-out. [`Sender::probe_tail`] adds what
    /// depends on the packets that leave meanwhile.
    #[inline(always)]
    fn overdue(&self) -> Span {
        let rto = self.rto.current();
        if !self.repair.may_probe() {
            return rto;
        }
        // Samples are bounded by the longest time-out: this cannot overflow.
        self.rto.srtt().map_or(rto, |srtt| rto.min(srtt.plus(srtt)))
    }

    fn turn_round(&mut self) {
        if self.repair.una() >= self.round {
            self.used = [self.repair.in_flight(), self.used[0]];
            self.round = self.repair.nxt() + 1;
        }
    }

    /// Hands an answer on to the law: packets newly `acked` in sequence, and `delivered`.
    #[inline(always)]
    fn notify_law(
        &mut self,
        now: Time,
        packet: &Packet,
        header: WireHeader,
        rtt: Option<Span>,
        (acked, delivered): (u32, u32),
    ) {
        let mut event = AckEvent {
            now,
            kind: packet.kind,
            header,
            rtt,
            srtt: self.rto.srtt(),
            min_rtt: self.rto.min_rtt(),
            acked,
            delivered,
            marked: 0,
            sent: packet.sent,
            in_flight: self.repair.in_flight(),
            used: self.used[0].max(self.used[1]),
            recovering: self.repair.recovering() || self.signals.forbid_growth(packet.ecn),
        };
        if self.signals.counts_marks() {
            self.count_marks(packet, &mut event);
        }
        self.window = self.law.on_ack_and_window(&event);
        self.refresh_pace();
    }

    #[cold]
    fn count_marks(&mut self, packet: &Packet, event: &mut AckEvent) {
        event.marked = self.signals.newly_marked(packet.ecn, event.delivered);
    }

    /// A law that does not pace after its first reply never will.
    #[inline(always)]
    fn refresh_pace(&mut self) {
        if !self.ack_clocked {
            self.ask_pace();
        }
    }

    #[inline(never)]
    fn ask_pace(&mut self) {
        let rate = std::mem::replace(&mut self.rate, self.law.rate());
        if self.rate.is_none() {
            self.ack_clocked = self.state == State::Sending && !self.leaves_path;
            return;
        }
        self.probe = self.law.probe_after();
        // A new rate moves the next packet to the last one plus the new gap (protocol notes).
        if self.rate != rate && self.paced.1 > 0 {
            self.pace_due = self.paced.0.saturating_add(self.gap(self.paced.1));
        }
    }

    /// The gap after a packet of `bytes` at the paced rate, in 2^-8 ns.
    fn gap(&self, bytes: u32) -> u64 {
        match self.rate {
            None => 0,
            Some(rate) => {
                let length = u128::from(bytes) * (8_000_000_000 << FINE);
                u64::try_from(length / u128::from(rate.as_bps().max(1))).unwrap_or(u64::MAX)
            }
        }
    }

    /// [`Sender::send`] for a sender that is known to send nothing but new data, without pacing.
    #[inline(always)]
    pub(crate) fn send_new(&mut self, now: Time) -> Option<Outgoing> {
        let seq = self.repair.send_new(self.window, self.end)?;
        let in_flight = self.repair.in_flight();
        self.used[0] = self.used[0].max(in_flight);
        let left = self.end - (seq + 1);
        let bytes = if left == 0 { self.sizes.last } else { self.sizes.full };
        let ecn = self.signals.of_data(false);
        let header = self.header(&SendEvent {
            seq,
            in_flight: in_flight - 1,
            left: left | self.endless,
            ..self.departure(now, PacketKind::Data, bytes)
        });
        Some(Outgoing { kind: PacketKind::Data, seq, bytes, header, ecn })
    }

    /// The size of data packet `seq`.
    #[inline(always)]
    fn size_of(&self, seq: u64) -> u32 {
        if seq + 1 == self.end { self.sizes.last } else { self.sizes.full }
    }

    /// The next packet that may leave at `now`; to be called until there is none.
    #[inline(always)]
    pub(crate) fn send(&mut self, now: Time) -> Option<Outgoing> {
        if self.state != State::Sending && !self.opens_at_once(now) {
            return self.send_syn(now);
        }
        if self.rate.is_some() {
            return self.send_paced(now);
        }
        let choice = self.repair.choose(self.window, self.end)?;
        Some(self.send_data(now, choice))
    }

    /// The same for a sender that paces: data when due, or a probe after silence.
    #[inline(always)]
    fn send_paced(&mut self, now: Time) -> Option<Outgoing> {
        let now_fine = fine(now);
        let due = self.pace_due <= now_fine;
        let Some(choice) = due.then(|| self.repair.choose(self.window, self.end)).flatten() else {
            return (self.probe_due() <= now).then(|| self.send_probe(now));
        };
        let out = self.send_data(now, choice);
        // A packet that left late does not let the next one leave early.
        let left = self.pace_due.max(now_fine.saturating_sub((1 << FINE) - 1));
        self.paced = (left, out.bytes);
        self.pace_due = left.saturating_add(self.gap(out.bytes));
        Some(out)
    }

    #[inline(always)]
    fn send_data(&mut self, now: Time, choice: NextPacket) -> Outgoing {
        let NextPacket { seq, again } = choice;
        let bytes = self.size_of(seq);
        let ecn = self.signals.of_data(again);
        let in_flight = self.repair.in_flight();
        self.repair.sent(seq, now);
        let header = self.header(&SendEvent {
            seq,
            in_flight,
            left: self.left(),
            again,
            ..self.departure(now, PacketKind::Data, bytes)
        });
        if again {
            self.on_retransmission(now, seq);
        }
        self.used[0] = self.used[0].max(self.repair.in_flight());
        Outgoing { kind: PacketKind::Data, seq, bytes, header, ecn }
    }

    /// Data packets that are to be sent: never sent, or lost and not sent again. Without an end, losses are not
    /// looked up.
    #[inline(always)]
    fn left(&self) -> u64 {
        if self.endless != 0 {
            return self.endless;
        }
        self.end - self.repair.nxt() + self.repair.unrepaired()
    }

    #[cold]
    fn on_retransmission(&mut self, now: Time, seq: u64) {
        let (from, to) = self.measured;
        self.resent.ever += u64::from(now <= self.count_until);
        self.resent.measured += u64::from((from..to).contains(&now));
        // As in Linux, the time-out of the first outstanding packet counts from its last transmission.
        // Otherwise it would be shorter for each retransmission that is found lost.
        if seq == self.repair.una() && self.repair.finds_lost_retransmissions() {
            self.rto_due = now.plus(self.rto.current());
        }
    }

    /// Begins to send over a connection that is open already, and returns whether it is: its law gets an answer
    /// without a sample in place of that to a SYN.
    #[cold]
    fn opens_at_once(&mut self, now: Time) -> bool {
        let ready = self.state == State::Ready;
        if ready {
            self.state = State::Sending;
            let open =
                AckEvent { kind: PacketKind::SynAck, ..AckEvent::new(now, WireHeader::default()) };
            self.window = self.law.on_ack_and_window(&open);
            self.refresh_pace();
            self.pace_due = fine(now);
        }
        ready
    }

    #[cold]
    fn send_syn(&mut self, now: Time) -> Option<Outgoing> {
        if self.state != State::Opening {
            return None;
        }
        self.state = State::Opened;
        Some(self.send_control(now, PacketKind::Syn))
    }

    #[cold]
    fn send_probe(&mut self, now: Time) -> Outgoing {
        self.send_control(now, PacketKind::Probe)
    }

    fn send_control(&mut self, now: Time, kind: PacketKind) -> Outgoing {
        let bytes = self.sizes.control;
        let header = self.header(&SendEvent {
            in_flight: self.repair.in_flight(),
            backlogged: self.repair.choose(u32::MAX, self.end).is_some(),
            left: self.left(),
            ..self.departure(now, kind, bytes)
        });
        Outgoing { kind, seq: 0, bytes, header, ecn: Ecn::NONE }
    }

    /// What a law sees of a departing packet, but for what is in flight and left. Retransmissions fill the window as new
    /// data do.
    #[inline(always)]
    fn departure(&self, now: Time, kind: PacketKind, bytes: u32) -> SendEvent {
        SendEvent { srtt: self.rto.srtt(), ..SendEvent::new(now, kind, bytes) }
    }

    /// The header of a departing packet; counts the packet and starts the timer.
    #[inline(always)]
    fn header(&mut self, event: &SendEvent) -> WireHeader {
        let header = self.law.header(event);
        if event.in_flight == 0 {
            // The law may reduce an idle window when the next packet asks for its header.
            self.window = self.law.window();
        }
        self.sent += 1;
        self.last_sent = event.now;
        if self.rto_due == Time::NEVER && event.kind != PacketKind::Probe {
            // RFC 6298 (5.1).
            self.rto_due = event.now.plus(self.wait());
        }
        header
    }
}
