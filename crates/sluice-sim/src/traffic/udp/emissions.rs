//! When a stream sends its datagrams: all before its `stop`.

use sluice_units::{Bytes, Time};

use super::file::{Datagram, DatagramFile};
use crate::traffic::on_off::{Production, Switch};
use crate::traffic::ticks::ticks;

/// The datagrams of a stream, in order of time.
pub(crate) type Emissions = Box<dyn Iterator<Item = Datagram> + Send>;

/// A datagram every `gap` seconds from `start` on.
pub(super) fn constant(size: Bytes, gap: f64, start: Time, stop: Time) -> Emissions {
    until(stop, ticks(start, gap, stop).map(move |time| Datagram { time, size }))
}

/// A datagram whenever one has accumulated.
pub(super) fn on_off(switch: Switch, production: Production, stop: Time) -> Emissions {
    // Any number of times on may pass before a datagram, so those after the stop end the search.
    let pieces = switch.source(production).take_while(move |&(time, _)| time < stop);
    Box::new(pieces.filter_map(|(time, size)| Some(Datagram { time, size: size? })))
}

/// The datagrams of a file, whose times count from `start`.
pub(super) fn replayed(file: &DatagramFile, start: Time, stop: Time) -> Emissions {
    let shifted = move |datagram: Datagram| {
        let time = start + datagram.time.since(Time::ZERO);
        Datagram { time, ..datagram }
    };
    until(stop, file.datagrams().map(shifted))
}

fn until(stop: Time, datagrams: impl Iterator<Item = Datagram> + Send + 'static) -> Emissions {
    Box::new(datagrams.take_while(move |datagram| datagram.time < stop))
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use sluice_units::Span;

    use super::*;
    use crate::traffic::period_law::PeriodLaw;

    /// A datagram takes 8000 s, on and off for a nanosecond at a time.
    #[test]
    fn the_search_for_a_datagram_ends_at_the_stop() {
        let draws = Xoshiro256PlusPlus::seed_from_u64(1);
        let switch = Switch::new(PeriodLaw { shape: None }, Span::NANO, Span::NANO, draws);
        let piece = Some(Bytes::new(1_000_000));
        let production = Production { start: Time::ZERO, peak: 125.0, piece };
        let stop = Time::ZERO + Span::from_millis(1);
        assert_eq!(on_off(switch, production, stop).next(), None);
    }
}
