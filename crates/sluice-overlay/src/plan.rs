//! Links as the command line has them.

use sluice_units::{Bytes, Rate, Span, Time};

/// Default of the most bytes that wait for a link: 128 ms at 4 Mb/s.
pub const ROOM: Bytes = Bytes::new(64_000);

/// The lowest rate of a link: a packet of 1000 bytes takes 1 s. Below, a source that waits some seconds for an answer
/// would end for nothing.
pub const LEAST: Rate = Rate::from_bps(8_000);
/// The highest rate of a link, up to which [`capacity`](crate::capacity) can estimate it.
pub const MOST: Rate = Rate::from_bps(20_000_000);

/// A rate from a time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateStep {
    /// When it begins, on the router's clock.
    pub from: Time,
    /// The rate.
    pub rate: Rate,
}

/// A link to another router, as `--link` has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkPlan {
    /// The UDP port of the router at its end.
    pub to: u16,
    /// The rates that are emulated, at least one.
    pub rates: Vec<RateStep>,
    /// Its propagation delay.
    pub delay: Span,
    /// The most bytes that wait.
    pub room: Bytes,
}

impl LinkPlan {
    /// Reads `PORT:DELAY:RATE[:RATE@TIME]...`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parts = text.split(':');
        let (Some(to), Some(delay)) = (parts.next(), parts.next()) else {
            return Err("write PORT:DELAY:RATE, as 7002:20ms:4Mbps".to_owned());
        };
        let to = to.trim().parse().map_err(|_| format!("`{to}` is not a UDP port"))?;
        let delay = delay.parse().map_err(|error| format!("{error}"))?;
        let rates = parts.map(rate_step).collect::<Result<Vec<RateStep>, String>>()?;
        if rates.is_empty() {
            return Err("there is no rate; write PORT:DELAY:RATE, as 7002:20ms:4Mbps".to_owned());
        }
        Ok(Self { to, rates, delay, room: ROOM })
    }

    /// The text that [`LinkPlan::parse`] reads.
    pub fn text(&self) -> String {
        let mut text = format!("{}:{}ns", self.to, self.delay.as_nanos());
        for step in &self.rates {
            let (bps, at) = (step.rate.as_bps(), step.from.as_nanos());
            text.push_str(&format!(":{bps}bps@{at}ns"));
        }
        text
    }
}

/// A rate, from a time on that is 0 by default.
pub fn rate_step(text: &str) -> Result<RateStep, String> {
    let (rate, from) = text.split_once('@').unwrap_or((text, "0s"));
    let rate = link_rate(rate)?;
    let from: Time = from.parse().map_err(|error| format!("{error}"))?;
    Ok(RateStep { from, rate })
}

/// A rate that a link can have.
pub fn link_rate(text: &str) -> Result<Rate, String> {
    let rate: Rate = text.parse().map_err(|error| format!("{error}"))?;
    if !(LEAST..=MOST).contains(&rate) {
        return Err(format!("a link has {LEAST} to {MOST}, not {rate}"));
    }
    Ok(rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_reads_back_as_written() {
        let read = LinkPlan::parse("7002:20ms:4Mbps:2Mbps@6s").expect("it is valid");
        let steps = [(0, 4_000_000), (6, 2_000_000)].map(|(s, bps)| RateStep {
            from: Time::ZERO + Span::from_secs(s),
            rate: Rate::from_bps(bps),
        });
        let plan =
            LinkPlan { to: 7_002, rates: steps.to_vec(), delay: Span::from_millis(20), room: ROOM };
        assert_eq!(read, plan);
        assert_eq!(LinkPlan::parse(&plan.text()), Ok(plan));
    }

    #[test]
    fn errors_say_what_is_wrong() {
        for (text, part) in [
            ("7002", "PORT:DELAY:RATE"),
            ("x:20ms:4Mbps", "`x` is not a UDP port"),
            ("70000:20ms:4Mbps", "not a UDP port"),
            ("7002:20:4Mbps", "`20` is not a duration"),
            ("7002:20ms", "there is no rate"),
            ("7002:20ms:4mbps", "`4mbps` is not a rate"),
            ("7002:20ms:4Mbps@x", "`x` is not a point in time"),
            ("7002:20ms:0bps", "a link has 8"),
            ("7002:20ms:7999bps", "a link has 8"),
            ("7002:20ms:4Mbps:21Mbps@1s", "not 21"),
        ] {
            let error = LinkPlan::parse(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
