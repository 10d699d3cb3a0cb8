//! XCP, the eXplicit Control Protocol: routers grant every packet a change of its flow's
//! throughput.
//!
//! After D. Katabi, "Decoupling Congestion Control and Bandwidth Allocation Policy With Application
//! to High Bandwidth-Delay Product Networks" (PhD thesis, MIT, 2003), chapter 4 and Appendix A;
//! sections and equations named in this folder are the thesis'. Senders state their throughput and
//! RTT in each packet ([`header`], [`host`]). Each router decides once an average RTT by how much
//! the traffic as a whole should change ([`router`]) and apportions that to the packets of the next
//! interval ([`feedback`]); receivers send what is left of it back ([`receiver`]). Hosts that cheat are in
//! [`misconduct`], [`unresponsive`] and `dishonest_receiver`; what finds them is in [`policing`] and
//! `checked`. Routers that share a link with TCP are in [`friendly`] and [`friendly_router`], flows that check their
//! path in [`path_check`] and `fallback`.
//!
//! Where the chapter and its appendix differ, the chapter's text is the default and the appendix an
//! option ([`XcpParams::shuffle`], [`XcpParams::queue_at`]). Corrected without an option, as errors of the
//! text (each is described where it is implemented): H_rtt = -1 entering the sums, the booking of
//! feedback that a header does not take, and sums that may be zero.

mod ageing;
mod capacity;
mod checked;
mod choices;
mod delegate;
mod dishonest_receiver;
pub(crate) mod efficiency;
mod fairness;
mod fallback;
pub mod feedback;
mod fraction;
pub mod friendly;
pub mod friendly_router;
pub mod grouped;
mod grouped_fast;
pub mod header;
pub mod host;
pub(crate) mod intervals;
pub mod misconduct;
pub mod need;
pub mod params;
pub mod path_check;
pub mod policing;
pub mod receiver;
mod receiver_check;
pub mod router;
mod rtt_groups;
pub mod unresponsive;
pub mod window_sums;

pub use choices::{Balance, Efficiency, Shuffle, StatedWindow, TcpWindow, XiBytes};
pub use params::XcpParams;
pub use rtt_groups::{MAX_BOUNDS, RttGroups};

use core::ops::RangeInclusive;

use sluice_units::{Faults, Rate, Ratio};

use self::checked::Checked;
use self::dishonest_receiver::DishonestReceiver;
use self::fallback::FallbackSender;
use self::misconduct::with_gains;
use self::receiver_check::ReceiverCheck;
use self::unresponsive::Unresponsive;
use crate::WireHeader;
use crate::conduct::{Conduct, Departure};
use crate::host::{Echo, HostLaw, NoHeader, SenderContext};
use crate::protocol::{LinkContext, Protocol, ProtocolInfo, WEIGHTS, check_desired_rate};
use crate::router::{LawHeader as _, LinkRouter, RouterLaw, RouterPort};
use crate::tcp::TcpParams;
use crate::transport::{EcnMode, FieldSource, TransportOverrides};
use crate::wire::Form;

impl Protocol for XcpParams {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "xcp",
            title: "eXplicit Control Protocol: routers grant each packet a change of its flow's rate",
            source: "Katabi, Decoupling Congestion Control and Bandwidth Allocation Policy, MIT, 2003",
            equations: &[
                "window from feedback: equation (4.1)",
                "average RTT: equation (4.2)",
                "aggregate feedback, phi: equation (4.3), or from the queue alone (section 9.3.1)",
                "capacity known, configured or measured: section 9.3.1",
                "shuffled traffic, h: equation (4.4)",
                "feedback of a packet, p - n: equations (4.5) to (4.11)",
                "routers and timers: Appendix A",
                "TCP-friendly routers: equations (8.1) to (8.6)",
            ],
        }
    }

    fn check(&self, faults: &mut Faults) {
        faults.within("alpha", &self.alpha, &params::GAINS);
        faults.within("beta", &self.beta, &params::QUEUE_GAINS);
        faults.within("increase", &self.increase, &params::INCREASES);
        faults.within("kappa", &self.kappa, &params::STEPS);
        if let Some(ratio) = &self.configured_capacity {
            faults.within("configured_capacity", ratio, &params::CONFIGURED);
        }
        if faults.sound(|faults| faults.within("gamma", &self.gamma, &params::SHUFFLED)) {
            // Where it plays no part, a gamma may be above its default.
            let needs = self.shuffle == Shuffle::Need;
            let least = if needs { self.gamma } else { *params::SHUFFLED.start() };
            faults.within("max_gamma", &self.max_gamma, &(least..=*params::SHUFFLED.end()));
        }
        self.rtt_groups.check("rtt_groups", &params::GROUP_RTTS, faults);
        self.check_groups(faults);
        let longest = params::MIN_TIME..=feedback::LONGEST_RTT;
        if faults.sound(|faults| faults.within("max_interval", &self.max_interval, &longest)) {
            let shortest = params::MIN_TIME..=self.max_interval;
            faults.within("min_interval", &self.min_interval, &shortest);
        }
        faults.within("first_interval", &self.first_interval, &params::TIMES);
        faults.within("min_queue_timer", &self.min_queue_timer, &params::TIMES);
        check_desired_rate(self.desired_rate, faults);
        faults.within("check_receiver", &self.check_receiver, &params::CHECKED);
        self.overrides().check(faults);
    }

    fn desired_rate(&self) -> Option<Rate> {
        self.desired_rate
    }

    fn weights(&self) -> Option<RangeInclusive<Ratio>> {
        Some(WEIGHTS)
    }

    fn departures(&self) -> &'static [Departure] {
        &[
            Departure::ThroughputGain,
            Departure::RttGain,
            Departure::IncreaseGain,
            Departure::DecreaseGain,
            Departure::FixedRate,
            Departure::AddedFeedback,
            Departure::ConventionalReceiver,
        ]
    }

    /// "XCP still needs to respond to packet losses [...] in a similar manner to TCP" (section 4.5):
    /// its window, recovery and timers are that of any protocol. It has no use for marks: its routers
    /// state more.
    fn overrides(&self) -> TransportOverrides {
        TransportOverrides {
            initial_window: self.initial_window.into(),
            recovery: self.recovery.into(),
            delayed_ack: self.delayed_ack.into(),
            ecn: FieldSource::Implied(EcnMode::Off),
            min_rto: self.min_rto.into(),
            initial_rto: self.initial_rto.into(),
        }
    }

    /// Without [`XcpParams::fallback`], also of best-effort packets of another protocol, whose SYN asks for
    /// something else.
    fn host(&self, context: &SenderContext) -> Box<dyn HostLaw> {
        self.sender(context)
    }

    fn best_effort(&self) -> Option<&'static str> {
        self.fallback.then(|| TcpParams::default().about().name)
    }

    fn host_with(&self, context: &SenderContext, tcp: Box<dyn HostLaw>) -> Box<dyn HostLaw> {
        if self.fallback {
            Box::new(FallbackSender::new(self.sender(context), tcp, context.hops))
        } else {
            self.sender(context)
        }
    }

    fn checks_path(&self) -> bool {
        self.fallback
    }

    fn echo(&self) -> &'static dyn Echo {
        &receiver::XcpReceiver
    }

    fn receiver(&self, conduct: &Conduct) -> (&'static dyn Echo, WireHeader) {
        if conduct.conventional_receiver {
            return (&NoHeader, WireHeader::default());
        }
        match conduct.added_feedback {
            Some(added) => (&DishonestReceiver, DishonestReceiver::pending(added)),
            None => (self.echo(), WireHeader::default()),
        }
    }

    fn wire(&self) -> Option<Form> {
        Some(header::XcpHeader::FORM)
    }

    fn router(&self, link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        if !self.rtt_groups.is_one() {
            self.port(grouped::GroupedRouter::new(*self, link), link)
        } else if self.shuffle == Shuffle::Need {
            self.port(router::XcpRouter::<need::NeedSums>::new(*self, link), link)
        } else {
            self.port(router::XcpRouter::<feedback::XcpSums>::new(*self, link), link)
        }
    }

    fn weighing_router(&self, link: &LinkContext, weight: Ratio) -> Option<Box<dyn RouterPort>> {
        self.port(friendly_router::FriendlyRouter::new(*self, link, weight), link)
    }

    fn check_weighing(&self, faults: &mut Faults) {
        let what =
            "cannot be combined with the queue `tcp_friendly`, whose weights follow all flows";
        faults.need(self.rtt_groups.is_one(), "rtt_groups", what);
        let what =
            "`\"need\"` cannot be combined with the queue `tcp_friendly`, whose law has other sums";
        faults.need(self.shuffle != Shuffle::Need, "shuffle", what);
    }

    fn check_conduct(&self, conduct: &Conduct, faults: &mut Faults) {
        conduct.check(self.about().name, self.departures(), faults);
        if !self.fallback {
            return;
        }
        let what = "cannot be combined with `fallback`: it would change the answer to the SYN that checks the path";
        faults.need(conduct.added_feedback.is_none(), "added_feedback", what);
        let what = "cannot be combined with `fallback`: a flow that reverts is TCP's, which has no fixed rate";
        faults.need(conduct.fixed_rate.is_none(), "fixed_rate", what);
    }
}

impl XcpParams {
    /// XCP's sender of a flow.
    fn sender(&self, context: &SenderContext) -> Box<dyn HostLaw> {
        let conduct = &context.conduct;
        if let Some(rate) = conduct.fixed_rate {
            let packet = u32::try_from(context.packet.as_u64()).unwrap_or(u32::MAX);
            return with_gains(Unresponsive::new(rate, context.weight, packet), conduct);
        }
        // The check compares what the receiver returned, before an abuser's gains.
        let sender = with_gains(host::XcpSender::new(self, context), conduct);
        match ReceiverCheck::new(self.check_receiver, context) {
            Some(check) => Box::new(Checked::new(sender, check)),
            None => sender,
        }
    }

    /// Puts `law` at that link.
    fn port<L>(&self, law: L, link: &LinkContext) -> Option<Box<dyn RouterPort>>
    where
        L: RouterLaw<Header = header::XcpHeader> + 'static,
    {
        if self.fallback {
            Some(Box::new(LinkRouter::new(path_check::Counting(law), link.capacity)))
        } else {
            Some(Box::new(LinkRouter::new(law, link.capacity)))
        }
    }

    /// Adds what groups by RTT cannot be combined with to `faults`.
    fn check_groups(&self, faults: &mut Faults) {
        if self.rtt_groups.is_one() {
            return;
        }
        let spare = self.efficiency == Efficiency::Spare;
        let what = "needs `efficiency = \"spare\"`: a group steers for its share of the capacity";
        faults.need(spare, "rtt_groups", what);
        let measured = self.shuffle != Shuffle::Need;
        let what = "cannot be combined with `shuffle = \"need\"`, which is measured over all flows";
        faults.need(measured, "rtt_groups", what);
        let stated = self.xi_n_counts == XiBytes::Stated;
        let what = "needs `xi_n_counts = \"stated\"`: other packets belong to no group";
        faults.need(stated, "rtt_groups", what);
    }
}

#[cfg(test)]
pub(crate) mod closed_loop;

#[cfg(test)]
mod tests {
    use sluice_units::{Rate, Span};

    use super::*;

    #[test]
    fn the_defaults_are_valid_and_errors_name_the_field() {
        let good = XcpParams::default();
        let grouped = XcpParams { rtt_groups: RttGroups::new(&[Span::from_secs(1)]), ..good };
        assert_eq!(Faults::of(|faults| good.check(faults)), []);
        assert_eq!(Faults::of(|faults| grouped.check(faults)), []);
        let wrong = [
            ("alpha", XcpParams { alpha: Ratio::new(0.0), ..good }),
            ("beta", XcpParams { beta: Ratio::new(-0.1), ..good }),
            ("increase", XcpParams { increase: Ratio::new(0.0), ..good }),
            (
                "configured_capacity",
                XcpParams { configured_capacity: Some(Ratio::new(0.0)), ..good },
            ),
            ("gamma", XcpParams { gamma: Ratio::new(1.01), ..good }),
            (
                "max_gamma",
                XcpParams { shuffle: Shuffle::Need, max_gamma: Ratio::new(0.09), ..good },
            ),
            ("max_gamma", XcpParams { max_gamma: Ratio::new(1.01), ..good }),
            ("rtt_groups", XcpParams { rtt_groups: RttGroups::new(&[Span::ZERO]), ..good }),
            ("rtt_groups", XcpParams { efficiency: Efficiency::Queue, ..grouped }),
            ("rtt_groups", XcpParams { shuffle: Shuffle::Need, ..grouped }),
            ("rtt_groups", XcpParams { xi_n_counts: XiBytes::All, ..grouped }),
            ("max_interval", XcpParams { max_interval: Span::from_secs(17), ..good }),
            ("min_interval", XcpParams { max_interval: Span::from_millis(4), ..good }),
            ("first_interval", XcpParams { first_interval: Span::ZERO, ..good }),
            ("min_queue_timer", XcpParams { min_queue_timer: Span::ZERO, ..good }),
            ("check_receiver", XcpParams { check_receiver: Ratio::new(0.6), ..good }),
            ("initial_window", XcpParams { initial_window: Some(0), ..good }),
            ("min_rto", XcpParams { min_rto: Some(Span::ZERO), ..good }),
            ("initial_rto", XcpParams { initial_rto: Some(Span::from_secs(61)), ..good }),
            ("desired_rate", XcpParams { desired_rate: Some(Rate::ZERO), ..good }),
        ];
        for (field, params) in wrong {
            let faults = Faults::of(|faults| params.check(faults));
            assert_eq!(faults.iter().map(|fault| &*fault.field).collect::<Vec<_>>(), [field]);
        }
    }

    #[test]
    fn the_default_gains_satisfy_theorem_1() {
        let XcpParams { alpha, beta, .. } = XcpParams::default();
        let bound = std::f64::consts::PI / (4.0 * std::f64::consts::SQRT_2);
        assert!(alpha.get() > 0.0 && alpha.get() < bound);
        let exact = alpha.get() * alpha.get() * std::f64::consts::SQRT_2;
        assert!((beta.get() - exact).abs() < 5e-4, "{exact}");
    }
}
