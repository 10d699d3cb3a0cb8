//! Senders that do not keep to the law (chapter 7): what they declare, and what they make of feedback.

use sluice_units::Rate;

use crate::conduct::Conduct;

/// The parts of a [`Conduct`] that are not a weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dishonesty {
    /// The declared RTT over the true one. "We call the ratio of the true RTT to declared RTT the gain
    /// of the D-liar" (section 7.3.2).
    pub(super) declared_rtt: f64,
    /// "Whenever the feedback is positive, the abuser increases its rate by IG x feedback [...]. When
    /// the feedback is negative, the abuser decreases its rate by DG x feedback" (section 7.3.3).
    increase: f64,
    decrease: f64,
    /// In packets a second: "completely ignores the feedback from the network, and continues sending
    /// at a particular rate it wants" (section 7.3.4).
    pub(super) fixed: Option<f64>,
}

impl Dishonesty {
    /// `per_byte` is the inverse of the size of a packet.
    pub(super) fn new(conduct: &Conduct, per_byte: f64) -> Self {
        Self {
            declared_rtt: 1.0 / conduct.rtt_gain.get(),
            increase: conduct.increase_gain.get(),
            decrease: conduct.decrease_gain.get(),
            fixed: conduct.fixed_rate.map(|rate| Rate::as_bytes_per_sec_f64(rate) * per_byte),
        }
    }

    /// What it makes of a feedback.
    pub(super) fn taken(&self, feedback: i32) -> f64 {
        let gain = if feedback < 0 { self.decrease } else { self.increase };
        f64::from(feedback) * gain
    }
}
