//! The configuration of a run. Nodes are numbers; paths may be left to [`crate::route`]. `sluice-lab`
//! makes one from a scenario file.

use serde::{Deserialize, Serialize};
use sluice_laws::conduct::Conduct;
use sluice_laws::protocol::Protocol;
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_units::{BufferSize, Bytes, Rate, Ratio, Span, Time};

use crate::cloud::CloudConfig;
use crate::link_law::LinkLaw;
use crate::link_laws::LinkLaws;
use crate::police::Police;
use crate::queue::{ClassParts, Discipline, TrafficClass};
use crate::schedule::{CapacitySchedule, LinkCapacity};
use crate::traffic::Traffic;

/// A node's number: `0..Config::nodes`.
pub type NodeId = usize;
/// A link's number: its place in [`Config::links`].
pub type LinkId = usize;

/// One run: a network, its traffic, and when to measure. The protocol is not part of it, so that
/// several protocols get the same flows at the same times. Bounds are in [`crate::limits`].
#[derive(Clone, Debug)]
pub struct Config {
    /// Number of nodes. Any node may be a host, a router or both.
    pub nodes: usize,
    /// Directed links.
    pub links: Vec<LinkConfig>,
    /// Groups of flows.
    pub groups: Vec<GroupConfig>,
    /// Clouds, in which border routers carry the traffic of groups on macro-flows.
    pub clouds: Vec<CloudConfig>,
    /// Size of a full data packet on the wire.
    pub packet: Bytes,
    /// Bytes of headers in a data packet (0 in the papers, where a flow of L packets moves
    /// L x 1000 bytes). Less than `packet`.
    pub header: Bytes,
    /// Size of a SYN, SYN-ACK, ACK or probe on the wire; 1 byte to `packet`.
    pub control: Bytes,
    /// The transport that every protocol inherits and may override, and the protocols that groups and
    /// links have of their own.
    pub parameters: Parameters,
    /// How long routing takes to notice that a link fails or returns by
    /// [`CapacitySchedule::down`]; up to a day. Groups then avoid such links, but for directions in which
    /// their paths are given; without another path they keep the last one. `None`: routes ignore failures.
    pub reconvergence: Option<Span>,
    /// Seeds every random stream, together with its purpose and its group or link.
    pub seed: u64,
    /// Flows that arrive from this instant on are measured; link statistics begin.
    pub warm_up: Time,
    /// Flows that arrive before this instant are measured; link statistics end. Traffic goes on until
    /// the measured flows have finished, or `limit`. At least `warm_up`.
    pub stop: Time,
    /// When the run ends even if measured flows have not finished; at least `stop`.
    pub limit: Time,
    /// Whether elements with a single input run ahead of the clock. Results are the same bytes
    /// either way; `false` is slower, and for tests of that.
    pub lookahead: bool,
    /// Links whose queue, throughput and law state are sampled over time.
    pub link_metrics: Vec<LinkMetrics>,
    /// Flows whose window, rate and sequence are sampled over time.
    pub flow_metrics: Vec<FlowMetrics>,
    /// Groups whose throughput and fairness are sampled over time.
    pub group_metrics: Vec<GroupMetrics>,
    /// What is reported event by event. It changes no other result.
    pub trace: TraceConfig,
}

/// What a run reports event by event; by default nothing, which costs nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceConfig {
    /// Links whose packets are reported to [`crate::Observer::packet`].
    pub links: Vec<LinkId>,
    /// Groups whose senders are reported to [`crate::Observer::sender`].
    pub groups: Vec<usize>,
}

/// A directed link: a queue, a transmitter and a wire.
#[derive(Clone, Debug)]
pub struct LinkConfig {
    /// The node where it begins, and its queue is.
    pub from: NodeId,
    /// The node where it ends.
    pub to: NodeId,
    /// Capacity, 1 kb/s to 100 Tb/s.
    pub capacity: Rate,
    /// How the capacity varies; `None` if it is constant.
    pub schedule: Option<CapacitySchedule>,
    /// Propagation delay, up to a day.
    pub delay: Span,
    /// Room for packets waiting behind the one in transmission.
    pub buffer: BufferSize,
    /// Which packets are admitted to the buffer.
    pub queue: Discipline,
    /// Probability that a packet is lost on the wire, in [0, 1).
    pub error: Ratio,
    /// Packets lost on the wire whatever `error` is, by their places, from 0, among the packets that
    /// leave this link; rising. For tests that lose particular packets.
    pub losses: Vec<u64>,
    /// The router law that runs here, or those over classes of traffic. Packets of flows of another protocol
    /// request nothing of a law, and keep their headers: it sees one of zeros in its place.
    pub router: LinkLaws,
    /// The policing agent before its queue, if it has one.
    pub police: Option<Police>,
}

/// Flows with one source, destination, path and traffic model.
#[derive(Clone, Debug)]
pub struct GroupConfig {
    /// Its name in results. Unique: the group's random streams are named after it.
    pub name: String,
    /// The node that sends data.
    pub from: NodeId,
    /// The node that receives them.
    pub to: NodeId,
    /// Links of the data path; `None` for the lowest-delay paths.
    pub path: Option<Vec<LinkId>>,
    /// Instead of `path`: data paths among which a hash gives each flow one, in proportion to their weights;
    /// empty for none. `routing` then concerns acknowledgements only, and is [`Routing::Ecmp`].
    pub paths: Vec<WeightedPath>,
    /// Links of the path of acknowledgements; `None` for the lowest-delay paths back.
    pub back: Option<Vec<LinkId>>,
    /// Changes of paths in mid-flow, in order of time. Packets take the path that holds as they leave their
    /// host, and keep it.
    pub reroute: Vec<Reroute>,
    /// How flows use several lowest-delay paths.
    pub routing: Routing,
    /// When flows arrive and how much they send.
    pub traffic: Traffic,
    /// The protocol of its flows; `None` for the run's.
    pub protocol: Option<ProtocolName>,
    /// Weight of each of its flows ([`sluice_laws::host::SenderContext::weight`]).
    pub weight: Ratio,
    /// The rate that each of its flows asks for as a guarantee ([`sluice_laws::host::SenderContext::profile`]).
    pub profile: Option<Rate>,
    /// How its senders depart from their law.
    pub conduct: Conduct,
    /// Class of its packets, data and acknowledgements, at links that distinguish classes
    /// ([`crate::limits::CLASS`]): the higher, the more urgent.
    pub class: u8,
    /// Weight of each of its flows at links that share by weight ([`crate::queue::Wfq`],
    /// [`crate::limits::QUEUE_WEIGHT`]), whatever their law.
    pub queue_weight: Ratio,
}

/// A change of a group's paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reroute {
    /// From this instant on, packets that leave their host take these paths, packets that leave at this
    /// very instant included. After 0.
    pub at: Time,
    /// Links of the data path; `None` if it stays. `path`, `back` or both are given.
    pub path: Option<Vec<LinkId>>,
    /// Links of the path of acknowledgements; `None` if it stays.
    pub back: Option<Vec<LinkId>>,
}

/// One of several paths of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightedPath {
    /// Its links, in order.
    pub path: Vec<LinkId>,
    /// Flows take it in proportion to this; 1 to a million.
    pub weight: u64,
}

/// How flows use the paths of least delay, and of these with the fewest links, where there are several.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Routing {
    /// Each flow takes one path from its start to its end. At each node a hash of seed, group, flow and
    /// node chooses the next link among the equal ones (ECMP, RFC 2992), for data and acknowledgements
    /// independently.
    #[default]
    Ecmp,
    /// As `Ecmp`, but next links are chosen in proportion to their capacities (WCMP, Zhou et al., EuroSys
    /// 2014, with the capacity of the next link alone).
    Wcmp,
    /// All flows take the path of the lowest-numbered next link at each node.
    Single,
    /// Each packet of data takes the next of all paths, round and round in an order that is random for
    /// each flow, so packets arrive out of order. Acknowledgements as under `Ecmp`.
    Spray,
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
            clouds: Vec::new(),
            packet: Bytes::new(1000),
            header: Bytes::ZERO,
            control: Bytes::new(40),
            parameters: Parameters::default(),
            reconvergence: None,
            seed: 1,
            warm_up: Time::ZERO,
            stop,
            limit: stop,
            lookahead: true,
            link_metrics: Vec::new(),
            flow_metrics: Vec::new(),
            group_metrics: Vec::new(),
            trace: TraceConfig::default(),
        }
    }

    /// The protocol of a group's flows in a run of `run`.
    pub fn protocol_of<'a>(
        &'a self,
        group: &GroupConfig,
        run: &'a dyn Protocol,
    ) -> &'a dyn Protocol {
        group.protocol.map_or(run, |name| self.parameters.protocol(name))
    }

    /// The protocol of the packets of these flows that get best-effort service, if they send some
    /// ([`Protocol::best_effort`]).
    pub fn best_effort_of(&self, own: &dyn Protocol) -> Option<&dyn Protocol> {
        let name = own.best_effort().and_then(ProtocolName::named);
        name.map(|name| self.parameters.protocol(name))
    }

    /// The protocol that these flows follow if they find that their path does not support their own, if they check
    /// that ([`Protocol::checks_path`]).
    pub fn reverts_to(&self, own: &dyn Protocol) -> Option<&dyn Protocol> {
        self.best_effort_of(own).filter(|_| own.checks_path())
    }
}

impl LinkConfig {
    /// A link with the protocol's router law, without delay or loss, whose queue is unlimited.
    pub fn new(from: NodeId, to: NodeId, capacity: Rate) -> Self {
        Self {
            from,
            to,
            capacity,
            schedule: None,
            delay: Span::ZERO,
            buffer: BufferSize::Unlimited,
            queue: Discipline::default(),
            error: Ratio::default(),
            losses: Vec::new(),
            router: LinkLaws::default(),
            police: None,
        }
    }

    /// The law over the higher of two classes, where it may move their weights.
    pub fn weighing_law(&self) -> Option<LinkLaw> {
        let is_weighed = matches!(self.queue.class_parts(), Some(ClassParts::Weighed(_)));
        let law = self.router.of_class(1);
        (is_weighed && law.runs()).then_some(law)
    }

    /// The highest capacity that it ever has; between opportunities of a trace, that at which the bytes of
    /// one are spread from the last one on. At least its nominal capacity.
    pub fn highest_capacity(&self) -> Rate {
        let highest = |schedule: &CapacitySchedule| schedule.highest(self.capacity);
        self.schedule.as_ref().map_or(self.capacity, highest)
    }

    /// Bytes that it can send from one instant to another; the first must not be later.
    pub fn bytes_between(&self, from: Time, to: Time) -> Bytes {
        LinkCapacity::new(self.capacity, self.schedule.as_ref()).bytes_between(from, to)
    }

    /// Mean capacity from one instant to another, which must be later; without a schedule `capacity`,
    /// with one at least [`crate::limits::CAPACITY`]'s least.
    pub fn mean_capacity(&self, from: Time, to: Time) -> Rate {
        LinkCapacity::new(self.capacity, self.schedule.as_ref()).mean(from, to)
    }
}

impl GroupConfig {
    /// Flows of weights 1 along the lowest-delay paths, under the run's protocol.
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
            paths: Vec::new(),
            back: None,
            reroute: Vec::new(),
            routing: Routing::default(),
            traffic: traffic.into(),
            protocol: None,
            weight: Ratio::new(1.0),
            profile: None,
            conduct: Conduct::HONEST,
            class: 0,
            queue_weight: Ratio::new(1.0),
        }
    }

    /// What links know of its packets, which carry the header of the protocol of this number.
    pub(crate) fn traffic_class(&self, header: u8) -> TrafficClass {
        TrafficClass { class: self.class, weight: self.queue_weight.get(), header }
    }

    /// The same of its best-effort packets, which are of the lowest class.
    pub(crate) fn best_effort_class(&self, header: u8) -> TrafficClass {
        TrafficClass { class: 0, ..self.traffic_class(header) }
    }
}

/// Samples a link periodically.
#[derive(Clone, Copy, Debug)]
pub struct LinkMetrics {
    /// The link.
    pub link: LinkId,
    /// Time between samples, and before the first; above 0.
    pub every: Span,
}

/// Samples a flow's sender periodically while it lives.
#[derive(Clone, Copy, Debug)]
pub struct FlowMetrics {
    /// The group.
    pub group: usize,
    /// The flow's place among the group's arrivals, from 0.
    pub index: u64,
    /// Time between samples, and before the first; above 0.
    pub every: Span,
}

/// Samples what the flows of some groups receive together, and how evenly, in intervals from the
/// beginning of the run: `throughput_bps`, in data; `flows`, the number that lived over the whole
/// interval; `jain`, the index of their throughputs, or 0 for fewer than two flows and if none
/// received anything. A row has the time at which its interval ends.
#[derive(Clone, Debug)]
pub struct GroupMetrics {
    /// The groups, each once.
    pub groups: Vec<usize>,
    /// Length of an interval; above 0.
    pub every: Span,
}
