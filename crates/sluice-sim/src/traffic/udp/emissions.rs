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
    let pieces = switch.source(production);
    until(stop, pieces.filter_map(|(time, size)| Some(Datagram { time, size: size? })))
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
