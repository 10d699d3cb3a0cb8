//! The arrivals of one source.

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use sluice_units::{Bytes, Span, Time};

use crate::traffic::period_law::PeriodLaw;
use crate::traffic::sizes::at_least_one;

/// Flows of a source: when each starts, and its size; none where a time on begins before the next flow.
/// In order of time. A merge of sources thus draws no further ahead than it must, even if a flow takes
/// thousands of times on.
pub(crate) type Source = Box<dyn Iterator<Item = (Time, Option<Bytes>)> + Send>;

/// How a source produces data while it is on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Production {
    /// When the source begins to send.
    pub(crate) start: Time,
    /// Bytes per second.
    pub(crate) peak: f64,
    /// Size of each flow; `None` for one flow per time on, of all that is produced in it.
    pub(crate) piece: Option<Bytes>,
}

/// Turns a source on and off. Times are in seconds.
pub(crate) struct Switch {
    law: PeriodLaw,
    /// Mean times.
    on: f64,
    off: f64,
    stream: Xoshiro256PlusPlus,
}

impl Switch {
    /// A switch with these mean times.
    pub(crate) fn new(law: PeriodLaw, on: Span, off: Span, stream: Xoshiro256PlusPlus) -> Self {
        Self { law, on: on.as_secs_f64(), off: off.as_secs_f64(), stream }
    }

    /// Fraction of the time that the source is on.
    fn duty(&self) -> f64 {
        self.on / (self.on + self.off)
    }

    /// The source behind the switch.
    pub(crate) fn source(mut self, production: Production) -> Source {
        let Production { start, peak, piece } = production;
        // Stationary: in the middle of a time on or off, with the probability of either.
        let is_on = self.stream.random::<f64>() < self.duty();
        let mean = if is_on { self.on } else { self.off };
        let rest = self.law.residual(mean, &mut self.stream);
        let at = move |seconds: f64| start + Span::from_secs_f64(seconds);
        match piece {
            Some(size) => {
                let each = size.as_f64() / peak;
                let next = each * self.stream.random::<f64>();
                let (now, left) = if is_on { (0.0, rest) } else { (rest, 0.0) };
                let mut pieces = Pieces { switch: self, each, next, now, left, is_on };
                Box::new(std::iter::from_fn(move || {
                    let (time, is_whole) = pieces.step();
                    Some((at(time), is_whole.then_some(size)))
                }))
            }
            None => {
                // What a time on brings was handed over as it began.
                let mut now = if is_on { rest + self.time_off() } else { rest };
                Box::new(std::iter::from_fn(move || {
                    let (begin, on) = (now, self.time_on());
                    now += on + self.time_off();
                    Some((at(begin), Some(at_least_one(on * peak))))
                }))
            }
        }
    }

    fn time_on(&mut self) -> f64 {
        self.law.sample(self.on, &mut self.stream)
    }

    fn time_off(&mut self) -> f64 {
        self.law.sample(self.off, &mut self.stream)
    }
}

/// Pieces of one size, handed over as they are produced.
struct Pieces {
    switch: Switch,
    /// Time on that brings a piece, and what is missing of it for the next.
    each: f64,
    next: f64,
    now: f64,
    /// How long it stays on, or 0, from now.
    left: f64,
    is_on: bool,
}

impl Pieces {
    /// When the next piece is whole, or else the next time on begins, and which of the two.
    fn step(&mut self) -> (f64, bool) {
        if !self.is_on {
            self.left = self.switch.time_on();
            self.is_on = true;
        }
        let is_whole = self.next <= self.left;
        if is_whole {
            self.left -= self.next;
            self.now += self.next;
            self.next = self.each;
        } else {
            self.next -= self.left;
            self.now += self.left + self.switch.time_off();
            self.left = self.switch.time_on();
        }
        (self.now, is_whole)
    }
}
