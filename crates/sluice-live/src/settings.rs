//! Settings of services, as `/etc/sluice.toml` has them: `[host]`, and a `[[router]]` for each device.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use sluice_laws::protocol::Protocol as _;
use sluice_laws::rcp::RcpParams;
use sluice_laws::rcp::params::INTERVALS;
use sluice_laws::rcp::rtt::RttFilter;
use sluice_laws::router::QueueCounts;
use sluice_linux::{ControllerSettings, initial_rate, linux_rcp_params};
use sluice_units::{BufferSize, Faults, Rate, Ratio, Span};

/// Capacities that the fast path can keep a queue for.
const RATES: std::ops::RangeInclusive<Rate> =
    Rate::from_bps(1_000)..=Rate::from_bps(400_000_000_000);

/// A file of settings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LiveSettings {
    /// The host.
    pub host: HostSettings,
    /// The routers.
    pub router: Vec<RouterSettings>,
}

/// Settings of a host.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HostSettings {
    /// The folder of the cgroup whose TCP connections follow grants. Default: the root of cgroup v2, and so all connections
    /// of the machine.
    pub cgroup: Option<PathBuf>,
    /// Devices at which packets full of selective acknowledgements make room for echoes. Default: all Ethernet devices
    /// that are up, also those that come up later.
    pub dev: Vec<String>,
}

/// Settings of a router.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RouterSettings {
    /// The device at whose egress the link is.
    pub dev: String,
    /// The capacity of the link, 1 kb/s to 400 Gb/s.
    pub rate: Rate,
    /// The most that the virtual queue holds: bytes, or a time at `rate`. Default 100 ms.
    #[serde(default = "default_buffer")]
    pub buffer: BufferSize,
    /// The longest RTT of the paths through the link, 1 us to 10 s: what hosts state above it counts as this. R follows
    /// with a time constant of three and a third of them at most (`alpha` 0.3; less than 5 ms count as 5), even if hosts lie.
    /// Default 1 s.
    #[serde(default = "default_longest_rtt")]
    pub longest_rtt: Span,
    /// The law's parameters.
    #[serde(default)]
    pub rcp: RouterRcp,
}

/// Those parameters of RCP that a router at a device uses, by the scenarios' names and units. Defaults are
/// [`linux_rcp_params`]'.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RouterRcp {
    /// Gain on spare capacity, above 0 to 10. Default 0.3.
    pub alpha: Ratio,
    /// Gain on the queue, 0 to 10. Default 0.127.
    pub beta: Ratio,
    /// The part of `rate` that flows get, above 0 to 1. Default 0.95: packets of the first flights and of other protocols need
    /// the rest, since the virtual queue delays nothing.
    pub gamma: Ratio,
    /// The longest time between updates of R, 1 us to 10 s. Default 10 ms. Less than 5 ms counts as 5 ms.
    pub interval: Span,
    /// R at the start, as a part of `rate`, above 0 to 1. Default: gamma over the number of flows that send data through the
    /// device in the [`FlowCensus::TIME`](sluice_linux::FlowCensus::TIME) before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_rate: Option<Ratio>,
    /// The least R, in packets an RTT, above 0 to 1. Default 0.1.
    pub min_rate: Ratio,
    /// The RTT that is assumed until a packet states one, 1 us to 10 s. Default 200 ms.
    pub initial_rtt: Span,
    /// How d0 follows the RTTs in packets. Default `"per_packet"`.
    pub rtt_filter: RttFilter,
    /// Gain of `"per_packet"`, above 0 to 1. Default 0.02.
    pub rtt_gain: Ratio,
    /// The bytes that count as queue. Default `"waiting"`.
    pub queue_counts: QueueCounts,
}

impl Default for RouterRcp {
    fn default() -> Self {
        let rcp = linux_rcp_params();
        Self {
            alpha: rcp.alpha,
            beta: rcp.beta,
            gamma: rcp.gamma,
            interval: rcp.interval,
            initial_rate: None,
            min_rate: rcp.min_rate,
            initial_rtt: rcp.initial_rtt,
            rtt_filter: rcp.rtt_filter,
            rtt_gain: rcp.rtt_gain,
            queue_counts: rcp.queue_counts,
        }
    }
}

fn default_buffer() -> BufferSize {
    BufferSize::Time(Span::from_millis(100))
}

/// Above that of any path on earth: by a geostationary satellite it is 0.6 s.
fn default_longest_rtt() -> Span {
    Span::from_secs(1)
}

impl LiveSettings {
    /// Reports what is wrong beyond the types of fields.
    pub fn check(&self, faults: &mut Faults) {
        for (index, router) in self.router.iter().enumerate() {
            faults.inside(&format!("router[{index}]"), |faults| {
                router.check(faults);
                let is_second = self.router[..index].iter().any(|other| other.dev == router.dev);
                faults.need(!is_second, "dev", "another `[[router]]` has this device");
            });
        }
    }
}

impl RouterSettings {
    /// A router with the defaults.
    pub fn new(dev: impl Into<String>, rate: Rate) -> Self {
        Self {
            dev: dev.into(),
            rate,
            buffer: default_buffer(),
            longest_rtt: default_longest_rtt(),
            rcp: RouterRcp::default(),
        }
    }

    /// Reports what is wrong beyond the types of fields.
    pub fn check(&self, faults: &mut Faults) {
        // The kernel's names (IFNAMSIZ); they become names of files.
        let is_name = (1..=15).contains(&self.dev.len()) && !self.dev.contains('/');
        faults.need(is_name, "dev", "must be the name of a device, 1 to 15 bytes without `/`");
        faults.within("rate", &self.rate, &RATES);
        let is_limit = matches!(self.buffer, BufferSize::Bytes(_) | BufferSize::Time(_));
        faults.need(is_limit, "buffer", "must be bytes or a time, such as `1 MB` or `100 ms`");
        faults.within("longest_rtt", &self.longest_rtt, &INTERVALS);
        faults.inside("rcp", |faults| self.rcp.params(0.0).check(faults));
    }

    /// The settings of its controller.
    pub(crate) fn controller(&self) -> ControllerSettings {
        let queue_limit = match self.buffer {
            BufferSize::Time(time) => time,
            BufferSize::Bytes(bytes) => self.rate.time_for(bytes),
            // `check` refuses others.
            _ => Span::from_millis(100),
        };
        let interval = self.rcp.interval;
        ControllerSettings { interval, queue_limit, ..ControllerSettings::default() }
    }
}

impl RouterRcp {
    /// Them among all of the law's, for a link of this number of flows at the start.
    pub(crate) fn params(&self, flows: f64) -> RcpParams {
        RcpParams {
            alpha: self.alpha,
            beta: self.beta,
            gamma: self.gamma,
            interval: self.interval,
            initial_rate: self.initial_rate.unwrap_or(initial_rate(self.gamma, flows)),
            min_rate: self.min_rate,
            initial_rtt: self.initial_rtt,
            rtt_filter: self.rtt_filter,
            rtt_gain: self.rtt_gain,
            queue_counts: self.queue_counts,
            ..RcpParams::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use sluice_units::Bytes;

    use super::*;

    fn faults(settings: &LiveSettings) -> Vec<String> {
        Faults::of(|faults| settings.check(faults)).iter().map(ToString::to_string).collect()
    }

    fn with(change: impl FnOnce(&mut RouterSettings)) -> LiveSettings {
        let mut router = RouterSettings::new("eth1", Rate::from_bps(1_000_000_000));
        change(&mut router);
        LiveSettings { router: vec![router], ..LiveSettings::default() }
    }

    #[test]
    fn the_defaults_are_valid() {
        assert_eq!(faults(&with(|_| ())), Vec::<String>::new());
    }

    #[test]
    fn what_is_wrong_is_named_by_its_path() {
        let wrong = [
            (
                with(|router| router.dev = "eth0/1".into()),
                "router[0].dev: must be the name of a device",
            ),
            (
                with(|router| router.rate = Rate::from_bps(5)),
                "router[0].rate: must be 1 kbps to 400 Gbps, not 5 bps",
            ),
            (
                with(|router| router.buffer = BufferSize::Unlimited),
                "router[0].buffer: must be bytes or a time",
            ),
            (
                with(|router| router.longest_rtt = Span::from_secs(11)),
                "router[0].longest_rtt: must be 1 us to 10 s, not 11 s",
            ),
            (
                with(|router| router.rcp.gamma = Ratio::new(1.5)),
                "router[0].rcp.gamma: must be above 0 and at most 1, not 1.5",
            ),
            (
                with(|router| router.rcp.gamma = Ratio::new(0.0)),
                "router[0].rcp.gamma: must be above 0 and at most 1, not 0",
            ),
            (
                with(|router| router.rcp.initial_rate = Some(Ratio::new(2.0))),
                "router[0].rcp.initial_rate: must be above 0 and at most 1, not 2",
            ),
        ];
        for (settings, expected) in wrong {
            let found = faults(&settings);
            assert!(found.len() == 1 && found[0].starts_with(expected), "{found:?}");
        }
        let twice = [with(|_| ()).router, with(|_| ()).router].concat();
        let twice = LiveSettings { router: twice, ..LiveSettings::default() };
        assert_eq!(faults(&twice), ["router[1].dev: another `[[router]]` has this device"]);
    }

    #[test]
    fn a_buffer_in_bytes_is_the_time_that_they_take() {
        let bytes = BufferSize::Bytes(Bytes::new(125_000));
        let settings = with(|router| router.buffer = bytes);
        assert_eq!(settings.router[0].controller().queue_limit, Span::from_millis(1));
    }
}
