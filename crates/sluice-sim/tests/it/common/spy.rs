//! A protocol whose router laws record what they measure.

use std::sync::{Arc, Mutex};

use sluice_laws::host::{Echo, HostLaw, SenderContext};
use sluice_laws::protocol::{LinkContext, Protocol, ProtocolInfo};
use sluice_laws::router::{CompetingTraffic, LinkSample, QueueCounts, RouterPort, Sampled};
use sluice_laws::transport::TransportOverrides;
use sluice_laws::{WireHeader, rcp, tcp};
use sluice_units::{Faults, Ratio, Span, Time};

/// Records what its router laws measure, by the number of the law.
pub struct Spy {
    /// Time between two ticks.
    pub every: Span,
    pub stamped: Sampled,
    pub min: QueueCounts,
    /// The weight that its laws give their class, where they may.
    pub weight: Option<Ratio>,
    pub seen: Arc<Mutex<Vec<(usize, LinkSample)>>>,
    /// The traffic beside that of a law, as they saw it.
    pub competing: Arc<Mutex<Vec<CompetingTraffic>>>,
    /// Number of laws so far.
    pub laws: Mutex<usize>,
}

impl Default for Spy {
    fn default() -> Self {
        Self {
            every: Span::from_millis(100),
            stamped: Sampled::Arrival,
            min: QueueCounts::Waiting,
            weight: None,
            seen: Arc::default(),
            competing: Arc::default(),
            laws: Mutex::default(),
        }
    }
}

impl Spy {
    fn tcp() -> tcp::TcpParams {
        tcp::TcpParams { initial_window: Some(64), ..tcp::TcpParams::default() }
    }
}

impl Protocol for Spy {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo { name: "spy", title: "notes what it sees", source: "", equations: &[] }
    }

    fn check(&self, _: &mut Faults) {}

    fn overrides(&self) -> TransportOverrides {
        Self::tcp().overrides()
    }

    fn host(&self, setup: &SenderContext) -> Box<dyn HostLaw> {
        Self::tcp().host(setup)
    }

    fn echo(&self) -> &'static dyn Echo {
        &rcp::receiver::RcpReceiver
    }

    fn router(&self, _: &LinkContext) -> Option<Box<dyn RouterPort>> {
        let mut laws = self.laws.lock().expect("nobody panicked");
        let Self { every, stamped, min, weight, .. } = *self;
        let (law, seen) = (*laws, Arc::clone(&self.seen));
        let competing = Arc::clone(&self.competing);
        *laws += 1;
        Some(Box::new(Noting { law, every, stamped, min, weight, seen, competing, next: every }))
    }
}

struct Noting {
    law: usize,
    every: Span,
    stamped: Sampled,
    min: QueueCounts,
    weight: Option<Ratio>,
    seen: Arc<Mutex<Vec<(usize, LinkSample)>>>,
    competing: Arc<Mutex<Vec<CompetingTraffic>>>,
    next: Span,
}

impl RouterPort for Noting {
    fn arrive(&mut self, _: &WireHeader, _: u32) {}

    fn stamp(&mut self, _: &mut WireHeader, _: u32) {}

    fn pass(&mut self, header: WireHeader, _: u32) -> WireHeader {
        header
    }

    fn next(&self) -> (usize, Time) {
        (0, Time::ZERO + self.next)
    }

    fn next_grant(&self) -> Time {
        Time::ZERO + self.next
    }

    fn on_competing(&mut self, traffic: &CompetingTraffic) {
        self.competing.lock().expect("nobody panicked").push(*traffic);
    }

    fn class_weight(&self) -> Option<Ratio> {
        self.weight
    }

    fn tick(&mut self, _: usize, sample: &LinkSample) {
        self.seen.lock().expect("nobody panicked").push((self.law, *sample));
        self.next = self.next + self.every;
    }

    fn postpone(&mut self, _: usize, to: Time) {
        self.next = to.since(Time::ZERO);
    }

    fn skip(&mut self, _: usize, now: Time) {
        self.next = now.since(Time::ZERO) + self.every;
    }

    fn stamped(&self) -> Sampled {
        self.stamped
    }

    fn queue_sampled(&self) -> Sampled {
        Sampled::Arrival
    }

    fn min_queue_counts(&self) -> QueueCounts {
        self.min
    }

    fn metrics(&self, _: &mut dyn FnMut(&'static str, f64)) {}
}
