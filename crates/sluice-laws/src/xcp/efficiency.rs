//! The efficiency controller: the change of the traffic as a whole, phi (thesis sections 4.7.1 and
//! 9.3.1). It knows nothing of flows.

use sluice_units::{Bytes, Span};

use super::choices::Efficiency;
use super::params::XcpParams;

/// What a controller decides from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    /// The capacity of the link, in bytes a second.
    pub(crate) capacity: f64,
    /// y, the input traffic, in bytes a second.
    pub(crate) input: f64,
    /// Q, the persistent queue, in bytes.
    pub(crate) queue: f64,
    /// d, the control interval.
    pub(crate) interval: Span,
}

/// The controller of one link.
#[derive(Clone, Debug)]
pub(crate) struct EfficiencyController {
    efficiency: Efficiency,
    alpha: f64,
    beta: f64,
    increase: f64,
    /// A queue below this, in bytes, is empty: no packet waits.
    packet: f64,
}

impl EfficiencyController {
    pub(crate) fn new(params: &XcpParams, packet: Bytes) -> Self {
        Self {
            efficiency: params.efficiency,
            alpha: params.alpha.get(),
            beta: params.beta.get(),
            increase: params.increase.get(),
            packet: packet.as_f64(),
        }
    }

    /// phi, in bytes a second.
    ///
    /// Section 4.7.1 divides Q "by the control interval d", Appendix A by the average RTT: the two
    /// differ only where the interval is at a bound. The interval is what phi is given over, and
    /// is never zero; a link whose RTTs are far below the shortest interval would drain its queue
    /// many times over by the other.
    pub(crate) fn aggregate_feedback(&self, load: &Load) -> f64 {
        let drain = load.queue / load.interval.as_secs_f64();
        match self.efficiency {
            // (4.3)
            Efficiency::Spare => self.alpha * (load.capacity - load.input) - self.beta * drain,
            // "When the queue is empty, it increases proportionally to the capacity, and when the queue
            // has some packets, it decreases proportionally to the queue size" (section 9.3.1).
            Efficiency::Queue if load.queue < self.packet => self.increase * load.capacity,
            Efficiency::Queue => -self.beta * drain,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// phi of a controller at a link of 1 MB/s with 1000-byte packets and an interval of 125 ms.
    fn phi(efficiency: Efficiency, input: f64, queue: f64) -> f64 {
        let params = XcpParams { efficiency, ..XcpParams::default() };
        EfficiencyController::new(&params, Bytes::new(1000)).aggregate_feedback(&Load {
            capacity: 1e6,
            input,
            queue,
            interval: Span::from_millis(125),
        })
    }

    fn near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-6, "{value}, not {expected}");
    }

    #[test]
    fn equation_4_3_adds_both_terms() {
        near(phi(Efficiency::Spare, 500e3, 0.0), 200e3);
        near(phi(Efficiency::Spare, 500e3, 1250.0), 200e3 - 2260.0);
        near(phi(Efficiency::Spare, 1500e3, 0.0), -200e3);
    }

    /// A tenth of the capacity, whatever the input; and -0.226 x 1250 B / 125 ms.
    #[test]
    fn without_spare_bandwidth_only_the_queue_decides() {
        for input in [0.0, 500e3, 2e6] {
            near(phi(Efficiency::Queue, input, 0.0), 100e3);
            near(phi(Efficiency::Queue, input, 999.0), 100e3);
            near(phi(Efficiency::Queue, input, 1250.0), -2260.0);
        }
    }
}
