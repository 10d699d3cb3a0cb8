//! Streams of datagrams that do not respond to congestion.

use std::path::PathBuf;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Bytes, Faults, Rate, Ratio, Span, Time};

use super::emissions::{self, Emissions};
use super::file::DatagramFile;
use crate::limits::{PACKET, STREAMS};
use crate::rng::Streams;
use crate::traffic::model::{Arrivals, FlowArrival, Means, Model, TrafficContext};
use crate::traffic::on_off::{Production, Switch, check_size};
use crate::traffic::period_law::{PeriodLaw, check_shape};
use crate::traffic::sizes::Sizes;
use crate::traffic::volume::{check_choice, check_frequency, share};

/// Streams of datagrams without handshake, acknowledgements, retransmissions or congestion control,
/// as of UDP: at a constant rate; with random on and off periods, if `on` is set; or replayed from a
/// file. Set exactly one of `rate`, `load` and `replay`.
///
/// A stream is one flow in results. Its datagrams carry no congestion header and are not ECN-capable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Udp {
    /// Rate of each stream while it is on, headers included; above 0.
    pub rate: Option<Rate>,
    /// Mean rate over all streams and pairs, headers included, as a fraction of the rate that the
    /// group's paths carry together (of a single path, its lowest capacity).
    pub load: Option<Ratio>,
    /// Size of a datagram with its headers, to which nothing is added; 1 B to 1.048576 MB, and up to what
    /// 10,000 mean on periods bring.
    pub size: Option<Bytes>,
    /// Mean on period; above 0. By default streams are always on.
    pub on: Option<Span>,
    /// Mean off period; may be 0.
    pub off: Option<Span>,
    /// Tail index of Pareto on and off periods, 1.01 to 1000000; at 2 and below their variance is
    /// infinite. Exponential by default.
    pub shape: Option<Ratio>,
    /// CSV file of datagrams, relative to the scenario file. Columns `time`, from `start`, and `size`,
    /// such as `10 ms` and `1 kB`; numbers are in seconds and bytes, or in the unit of the header
    /// (`time (ms)`).
    pub replay: Option<DatagramFile>,
    /// Number of streams, per pair where there are several; 1 by default, up to 100,000.
    #[serde(default = "crate::traffic::defaults::one")]
    pub count: u64,
    /// When a stream at a constant rate sends its first datagram: at `start` (`"aligned"`, the default),
    /// or a random part of the time between two datagrams later (`"random"`).
    #[serde(default)]
    pub phase: Phase,
    /// Start of the streams; 0 s by default.
    #[serde(default = "crate::traffic::defaults::at_once")]
    pub start: Time,
    /// Stop of the streams; the end of the run by default.
    #[serde(
        default = "crate::traffic::defaults::never",
        skip_serializing_if = "crate::traffic::defaults::is_never"
    )]
    pub stop: Time,
}

/// A stream without datagrams, as ideals and estimates have it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SteadyStream {
    /// When it has sent all.
    pub(crate) stop: Time,
    /// Bytes a second until then.
    pub(crate) rate: f64,
}

/// When streams at a constant rate send their first datagram.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// At the start.
    #[default]
    Aligned,
    /// At random, up to the time between two datagrams later.
    Random,
}

impl Udp {
    /// Streams at a constant rate, from the start of the run to its end.
    pub fn constant(rate: Rate, size: Bytes) -> Self {
        Self {
            rate: Some(rate),
            load: None,
            size: Some(size),
            on: None,
            off: None,
            shape: None,
            replay: None,
            count: 1,
            phase: Phase::Aligned,
            start: Time::ZERO,
            stop: Time::NEVER,
        }
    }

    /// Part of the time that a stream is on.
    fn duty(&self) -> f64 {
        let Some(on) = self.on else { return 1.0 };
        let (on, off) = (on.as_secs_f64(), self.off.unwrap_or_default().as_secs_f64());
        on / (on + off)
    }

    /// Bytes a second of a stream that is on.
    fn peak(&self, context: &TrafficContext) -> f64 {
        let own = self.rate.map_or(0.0, Rate::as_bytes_per_sec_f64);
        let streams = self.count as f64 * context.pairs as f64;
        let of = |load: Ratio| load.get() * context.capacity.as_bytes_per_sec_f64();
        self.load.map_or(own, |load| of(load) / (streams * self.duty()))
    }

    /// One of a pair's streams at its mean rate.
    pub(crate) fn steady(&self, context: &TrafficContext) -> SteadyStream {
        match &self.replay {
            Some(file) => self.steady_replay(file, context),
            None => SteadyStream { stop: self.stop, rate: self.peak(context) * self.duty() },
        }
    }

    /// Until the last datagram of the file, and no sooner than the path can have sent all streams' datagrams:
    /// those that leave at once wait there.
    fn steady_replay(&self, file: &DatagramFile, context: &TrafficContext) -> SteadyStream {
        let (bytes, last) = file.before(Time::ZERO + self.stop.since(self.start));
        let streams = self.count as f64 * context.pairs as f64;
        let sent = Span::from_secs_f64(bytes * streams / context.capacity.as_bytes_per_sec_f64());
        let span = last.since(Time::ZERO).max(sent) + Span::NANO;
        SteadyStream { stop: self.start + span, rate: bytes / span.as_secs_f64() }
    }

    /// Mean bytes of a datagram.
    pub(crate) fn datagram(&self) -> f64 {
        let replayed = self.replay.as_ref().map(DatagramFile::datagram);
        replayed.unwrap_or_else(|| self.size.map_or(1.0, Bytes::as_f64))
    }

    /// The datagrams of each stream of a valid model up to `end`, drawn from a group's own random streams.
    pub(crate) fn streams(
        &self,
        context: &TrafficContext,
        streams: &Streams<'_>,
        end: Time,
    ) -> Vec<Emissions> {
        let mut seeds = streams.named("udp");
        let peak = self.peak(context);
        let stop = self.stop.min(end.plus(Span::NANO));
        let stream = |_| self.stream(peak, stop, Xoshiro256PlusPlus::from_rng(&mut seeds));
        (0..self.count).map(stream).collect()
    }

    /// The datagrams before `stop` of a stream that sends this many bytes a second while it is on.
    fn stream(&self, peak: f64, stop: Time, mut draws: Xoshiro256PlusPlus) -> Emissions {
        let &Self { start, shape, .. } = self;
        if let Some(file) = &self.replay {
            return emissions::replayed(file, start, stop);
        }
        let size = self.size.unwrap_or_default();
        if let (Some(on), Some(off)) = (self.on, self.off) {
            let switch = Switch::new(PeriodLaw { shape: shape.map(Ratio::get) }, on, off, draws);
            return emissions::on_off(switch, Production { start, peak, piece: Some(size) }, stop);
        }
        let gap = size.as_f64() / peak;
        let wait = match self.phase {
            Phase::Aligned => 0.0,
            Phase::Random => gap * draws.random::<f64>(),
        };
        emissions::constant(size, gap, start + Span::from_secs_f64(wait), stop)
    }

    fn check_replay(&self, file: &DatagramFile, faults: &mut Faults) {
        let others = [
            ("rate", self.rate.is_some()),
            ("load", self.load.is_some()),
            ("size", self.size.is_some()),
            ("on", self.on.is_some()),
            ("off", self.off.is_some()),
            ("shape", self.shape.is_some()),
            ("phase", self.phase != Phase::Aligned),
        ];
        for (name, _) in others.into_iter().filter(|(_, is_set)| *is_set) {
            faults.add(name, "`replay` has times and sizes of its own; give one of the two");
        }
        faults.inside("replay", |faults| file.check(faults));
    }

    fn check_rate(&self, context: &TrafficContext, faults: &mut Faults) {
        let chosen = check_choice(("rate", "10 Mbps"), self.rate.is_some(), self.load, faults);
        let sound = faults.sound(|faults| {
            match self.size {
                Some(size) => faults.within("size", &size, &PACKET),
                None => {
                    faults.add("size", "how large is a datagram? give e.g. `size = \"1000 B\"`")
                }
            }
            faults.need(self.on != Some(Span::ZERO), "on", "a mean time on is above 0");
            let both = self.on.is_some() == self.off.is_some();
            faults.need(both, "", "give both `on` and `off`, or neither");
            faults.need(
                self.on.is_some() || self.shape.is_none(),
                "shape",
                "only with `on` and `off`",
            );
            let is_constant = self.on.is_none() || self.phase == Phase::Aligned;
            faults.need(is_constant, "phase", "with `on` and `off` all is random already");
            check_shape(self.shape, faults);
        });
        if chosen && sound {
            let streams = self.count as f64 * context.pairs as f64;
            let per_second = self.peak(context) * streams / self.datagram();
            faults.need(per_second > 0.0, "", "no datagram would ever leave");
            check_frequency(per_second.max(f64::MIN_POSITIVE), faults);
            if let Some(on) = self.on {
                check_size(self.datagram(), self.peak(context) * on.as_secs_f64(), faults);
            }
        }
    }
}

impl Model for Udp {
    const SOURCE: &'static str = "RFC 768; ns-2's Agent/UDP with Application/Traffic/CBR, \
         .../Exponential, .../Pareto and .../Trace";

    fn check(&self, context: &TrafficContext, faults: &mut Faults) {
        faults.within("count", &self.count, &STREAMS);
        faults.need(self.stop > self.start, "stop", "the streams stop before they start");
        match &self.replay {
            Some(file) => self.check_replay(file, faults),
            None => self.check_rate(context, faults),
        }
    }

    fn of_pair(&self, context: &TrafficContext) -> Self {
        Self { load: share(self.load, context), ..self.clone() }
    }

    fn means(&self, context: &TrafficContext) -> Means {
        let streams = self.count as f64 * context.pairs as f64;
        let rate = Rate::from_bps_f64(self.steady(context).rate * 8.0 * streams);
        Means { rate: self.replay.is_none().then_some(rate), size: None }
    }

    fn sizes(&mut self) -> Option<&mut Sizes> {
        None
    }

    fn file(&mut self) -> Option<&mut PathBuf> {
        self.replay.as_mut().map(|file| &mut file.path)
    }

    /// The streams; [`Udp::streams`] has their datagrams.
    fn arrivals(&self, _: &TrafficContext, _: &Streams<'_>) -> Arrivals {
        let stream = FlowArrival { start: self.start, size: None, stop: self.stop };
        Box::new((0..self.count).map(move |_| stream))
    }
}
