//! What a run is made of, with every choice made: nodes are numbers, paths may still be left to
//! [`crate::route`]. `sluice-lab` makes one of these from a scenario file.

use sluice_laws::protocol::Protocol;
use sluice_laws::registry::ProtocolChoice;
use sluice_laws::transport::Transport;
use sluice_units::{BufferSize, Bytes, Rate, Ratio, Span, Time};

use crate::queue::Discipline;
use crate::traffic::Traffic;

/// A node's number: `0..Config::nodes`.
pub type NodeId = usize;
/// A link's number: its place in [`Config::links`].
pub type LinkId = usize;

/// One run: a network, its traffic, and when to measure. The protocol comes beside it, so that
/// several protocols meet the same flows at the same times.
#[derive(Clone, Debug)]
pub struct Config {
    /// How many nodes there are. Any node may be a host, a router or both.
    pub nodes: usize,
    /// Directed links.
    pub links: Vec<LinkConfig>,
    /// Groups of flows.
    pub groups: Vec<GroupConfig>,
    /// Size of a full data packet on the wire.
    pub packet: Bytes,
    /// How much of a data packet is headers (0 in the papers, where a flow of L packets moves
    /// L x 1000 bytes). Less than `packet`.
    pub header: Bytes,
    /// Size of a SYN, SYN-ACK, ACK or probe on the wire.
    pub control: Bytes,
    /// What every protocol inherits and may override.
    pub transport: Transport,
    /// Names every random stream together with its purpose and group.
    pub seed: u64,
    /// Flows that arrive from here on are measured; link statistics begin here.
    pub warm_up: Time,
    /// Flows that arrive before this are measured; link statistics end here. Traffic goes on
    /// until the measured flows have finished, or `limit`.
    pub stop: Time,
    /// When the run ends whether or not every measured flow has finished; at least `stop`.
    pub limit: Time,
    /// Whether elements with a single input run ahead of the clock. Results are the same bytes
    /// either way; `false` is slower and exists to prove it.
    pub lookahead: bool,
    /// Links whose queue, throughput and law state are sampled over time.
    pub link_metrics: Vec<LinkMetrics>,
    /// Flows whose window, rate and sequence are sampled over time.
    pub flow_metrics: Vec<FlowMetrics>,
    /// What is told event by event. It changes nothing else that a run finds.
    pub trace: TraceConfig,
}

/// What of a run is told event by event; by default nothing, which costs nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceConfig {
    /// Links whose packets go to [`crate::Observer::packet`].
    pub links: Vec<LinkId>,
    /// Groups whose senders go to [`crate::Observer::sender`].
    pub groups: Vec<usize>,
}

/// A directed link: a queue, a transmitter and a wire.
#[derive(Clone, Debug)]
pub struct LinkConfig {
    /// Where it begins; its queue is here.
    pub from: NodeId,
    /// Where it ends.
    pub to: NodeId,
    /// Capacity, at least 1 kb/s.
    pub capacity: Rate,
    /// Propagation delay.
    pub delay: Span,
    /// Room for packets waiting behind the one in transmission.
    pub buffer: BufferSize,
    /// Which packets that room is given to.
    pub queue: Discipline,
    /// Probability that a packet is lost on the wire, in [0, 1).
    pub error: Ratio,
    /// Packets lost on the wire whatever `error` says: their places, from 0, among the packets
    /// that leave this link, rising. For scripts that lose exactly what they mean to.
    pub losses: Vec<u64>,
    /// Whether the protocol's router law runs here; otherwise the link only queues.
    pub router: bool,
}

/// Flows with one source, destination, path and traffic model.
#[derive(Clone, Debug)]
pub struct GroupConfig {
    /// Its name in results; names the group's random streams, so must be unique.
    pub name: String,
    /// Where data comes from.
    pub from: NodeId,
    /// Where data goes.
    pub to: NodeId,
    /// Links that data take; `None` for the path of least delay.
    pub path: Option<Vec<LinkId>>,
    /// Links that acknowledgements take; `None` for the path of least delay back.
    pub back: Option<Vec<LinkId>>,
    /// When flows arrive and how much they send.
    pub traffic: Traffic,
    /// What its flows speak, whatever protocol is run; `None` for that one. Only one without a
    /// header: a run's routers have one law, to which packets of others ask for nothing.
    pub protocol: Option<ProtocolChoice>,
    /// How many flows each of its flows counts as ([`sluice_laws::host::SenderContext::weight`]).
    pub weight: Ratio,
}

impl Config {
    /// A run over these links in which every flow that arrives before `stop` is measured.
    ///
    /// The papers' packets (1000 bytes without headers, 40 bytes without data), the default
    /// transport, seed 1, `limit` at `stop`; no metrics and no trace.
    pub fn new(nodes: usize, links: Vec<LinkConfig>, groups: Vec<GroupConfig>, stop: Time) -> Self {
        Self {
            nodes,
            links,
            groups,
            packet: Bytes::new(1000),
            header: Bytes::ZERO,
            control: Bytes::new(40),
            transport: Transport::default(),
            seed: 1,
            warm_up: Time::ZERO,
            stop,
            limit: stop,
            lookahead: true,
            link_metrics: Vec::new(),
            flow_metrics: Vec::new(),
            trace: TraceConfig::default(),
        }
    }
}

impl LinkConfig {
    /// A link with the protocol's router law, without delay or loss, whose queue is unlimited.
    pub fn new(from: NodeId, to: NodeId, capacity: Rate) -> Self {
        Self {
            from,
            to,
            capacity,
            delay: Span::ZERO,
            buffer: BufferSize::Unlimited,
            queue: Discipline::default(),
            error: Ratio::default(),
            losses: Vec::new(),
            router: true,
        }
    }
}

impl GroupConfig {
    /// Flows of weight 1 along the paths of least delay, under the run's protocol.
    pub fn new(
        name: impl Into<String>,
        from: NodeId,
        to: NodeId,
        traffic: impl Into<Traffic>,
    ) -> Self {
        Self {
            name: name.into(),
            from,
            to,
            path: None,
            back: None,
            traffic: traffic.into(),
            protocol: None,
            weight: Ratio::new(1.0),
        }
    }

    /// The protocol of its flows in a run of `run`.
    pub(crate) fn protocol<'a>(&'a self, run: &'a dyn Protocol) -> &'a dyn Protocol {
        self.protocol.as_ref().map_or(run, ProtocolChoice::protocol)
    }
}

/// Samples a link every so often.
#[derive(Clone, Copy, Debug)]
pub struct LinkMetrics {
    /// Which link.
    pub link: LinkId,
    /// Time between samples, the first after one of these; more than zero.
    pub every: Span,
}

/// Samples a flow's sender every so often while it lives.
#[derive(Clone, Copy, Debug)]
pub struct FlowMetrics {
    /// Which group.
    pub group: usize,
    /// Which of its flows, counted from 0 in order of arrival.
    pub index: u64,
    /// Time between samples, the first after one of these; more than zero.
    pub every: Span,
}
