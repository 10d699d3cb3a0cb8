//! Router laws written in Python: RCP's header and hosts, and a rate that Python decides once an
//! interval. Packets never reach Python.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::call::PyCallArgs;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use sluice_laws::host::{Echo, HostLaw, SenderContext};
use sluice_laws::protocol::{LinkContext, Protocol, ProtocolInfo};
use sluice_laws::rcp::{RcpParams, header::RcpHeader, router::RcpRouter, rtt::RttSums};
use sluice_laws::router::{
    LawHeader as _, LinkRouter, LinkSample, MAX_TIMERS, RouterLaw, RouterPort, Sampled, Tick, Train,
};
use sluice_laws::transport::TransportOverrides;
use sluice_laws::wire::{Form, Offer};
use sluice_units::{Faults, Rate, Ratio, Span, Time};

/// The first exception that a law raised; it stops the runs.
#[derive(Default)]
pub struct LawFailure {
    first: Mutex<Option<PyErr>>,
    stop: Arc<AtomicBool>,
}

impl LawFailure {
    /// Set as soon as a law has raised.
    pub fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Raises the exception, if a law raised one.
    pub fn raise(&self) -> PyResult<()> {
        self.stop.store(false, Ordering::Relaxed);
        self.first.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }

    fn note(&self, error: PyErr) {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// The link that a law is made for.
#[pyclass(frozen, get_all, module = "sluice", name = "LinkContext")]
pub struct PyLinkContext {
    /// Bits a second.
    capacity: f64,
    /// Size of a full data packet in bytes.
    packet: u64,
}

/// Measurements of a link over an interval. Times are in seconds, rates in bit/s, sizes in bytes.
#[pyclass(frozen, get_all, module = "sluice", name = "LinkSample")]
pub struct PyLinkSample {
    /// The end of the interval: now.
    now: f64,
    /// Its length.
    elapsed: f64,
    /// The link's capacity.
    capacity: f64,
    /// The queue now, the rest of the packet in transmission included.
    queue: u64,
    /// The packets that wait now, without the one in transmission.
    waiting: u64,
    /// The minimum queue in the interval.
    min_queue: u64,
    /// Bytes that arrived in the interval.
    arrived: u64,
    /// Bytes dropped in the interval.
    dropped: u64,
    /// How many packets stated their round-trip time.
    packets: u64,
    /// The mean of those times; None if no packet stated one.
    mean_rtt: Option<f64>,
}

impl PyLinkSample {
    fn of(seen: &LinkSample, sums: &RttSums) -> Self {
        Self {
            now: seen.now.as_secs_f64(),
            elapsed: seen.now.since(seen.since).as_secs_f64(),
            capacity: seen.capacity.as_bps_f64(),
            queue: seen.queue.as_u64(),
            waiting: seen.waiting.as_u64(),
            min_queue: seen.min_queue.as_u64(),
            arrived: seen.arrived.as_u64(),
            dropped: seen.dropped.as_u64(),
            packets: sums.packets(),
            mean_rtt: sums.mean_rtt().map(Span::as_secs_f64),
        }
    }
}

/// A protocol with RCP's header and hosts, and a law from Python at its routers.
pub struct PythonProtocol {
    /// The law's name, for errors.
    name: Arc<str>,
    /// Makes the law of a link.
    law: Py<PyAny>,
    hosts: RcpParams,
    failure: Arc<LawFailure>,
}

impl PythonProtocol {
    pub fn new(name: &str, law: Py<PyAny>, hosts: &RcpParams, failure: Arc<LawFailure>) -> Self {
        Self { name: name.into(), law, hosts: hosts.clone(), failure }
    }
}

impl Protocol for PythonProtocol {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo { name: "own", title: "A law written in Python", source: "", equations: &[] }
    }

    fn check(&self, faults: &mut Faults) {
        self.hosts.check(faults);
    }

    fn desired_rate(&self) -> Option<Rate> {
        self.hosts.desired_rate()
    }

    fn weights(&self) -> Option<RangeInclusive<Ratio>> {
        self.hosts.weights()
    }

    fn overrides(&self) -> TransportOverrides {
        self.hosts.overrides()
    }

    fn host(&self, setup: &SenderContext) -> Box<dyn HostLaw> {
        self.hosts.host(setup)
    }

    fn echo(&self) -> &'static dyn Echo {
        self.hosts.echo()
    }

    fn wire(&self) -> Option<Form> {
        Some(RcpHeader::FORM)
    }

    fn router(&self, link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        let setup =
            PyLinkContext { capacity: link.capacity.as_bps_f64(), packet: link.packet.as_u64() };
        let law = Python::attach(|py| self.law.call1(py, (setup,)));
        let law = law.map_err(|error| self.failure.note(error)).ok();
        let (name, failure) = (Arc::clone(&self.name), Arc::clone(&self.failure));
        let router = PythonRouter { name, law, rate: 0.0, failure };
        Some(Box::new(LinkRouter::new(router, link.capacity)))
    }
}

/// The law at one link.
struct PythonRouter {
    name: Arc<str>,
    /// None once it has raised: then the link grants its capacity until the run has ended.
    law: Option<Py<PyAny>>,
    /// Bits a second.
    rate: f64,
    failure: Arc<LawFailure>,
}

/// The interval of a law that has raised: it is not called again, but time must pass.
const IDLE: Span = Span::from_secs(1);

impl PythonRouter {
    /// Calls a method of the law for its rate, and reads the interval until the next call.
    fn call(
        &mut self,
        capacity: Rate,
        method: &str,
        arguments: impl for<'py> PyCallArgs<'py>,
    ) -> Span {
        let Some(law) = &self.law else { return IDLE };
        let called = Python::attach(|py| {
            let law = law.bind(py);
            let rate = law.call_method1(method, arguments)?;
            let rate =
                self.positive(&rate, &format!("`{method}` returned"), "a number of bit/s")?;
            let interval = law.getattr("interval")?;
            let interval = self.positive(&interval, "`interval` is", "a number of seconds")?;
            Ok((rate, Span::from_secs_f64(interval).max(Span::from_nanos(1))))
        });
        match called {
            Ok((rate, interval)) => {
                self.rate = rate;
                interval
            }
            Err(error) => {
                self.failure.note(error);
                self.law = None;
                self.rate = capacity.as_bps_f64();
                IDLE
            }
        }
    }

    /// The number that the law gave; an error that names the law if it is none above 0.
    fn positive(&self, value: &Bound<'_, PyAny>, gave: &str, expected: &str) -> PyResult<f64> {
        let Self { name, .. } = self;
        let message = |value: &str| {
            format!("law `{name}`: {gave} {value}; expected {expected}, finite and above 0")
        };
        let Ok(number) = value.extract::<f64>() else {
            let shown = value.repr().map_or_else(|_| "no number".into(), |repr| repr.to_string());
            return Err(PyTypeError::new_err(message(&shown)));
        };
        if number > 0.0 && number.is_finite() {
            return Ok(number);
        }
        Err(PyValueError::new_err(message(&number.to_string())))
    }

    fn grant(&self) -> Offer {
        Offer::granting(Rate::from_bps_f64(self.rate))
    }
}

impl RouterLaw for PythonRouter {
    type Header = RcpHeader;
    type Sums = RttSums;
    type Grant = Offer;
    type Budget = ();

    fn arrive(sums: &mut RttSums, grant: &Offer, header: &RcpHeader, train: Train) {
        RcpRouter::arrive(sums, grant, header, train);
    }

    fn stamp(grant: &Offer, spend: &mut (), header: &mut RcpHeader, train: Train) {
        RcpRouter::stamp(grant, spend, header, train);
    }

    fn fresh(grant: &Offer) {
        RcpRouter::fresh(grant);
    }

    fn start(&mut self, capacity: Rate) -> (Offer, [Time; MAX_TIMERS]) {
        let interval = self.call(capacity, "start", ());
        (self.grant(), [Time::ZERO + interval, Time::NEVER])
    }

    fn tick(&mut self, _timer: usize, sums: &RttSums, seen: &LinkSample) -> Tick<Offer> {
        let interval = self.call(seen.capacity, "tick", (PyLinkSample::of(seen, sums),));
        Tick { grant: Some(self.grant()), next: seen.now + interval }
    }

    fn stamped(&self) -> Sampled {
        Sampled::Arrival
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("R", self.rate);
    }
}
