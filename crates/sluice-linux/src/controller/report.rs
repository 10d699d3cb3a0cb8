use sluice_laws::router::RouterLaw;
use sluice_units::Time;

use super::link::LinkController;
use super::status::LinkStatus;
use crate::error::Error;

impl<L: RouterLaw> LinkController<'_, '_, L> {
    /// The link and its law as of `now`.
    pub fn status(&mut self, now: Time) -> Result<LinkStatus, Error> {
        let traffic = self.kernel.router.traffic()?;
        let mut metrics = Vec::new();
        self.law.metrics(&mut |name, value| metrics.push((name, value)));
        Ok(LinkStatus {
            law: self.kernel.number(),
            capacity: self.capacity.capacity(),
            metrics,
            queue: self.kernel.router.virtual_queue(now)?.now,
            load: self.load.observe(now, traffic.bytes, self.capacity.bits_by(now)),
            traffic,
            ticks: self.counts,
            grant_age: now.since(self.installed),
        })
    }
}
