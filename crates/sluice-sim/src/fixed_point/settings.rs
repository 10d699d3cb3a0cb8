//! What the models make of the parameters of a law: each is modelled, has no effect on the mean of a steady state, or
//! is refused. Structs are taken apart in full, so that a new field has to be decided on here.

use sluice_laws::ncp::{FlowCount, NcpParams};
use sluice_laws::rcp::RcpParams;
use sluice_laws::rcp::rtt::RttFilter;
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::router::{QueueCounts, Sampled};
use sluice_laws::tcp::{SlowStart, TcpParams};
use sluice_laws::transport::{EcnMode, FieldSource, LossRecovery, Transport};
use sluice_laws::xcp::{Efficiency, Shuffle, StatedWindow, XcpParams, XiBytes};
use sluice_units::Ratio;

use super::law::{GrantKind, Granted, Law, Model, Tcp, Xcp};
use super::refused::Lacks;

const WAITING: &str = "only \"waiting\" is modelled";

impl Law {
    /// The transport of its flows.
    pub(super) fn transport(self, parameters: &Parameters) -> Transport {
        let shared = &parameters.transport;
        self.protocol().map_or(*shared, |name| parameters.protocol(name).transport(shared))
    }
}

impl Model {
    /// The model of a law with these parameters; what it lacks is added to `lacks`.
    pub(super) fn of(law: Law, parameters: &Parameters, lacks: &mut Lacks) -> Self {
        let Some(name) = law.protocol() else { return Self::Fluid };
        let transport = law.transport(parameters);
        check_transport(name, parameters, &transport, lacks);
        let mut own = Lacks::under(format!("{name}."));
        let desired = parameters.protocol(name).desired_rate();
        own.need(desired.is_none(), "desired_rate", "limits are not modelled");
        let model = match law {
            Law::MaxMin => Self::Fluid,
            Law::Rcp => Self::Granted(rcp(&parameters.rcp, &mut own)),
            Law::Ncp => Self::Granted(ncp(&parameters.ncp, &mut own)),
            Law::Xcp => Self::Xcp(xcp(&parameters.xcp, &transport, &mut own)),
            Law::Tcp => Self::Tcp(tcp(&parameters.tcp, &transport, &mut own)),
        };
        lacks.extend(own);
        model
    }
}

/// Without effect on a mean: the least RTO of laws other than TCP, whose time-outs are not modelled ([`super::Doubt`]).
/// The network model has `handshake` and `initial_rto`. `jitter` makes time-outs late, which the network model has
/// too, and delays each packet by less than its transmission on the link of a host, as if hosts were that much
/// farther away.
fn check_transport(
    name: ProtocolName,
    parameters: &Parameters,
    transport: &Transport,
    lacks: &mut Lacks,
) {
    let Transport {
        initial_window: _,
        recovery,
        delayed_ack,
        ecn,
        min_rto: _,
        initial_rto: _,
        rto_margin: _,
        handshake: _,
        jitter: _,
    } = *transport;
    let overrides = parameters.protocol(name).overrides();
    // A field is in the protocol's own table, unless that leaves it to `[transport]`.
    let mut need = |holds: bool, is_inherited: bool, field: &str, reason: &str| {
        let table = if is_inherited { "transport" } else { name.as_str() };
        lacks.need(holds, &format!("{table}.{field}"), reason);
    };
    let at_once = matches!(recovery, LossRecovery::Rack | LossRecovery::Sack);
    let reason = "only \"rack\" and \"sack\", which repair the losses of a round trip in the next, are modelled";
    need(at_once, overrides.recovery == FieldSource::Inherited, "recovery", reason);
    let reason = "delays of acknowledgements are not modelled";
    need(!delayed_ack, overrides.delayed_ack == FieldSource::Inherited, "delayed_ack", reason);
    let is_off = ecn == EcnMode::Off;
    need(is_off, overrides.ecn == FieldSource::Inherited, "ecn", "marks are not modelled");
}

/// Without effect on a mean: the first rate and d0, the gain of a filter, when a rate that is steady is stamped, and
/// the interval, over which (2) scales what it changes ([`Granted::swings`] has it).
fn rcp(params: &RcpParams, lacks: &mut Lacks) -> Granted {
    let RcpParams {
        alpha,
        beta,
        gamma,
        interval,
        initial_rate: _,
        min_rate,
        initial_rtt: _,
        rtt_filter,
        rtt_gain: _,
        rtt_every,
        queue_counts,
        losses_as_queue,
        recovery: _,
        min_rto: _,
        initial_rto: _,
        stamp_at: _,
        desired_rate: _,
    } = *params;
    let per_packet = rtt_filter == RttFilter::PerPacket;
    lacks.need(per_packet, "rtt_filter", "only \"per_packet\" is modelled");
    lacks.need(rtt_every == 1, "rtt_every", "d0 is modelled as a mean over all packets");
    lacks.need(queue_counts == QueueCounts::Waiting, "queue_counts", WAITING);
    lacks.need(!losses_as_queue, "losses_as_queue", "not modelled");
    Granted {
        kind: GrantKind::Rcp,
        target: gamma.get(),
        spare_gain: alpha.get(),
        queue_gain: beta.get(),
        min_rate: min_rate.get(),
        interval: interval.as_secs_f64(),
    }
}

/// Without effect on a mean: the counter and `elsewhere`, which only equation (12) has; the first d0, the gain of its
/// filter, and the RTT that packets state, whose mean is the same; the least R, since senders go no slower than a
/// packet an RTT, whatever is granted ([`sluice_laws::ncp::host::NcpSender`]), and it is at most that.
fn ncp(params: &NcpParams, lacks: &mut Lacks) -> Granted {
    let NcpParams {
        alpha,
        beta,
        queue_counts,
        counted,
        counter: _,
        counter_memory: _,
        elsewhere: _,
        compensated,
        initial_rtt: _,
        rtt_gain: _,
        min_rate: _,
        rtt_source: _,
        paced,
        recovery: _,
        min_rto: _,
        initial_rto: _,
        desired_rate: _,
    } = *params;
    let kind = match counted {
        FlowCount::Eq6 => Some(GrantKind::NcpS),
        FlowCount::Eq8 => Some(GrantKind::Ncp),
        FlowCount::Eq5 | FlowCount::Eq12 => None,
    };
    lacks.need(kind.is_some(), "counted", "only \"eq8\" and \"eq6\" are modelled");
    lacks.need(!compensated, "compensated", "not modelled");
    lacks.need(paced, "paced", "windows that are not paced are not modelled");
    lacks.need(queue_counts == QueueCounts::Waiting, "queue_counts", WAITING);
    Granted {
        kind: kind.unwrap_or(GrantKind::Ncp),
        target: alpha.get(),
        spare_gain: 1.0,
        queue_gain: beta.get(),
        min_rate: 1.0,
        interval: f64::INFINITY,
    }
}

/// Without effect on a mean: the first interval; the bounds of intervals, since (4.3) and (4.4) are rates times an
/// interval; what only `efficiency = "queue"`, `shuffle = "need"` and `queue = "tcp_friendly"` have, which are
/// refused; when feedback is stamped. The persistent queue is taken to be empty, which beta makes it.
fn xcp(params: &XcpParams, transport: &Transport, lacks: &mut Lacks) -> Xcp {
    let XcpParams {
        alpha,
        beta,
        efficiency,
        increase: _,
        configured_capacity,
        measure_capacity,
        kappa: _,
        balance: _,
        tcp_window: _,
        gamma,
        shuffle,
        max_gamma: _,
        rtt_groups,
        xi_n_counts,
        stated_window,
        min_interval: _,
        max_interval: _,
        first_interval: _,
        min_queue_timer: _,
        queue_at,
        queue_counts,
        stamp_at: _,
        initial_window: _,
        desired_rate: _,
        check_receiver,
        fallback,
        recovery: _,
        delayed_ack: _,
        min_rto: _,
        initial_rto: _,
    } = *params;
    lacks.need(beta > Ratio::new(0.0), "beta", "the persistent queue is taken to be drained");
    let spare = efficiency == Efficiency::Spare;
    lacks.need(spare, "efficiency", "only \"spare\" is modelled");
    lacks.need(configured_capacity.is_none(), "configured_capacity", "not modelled");
    lacks.need(!measure_capacity, "measure_capacity", "not modelled");
    lacks.need(shuffle == Shuffle::Text, "shuffle", "only \"text\" is modelled");
    lacks.need(rtt_groups.is_one(), "rtt_groups", "groups are not modelled");
    let stated = xi_n_counts == XiBytes::Stated;
    lacks.need(stated, "xi_n_counts", "only \"stated\" is modelled");
    let exact = stated_window == StatedWindow::Exact;
    lacks.need(exact, "stated_window", "only \"exact\" is modelled");
    let at_arrival = queue_at == Sampled::Arrival;
    let reason = "a persistent queue other than that of the defaults is not modelled";
    lacks.need(at_arrival, "queue_at", reason);
    lacks.need(queue_counts == QueueCounts::Unsent, "queue_counts", reason);
    let unchecked = check_receiver == Ratio::new(0.0);
    lacks.need(unchecked, "check_receiver", "limits of feedback are not modelled");
    lacks.need(!fallback, "fallback", "not modelled");
    let initial_window = f64::from(transport.initial_window);
    Xcp { alpha: alpha.get(), gamma: gamma.get(), initial_window }
}

/// Without effect on a mean: `growth`, the same where each packet is acknowledged, and `min_window`, which matters to
/// windows of 3 packets ([`super::Doubt::FewPackets`]).
fn tcp(params: &TcpParams, transport: &Transport, lacks: &mut Lacks) -> Tcp {
    let TcpParams {
        initial_window: _,
        recovery: _,
        delayed_ack: _,
        min_rto: _,
        initial_rto: _,
        initial_ssthresh,
        ecn: _,
        slow_start,
        variant,
        pacing,
        growth: _,
        min_window: _,
        grow_as_recovery_ends,
    } = *params;
    lacks.need(initial_ssthresh.is_none(), "initial_ssthresh", "not modelled");
    let standard = slow_start == SlowStart::Standard;
    lacks.need(standard, "slow_start", "only \"standard\" is modelled");
    lacks.need(variant.is_of_the_rfcs(), "variant", "not modelled");
    lacks.need(!pacing, "pacing", "not modelled");
    lacks.need(!grow_as_recovery_ends, "grow_as_recovery_ends", "not modelled");
    Tcp {
        initial_window: f64::from(transport.initial_window),
        min_rto: transport.min_rto.as_secs_f64(),
        rto_margin: transport.rto_margin.unwrap_or(transport.min_rto).as_secs_f64(),
    }
}
