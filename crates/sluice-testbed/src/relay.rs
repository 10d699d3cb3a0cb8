//! The threads that carry frames between devices.

use std::io;
use std::num::NonZeroU64;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::io::{Errno, read, write};
use rustix::thread::set_current_timer_slack;
use sluice_units::{Span, Time};

use crate::direction::Direction;
use crate::frame::Size;
use crate::lateness::LatenessCounts;
use crate::sys::run_first;
use crate::tap::{LONGEST_FRAME, Tap};
use crate::{DirectionConfig, LinkCounters};

/// Frames read before deliveries are looked at.
const AT_ONCE: usize = 64;

/// What a direction's thread shares with the handles of the link.
pub(crate) struct Shared {
    start: Instant,
    state: Mutex<State>,
    /// Readable when the thread is to look at the configuration or at `ended`.
    wake: OwnedFd,
    ended: AtomicBool,
}

struct State {
    direction: Direction<Vec<u8>>,
    lateness: LatenessCounts,
    refused_frames: u64,
}

impl Shared {
    pub(crate) fn new(config: DirectionConfig) -> io::Result<Self> {
        let direction = Direction::new(config);
        let state = State { direction, lateness: LatenessCounts::default(), refused_frames: 0 };
        Ok(Self {
            start: Instant::now(),
            state: Mutex::new(state),
            wake: eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)?,
            ended: AtomicBool::new(false),
        })
    }

    pub(crate) fn counters(&self) -> LinkCounters {
        let mut state = self.lock();
        let lateness = state.lateness.summary();
        let refused_frames = state.refused_frames;
        LinkCounters { lateness, refused_frames, ..state.direction.counters(self.now()) }
    }

    pub(crate) fn reset_peaks(&self) {
        let mut state = self.lock();
        state.lateness = LatenessCounts::default();
        state.direction.reset_max_queue(self.now());
    }

    pub(crate) fn reconfigure(&self, config: DirectionConfig) {
        self.lock().direction.reconfigure(config, self.now());
        self.wake();
    }

    /// Lets the thread end.
    pub(crate) fn end(&self) {
        self.ended.store(true, Ordering::Release);
        self.wake();
    }

    fn wake(&self) {
        // It fails only if the thread has been woken 2^64 - 1 times already.
        let _ = write(&self.wake, &1_u64.to_ne_bytes());
    }

    /// A panic under the lock would leave counts that are off, at worst.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Time {
        Time::from_nanos(u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX))
    }
}

/// Carries frames in one direction.
pub(crate) struct Relay {
    from: Arc<Tap>,
    to: Arc<Tap>,
    shared: Arc<Shared>,
    /// Buffers for frames to come.
    spare: Vec<Vec<u8>>,
}

impl Relay {
    pub(crate) fn new(from: &Arc<Tap>, to: &Arc<Tap>, shared: &Arc<Shared>) -> Self {
        let (from, to, shared) = (from.clone(), to.clone(), shared.clone());
        Self { from, to, shared, spare: Vec::new() }
    }

    /// Runs until it is to end, or until the device that it reads is gone.
    pub(crate) fn run(mut self) {
        // Both are best effort: without them deliveries are later, which `Lateness` shows.
        let _ = set_current_timer_slack(NonZeroU64::new(1));
        let _ = run_first();
        let mut buffer = vec![0; LONGEST_FRAME];
        while !self.shared.ended.load(Ordering::Acquire) {
            self.deliver();
            match self.wait() {
                Ok(true) => {
                    if self.take(&mut buffer).is_err() {
                        return;
                    }
                }
                Ok(false) => {}
                Err(_) => return,
            }
        }
    }

    /// Passes on what has arrived.
    fn deliver(&mut self) {
        loop {
            let now = self.shared.now();
            let delivery = self.shared.lock().direction.delivery(now);
            let Some(delivery) = delivery else { return };
            if !delivery.is_lost {
                let is_taken = self.to.write(&delivery.carried);
                let mut state = self.shared.lock();
                state.lateness.add(now.since(delivery.due));
                state.refused_frames += u64::from(!is_taken);
            }
            self.spare.push(delivery.carried);
        }
    }

    /// Waits until there is a frame to deliver or to read; whether there is one to read.
    fn wait(&self) -> io::Result<bool> {
        let next = self.shared.lock().direction.next();
        let timeout = next.map(|next| timespec(next.since(self.shared.now())));
        let mut ready = [
            PollFd::new(&*self.from, PollFlags::IN),
            PollFd::new(&self.shared.wake, PollFlags::IN),
        ];
        match poll(&mut ready, timeout.as_ref()) {
            Ok(_) => {}
            Err(Errno::INTR) => return Ok(false),
            Err(error) => return Err(error.into()),
        }
        if !ready[1].revents().is_empty() {
            let _ = read(&self.shared.wake, &mut [0; 8]);
        }
        Ok(!ready[0].revents().is_empty())
    }

    /// Takes frames from the device; an error if that is gone.
    fn take(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        for _ in 0..AT_ONCE {
            let Some(frame) = self.from.read(buffer)? else { break };
            let mut kept = self.spare.pop().unwrap_or_default();
            kept.clear();
            kept.extend_from_slice(frame);
            let now = self.shared.now();
            let refused = self.shared.lock().direction.enqueue(Size::of(frame), kept, now);
            self.spare.extend(refused.err());
        }
        Ok(())
    }
}

fn timespec(span: Span) -> Timespec {
    let ns = span.as_nanos();
    let seconds = i64::try_from(ns / 1_000_000_000).unwrap_or(i64::MAX);
    Timespec { tv_sec: seconds, tv_nsec: (ns % 1_000_000_000) as _ }
}
