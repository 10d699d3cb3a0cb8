//! Flows whose packets do not all take the same steps: they take several paths in turn, or some of them are of
//! another class of traffic.

use sluice_laws::host::Service;

/// Where paths begin in the plan, in the order in which packets take them.
#[derive(Clone, Debug)]
pub(crate) struct Spray {
    begin: Vec<u32>,
    /// The same paths for best-effort packets, of flows that send some.
    best_effort: Vec<u32>,
    next: usize,
}

impl Spray {
    /// These paths, of which there is at least one, round and round. `best_effort` has as many, or none.
    pub(crate) fn new(begin: Vec<u32>, best_effort: Vec<u32>) -> Self {
        Self { begin, best_effort, next: 0 }
    }

    /// Where the path of the next packet begins, which gets this service.
    pub(crate) fn next(&mut self, service: Service) -> u32 {
        let begin = match service {
            Service::Own => &self.begin,
            Service::BestEffort => &self.best_effort,
        };
        let step = begin[self.next];
        self.next = (self.next + 1) % self.begin.len();
        step
    }
}
