//! Random protocols: each of the registry's, with the parameters that change how the engine works.

use proptest::prelude::*;
use sluice_laws::alpha_fair::PriceControl;
use sluice_laws::flow_counter::CounterKind;
use sluice_laws::ncp::{Elsewhere, FlowCount, RttSource};
use sluice_laws::ncp_increments::Sharing;
use sluice_laws::protocol::Protocol;
use sluice_laws::rcp;
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::router::Sampled;
use sluice_laws::tcp::{LossRecovery, SlowStart};
use sluice_laws::transport::{EcnMode, Transport};
use sluice_laws::xcp::{Balance, Efficiency, RttGroups, Shuffle, XcpParams};
use sluice_laws::xcp_guaranteed::DeniedFlow;
use sluice_laws::xcp_guaranteed::params::PROFILES;
use sluice_units::{Rate, Ratio, Span};

/// The protocols with a router law.
pub const WITH_ROUTERS: [ProtocolName; 7] = [
    ProtocolName::Rcp,
    ProtocolName::Xcp,
    ProtocolName::Ncp,
    ProtocolName::AlphaFair,
    ProtocolName::XcpGuaranteed,
    ProtocolName::NcpIncrements,
    ProtocolName::Ledger,
];

/// The defaults, with a profile of 2 Mb/s for flows that ask for one.
pub fn defaults() -> Parameters {
    let mut parameters = Parameters::default();
    parameters.xcp_guaranteed.profile = Some(Rate::from_bps(2_000_000));
    parameters
}

/// A protocol to run a case under.
#[derive(Clone, Debug)]
pub struct Law {
    pub name: ProtocolName,
    pub parameters: Parameters,
}

impl Law {
    pub fn protocol(&self) -> &dyn Protocol {
        self.parameters.protocol(self.name)
    }

    /// Requests no more than `rate`, which bounds a sender whose path has no router law.
    pub fn at_most(mut self, rate: Rate) -> Self {
        self.parameters.rcp.desired_rate = Some(rate);
        self.parameters.xcp.desired_rate = Some(rate);
        self.parameters.ncp.desired_rate = Some(rate);
        self.parameters.alpha_fair.desired_rate = Some(rate);
        self.parameters.ncp_increments.desired_rate = Some(rate);
        self.parameters.ledger.desired_rate = Some(rate);
        // No link would ever admit more than its own.
        let profile = &mut self.parameters.xcp_guaranteed.profile;
        *profile = Some(rate.min(profile.unwrap_or(rate)).max(*PROFILES.start()));
        // Its window is at most B T.
        self.parameters.hpcc.base_rtt = Some(Span::from_micros(1));
        self
    }

    /// Sends a packet each RTT at least: with windows below one a flow may take years to finish.
    pub fn a_packet_each_rtt(mut self) -> Self {
        self.parameters.swift.min_cwnd = Ratio::new(1.0);
        self
    }

    /// Without the variants of XCP that move no weights of classes.
    pub fn that_moves_weights(mut self) -> Self {
        let plain = XcpParams::default();
        let xcp = &mut self.parameters.xcp;
        (xcp.rtt_groups, xcp.shuffle) = (plain.rtt_groups, plain.shuffle);
        self
    }
}

/// Any protocol.
pub fn law() -> impl Strategy<Value = Law> {
    (prop::sample::select(ProtocolName::ALL), parameters())
        .prop_map(|(name, parameters)| Law { name, parameters })
}

/// Every protocol, TCP with every loss recovery, otherwise with the same parameters.
pub fn all(parameters: &Parameters) -> Vec<Law> {
    let law = |name, recovery| {
        let mut parameters = parameters.clone();
        parameters.tcp.recovery = Some(recovery);
        Law { name, parameters }
    };
    let others = ProtocolName::ALL.iter().filter(|&&name| name != ProtocolName::Tcp);
    let tcps = RECOVERIES.iter().map(|&recovery| law(ProtocolName::Tcp, recovery));
    others.map(|&name| law(name, LossRecovery::Rack)).chain(tcps).collect()
}

const RECOVERIES: [LossRecovery; 4] =
    [LossRecovery::Reno, LossRecovery::NewReno, LossRecovery::Sack, LossRecovery::Rack];
const SLOW_STARTS: [SlowStart; 2] = [SlowStart::Standard, SlowStart::HyStartPlusPlus];
/// How flows use ECN.
pub(crate) const ECN: [EcnMode; 3] = [EcnMode::Off, EcnMode::Ect0, EcnMode::Ect1];
const COUNTED: [FlowCount; 4] = [FlowCount::Eq8, FlowCount::Eq5, FlowCount::Eq6, FlowCount::Eq12];
const SHARING: [Sharing; 3] = [Sharing::Equal, Sharing::Proportional, Sharing::EqualShare];
const COUNTERS: [CounterKind; 3] =
    [CounterKind::Exact, CounterKind::Bitmap, CounterKind::HyperLogLog];

/// Jitter of hosts: often none.
fn jitter() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(0.5), 0.0..1.0]
}

fn parameters() -> impl Strategy<Value = Parameters> {
    let sampled = || prop_oneof![Just(Sampled::Arrival), Just(Sampled::Departure)];
    let recovery = prop::sample::select(&RECOVERIES[..]);
    let transport = (
        recovery,
        any::<bool>(),
        prop::sample::select(&ECN[..]),
        1_u32..12,
        1_u64..1_000,
        jitter(),
    );
    let transport =
        transport.prop_map(|(recovery, delayed_ack, ecn, initial_window, min_rto, jitter)| {
            let min_rto = Span::from_millis(min_rto);
            Transport {
                initial_window,
                recovery,
                delayed_ack,
                ecn,
                min_rto,
                jitter: Ratio::new(jitter),
                ..Transport::default()
            }
        });
    let ncp = (prop::sample::select(&COUNTED[..]), any::<bool>());
    let counter = (prop::sample::select(&COUNTERS[..]), any::<bool>());
    let sharing = prop::sample::select(&SHARING[..]);
    let ncp = (ncp, counter, any::<bool>(), any::<bool>(), sharing);
    let ecn = prop::option::of(prop::sample::select(&ECN[..]));
    let window = (ecn, prop::sample::select(&SLOW_STARTS[..]), any::<bool>());
    let swift = prop_oneof![Just(25_000), 1_000_u64..1_000_000_000].prop_map(Span::from_nanos);
    let denied = prop_oneof![Just(DeniedFlow::GivesUp), Just(DeniedFlow::BestEffort)];
    let without_guarantee = (any::<bool>(), denied);
    let transport = (transport, window, swift, without_guarantee);
    let xcp = (xcp_variant(), sampled(), sampled());
    (transport, any::<bool>(), sampled(), xcp, any::<bool>(), ncp).prop_map(
        |(transport, in_rounds, rcp_stamp, xcp, behind_xcp, ncp)| {
            let (transport, window, swift_target, without_guarantee) = transport;
            let mut all = Parameters { transport, ..Parameters::default() };
            (all.tcp.ecn, all.tcp.slow_start, all.tcp.pacing) = window;
            (all.cubic.ecn, all.cubic.slow_start, all.cubic.pacing) = window;
            all.swift.base_target = swift_target;
            let (variant, stamp_at, queue_at) = xcp;
            all.xcp = XcpParams { stamp_at, queue_at, ..variant };
            if behind_xcp {
                all.alpha_fair.efficiency = PriceControl::Xcp;
            }
            // Any link admits some flow, and those that it denies ask again until others have finished. By then
            // routers have forgotten what they reserved for them.
            all.xcp_guaranteed.profile = Some(Rate::from_bps(200_000));
            all.xcp_guaranteed.interval = Span::from_millis(10);
            (all.xcp_guaranteed.exceeds, all.xcp_guaranteed.denied) = without_guarantee;
            if all.xcp_guaranteed.denied == DeniedFlow::GivesUp {
                all.xcp_guaranteed.retry = Some(Span::from_millis(200));
            }
            if all.xcp_guaranteed.best_effort().is_some() {
                // Links may not run XCP's law over best-effort packets.
                all.xcp.desired_rate = Some(Rate::from_bps(50_000_000));
            }
            all.rcp.stamp_at = rcp_stamp;
            all.rcp.recovery = in_rounds.then_some(rcp::RcpRecovery::Rounds);
            let (ncp, (counter, granted), compensated, sampled, sharing) = ncp;
            (all.ncp.counted, all.ncp.paced) = ncp;
            all.ncp.counter = counter;
            if granted {
                all.ncp.elsewhere = Elsewhere::Granted;
            }
            all.ncp.compensated = compensated && all.ncp.counted != FlowCount::Eq12;
            if sampled {
                all.ncp.rtt_source = RttSource::TimeStamps;
            }
            all.ncp_increments.sharing = sharing;
            all
        },
    )
}

/// Half of all are the thesis' law; others measure the link, or have other sums, grants and timers.
fn xcp_variant() -> impl Strategy<Value = XcpParams> {
    let (plain, kappa) = (XcpParams::default(), Ratio::new(0.3));
    let rtt_groups = RttGroups::new(&[Span::from_millis(1), Span::from_millis(30)]);
    prop_oneof![
        4 => Just(plain),
        1 => Just(XcpParams { measure_capacity: true, ..plain }),
        1 => Just(XcpParams { rtt_groups, measure_capacity: true, ..plain }),
        1 => Just(XcpParams { shuffle: Shuffle::Need, ..plain }),
        1 => Just(XcpParams { efficiency: Efficiency::Queue, ..plain }),
        1 => Just(XcpParams { fallback: true, balance: Balance::Throughputs, kappa, ..plain }),
    ]
}
