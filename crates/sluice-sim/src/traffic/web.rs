//! Users who open pages.

use rand::distr::Distribution;
use rand::{Rng, SeedableRng};
use rand_distr::Exp1;
use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Ratio, Span, Time};

use super::amount::PerSecond;
use super::merge::Merge;
use super::model::{Arrivals, FlowArrival, Means, Model, TrafficContext};
use super::sizes::Sizes;
use super::volume::{check_choice, check_frequency, per_second};
use crate::limits::MEAN_COUNT;
use crate::rng::Streams;

/// Sessions that begin at random, independently of each other (Poisson). A session is a number of
/// pages with time to think between them, a page a number of objects, an object a flow. Numbers are
/// geometric, from 1 up, and times exponential. Set either `rate` or `load`.
///
/// Think time begins with the request of a page's last object, not with its arrival, so that every
/// protocol meets the same flows at the same times. The load is reached after the length of a
/// session; set `warm_up` accordingly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Web {
    /// Sessions per second over all pairs.
    pub rate: Option<PerSecond>,
    /// Data (without headers) over all pairs as a fraction of the rate that the group's paths carry
    /// together (of a single path, its lowest capacity).
    pub load: Option<Ratio>,
    /// Mean number of pages in a session, 1 to a million; 1 by default: pages are Poisson then.
    #[serde(default = "just_one")]
    pub pages: Ratio,
    /// Mean time from the last object of a page to the next page; needed for more than one page.
    #[serde(default)]
    pub think: Span,
    /// Mean number of objects in a page, 1 to a million; 1 by default.
    #[serde(default = "just_one")]
    pub objects: Ratio,
    /// Mean time from one object of a page to the next; all at once by default.
    #[serde(default)]
    pub gap: Span,
    /// Sizes of objects.
    pub sizes: Sizes,
    /// Start of arrivals of sessions; 0 s by default.
    #[serde(default = "super::defaults::at_once")]
    pub start: Time,
    /// End of arrivals; never by default.
    #[serde(default = "super::defaults::never", skip_serializing_if = "super::defaults::is_never")]
    pub stop: Time,
}

impl Web {
    /// Mean number of flows in a session.
    fn flows(&self) -> f64 {
        self.pages.get() * self.objects.get()
    }

    /// Sessions a second, all pairs together.
    fn per_second(&self, context: &TrafficContext) -> f64 {
        let own = self.rate.map_or(0.0, |PerSecond(rate)| rate.get());
        let bytes = self.flows() * self.sizes.mean(context.payload);
        self.load.map_or(own, |load| per_second(load, bytes, context))
    }
}

impl Model for Web {
    const SOURCE: &'static str = "ETSI TR 101 112 (UMTS 30.03), annex B 1.2.2: web browsing, as \
         in ns-2's PagePool/WebTraf; open loop";

    fn check(&self, context: &TrafficContext, faults: &mut Faults) {
        let chosen = check_choice(("rate", "2 /s"), self.rate.is_some(), self.load, faults);
        let sound = faults.sound(|faults| {
            let fits = |mean: Ratio| MEAN_COUNT.contains(&mean.get());
            faults.need(fits(self.pages), "pages", "a mean number of pages is 1 to 1000000");
            faults.need(fits(self.objects), "objects", "a mean number of objects is 1 to 1000000");
            let thinks = self.pages.get() <= 1.0 || self.think > Span::ZERO;
            faults.need(thinks, "", "how long between pages? give `think = \"10 s\"`");
        });
        if self.sizes.check(context.payload, faults) && chosen && sound {
            check_frequency(self.per_second(context) * self.flows(), faults);
        }
    }

    fn of_pair(&self, context: &TrafficContext) -> Self {
        let rate = self.per_second(context) / context.pairs as f64;
        Self { rate: Some(PerSecond(Ratio::new(rate))), load: None, ..self.clone() }
    }

    fn means(&self, context: &TrafficContext) -> Means {
        let flows = self.per_second(context) * self.flows();
        Means::new(flows, self.sizes.mean(context.payload))
    }

    fn sizes(&mut self) -> Option<&mut Sizes> {
        Some(&mut self.sizes)
    }

    fn arrivals(&self, context: &TrafficContext, streams: &Streams<'_>) -> Arrivals {
        let mut sizes = self.sizes.draw(context.payload, streams.named("sizes"));
        let mut visits = Visits {
            gaps: streams.named("arrivals"),
            seeds: streams.named("sessions"),
            mean_gap: 1.0 / self.per_second(context),
            next: self.start,
            going_on: Merge::new(),
            model: self.clone(),
        };
        visits.wait();
        let stop = self.stop;
        let flows = visits.map(move |start| FlowArrival::sized(start, sizes()));
        Box::new(flows.take_while(move |flow| flow.start <= stop))
    }
}

/// All sessions at work.
struct Visits {
    gaps: Xoshiro256PlusPlus,
    seeds: Xoshiro256PlusPlus,
    /// Mean seconds from session to session.
    mean_gap: f64,
    /// When the next session begins.
    next: Time,
    going_on: Merge<Session, ()>,
    model: Web,
}

impl Visits {
    fn wait(&mut self) {
        let gap: f64 = Exp1.sample(&mut self.gaps);
        self.next += Span::from_secs_f64(gap * self.mean_gap);
    }
}

impl Iterator for Visits {
    type Item = Time;

    fn next(&mut self) -> Option<Time> {
        while self.next < Time::NEVER
            && self.going_on.next_time().is_none_or(|time| time >= self.next)
        {
            let stream = Xoshiro256PlusPlus::from_rng(&mut self.seeds);
            self.going_on.add(Session::new(&self.model, self.next, stream));
            self.wait();
        }
        self.going_on.next().map(|(time, ())| time)
    }
}

/// One user: yields when each object is requested.
struct Session {
    /// When the next object is.
    now: Time,
    /// Pages left, this one included.
    pages: u64,
    /// Objects left of this page.
    objects: u64,
    stream: Xoshiro256PlusPlus,
    mean_objects: f64,
    think: Span,
    gap: Span,
}

impl Session {
    fn new(model: &Web, start: Time, mut stream: Xoshiro256PlusPlus) -> Self {
        let mean_objects = model.objects.get();
        let pages = geometric(model.pages.get(), &mut stream);
        let objects = geometric(mean_objects, &mut stream);
        Self {
            now: start,
            pages,
            objects,
            stream,
            mean_objects,
            think: model.think,
            gap: model.gap,
        }
    }

    fn wait(&mut self, mean: Span) {
        let unit: f64 = Exp1.sample(&mut self.stream);
        self.now += Span::from_secs_f64(unit * mean.as_secs_f64());
    }
}

impl Iterator for Session {
    type Item = (Time, ());

    fn next(&mut self) -> Option<(Time, ())> {
        let now = self.now;
        if self.pages == 0 {
            return None;
        }
        self.objects -= 1;
        if self.objects > 0 {
            self.wait(self.gap);
        } else {
            self.pages -= 1;
            self.objects = geometric(self.mean_objects, &mut self.stream);
            self.wait(self.think);
        }
        Some((now, ()))
    }
}

/// A number from 1 up, geometric with this mean.
fn geometric(mean: f64, stream: &mut Xoshiro256PlusPlus) -> u64 {
    if mean <= 1.0 {
        return 1;
    }
    // Failures before the first success: floor(ln U / ln(1 - 1 / mean)), U in (0, 1].
    let uniform = 1.0 - stream.random::<f64>();
    1 + (libm::log(uniform) / libm::log1p(-1.0 / mean)) as u64
}

fn just_one() -> Ratio {
    Ratio::new(1.0)
}
