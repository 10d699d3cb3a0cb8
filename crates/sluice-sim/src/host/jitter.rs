//! Host jitter: processing time of packets, and lateness of timers.
//!
//! Without it, packets meet the same queues in the same order for ever, and the number of a link
//! decides whose packets are dropped (S. Floyd, V. Jacobson, "On Traffic Phase Effects in
//! Packet-Switched Gateways", 1992); `docs/decisions/017-host-jitter.md` has the measurements.

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use sluice_units::{Ratio, Span, Time};

use crate::config::{Config, LinkId};
use crate::plan::RunPlan;
use crate::rng::Streams;

/// A time-out is late by up to this fraction of `jitter` times its length. At the default of 0.5 that is
/// an eighth, as on Linux: each level of its timer wheel holds timers eight times as long as the level
/// below, in units eight times as large (J. Corbet, "Reinventing the timer wheel", 2015).
const LATE: f64 = 1.0 / 4.0;

/// D. Knuth's 64-bit linear congruential generator (MMIX): two instructions per number, of which only
/// the high bits are random.
#[derive(Clone, Copy)]
struct Dice(u64);

impl Dice {
    /// Uniform in [0, `most`); 0 if `most` is 0.
    #[inline(always)]
    fn below(&mut self, most: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(self.0) * u128::from(most)) >> 64) as u64
    }
}

/// A host's input from one link, which processes packets one after another.
#[derive(Clone, Copy)]
struct Entrance {
    dice: Dice,
    /// Processing times are below this, in nanoseconds; 0 for none.
    below: u64,
    /// When the last packet was processed.
    done: Time,
}

impl Entrance {
    const IDLE: Self = Self { dice: Dice(0), below: 0, done: Time::ZERO };

    /// Processing times of up to `most`.
    fn new(most: Span, mut stream: Xoshiro256PlusPlus) -> Self {
        Self {
            dice: Dice(stream.random()),
            below: most.as_nanos().saturating_add(1),
            done: Time::ZERO,
        }
    }

    /// When the host has processed a packet that reaches it at `now`; packets stay in order.
    #[inline(always)]
    fn done(&mut self, now: Time) -> Time {
        self.done = self.done.max(now.plus(Span::from_nanos(self.dice.below(self.below))));
        self.done
    }
}

/// Processing times of all hosts. Where packets of several links meet at a host, they are processed
/// before they wait on their wire, so that they meet in the order in which they are done.
pub(crate) struct Processing {
    /// By host; those that do not run ahead take no time here.
    hosts: Vec<Entrance>,
    /// The first wire to a host.
    first: u32,
    /// The wires to hosts, from `first` on.
    wires: Vec<Entrance>,
}

impl Processing {
    pub(crate) fn new(config: &Config, plan: &RunPlan) -> Self {
        let jitter = config.parameters.transport.jitter;
        let entrance = |link: LinkId| {
            let packet = config.links[link].capacity.time_for(config.packet).as_secs_f64();
            let most = Span::from_secs_f64(packet * jitter.get());
            Entrance::new(most, Streams::new(config.seed, &link.to_string()).named("processing"))
        };
        if jitter.get() == 0.0 {
            let hosts = vec![Entrance::IDLE; config.nodes];
            return Self { hosts, first: u32::MAX, wires: Vec::new() };
        }
        let hosts = plan.into_hosts.iter().map(|link| link.map_or(Entrance::IDLE, entrance));
        Self {
            hosts: hosts.collect(),
            first: plan.host_wires,
            wires: plan.before_host_wires().map(entrance).collect(),
        }
    }

    /// When a host that runs ahead has processed a packet that reaches it at `now`.
    #[inline(always)]
    pub(crate) fn at_host(&mut self, host: usize, now: Time) -> Time {
        let entrance = &mut self.hosts[host];
        if entrance.below == 0 { now } else { entrance.done(now) }
    }

    /// When the element behind a wire has processed a packet that reaches it at `now`.
    #[inline(always)]
    pub(crate) fn before_wire(&mut self, wire: u32, now: Time) -> Time {
        if wire < self.first {
            return now;
        }
        self.wires[(wire - self.first) as usize].done(now)
    }
}

/// Lateness of one flow's retransmission timers.
#[derive(Clone, Copy)]
pub(crate) struct Lateness {
    dice: Dice,
    /// Largest lateness as a fraction of the timer's length.
    part: f64,
}

impl Lateness {
    /// For flow `index` of a group with the seed `group`.
    pub(crate) fn new(jitter: Ratio, group: u64, index: u64) -> Self {
        Self {
            dice: Dice(group ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            part: jitter.get() * LATE,
        }
    }

    /// Lateness of a timer of `length`.
    pub(crate) fn of(&mut self, length: Span) -> Span {
        let most = length.as_nanos() as f64 * self.part;
        Span::from_nanos(self.dice.below(most as u64 + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entrance(most: Span) -> Entrance {
        Entrance::new(most, Streams::new(1, "host").named("processing"))
    }

    #[test]
    fn packets_take_from_nothing_to_the_most_and_none_overtakes_another() {
        let mut host = entrance(Span::from_nanos(9));
        let mut counts = [0_u32; 10];
        // Far apart, none waits for another.
        for now in (1..=100_000_u64).map(|n| Time::from_nanos(n * 100)) {
            counts[host.done(now).after(now).as_nanos() as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
        let done: Vec<Time> =
            (0..1000).map(|n| host.done(Time::from_nanos(20_000_000 + n))).collect();
        assert!(done.is_sorted());
    }

    #[test]
    fn a_host_that_takes_no_time_is_done_at_once() {
        let mut host = entrance(Span::ZERO);
        assert!((0..1000).map(Time::from_nanos).all(|now| host.done(now) == now));
    }

    #[test]
    fn time_outs_are_late_by_an_eighth_of_their_length_at_most() {
        let length = Span::from_nanos(800);
        let late = |flow| Lateness::new(Ratio::new(0.5), 7, flow).of(length).as_nanos();
        let late: Vec<u64> = (0..1000).map(late).collect();
        assert!(late.iter().all(|&late| late <= 100));
        let mean = late.iter().sum::<u64>() as f64 / 1000.0;
        assert!((mean - 50.0).abs() < 4.0, "{mean}");
        assert_eq!(Lateness::new(Ratio::new(0.0), 7, 1).of(length), Span::ZERO);
    }
}
