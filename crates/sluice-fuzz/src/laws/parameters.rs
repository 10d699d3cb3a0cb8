//! Any parameters that a protocol's check accepts.

use core::ops::Bound::{Excluded, Included};

use sluice_laws::alpha_fair::{AlphaFairParams, PriceControl};
use sluice_laws::bbr::{PROBE_RTT_DURATIONS, PROBE_RTT_INTERVALS};
use sluice_laws::bbr1::Bbr1Params;
use sluice_laws::bbr3::Bbr3Params;
use sluice_laws::conduct::{self, Conduct, Departure};
use sluice_laws::cubic::CubicParams;
use sluice_laws::dctcp::DctcpParams;
use sluice_laws::flow_counter::{self, CounterKind};
use sluice_laws::hpcc::HpccParams;
use sluice_laws::ledger::{LedgerParams, Stated};
use sluice_laws::ncp::{Elsewhere, FlowCount, NcpParams, RttSource};
use sluice_laws::ncp_increments::{NcpIncrementsParams, Sharing};
use sluice_laws::prague::PragueParams;
use sluice_laws::protocol::Protocol;
use sluice_laws::rcp::params::{GAINS, INTERVALS, PARTS, QUEUE_GAINS, RTT_EVERY};
use sluice_laws::rcp::rtt::RttFilter;
use sluice_laws::rcp::{RcpParams, RcpRecovery};
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::router::{QueueCounts, Sampled};
use sluice_laws::swift::SwiftParams;
use sluice_laws::tcp::{Growth, SlowStart, TcpParams};
use sluice_laws::tfrc::TfrcParams;
use sluice_laws::transport::{EcnMode, LossRecovery, RecoveryVariant, Transport};
use sluice_laws::xcp::{
    Balance, Efficiency, MAX_BOUNDS, RttGroups, Shuffle, StatedWindow, TcpWindow, XcpParams,
    XiBytes, feedback,
};
use sluice_laws::xcp_guaranteed::params::{PROFILES, RETRIES};
use sluice_laws::xcp_guaranteed::{
    DeniedFlow, ProfileSender, RecentReservations, XcpGuaranteedParams,
};
use sluice_laws::{alpha_fair, bbr1, bbr3, cubic, dctcp, hpcc, prague, swift, xcp};
use sluice_units::{Faults, Ratio, Span};

use super::dice::Dice;

/// Parameters of that protocol.
pub fn of(name: ProtocolName, dice: &mut Dice) -> Parameters {
    let mut all = Parameters::default();
    match name {
        ProtocolName::Rcp => all.rcp = rcp(dice),
        ProtocolName::Xcp => all.xcp = xcp(dice),
        ProtocolName::Ncp => all.ncp = ncp(dice),
        ProtocolName::Tcp => all.tcp = tcp(dice),
        ProtocolName::Cubic => all.cubic = cubic(dice),
        ProtocolName::Bbr1 => all.bbr1 = bbr1(dice),
        ProtocolName::Bbr3 => all.bbr3 = bbr3(dice),
        ProtocolName::Dctcp => all.dctcp = dctcp(dice),
        ProtocolName::Prague => all.prague = prague(dice),
        ProtocolName::Swift => all.swift = swift(dice),
        ProtocolName::Hpcc => all.hpcc = hpcc(dice),
        ProtocolName::Tfrc => all.tfrc = tfrc(dice),
        ProtocolName::AlphaFair => all.alpha_fair = alpha_fair(dice),
        ProtocolName::XcpGuaranteed => all.xcp_guaranteed = xcp_guaranteed(dice),
        ProtocolName::NcpIncrements => all.ncp_increments = ncp_increments(dice),
        ProtocolName::Ledger => all.ledger = ledger(dice),
    }
    let faults = Faults::of(|faults| all.protocol(name).check(faults));
    assert!(faults.is_empty(), "drawn out of range: {faults:?}");
    all
}

/// A conduct that a protocol's senders can have.
pub fn conduct(protocol: &dyn Protocol, dice: &mut Dice) -> Conduct {
    let mut conduct = Conduct::HONEST;
    for departure in protocol.departures() {
        let gain = match departure {
            Departure::ThroughputGain => &mut conduct.throughput_gain,
            Departure::RttGain => &mut conduct.rtt_gain,
            Departure::LeftGain => &mut conduct.left_gain,
            Departure::IncreaseGain => &mut conduct.increase_gain,
            Departure::DecreaseGain => &mut conduct.decrease_gain,
            Departure::FixedRate => {
                conduct.fixed_rate = dice.rate();
                continue;
            }
            Departure::AddedFeedback => {
                conduct.added_feedback = dice.rate();
                continue;
            }
            Departure::ConventionalReceiver => {
                conduct.conventional_receiver = conduct.added_feedback.is_none() && dice.flag();
                continue;
            }
        };
        *gain = dice.ratio(Ratio::new(1.0), conduct::GAINS);
    }
    conduct
}

/// Parameters with the fields of a transport.
macro_rules! with_transport {
    ($dice:ident, $Params:ident { $($own:tt)* }) => {
        $Params {
            initial_window: initial_window($dice),
            recovery: recovery($dice),
            delayed_ack: $dice.maybe(Dice::flag),
            min_rto: rto($dice),
            initial_rto: rto($dice),
            $($own)*
        }
    };
}

/// The same with the fields of TCP's window.
macro_rules! with_window {
    ($dice:ident, $Params:ident { $($own:tt)* }) => {
        with_transport!($dice, $Params {
            initial_ssthresh: ssthresh($dice),
            slow_start: slow_start($dice),
            variant: variant($dice),
            $($own)*
        })
    };
}

fn rcp(dice: &mut Dice) -> RcpParams {
    let usual = RcpParams::default();
    RcpParams {
        alpha: dice.ratio(usual.alpha, GAINS),
        beta: dice.ratio(usual.beta, QUEUE_GAINS),
        gamma: dice.ratio(usual.gamma, PARTS),
        interval: dice.span(usual.interval, INTERVALS),
        initial_rate: dice.ratio(usual.initial_rate, PARTS),
        min_rate: dice.ratio(usual.min_rate, PARTS),
        initial_rtt: dice.span(usual.initial_rtt, INTERVALS),
        rtt_filter: dice.one_of(&[RttFilter::PerPacket, RttFilter::PerInterval]),
        rtt_gain: dice.ratio(usual.rtt_gain, PARTS),
        rtt_every: dice.small(usual.rtt_every, RTT_EVERY),
        queue_counts: queue_counts(dice),
        losses_as_queue: dice.flag(),
        recovery: rcp_recovery(dice),
        min_rto: rto(dice),
        initial_rto: rto(dice),
        stamp_at: sampled(dice),
        desired_rate: dice.rate(),
    }
}

fn xcp(dice: &mut Dice) -> XcpParams {
    let usual = XcpParams::default();
    let longest = xcp::params::MIN_TIME..=feedback::LONGEST_RTT;
    let max_interval = dice.span(usual.max_interval, longest);
    let shortest = xcp::params::MIN_TIME..=max_interval;
    let gamma = dice.ratio(usual.gamma, xcp::params::SHUFFLED);
    let max_gamma = if gamma > usual.max_gamma { gamma } else { usual.max_gamma };
    let mut shuffle = dice.one_of(&[Shuffle::Text, Shuffle::Appendix, Shuffle::Need]);
    let rtt_groups = rtt_groups(dice);
    let grouped = !rtt_groups.is_one();
    if grouped && shuffle == Shuffle::Need {
        shuffle = Shuffle::Text;
    }
    XcpParams {
        alpha: dice.ratio(usual.alpha, xcp::params::GAINS),
        beta: dice.ratio(usual.beta, xcp::params::QUEUE_GAINS),
        efficiency: if grouped {
            Efficiency::Spare
        } else {
            dice.one_of(&[Efficiency::Spare, Efficiency::Queue])
        },
        increase: dice.ratio(usual.increase, xcp::params::INCREASES),
        configured_capacity: dice
            .maybe(|dice| dice.ratio(Ratio::new(1.0), xcp::params::CONFIGURED)),
        measure_capacity: dice.flag(),
        kappa: dice.ratio(usual.kappa, xcp::params::STEPS),
        balance: dice.one_of(&[Balance::Windows, Balance::Throughputs]),
        tcp_window: dice.one_of(&[TcpWindow::Printed, TcpWindow::Rfc5348]),
        gamma,
        shuffle,
        max_gamma: dice.ratio(max_gamma, gamma..=*xcp::params::SHUFFLED.end()),
        rtt_groups,
        xi_n_counts: if grouped {
            XiBytes::Stated
        } else {
            dice.one_of(&[XiBytes::Stated, XiBytes::All])
        },
        stated_window: dice.one_of(&[StatedWindow::Exact, StatedWindow::Whole]),
        min_interval: dice.span(usual.min_interval.min(max_interval), shortest),
        max_interval,
        first_interval: dice.span(usual.first_interval, xcp::params::TIMES),
        min_queue_timer: dice.span(usual.min_queue_timer, xcp::params::TIMES),
        queue_at: sampled(dice),
        queue_counts: queue_counts(dice),
        stamp_at: sampled(dice),
        initial_window: initial_window(dice),
        desired_rate: dice.rate(),
        check_receiver: dice.ratio(usual.check_receiver, xcp::params::CHECKED),
        fallback: dice.flag(),
        recovery: recovery(dice),
        delayed_ack: dice.maybe(Dice::flag),
        min_rto: rto(dice),
        initial_rto: rto(dice),
    }
}

fn xcp_guaranteed(dice: &mut Dice) -> XcpGuaranteedParams {
    let usual = XcpGuaranteedParams::default();
    let sender = dice.one_of(&[ProfileSender::Paced, ProfileSender::Window]);
    let denied = dice.one_of(&[DeniedFlow::GivesUp, DeniedFlow::BestEffort]);
    let retry = dice.maybe(|dice| dice.span(Span::from_secs(1), RETRIES));
    let exceeds = dice.flag();
    XcpGuaranteedParams {
        profile: dice.rate().map(|rate| rate.clamp(*PROFILES.start(), *PROFILES.end())),
        max_reserved: dice.ratio(usual.max_reserved, PARTS),
        interval: dice.span(usual.interval, INTERVALS),
        fall: dice.ratio(usual.fall, PARTS),
        recent: dice.one_of(&[RecentReservations::Added, RecentReservations::WithinMaximum]),
        sender,
        denied,
        retry: retry.filter(|_| denied == DeniedFlow::GivesUp),
        exceeds: exceeds && sender == ProfileSender::Paced,
        recovery: recovery(dice),
        delayed_ack: dice.maybe(Dice::flag),
        min_rto: rto(dice),
        initial_rto: rto(dice),
    }
}

/// None half of the time.
fn rtt_groups(dice: &mut Dice) -> RttGroups {
    let count = dice.maybe(|dice| dice.one_of(&[1, 2, 3, 4, MAX_BOUNDS])).unwrap_or(0);
    let longest = xcp::params::MIN_TIME..=feedback::LONGEST_RTT;
    let mut bounds: Vec<Span> =
        (0..count).map(|_| dice.span(Span::from_millis(500), longest.clone())).collect();
    bounds.sort_unstable();
    bounds.dedup();
    RttGroups::new(&bounds)
}

fn ncp(dice: &mut Dice) -> NcpParams {
    let usual = NcpParams::default();
    let counted = dice.one_of(&[FlowCount::Eq8, FlowCount::Eq5, FlowCount::Eq6, FlowCount::Eq12]);
    let compensated = dice.flag();
    NcpParams {
        alpha: dice.ratio(usual.alpha, PARTS),
        beta: dice.ratio(usual.beta, QUEUE_GAINS),
        queue_counts: queue_counts(dice),
        counted,
        counter: dice.one_of(&[CounterKind::Exact, CounterKind::Bitmap, CounterKind::HyperLogLog]),
        counter_memory: dice.one_of(&[
            *flow_counter::MEMORY.start(),
            usual.counter_memory,
            *flow_counter::MEMORY.end(),
        ]),
        elsewhere: dice.one_of(&[Elsewhere::Current, Elsewhere::Granted]),
        compensated: compensated && counted != FlowCount::Eq12,
        initial_rtt: dice.span(usual.initial_rtt, INTERVALS),
        rtt_gain: dice.ratio(usual.rtt_gain, PARTS),
        min_rate: dice.ratio(usual.min_rate, PARTS),
        rtt_source: dice.one_of(&[RttSource::Smoothed, RttSource::TimeStamps]),
        paced: !dice.flag(),
        recovery: recovery(dice),
        min_rto: rto(dice),
        initial_rto: rto(dice),
        desired_rate: dice.rate(),
    }
}

fn ncp_increments(dice: &mut Dice) -> NcpIncrementsParams {
    let usual = NcpIncrementsParams::default();
    NcpIncrementsParams {
        alpha: dice.ratio(usual.alpha, xcp::params::GAINS),
        beta: dice.ratio(usual.beta, xcp::params::QUEUE_GAINS),
        sharing: dice.one_of(&[Sharing::Equal, Sharing::Proportional, Sharing::EqualShare]),
        queue_counts: queue_counts(dice),
        initial_rtt: dice.span(usual.initial_rtt, INTERVALS),
        rtt_gain: dice.ratio(usual.rtt_gain, PARTS),
        initial_window: initial_window(dice),
        desired_rate: dice.rate(),
        recovery: recovery(dice),
        delayed_ack: dice.maybe(Dice::flag),
        min_rto: rto(dice),
        initial_rto: rto(dice),
    }
}

fn ledger(dice: &mut Dice) -> LedgerParams {
    use sluice_laws::ledger::params::{DRAIN_TIMES, SEND_BUFFERS, TAILS, TARGETS};
    let usual = LedgerParams::default();
    LedgerParams {
        stated: dice.one_of(&[Stated::Size, Stated::SendBuffer, Stated::Nothing]),
        informed: dice.one_of(&[0.0, 0.5, 1.0].map(Ratio::new)),
        send_buffer: dice.one_of(&[*SEND_BUFFERS.start(), usual.send_buffer, *SEND_BUFFERS.end()]),
        assumed_tail: dice.ratio(usual.assumed_tail, TAILS),
        target_queue: dice.ratio(usual.target_queue, TARGETS),
        drain_time: dice.ratio(usual.drain_time, DRAIN_TIMES),
        initial_rtt: dice.span(usual.initial_rtt, INTERVALS),
        rtt_gain: dice.ratio(usual.rtt_gain, PARTS),
        min_rate: dice.ratio(usual.min_rate, PARTS),
        desired_rate: dice.rate(),
        recovery: recovery(dice),
        min_rto: rto(dice),
        initial_rto: rto(dice),
    }
}

fn tcp(dice: &mut Dice) -> TcpParams {
    with_window!(
        dice,
        TcpParams {
            ecn: dice.maybe(ecn),
            pacing: dice.flag(),
            growth: dice.one_of(&[Growth::ByteCounting, Growth::PerAck]),
            min_window: dice.small(2, 1..=2),
            grow_as_recovery_ends: dice.flag(),
        }
    )
}

fn cubic(dice: &mut Dice) -> CubicParams {
    let usual = CubicParams::default();
    with_window!(
        dice,
        CubicParams {
            ecn: dice.maybe(ecn),
            pacing: dice.flag(),
            c: dice.ratio(usual.c, cubic::params::C),
            beta: dice.ratio(usual.beta, cubic::params::BETAS),
            fast_convergence: !dice.flag(),
        }
    )
}

fn dctcp(dice: &mut Dice) -> DctcpParams {
    let usual = DctcpParams::default();
    with_window!(
        dice,
        DctcpParams {
            ecn: dice.maybe(|dice| dice.one_of(&[EcnMode::Ect0, EcnMode::Ect1])),
            pacing: dice.flag(),
            g: dice.ratio(usual.g, dctcp::params::GAINS),
            initial_alpha: dice.ratio(usual.initial_alpha, dctcp::params::ALPHAS),
        }
    )
}

fn prague(dice: &mut Dice) -> PragueParams {
    let usual = PragueParams::default();
    with_window!(
        dice,
        PragueParams {
            ecn: dice.maybe(|dice| dice.one_of(&[EcnMode::Ect0, EcnMode::Ect1])),
            g: dice.ratio(usual.g, prague::params::GAINS),
            rtt_virt_min: dice.span(usual.rtt_virt_min, prague::params::VIRTUAL_RTTS),
            rtt_transition: dice.small(usual.rtt_transition, 0..=1000),
        }
    )
}

fn bbr1(dice: &mut Dice) -> Bbr1Params {
    let usual = Bbr1Params::default();
    with_transport!(
        dice,
        Bbr1Params {
            probe_rtt_duration: dice.span(usual.probe_rtt_duration, PROBE_RTT_DURATIONS),
            cwnd_gain: dice.ratio(usual.cwnd_gain, bbr1::params::CWND_GAINS),
            pacing_margin: dice.ratio(usual.pacing_margin, bbr1::params::PACING_MARGINS),
            rtprop_filter_len: dice.span(usual.rtprop_filter_len, PROBE_RTT_INTERVALS),
        }
    )
}

fn bbr3(dice: &mut Dice) -> Bbr3Params {
    let usual = Bbr3Params::default();
    with_transport!(
        dice,
        Bbr3Params {
            probe_rtt_duration: dice.span(usual.probe_rtt_duration, PROBE_RTT_DURATIONS),
            loss_thresh: dice.ratio(usual.loss_thresh, bbr3::params::LOSS_THRESHES),
            beta: dice.ratio(usual.beta, bbr3::params::BETAS),
            headroom: dice.ratio(usual.headroom, bbr3::params::HEADROOMS),
            probe_wait: dice.span(usual.probe_wait, bbr3::params::PROBE_WAITS),
            probe_rtt_interval: dice.span(usual.probe_rtt_interval, PROBE_RTT_INTERVALS),
        }
    )
}

fn swift(dice: &mut Dice) -> SwiftParams {
    use swift::params::{
        BASE_TARGETS, DECREASES, FS_CWNDS, FS_RANGES, INCREASES, MAX_CWNDS, MIN_CWNDS, PER_HOPS,
        RESET_THRESHOLDS,
    };
    let usual = SwiftParams::default();
    let (least, most) = (*FS_CWNDS.start(), *FS_CWNDS.end());
    let fs_max_cwnd = dice.ratio(usual.fs_max_cwnd, (Excluded(least), Included(most)));
    let below = (Included(least), Excluded(fs_max_cwnd));
    let fs_min_cwnd = dice.ratio(usual.fs_min_cwnd, below);
    with_transport!(
        dice,
        SwiftParams {
            base_target: dice.span(usual.base_target, BASE_TARGETS),
            per_hop: dice.span(usual.per_hop, PER_HOPS),
            fs_range: dice.span(usual.fs_range, FS_RANGES),
            fs_min_cwnd: if fs_min_cwnd < fs_max_cwnd { fs_min_cwnd } else { least },
            fs_max_cwnd,
            ai: dice.ratio(usual.ai, INCREASES),
            beta: dice.ratio(usual.beta, DECREASES),
            max_mdf: dice.ratio(usual.max_mdf, DECREASES),
            min_cwnd: dice.ratio(usual.min_cwnd, MIN_CWNDS),
            max_cwnd: dice.ratio(usual.max_cwnd, MAX_CWNDS),
            retx_reset_threshold: dice.small(usual.retx_reset_threshold, RESET_THRESHOLDS),
        }
    )
}

fn tfrc(dice: &mut Dice) -> TfrcParams {
    with_transport!(
        dice,
        TfrcParams {
            ecn: dice.maybe(|dice| dice.one_of(&[EcnMode::Off, EcnMode::Ect0, EcnMode::Ect1])),
            reduce_oscillations: dice.flag(),
            history_discounting: dice.flag(),
        }
    )
}

fn hpcc(dice: &mut Dice) -> HpccParams {
    use hpcc::params::{FLOWS, RTTS, STAGES, TARGETS};
    let usual = HpccParams::default();
    HpccParams {
        eta: dice.ratio(usual.eta, TARGETS),
        max_stage: dice.small(usual.max_stage, STAGES),
        flows: dice.small(usual.flows, FLOWS),
        base_rtt: dice.maybe(|dice| dice.span(Span::from_micros(13), RTTS)),
        recovery: recovery(dice),
        min_rto: rto(dice),
        initial_rto: rto(dice),
    }
}

fn alpha_fair(dice: &mut Dice) -> AlphaFairParams {
    let usual = AlphaFairParams::default();
    let efficiency = dice.one_of(&[PriceControl::Rcp, PriceControl::Xcp]);
    AlphaFairParams {
        efficiency,
        fairness: dice.ratio(usual.fairness, alpha_fair::params::FAIRNESS),
        gain: match efficiency {
            PriceControl::Rcp => dice.ratio(usual.gain, GAINS),
            PriceControl::Xcp => dice.ratio(usual.gain, xcp::params::GAINS),
        },
        gamma: dice.ratio(usual.gamma, PARTS),
        interval: dice.span(usual.interval, INTERVALS),
        initial_rate: dice.ratio(usual.initial_rate, PARTS),
        max_rate: dice.ratio(usual.max_rate, alpha_fair::params::MAX_RATES),
        recovery: rcp_recovery(dice),
        min_rto: rto(dice),
        initial_rto: rto(dice),
        desired_rate: dice.rate(),
    }
}

fn queue_counts(dice: &mut Dice) -> QueueCounts {
    dice.one_of(&[QueueCounts::Waiting, QueueCounts::Unsent, QueueCounts::Least])
}

fn sampled(dice: &mut Dice) -> Sampled {
    dice.one_of(&[Sampled::Arrival, Sampled::Departure])
}

fn rto(dice: &mut Dice) -> Option<Span> {
    dice.maybe(|dice| dice.span(Transport::DEFAULT.min_rto, Transport::RTOS))
}

fn initial_window(dice: &mut Dice) -> Option<u32> {
    let usual = Transport::DEFAULT.initial_window;
    dice.maybe(|dice| dice.small(usual, Transport::INITIAL_WINDOWS))
}

fn ssthresh(dice: &mut Dice) -> Option<u32> {
    dice.maybe(|dice| dice.small(2, 2..))
}

fn recovery(dice: &mut Dice) -> Option<LossRecovery> {
    const ALL: [LossRecovery; 4] =
        [LossRecovery::Rack, LossRecovery::Sack, LossRecovery::NewReno, LossRecovery::Reno];
    dice.maybe(|dice| dice.one_of(&ALL))
}

fn slow_start(dice: &mut Dice) -> SlowStart {
    dice.one_of(&[SlowStart::Standard, SlowStart::HyStartPlusPlus])
}

fn ecn(dice: &mut Dice) -> EcnMode {
    dice.one_of(&[EcnMode::Off, EcnMode::Ect0, EcnMode::Ect1])
}

fn rcp_recovery(dice: &mut Dice) -> Option<RcpRecovery> {
    const ALL: [RcpRecovery; 5] = [
        RcpRecovery::Rack,
        RcpRecovery::Sack,
        RcpRecovery::NewReno,
        RcpRecovery::Reno,
        RcpRecovery::Rounds,
    ];
    dice.maybe(|dice| dice.one_of(&ALL))
}

fn variant(dice: &mut Dice) -> RecoveryVariant {
    RecoveryVariant {
        restart_timer_at_fast_retransmit: dice.flag(),
        avoid_multiple_fast_retransmits: dice.flag(),
        limited_transmit_after_time_out: dice.flag(),
        pipe_counts_acks: dice.flag(),
        ignore_sacks_after_time_out: dice.flag(),
        forget_sacks_at_new_ack: dice.flag(),
    }
}
