//! The parameters of an agent.

use core::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_laws::xcp::policing::TestRules;
use sluice_units::{Faults, Ratio, Span};

use super::sample_and_hold::SampleAndHold;

/// An agent that tests the flows of `xcp` whose data cross the link, before its queue; those of other
/// protocols pass.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Police {
    /// Mean time before a flow is first tested and between two of its tests, 1 ms to 1 h; the times are
    /// exponential, so that senders cannot foresee them. Default 10 s.
    pub every: Span,
    /// The part of its window that a test leaves to a flow, 0.1 to 0.7. Default 0.5.
    pub keep: Ratio,
    /// Tests in a row that a flow must fail to be convicted, 1 to 100. Default 2: an honest flow whose RTT
    /// changes within a test may fail it, since packets state a smoothed RTT.
    pub failures: u32,
    /// What becomes of a convicted flow. Default `"drop"`.
    pub isolate: Isolation,
    /// Least RTT of flows, up to `longest_rtt`: a flow that states a shorter one is tested as if it had stated
    /// this. Default the link's delay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shortest_rtt: Option<Span>,
    /// Largest RTT of flows, 1 ms to 16 s: a flow that states a longer one, which would delay the end of a test,
    /// is tested as if it had stated this. An honest flow of a longer RTT fails. Default 1 s, "about the
    /// maximum RTT in today's Internet" (section 7.3.2). A flow that is silent for twice this time is
    /// forgotten, a convicted one after 120 s.
    pub longest_rtt: Span,
    /// Largest weight of honest flows, 1 to 1000: a flow that sends more than this times what it states,
    /// lies. Default the largest weight in the scenario, at least 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<Ratio>,
    /// Most flows that are tracked at once, 1 to 16777216; others pass. Default 65536.
    pub entries: u32,
    /// Track flows of a high rate only, found by samples; by default all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<SampleAndHold>,
}

/// What becomes of a flow that is convicted, until it is forgotten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    /// Nothing but its entry in the results.
    Report,
    /// Its data beyond the rate that the last test required are dropped. That is a part of what it had, and may
    /// be more than its share.
    Limit,
    /// All of its data are dropped.
    #[default]
    Drop,
}

impl Default for Police {
    fn default() -> Self {
        Self {
            every: Span::from_secs(10),
            keep: Ratio::new(0.5),
            failures: 2,
            isolate: Isolation::default(),
            shortest_rtt: None,
            longest_rtt: Span::from_secs(1),
            weight: None,
            entries: 1 << 16,
            sample: None,
        }
    }
}

const EVERY: RangeInclusive<Span> = Span::from_millis(1)..=Span::from_secs(3600);
/// With a larger part, half of the decrease from a few packets would be less than one packet.
const KEEP: RangeInclusive<Ratio> = Ratio::new(0.1)..=Ratio::new(0.7);
/// Up to the longest RTT that a header states.
const LONGEST: RangeInclusive<Span> = Span::from_millis(1)..=Span::from_secs(16);

impl Police {
    /// Adds what is out of range to `faults`.
    pub(crate) fn check(&self, faults: &mut Faults) {
        faults.within("every", &self.every, &EVERY);
        faults.within("keep", &self.keep, &KEEP);
        faults.within("failures", &self.failures, &(1..=100));
        if faults.sound(|faults| faults.within("longest_rtt", &self.longest_rtt, &LONGEST))
            && let Some(shortest) = self.shortest_rtt
        {
            faults.within("shortest_rtt", &shortest, &(Span::ZERO..=self.longest_rtt));
        }
        if let Some(weight) = self.weight {
            faults.within("weight", &weight, &(Ratio::new(1.0)..=Ratio::new(1000.0)));
        }
        faults.within("entries", &self.entries, &(1..=1 << 24));
        if let Some(sample) = &self.sample {
            faults.inside("sample", |faults| sample.check(faults));
        }
    }

    /// The rules of its tests at a link of this delay, among groups of at most this weight.
    pub(super) fn rules(&self, delay: Span, weight: Ratio) -> TestRules {
        TestRules {
            keep: self.keep,
            failures: self.failures,
            shortest_rtt: self.shortest_rtt.unwrap_or(delay).min(self.longest_rtt),
            longest_rtt: self.longest_rtt,
            weight: self.weight.unwrap_or(weight),
        }
    }
}
