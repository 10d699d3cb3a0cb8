//! A controller in a thread of its own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use sluice_laws::router::RouterLaw;

use super::link::LinkController;
use crate::clock::monotonic_now;
use crate::error::Error;

/// How long a sleeping controller overlooks that it should stop.
const STOPS_WITHIN: Duration = Duration::from_millis(100);

impl<L: RouterLaw> LinkController<'_, '_, L> {
    /// Ticks whenever due, until `stop` is set (it returns within 100 ms) or an error. The grant in force then expires.
    ///
    /// Calls `after_ticks` after each call of [`tick`](Self::tick): to read the status, or to change the capacity.
    pub fn run(
        &mut self,
        stop: &AtomicBool,
        mut after_ticks: impl FnMut(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        while !stop.load(Ordering::Relaxed) {
            let (now, due) = (monotonic_now(), self.due());
            if now < due {
                let left = Duration::from_nanos(due.since(now).as_nanos());
                thread::sleep(left.min(STOPS_WITHIN));
                continue;
            }
            self.tick(now)?;
            after_ticks(self)?;
        }
        Ok(())
    }
}
