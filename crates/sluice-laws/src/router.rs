//! Router laws.
//!
//! The *fast path* runs per packet on integers, so that a kernel can do the same bit for bit:
//! [`RouterLaw::arrive`] adds a packet to monotone sums, [`RouterLaw::stamp`] lowers what its header grants. The *slow path*, [`RouterLaw::tick`],
//! runs per control interval in floating point: it sees how much the sums grew and what the link
//! measured, and hands down a new grant, replaced whole. Sums may live per CPU and be added;
//! nobody zeroes them (read-and-zero races in a kernel).

use sluice_units::{Bytes, Rate, Ratio, Span, Time};

use crate::WireHeader;
pub use crate::plain::Plain;
use crate::wire::Form;

/// The link's measurements for a law, at a tick.
#[derive(Clone, Copy, Debug)]
pub struct LinkSample {
    /// The time of the tick.
    pub now: Time,
    /// When this timer last ticked (the start of the interval that ends now).
    pub since: Time,
    /// The link's capacity; if it varies, its mean since `since`, at least 1 kb/s.
    pub capacity: Rate,
    /// Bytes in the queue now, the packet being transmitted included as far as it is not yet sent.
    pub queue: Bytes,
    /// Bytes of the packets that wait now: their transmission has not begun.
    pub waiting: Bytes,
    /// The minimum queue since this timer last ticked, sampled where the law asked ([`Sampled`]) and
    /// as it counts ([`QueueCounts`]); the queue now if there was no sample.
    pub min_queue: Bytes,
    /// Bytes that arrived at the link in the interval, dropped ones included.
    pub arrived: Bytes,
    /// Bytes the link's queue dropped in the interval.
    pub dropped: Bytes,
    /// The speed at which the link drained packets in the interval: what it sent over the time in which it
    /// had something to send, or was sending it. `None` if it had nothing, since then nothing shows its speed; at
    /// a constant capacity, if no packet came and none is left. Of a law over a class, what `capacity` has: such a
    /// law knows what the class may use.
    pub drained: Option<Rate>,
}

impl LinkSample {
    /// That of an interval in which nothing arrived, and of an empty queue. Literals may leave fields to it:
    /// `LinkSample { arrived, ..LinkSample::idle(since, now, capacity) }`.
    pub const fn idle(since: Time, now: Time, capacity: Rate) -> Self {
        let (queue, waiting, min_queue) = (Bytes::ZERO, Bytes::ZERO, Bytes::ZERO);
        let (arrived, dropped) = (Bytes::ZERO, Bytes::ZERO);
        Self { now, since, capacity, queue, waiting, min_queue, arrived, dropped, drained: None }
    }

    /// The queue now, as `counts` defines it.
    pub fn queue_by(&self, counts: QueueCounts) -> Bytes {
        match counts {
            QueueCounts::Waiting => self.waiting,
            QueueCounts::Unsent => self.queue,
            QueueCounts::Least => self.min_queue,
        }
    }
}

/// The traffic that shares a link with that of a law, in the other of two classes whose weights the law moves
/// ([`RouterLaw::class_weight`]). Counts are since time zero; those of bytes wrap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompetingTraffic {
    /// Packets that arrived, those lost included.
    pub packets: u64,
    /// Their bytes.
    pub bytes: u64,
    /// The squares of the bytes of each.
    pub squares: u64,
    /// Packets that were dropped or marked.
    pub lost: u64,
    /// Bytes that wait now.
    pub waiting: Bytes,
    /// Capacity of the link, of both classes together: its mean since the last tick of the timer that expires.
    pub capacity: Rate,
}

/// Which bytes a law counts as queue.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum QueueCounts {
    /// Packets that wait for the transmitter, without the one in transmission.
    #[default]
    Waiting,
    /// All bytes not yet sent: those that wait, and the rest of the packet in transmission. A link in
    /// use then has a queue of half a packet on average even if no packet ever waits.
    Unsent,
    /// As `Waiting`, the least since the last update: packets that only meet are no queue to drain. What the data
    /// plane on Linux measures.
    Least,
}

impl QueueCounts {
    /// What [`LinkSample::min_queue`] has to count for a law that reads its queue by this at its ticks. Where that is not the
    /// least queue, packets pay nothing for it.
    pub const fn of_minimum(self) -> Self {
        match self {
            Self::Least => Self::Least,
            Self::Waiting | Self::Unsent => Self::Unsent,
        }
    }
}

/// The decision of a tick.
#[derive(Clone, Copy, Debug)]
pub struct Tick<G> {
    /// The new grant, or `None` to keep the old one and what is left of its budget.
    pub grant: Option<G>,
    /// The next tick of this timer; later than now, or [`LinkRouter`] panics.
    pub next: Time,
}

/// The largest number of timers a law has (XCP: control and queue).
pub const MAX_TIMERS: usize = 2;

/// The point in a packet's passage through the link at which something is done.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Sampled {
    /// As the packet arrives at the queue.
    #[default]
    Arrival,
    /// As the packet's last bit leaves the queue.
    Departure,
}

/// Packets under one header: one, or as many as a kernel still holds in one *super-packet*, each
/// of which will carry a copy of the header (segmentation offload).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Train {
    bytes: u32,
    packets: u16,
}

impl Train {
    /// One packet of `bytes` on the wire.
    pub const fn packet(bytes: u32) -> Self {
        Self { bytes, packets: 1 }
    }

    /// A train of `packets`, with `bytes` on the wire together; 0 packets count as one.
    pub const fn new(bytes: u32, packets: u16) -> Self {
        Self { bytes, packets: if packets == 0 { 1 } else { packets } }
    }

    /// Bytes on the wire of all packets together.
    pub const fn bytes(self) -> u32 {
        self.bytes
    }

    /// Number of packets, at least one.
    pub const fn packets(self) -> u16 {
        self.packets
    }
}

/// The identity of a flow at a router: the same for all of its packets, retransmissions and SYN included, and no
/// other flow's, as its addresses and ports are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowId(u64);

impl FlowId {
    /// The flow of that number.
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// Its number.
    pub const fn number(self) -> u64 {
        self.0
    }
}

/// A header that crosses the wire as [`WireHeader`].
pub trait LawHeader: Copy {
    /// Its form on the wire.
    const FORM: Form;
    /// Reads the header from the wire.
    fn from_wire(wire: WireHeader) -> Self;
    /// Writes the header to the wire.
    fn to_wire(self) -> WireHeader;
}

/// Monotone sums of a fast path: they wrap, and only differences are read.
pub trait Sums: Plain + Default + Send {
    /// The sum of these and those of another CPU.
    fn plus(&self, other: &Self) -> Self;
    /// The growth since `earlier`.
    fn since(&self, earlier: &Self) -> Self;
}

/// For a law that needs only the link's measurements ([`LinkSample`]).
impl Sums for () {
    fn plus(&self, _: &Self) {}

    fn since(&self, _: &Self) {}
}

/// A router law: its fast path as functions of plain values, its slow path as methods. [`LinkRouter`] puts
/// one at a link.
pub trait RouterLaw: Send {
    /// The header of packets.
    type Header: LawHeader;
    /// The sums of the fast path.
    type Sums: Sums;
    /// The decision that the slow path hands to the fast path.
    type Grant: Plain + Send;
    /// What is left of a grant as packets use it up (XCP's residues), or what they used (Ledger); `()` for laws whose
    /// grants are not used up.
    type Budget: Plain + Send;

    /// The sums before any packet: zero, and what they are counted by, if that is a parameter. By default
    /// [`Default`].
    fn sums(&self) -> Self::Sums {
        Self::Sums::default()
    }

    /// Adds arriving packets to the sums; `grant` is the one in force. Fast path.
    fn arrive(sums: &mut Self::Sums, grant: &Self::Grant, header: &Self::Header, train: Train);

    /// Whether it sees the flows of packets ([`RouterLaw::on_flow`]). Packets of other laws do not pay for it.
    const COUNTS_FLOWS: bool = false;

    /// A packet of this flow arrives, which requests something of the law; called before
    /// [`RouterLaw::arrive`], and only if [`RouterLaw::COUNTS_FLOWS`]. Fast path, but its state is no monotone
    /// sum: it is the law's own.
    fn on_flow(&mut self, _flow: FlowId) {}

    /// An interval is discarded, because the link could send nothing: its sums are left out of the next tick.
    fn on_skip(&mut self) {}

    /// Lowers the header's grant to each packet of the train, and takes it for all from the budget. It may state in the header
    /// what the link does to packets, too (Ledger's stretch). Fast path.
    fn stamp(
        grant: &Self::Grant,
        budget: &mut Self::Budget,
        header: &mut Self::Header,
        train: Train,
    );

    /// The budget of a fresh grant. Fast path: it starts the budget itself when it sees a new grant, so
    /// that nothing else writes to it.
    fn fresh(grant: &Self::Grant) -> Self::Budget;

    /// The budget of a new grant where `left` remains of the one before. Fast path. By default that of a fresh
    /// one, for laws that always decide about all of a grant.
    fn renew(grant: &Self::Grant, _left: &Self::Budget) -> Self::Budget {
        Self::fresh(grant)
    }

    /// Whether several CPUs spend one budget, behind a lock, instead of a [`RouterLaw::share`] each. For laws of which
    /// few packets spend (Ledger's SYNs): only these wait for each other, and nobody has to guess which CPU they reach.
    const ONE_BUDGET: bool = false;

    /// The share of a grant for one of several CPUs, each with its own budget: it summed `part` of the
    /// `whole`. Shares add up to at most the grant. By default the whole grant, for laws without a budget, with
    /// one for all CPUs ([`RouterLaw::ONE_BUDGET`]), and those for one CPU.
    fn share(grant: &Self::Grant, _part: &Self::Sums, _whole: &Self::Sums) -> Self::Grant {
        *grant
    }

    /// The grant in force before the first tick, and when each timer first ticks
    /// ([`Time::NEVER`] for a timer the law does not have).
    fn start(&mut self, capacity: Rate) -> (Self::Grant, [Time; MAX_TIMERS]);

    /// The budget of the grant in force as packets have changed it since it was [`RouterLaw::fresh`]. Called
    /// before each tick of each timer, also one that returns no grant, after which the same budget goes on. By
    /// default ignored, for laws that need not know.
    fn on_budget(&mut self, _left: &Self::Budget) {}

    /// The traffic of the other class, where the law moves the weights; called before each tick. By default
    /// ignored.
    fn on_competing(&mut self, _traffic: &CompetingTraffic) {}

    /// The part of the link that the law gives its own class from its last tick on, above 0 and below 1; the
    /// other class has the rest. `None`, the default, if it leaves the weights as they are.
    fn class_weight(&self) -> Option<Ratio> {
        None
    }

    /// One control decision: `timer` expired; `sums` is their growth since its last tick.
    fn tick(&mut self, timer: usize, sums: &Self::Sums, sample: &LinkSample) -> Tick<Self::Grant>;

    /// Whether a tick of `timer` may return a new grant, which changes what is stamped.
    fn grants(_timer: usize) -> bool {
        true
    }

    /// Where packets are stamped, unless a scenario says otherwise.
    fn stamped(&self) -> Sampled;

    /// Where the minimum queue of [`LinkSample::min_queue`] is sampled.
    fn queue_sampled(&self) -> Sampled {
        Sampled::Arrival
    }

    /// The bytes that count in [`LinkSample::min_queue`] where it is sampled at arrival; at departure
    /// both are the same, as the next packet still waits. [`QueueCounts::Waiting`] and [`QueueCounts::Least`], which are the same
    /// here, cost work for each packet, [`QueueCounts::Unsent`] none.
    fn min_queue_counts(&self) -> QueueCounts {
        QueueCounts::Unsent
    }

    /// Calls `out` with the name and value of each quantity of the law worth plotting
    /// (R in bits a second, d0 in seconds, phi in bytes a second, ...). Names and order never change.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64));
}

/// A router law at one link, with its sums, grant and timers; object-safe.
pub trait RouterPort: Send {
    /// Fast path at arrival.
    fn arrive(&mut self, wire: &WireHeader, bytes: u32);
    /// Fast path where packets are stamped.
    fn stamp(&mut self, wire: &mut WireHeader, bytes: u32);
    /// Arrival and stamping in one call, where nothing happens in between; returns the new header. By
    /// value, in registers, because nearly every packet takes this path.
    fn pass(&mut self, wire: WireHeader, bytes: u32) -> WireHeader;
    /// See [`RouterLaw::COUNTS_FLOWS`].
    fn counts_flows(&self) -> bool {
        false
    }
    /// See [`RouterLaw::on_flow`].
    fn on_flow(&mut self, _flow: FlowId) {}
    /// The next timer to tick, and its time.
    fn next(&self) -> (usize, Time);
    /// The next tick that may return a new grant ([`RouterLaw::grants`]).
    fn next_grant(&self) -> Time;
    /// See [`RouterLaw::on_competing`].
    fn on_competing(&mut self, _traffic: &CompetingTraffic) {}
    /// See [`RouterLaw::class_weight`].
    fn class_weight(&self) -> Option<Ratio> {
        None
    }
    /// Slow path: `timer` expires, with the link's measurements.
    fn tick(&mut self, timer: usize, sample: &LinkSample);
    /// `timer` expires at `to` instead, since the link can send nothing until then; its interval goes on.
    fn postpone(&mut self, timer: usize, to: Time);
    /// `timer` expires at `now`, after an interval in which the link could send nothing: the law decides
    /// nothing, and the next interval is as long as the one planned before.
    fn skip(&mut self, timer: usize, now: Time);
    /// See [`RouterLaw::stamped`].
    fn stamped(&self) -> Sampled;
    /// See [`RouterLaw::queue_sampled`].
    fn queue_sampled(&self) -> Sampled;
    /// See [`RouterLaw::min_queue_counts`].
    fn min_queue_counts(&self) -> QueueCounts;
    /// See [`RouterLaw::metrics`].
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64));
}

/// The [`RouterPort`] of a router law.
pub struct LinkRouter<L: RouterLaw> {
    law: L,
    sums: L::Sums,
    /// The sums as they stood when each timer last ticked.
    marks: [L::Sums; MAX_TIMERS],
    grant: L::Grant,
    budget: L::Budget,
    next: [Time; MAX_TIMERS],
    /// How long the law planned the interval of each timer to be.
    planned: [Span; MAX_TIMERS],
}

impl<L: RouterLaw> LinkRouter<L> {
    /// Puts `law` at a link of `capacity`, at time zero.
    pub fn new(mut law: L, capacity: Rate) -> Self {
        let (grant, next) = law.start(capacity);
        let sums = law.sums();
        Self {
            law,
            sums,
            marks: [sums; MAX_TIMERS],
            grant,
            budget: L::fresh(&grant),
            next,
            planned: next.map(|next| next.since(Time::ZERO)),
        }
    }
}

impl<L: RouterLaw> RouterPort for LinkRouter<L> {
    fn arrive(&mut self, wire: &WireHeader, bytes: u32) {
        let header = L::Header::from_wire(*wire);
        L::arrive(&mut self.sums, &self.grant, &header, Train::packet(bytes));
    }

    fn stamp(&mut self, wire: &mut WireHeader, bytes: u32) {
        let mut header = L::Header::from_wire(*wire);
        L::stamp(&self.grant, &mut self.budget, &mut header, Train::packet(bytes));
        *wire = header.to_wire();
    }

    fn pass(&mut self, wire: WireHeader, bytes: u32) -> WireHeader {
        let mut header = L::Header::from_wire(wire);
        let train = Train::packet(bytes);
        L::arrive(&mut self.sums, &self.grant, &header, train);
        L::stamp(&self.grant, &mut self.budget, &mut header, train);
        header.to_wire()
    }

    fn counts_flows(&self) -> bool {
        L::COUNTS_FLOWS
    }

    fn on_flow(&mut self, flow: FlowId) {
        self.law.on_flow(flow);
    }

    fn next(&self) -> (usize, Time) {
        // Ties go to the lower timer, always.
        if self.next[1] < self.next[0] { (1, self.next[1]) } else { (0, self.next[0]) }
    }

    fn next_grant(&self) -> Time {
        let due = |timer: usize| if L::grants(timer) { self.next[timer] } else { Time::NEVER };
        due(0).min(due(1))
    }

    fn on_competing(&mut self, traffic: &CompetingTraffic) {
        self.law.on_competing(traffic);
    }

    fn class_weight(&self) -> Option<Ratio> {
        self.law.class_weight()
    }

    fn tick(&mut self, timer: usize, sample: &LinkSample) {
        let grown = self.sums.since(&self.marks[timer]);
        self.marks[timer] = self.sums;
        self.law.on_budget(&self.budget);
        let Tick { grant, next } = self.law.tick(timer, &grown, sample);
        // Else the clock would stand still for ever.
        assert!(next > sample.now, "timer {timer} of a router law must tick next after now");
        self.next[timer] = next;
        self.planned[timer] = next.since(sample.now);
        if let Some(grant) = grant {
            debug_assert!(L::grants(timer), "this timer said that it brings no grant");
            self.grant = grant;
            self.budget = L::renew(&grant, &self.budget);
        }
    }

    fn postpone(&mut self, timer: usize, to: Time) {
        self.next[timer] = to;
    }

    fn skip(&mut self, timer: usize, now: Time) {
        self.law.on_skip();
        self.marks[timer] = self.sums;
        self.next[timer] = now + self.planned[timer];
    }

    fn stamped(&self) -> Sampled {
        self.law.stamped()
    }

    fn queue_sampled(&self) -> Sampled {
        self.law.queue_sampled()
    }

    fn min_queue_counts(&self) -> QueueCounts {
        self.law.min_queue_counts()
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        self.law.metrics(out);
    }
}
