//! Emulated links.

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crate::error::Attempt as _;
use crate::relay::{Relay, Shared};
use crate::tap::Tap;
use crate::{DirectionConfig, LinkCounters, Namespace, TestbedError};

/// An emulated link between TAP devices in two namespaces, whose frames threads of this process carry.
/// The devices go away when it is dropped.
pub struct Link {
    directions: [LinkDirection; 2],
    threads: Vec<JoinHandle<()>>,
}

/// One direction of a [`Link`], while that exists; afterwards its counters remain.
#[derive(Clone)]
pub struct LinkDirection {
    shared: Arc<Shared>,
}

impl Link {
    /// Creates a device of the given name in each namespace, up and without an address, and a link
    /// between them: `forward` from `a` to `b`, `backward` from `b` to `a`.
    ///
    /// # Errors
    /// If a device cannot be created: a name that is taken or is not of 1 to 15 bytes, no
    /// `/dev/net/tun`, no privilege (CAP_NET_ADMIN), no `ip`; or if a probability is not from 0 to 1.
    pub fn new(
        a: &Namespace,
        name_a: &str,
        b: &Namespace,
        name_b: &str,
        forward: DirectionConfig,
        backward: DirectionConfig,
    ) -> Result<Self, TestbedError> {
        let [forward_state, backward_state] = [forward, backward].map(LinkDirection::new);
        let directions = [forward_state?, backward_state?];
        let at_a = Arc::new(Tap::new(a, name_a, forward.super_packets)?);
        let at_b = Arc::new(Tap::new(b, name_b, backward.super_packets)?);
        let mut link = Self { directions, threads: Vec::new() };
        for (place, from, to) in [(0, &at_a, &at_b), (1, &at_b, &at_a)] {
            let relay = Relay::new(from, to, &link.directions[place].shared);
            let thread = thread::Builder::new().name("sluice-link".into());
            // What runs already ends with `link`.
            let thread = thread.spawn(move || relay.run());
            link.threads.push(thread.attempt(|| "cannot start a thread of a link".into())?);
        }
        Ok(link)
    }

    /// The direction from the first namespace to the second.
    pub fn forward(&self) -> &LinkDirection {
        &self.directions[0]
    }

    /// The direction from the second namespace to the first.
    pub fn backward(&self) -> &LinkDirection {
        &self.directions[1]
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        for direction in &self.directions {
            direction.shared.end();
        }
        for thread in self.threads.drain(..) {
            // A panic has been reported when it happened.
            let _ = thread.join();
        }
    }
}

impl LinkDirection {
    fn new(config: DirectionConfig) -> Result<Self, TestbedError> {
        config.check()?;
        let shared = Shared::new(config).attempt(|| "cannot create an event of a link".into())?;
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Counts since the link's creation.
    pub fn counters(&self) -> LinkCounters {
        self.shared.counters()
    }

    /// Restarts `max_queue` and `lateness`, for example after a warm-up.
    pub fn reset_peaks(&self) {
        self.shared.reset_peaks();
    }

    /// Replaces the configuration, except for `super_packets` and `seed`. Frames that wait take the new
    /// rate, delay, loss and reordering; those that are on the wire arrive as they would have.
    ///
    /// # Errors
    /// If a probability is not from 0 to 1; the configuration then remains.
    pub fn reconfigure(&self, config: DirectionConfig) -> Result<(), TestbedError> {
        config.check()?;
        self.shared.reconfigure(config);
        Ok(())
    }
}
