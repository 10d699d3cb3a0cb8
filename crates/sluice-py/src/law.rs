//! Router laws written in Python: RCP's header and hosts, and a rate that Python decides once an
//! interval. Packets never reach Python.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
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

/// What a law raised, once; whoever runs it is told to stop.
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

    /// Raises what a law raised.
    pub fn raise(&self) -> PyResult<()> {
        self.stop.store(false, Ordering::Relaxed);
        self.first.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }

    fn note(&self, error: PyErr) {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// What a law is told of its link.
#[pyclass(frozen, get_all, module = "sluice", name = "LinkContext")]
pub struct PyLinkContext {
    /// Bits a second.
    capacity: f64,
    /// Size of a full data packet in bytes.
    packet: u64,
}

/// What a law sees of an interval. Times are in seconds, rates in bit/s, sizes in bytes.
#[pyclass(frozen, get_all, module = "sluice", name = "LinkSample")]
pub struct PyLinkSample {
    /// When the interval ends: now.
    now: f64,
    /// How long it was.
    elapsed: f64,
    /// The link's capacity.
    capacity: f64,
    /// The queue now, the rest of the packet in transmission included.
    queue: u64,
    /// The packets that wait now, without the one in transmission.
    waiting: u64,
    /// The least queue in the interval.
    min_queue: u64,
    /// What arrived in it.
    arrived: u64,
    /// What was dropped in it.
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
    /// Makes the law of a link.
    law: Py<PyAny>,
    hosts: RcpParams,
    failure: Arc<LawFailure>,
}

impl PythonProtocol {
    pub fn new(law: Py<PyAny>, hosts: &RcpParams, failure: Arc<LawFailure>) -> Self {
        Self { law, hosts: hosts.clone(), failure }
    }
}

impl Protocol for PythonProtocol {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo { name: "own", title: "A law written in Python", source: "", equations: &[] }
    }

    fn check(&self, faults: &mut Faults) {
        self.hosts.check(faults);
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
        let router = PythonRouter { law, rate: 0.0, failure: Arc::clone(&self.failure) };
        Some(Box::new(LinkRouter::new(router, link.capacity)))
    }
}

/// The law at one link.
struct PythonRouter {
    /// None once it has raised: then the link grants its capacity until the run has ended.
    law: Option<Py<PyAny>>,
    /// Bits a second.
    rate: f64,
    failure: Arc<LawFailure>,
}

/// How often a law that has raised is asked: never again, but time must pass.
const IDLE: Span = Span::from_secs(1);

impl PythonRouter {
    /// Asks the law for a rate, and for how long it holds.
    fn ask(
        &mut self,
        capacity: Rate,
        decide: impl for<'py> FnOnce(&Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>,
    ) -> Span {
        let Some(law) = &self.law else { return IDLE };
        let asked = Python::attach(|py| {
            let law = law.bind(py);
            let rate = checked("a rate", "bits a second", decide(law)?.extract()?)?;
            let interval = checked("interval", "seconds", law.getattr("interval")?.extract()?)?;
            Ok((rate, Span::from_secs_f64(interval).max(Span::from_nanos(1))))
        });
        match asked {
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

    fn grant(&self) -> Offer {
        Offer::granting(Rate::from_bps_f64(self.rate))
    }
}

fn checked(what: &str, unit: &str, value: f64) -> PyResult<f64> {
    if value > 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(PyValueError::new_err(format!("{what} must be above 0 {unit}, not {value}")))
}

impl RouterLaw for PythonRouter {
    type Header = RcpHeader;
    type Sums = RttSums;
    type Grant = Offer;
    type Budget = ();

    fn arrive(sums: &mut RttSums, header: &RcpHeader, train: Train) {
        RcpRouter::arrive(sums, header, train);
    }

    fn stamp(grant: &Offer, spend: &mut (), header: &mut RcpHeader, train: Train) {
        RcpRouter::stamp(grant, spend, header, train);
    }

    fn fresh(grant: &Offer) {
        RcpRouter::fresh(grant);
    }

    fn start(&mut self, capacity: Rate) -> (Offer, [Time; MAX_TIMERS]) {
        let interval = self.ask(capacity, |law| law.call_method0("start"));
        (self.grant(), [Time::ZERO + interval, Time::NEVER])
    }

    fn tick(&mut self, _timer: usize, sums: &RttSums, seen: &LinkSample) -> Tick<Offer> {
        let interval = self
            .ask(seen.capacity, |law| law.call_method1("tick", (PyLinkSample::of(seen, sums),)));
        Tick { grant: Some(self.grant()), next: seen.now + interval }
    }

    fn stamped(&self) -> Sampled {
        Sampled::Arrival
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("R", self.rate);
    }
}
