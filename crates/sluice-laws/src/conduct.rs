//! Hosts that depart from their law: users who cheat (Katabi's thesis, chapter 7).

use core::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Rate, Ratio};

/// How a sender or its receiver departs from the law. By default neither does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Conduct {
    /// A T-liar: its true throughput over the one that it declares to routers. 0.001 to 1000, 1 by
    /// default. For `xcp` and `ledger`, whose headers have the time between two packets, up to 16 s.
    pub throughput_gain: Ratio,
    /// A D-liar: its true RTT over the one that it declares to routers. 0.001 to 1000, 1 by
    /// default. For `xcp` and `ledger`, whose headers have RTTs up to 16 s.
    pub rtt_gain: Ratio,
    /// A liar about sizes: the bytes that it has left over those that it declares to routers. 0.001 to 1000, 1 by default. For
    /// `ledger`; it declares an end even if its data have none.
    pub left_gain: Ratio,
    /// A responsive abuser: its increases over those that it may make. 0.001 to 1000, 1 by default.
    /// For `xcp`, where it multiplies positive feedback, and `tcp`, where it multiplies the growth of
    /// congestion avoidance.
    pub increase_gain: Ratio,
    /// A responsive abuser: its decreases over those that it must make, so that one below 1 gives up
    /// too little. 0.001 to 1000, 1 by default. For `xcp`, where it multiplies negative feedback and
    /// a loss halves the window all the same, and `tcp`, where a loss or a mark takes half of the
    /// window times the gain, at most all of it. A time-out leaves one packet.
    pub decrease_gain: Ratio,
    /// An unresponsive abuser: the rate of its packets on the wire, whatever the feedback and the
    /// losses; what is lost is sent again at that rate, which it declares even while it has less to
    /// send. By default it responds. For `xcp`; an unresponsive user of another protocol is a `udp`
    /// group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixed_rate: Option<Rate>,
    /// A lying receiver: what it adds to the feedback of each packet, above 0. By default it returns what
    /// routers left. For `xcp`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added_feedback: Option<Rate>,
    /// A receiver that does not know the protocol: its acknowledgements have no congestion header. By default
    /// it does. For `xcp`, whose flows revert to TCP with `fallback`, and never get feedback without.
    #[serde(skip_serializing_if = "is_false")]
    pub conventional_receiver: bool,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// A way to depart from a law: a field of [`Conduct`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// [`Conduct::throughput_gain`]
    ThroughputGain,
    /// [`Conduct::rtt_gain`]
    RttGain,
    /// [`Conduct::left_gain`]
    LeftGain,
    /// [`Conduct::increase_gain`]
    IncreaseGain,
    /// [`Conduct::decrease_gain`]
    DecreaseGain,
    /// [`Conduct::fixed_rate`]
    FixedRate,
    /// [`Conduct::added_feedback`]
    AddedFeedback,
    /// [`Conduct::conventional_receiver`]
    ConventionalReceiver,
}

/// Gains of senders; the thesis' means are from 0.01 to 100.
pub const GAINS: RangeInclusive<Ratio> = Ratio::new(0.001)..=Ratio::new(1000.0);

impl Departure {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::ThroughputGain,
        Self::RttGain,
        Self::LeftGain,
        Self::IncreaseGain,
        Self::DecreaseGain,
        Self::FixedRate,
        Self::AddedFeedback,
        Self::ConventionalReceiver,
    ];

    const fn field(self) -> &'static str {
        match self {
            Self::ThroughputGain => "throughput_gain",
            Self::RttGain => "rtt_gain",
            Self::LeftGain => "left_gain",
            Self::IncreaseGain => "increase_gain",
            Self::DecreaseGain => "decrease_gain",
            Self::FixedRate => "fixed_rate",
            Self::AddedFeedback => "added_feedback",
            Self::ConventionalReceiver => "conventional_receiver",
        }
    }
}

impl Conduct {
    /// A sender that keeps to its law.
    pub const HONEST: Self = Self {
        throughput_gain: Ratio::new(1.0),
        rtt_gain: Ratio::new(1.0),
        left_gain: Ratio::new(1.0),
        increase_gain: Ratio::new(1.0),
        decrease_gain: Ratio::new(1.0),
        fixed_rate: None,
        added_feedback: None,
        conventional_receiver: false,
    };

    /// Adds to `faults` what is out of range, and what is not among the departures that senders of the
    /// protocol `name` can make.
    pub(crate) fn check(&self, name: &str, possible: &[Departure], faults: &mut Faults) {
        for departure in Departure::ALL {
            if possible.contains(&departure) {
                self.check_range(departure, faults);
            } else if self.has(departure) {
                faults.add(departure.field(), impossible(name, possible));
            }
        }
        for departure in [Departure::IncreaseGain, Departure::DecreaseGain] {
            if self.fixed_rate.is_some() && self.has(departure) {
                faults.add(departure.field(), "has no effect with `fixed_rate`");
            }
        }
        if self.conventional_receiver && self.added_feedback.is_some() {
            faults.add("added_feedback", "has no effect with `conventional_receiver`");
        }
    }

    fn check_range(&self, departure: Departure, faults: &mut Faults) {
        match self.degree(departure) {
            Degree::Gain(gain) => faults.within(departure.field(), &gain, &GAINS),
            Degree::Rate(rate) => {
                faults.need(rate != Some(Rate::ZERO), departure.field(), "must be above 0");
            }
            Degree::Flag(_) => {}
        }
    }

    fn has(&self, departure: Departure) -> bool {
        match self.degree(departure) {
            Degree::Gain(gain) => gain != Ratio::new(1.0),
            Degree::Rate(rate) => rate.is_some(),
            Degree::Flag(departs) => departs,
        }
    }

    const fn degree(&self, departure: Departure) -> Degree {
        match departure {
            Departure::ThroughputGain => Degree::Gain(self.throughput_gain),
            Departure::RttGain => Degree::Gain(self.rtt_gain),
            Departure::LeftGain => Degree::Gain(self.left_gain),
            Departure::IncreaseGain => Degree::Gain(self.increase_gain),
            Departure::DecreaseGain => Degree::Gain(self.decrease_gain),
            Departure::FixedRate => Degree::Rate(self.fixed_rate),
            Departure::AddedFeedback => Degree::Rate(self.added_feedback),
            Departure::ConventionalReceiver => Degree::Flag(self.conventional_receiver),
        }
    }
}

/// How far a departure goes: 1, none and `false` are no departure.
enum Degree {
    Gain(Ratio),
    Rate(Option<Rate>),
    Flag(bool),
}

/// That senders of the protocol cannot depart from it in this way, and in which they can.
fn impossible(name: &str, possible: &[Departure]) -> String {
    if possible.is_empty() {
        return format!("not for `{name}`, whose hosts always keep to their law");
    }
    let fields: Vec<_> = possible.iter().map(|other| format!("`{}`", other.field())).collect();
    format!("not for `{name}`, which has {}", fields.join(" and "))
}

impl Default for Conduct {
    fn default() -> Self {
        Self::HONEST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(conduct: Conduct, possible: &[Departure]) -> Vec<String> {
        let faults = Faults::of(|faults| conduct.check("law", possible, faults));
        faults.into_iter().map(|fault| fault.to_string()).collect()
    }

    /// What departs in one way, by a gain of `gain` or a rate of as many megabits a second.
    fn departing(departure: Departure, gain: f64) -> Conduct {
        let mut conduct = Conduct::HONEST;
        let (ratio, rate) = (Ratio::new(gain), Rate::from_bps_f64(gain * 1e6));
        match departure {
            Departure::ThroughputGain => conduct.throughput_gain = ratio,
            Departure::RttGain => conduct.rtt_gain = ratio,
            Departure::LeftGain => conduct.left_gain = ratio,
            Departure::IncreaseGain => conduct.increase_gain = ratio,
            Departure::DecreaseGain => conduct.decrease_gain = ratio,
            Departure::FixedRate => conduct.fixed_rate = Some(rate),
            Departure::AddedFeedback => conduct.added_feedback = Some(rate),
            Departure::ConventionalReceiver => conduct.conventional_receiver = true,
        }
        conduct
    }

    #[test]
    fn an_honest_sender_suits_every_protocol() {
        assert!(faults(Conduct::default(), &[]).is_empty());
        assert!(faults(Conduct::default(), &Departure::ALL).is_empty());
    }

    #[test]
    fn a_departure_suits_the_protocols_that_have_it() {
        for departure in Departure::ALL {
            let (conduct, field) = (departing(departure, 8.0), departure.field());
            assert!(faults(conduct, &[departure]).is_empty(), "{field}");
            let none = format!("{field}: not for `law`, whose hosts always keep to their law");
            assert_eq!(faults(conduct, &[]), [none]);
        }
        let tcp = [Departure::IncreaseGain, Departure::DecreaseGain];
        let what = "rtt_gain: not for `law`, which has `increase_gain` and `decrease_gain`";
        assert_eq!(faults(departing(Departure::RttGain, 8.0), &tcp), [what]);
    }

    #[test]
    fn a_fixed_rate_leaves_no_feedback_to_multiply() {
        let both =
            Conduct { increase_gain: Ratio::new(2.0), ..departing(Departure::FixedRate, 1.0) };
        let what = "increase_gain: has no effect with `fixed_rate`";
        assert_eq!(faults(both, &Departure::ALL), [what]);
    }

    #[test]
    fn a_departure_has_a_range() {
        let has_range = |departure: &Departure| *departure != Departure::ConventionalReceiver;
        for departure in Departure::ALL.into_iter().filter(has_range) {
            assert_eq!(
                faults(departing(departure, 0.0), &Departure::ALL).len(),
                1,
                "{departure:?}"
            );
        }
        let what = "rtt_gain: must be 0.001 to 1000, not 1001";
        assert_eq!(faults(departing(Departure::RttGain, 1001.0), &Departure::ALL), [what]);
    }
}
