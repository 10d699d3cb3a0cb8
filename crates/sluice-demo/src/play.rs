//! A run in real time.

use std::error::Error;
use std::fs;
use std::net::UdpSocket;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, sleep};
use std::time::Duration;

use sluice_lab::Measurement;
use sluice_laws::registry::ProtocolName;
use sluice_linux::{HostCounts, KernelHost, ProgramMemory};
use sluice_sim::{Config, Observer, Outcome, PacketTotals, Paths, Progress};
use sluice_units::{Bytes, Span, Time};

use crate::address::address;
use crate::check::prepare;
use crate::clock::Clock;
use crate::doubts::{RunLateness, of_hosts};
use crate::error::DemoError;
use crate::kernel::control;
use crate::layout::Layout;
use crate::meters::LinkMeters;
use crate::network::DemoNetwork;
use crate::rcp::{RcpState, start_hosts, start_routers};
use crate::records::Records;
use crate::transfers::{TransferState, Transfers};
use crate::workload::PlannedFlow;

/// How often flows, links and the wish to end are looked at.
const POLL: Duration = Duration::from_millis(2);
/// Time for the hardware addresses of neighbours beside a round trip, before flows start.
const SETTLE: Span = Span::from_millis(100);

/// This machine's kernel as a network: see the crate.
///
/// Needs root, and what [`sluice_testbed::requirements`] lists. It changes nothing outside of the namespaces and the cgroup that
/// it creates, which end with a run, or with the process.
#[derive(Debug, Default)]
pub struct LinuxMeasurement {
    notes: Mutex<Vec<String>>,
}

impl LinuxMeasurement {
    /// What casts doubt on runs so far, a line each: links, flows and grants that were late because this machine was busy,
    /// and connections that ignored grants or got none.
    pub fn notes(&self) -> Vec<String> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, note: String) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(note);
    }

    fn play(
        &self,
        protocol: ProtocolName,
        config: &Config,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, DemoError> {
        let control = control(protocol)
            .ok_or_else(|| DemoError::Unsupported(format!("no kernel runs `{protocol}`")))?;
        let (layout, flows) = prepare(config, &[])?;
        let network = DemoNetwork::lay(config, &layout, control)?;
        let state = RcpState::new(config.links.len());
        let seed = config.seed;
        let note = |what: String| self.note(format!("{protocol}@linux, seed {seed}: {what}"));
        let run = Run { config, layout: &layout, flows: &flows, network: &network, state: &state };
        let (outcome, late) = if protocol == ProtocolName::Rcp {
            let (outcome, late, counts) = run.play_rcp(observer)?;
            of_hosts(&counts).into_iter().for_each(note);
            (outcome, late)
        } else {
            run.play(observer)?
        };
        late.doubts().into_iter().for_each(note);
        Ok(outcome)
    }
}

impl Measurement for LinuxMeasurement {
    fn run(
        &self,
        protocol: ProtocolName,
        config: &Config,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Box<dyn Error + Send + Sync>> {
        Ok(self.play(protocol, config, observer)?)
    }
}

/// A run on a network that is laid.
struct Run<'a> {
    config: &'a Config,
    layout: &'a Layout,
    flows: &'a [PlannedFlow],
    network: &'a DemoNetwork,
    state: &'a RcpState,
}

impl Run<'_> {
    /// As [`Self::play`], with routers and hosts of RCP, and what happened at these.
    fn play_rcp(
        &self,
        observer: &mut dyn Observer,
    ) -> Result<(Outcome, RunLateness, HostCounts), DemoError> {
        let Self { config, layout, network, state, .. } = *self;
        let mut memory = ProgramMemory::default();
        let mut host = KernelHost::load(&mut memory)?;
        let _attached = start_hosts(&mut host, config, network)?;
        let played = thread::scope(|scope| {
            let _stops = start_routers(scope, state, config, layout, network)?;
            let (outcome, late) = self.play(observer)?;
            // Connections that outlast the routers fall back, too.
            Ok((outcome, late, host.counts()?))
        });
        // A router that fails is the reason for other errors.
        state.failure()?;
        played
    }

    /// Plays all flows; the outcome, and by how much things were late.
    fn play(&self, observer: &mut dyn Observer) -> Result<(Outcome, RunLateness), DemoError> {
        let config = self.config;
        let mut transfers = Transfers::new(config, self.network, self.flows)?;
        self.find_neighbours();
        let mut meters = LinkMeters::new(config, self.network);
        let mut resent = [None, None];
        let expired_before = self.state.expired_grants();
        let clock = Clock::start();
        let (end, interrupted) = loop {
            let now = clock.now();
            self.state.failure()?;
            transfers.poll(&clock)?;
            meters.poll(now, |link| self.state.metrics(link), observer);
            for (count, at) in resent.iter_mut().zip([config.warm_up, config.stop]) {
                if now >= at && count.is_none() {
                    *count = Some(self.retransmitted());
                }
            }
            let progress = self.progress(now, &transfers.states);
            if !observer.tick(progress) {
                break (now, true);
            }
            let is_over = now >= config.stop && progress.finished == progress.measured;
            if is_over || now >= config.limit {
                break (now, false);
            }
            sleep(POLL);
        };
        transfers.stop(&clock)?;
        let back: Vec<Span> =
            Paths::of(config)?.iter().map(|paths| paths.back.delay(&config.links)).collect();
        let found = Records::of(config, self.flows, &transfers.states, &back);
        found.records.iter().for_each(|record| observer.flow(record));
        let [before, after] = resent.map(Option::unwrap_or_default);
        let outcome = Outcome {
            end,
            interrupted,
            measured: found.measured,
            unfinished: found.unfinished,
            offered: found.offered,
            resent: after.saturating_sub(before),
            links: meters.outcomes(),
            totals: PacketTotals::default(),
        };
        let late = RunLateness {
            frames: meters.lateness(),
            starts: transfers.latest_start,
            expired_grants: self.state.expired_grants() - expired_before,
        };
        Ok((outcome, late))
    }

    /// Lets nodes ask for each other's hardware addresses, so that no flow waits for an answer.
    fn find_neighbours(&self) {
        for group in &self.config.groups {
            let send = || UdpSocket::bind("0.0.0.0:0")?.send_to(&[0], (address(group.from), 9));
            // Nobody listens there. If it fails, the first flow asks.
            let _ = self.network.nodes[group.to].enter(send);
        }
        sleep(Duration::from_nanos((self.layout.rtt * 4 + SETTLE).as_nanos()));
    }

    /// Segments that the hosts' kernels have sent again.
    fn retransmitted(&self) -> u64 {
        let of = |table: String| -> Option<u64> {
            let mut lines = table.lines().filter_map(|line| line.strip_prefix("Tcp: "));
            let place = lines.next()?.split(' ').position(|name| name == "RetransSegs")?;
            lines.next()?.split(' ').nth(place)?.parse().ok()
        };
        let read = || fs::read_to_string("/proc/thread-self/net/snmp").unwrap_or_default();
        self.network.nodes.iter().filter_map(|node| of(node.enter(read))).sum()
    }

    fn progress(&self, now: Time, states: &[TransferState]) -> Progress {
        let sized = |flow: &PlannedFlow| flow.measured && flow.size.is_some();
        let due =
            self.flows.iter().zip(states).filter(|(flow, _)| sized(flow) && flow.start <= now);
        let (mut measured, mut finished) = (0, 0);
        for (_, state) in due {
            measured += 1;
            finished += u64::from(matches!(state, TransferState::Finished(_)));
        }
        Progress { now, stop: self.config.stop, measured, finished, memory: Bytes::ZERO }
    }
}
