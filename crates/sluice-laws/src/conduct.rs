//! Senders that depart from their law: users who cheat (Katabi's thesis, chapter 7).

use core::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Rate, Ratio};

/// How a sender departs from its law. By default it does not.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Conduct {
    /// A T-liar: its true throughput over the one that it declares to routers. 0.001 to 1000, 1 by
    /// default. For `xcp`.
    pub throughput_gain: Ratio,
    /// A D-liar: its true RTT over the one that it declares to routers. 0.001 to 1000, 1 by
    /// default. For `xcp`.
    pub rtt_gain: Ratio,
    /// A responsive abuser: the factor by which it increases its rate more than it may. 0.001 to
    /// 1000, 1 by default. For `xcp` and `tcp`, there in congestion avoidance.
    pub increase_gain: Ratio,
    /// A responsive abuser: the factor by which it decreases its rate, of what it should: below 1
    /// it is lenient. 0.001 to 1000, 1 by default; for `xcp`, and for `tcp` at losses, where more
    /// than twice the half would leave nothing.
    pub decrease_gain: Ratio,
    /// An unresponsive abuser: the rate at which it sends, whatever routers grant; by default it
    /// responds. For `xcp`; an unresponsive user of another protocol is a `udp` group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixed_rate: Option<Rate>,
}

/// A field of [`Conduct`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// [`Conduct::throughput_gain`]
    ThroughputGain,
    /// [`Conduct::rtt_gain`]
    RttGain,
    /// [`Conduct::increase_gain`]
    IncreaseGain,
    /// [`Conduct::decrease_gain`]
    DecreaseGain,
    /// [`Conduct::fixed_rate`]
    FixedRate,
}

/// The gains that a sender may have: the thesis' are from 0.01 to 100.
const GAINS: RangeInclusive<Ratio> = Ratio::new(0.001)..=Ratio::new(1000.0);

impl Conduct {
    /// A sender that keeps to its law.
    pub const HONEST: Self = Self {
        throughput_gain: Ratio::new(1.0),
        rtt_gain: Ratio::new(1.0),
        increase_gain: Ratio::new(1.0),
        decrease_gain: Ratio::new(1.0),
        fixed_rate: None,
    };

    /// Adds what is out of range to `faults`, and what a protocol called `name` has no way to do.
    pub(crate) fn check(&self, name: &str, possible: &[Departure], faults: &mut Faults) {
        let honest = Ratio::new(1.0);
        let gains = [
            (Departure::ThroughputGain, "throughput_gain", self.throughput_gain),
            (Departure::RttGain, "rtt_gain", self.rtt_gain),
            (Departure::IncreaseGain, "increase_gain", self.increase_gain),
            (Departure::DecreaseGain, "decrease_gain", self.decrease_gain),
        ];
        for (departure, field, gain) in gains {
            if possible.contains(&departure) {
                faults.within(field, &gain, &GAINS);
            } else {
                faults.need(gain == honest, field, &impossible(name));
            }
        }
        if possible.contains(&Departure::FixedRate) {
            faults.need(self.fixed_rate != Some(Rate::ZERO), "fixed_rate", "0 would never send");
        } else {
            faults.need(self.fixed_rate.is_none(), "fixed_rate", &impossible(name));
        }
    }
}

fn impossible(name: &str) -> String {
    format!("senders of `{name}` have no such conduct")
}

impl Default for Conduct {
    fn default() -> Self {
        Self::HONEST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(conduct: Conduct, possible: &[Departure]) -> Vec<String> {
        let faults = Faults::of(|faults| conduct.check("law", possible, faults));
        faults.into_iter().map(|fault| fault.field.to_string()).collect()
    }

    #[test]
    fn honest_senders_need_no_conduct() {
        assert!(fields(Conduct::HONEST, &[]).is_empty());
        assert_eq!(Conduct::default(), Conduct::HONEST);
    }

    #[test]
    fn what_a_protocol_cannot_do_and_what_is_out_of_range_are_faults() {
        let eight = Conduct { throughput_gain: Ratio::new(8.0), ..Conduct::HONEST };
        assert_eq!(fields(eight, &[]), ["throughput_gain"]);
        assert!(fields(eight, &[Departure::ThroughputGain]).is_empty());
        let none = Conduct { decrease_gain: Ratio::new(0.0), ..Conduct::HONEST };
        assert_eq!(fields(none, &[Departure::DecreaseGain]), ["decrease_gain"]);
        let silent = Conduct { fixed_rate: Some(Rate::ZERO), ..Conduct::HONEST };
        assert_eq!(fields(silent, &[Departure::FixedRate]), ["fixed_rate"]);
        assert_eq!(fields(silent, &[]), ["fixed_rate"]);
    }
}
