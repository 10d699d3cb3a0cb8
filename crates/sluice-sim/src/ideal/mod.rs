//! Ideals: completion times of the same flows under perfect sharing of links, a bound that no protocol
//! reaches.
//!
//! Flows are fluid: one that sends has a rate, and all links of its path carry that rate at once.
//! Rates change only as flows come and go, so a run steps from one such instant to the next, and
//! there is no time step to choose. Time is an integer of nanoseconds and a fraction; it is rounded
//! only in records, to the nearest nanosecond.
//!
//! - Every flow pays the SYN exchange, with the SYNs' own transmission times, as under a protocol
//!   (PS 3.1). Then its data and their headers are carried at its rate.
//! - A flow alone takes exactly [`FlowRecord::alone`](crate::FlowRecord::alone); sharing adds to
//!   that the time by which its last bit leaves the sender later. So no slowdown is below 1, unless a link
//!   ever has more than its nominal capacity, by which `alone` goes. Where capacity varies, the time of a
//!   flow alone at the highest capacities takes the place of `alone`.
//! - There are no queues and no losses, and acknowledgements take no capacity; a link's buffer, queue,
//!   `error` and `losses` have no effect.
//! - A flow whose packets are sprayed over n paths sends at n-th of its rate on each.
//! - Flows without a size send until they are stopped.
//! - Streams of datagrams do not respond, so they come first, at their mean rates; flows share what
//!   they leave of each link (`reserved.rs`). A link passes no more of them than its capacity.

mod agenda;
mod clock;
mod fill;
mod flows;
mod fluid;
mod ledger;
mod max_min;
mod meter;
mod network;
mod ranked;
mod reserved;
mod sharing;
mod thinning;
mod way;

use serde::{Deserialize, Serialize};

use crate::check::ConfigError;
use crate::config::Config;
use crate::observer::Observer;
use crate::outcome::Outcome;
use crate::route::Paths;

use fluid::Fluid;
use max_min::MaxMin;
use network::Network;
use ranked::{Ranked, Urgency};
use reserved::Reserved;
use sharing::Sharing;

/// A perfect sharing of links.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Ideal {
    /// Max-min fairness: no flow's rate can be raised without lowering one that is not higher. On one
    /// bottleneck this is processor sharing: N flows have C / N each.
    MaxMin,
    /// Shortest remaining processing time: the flow with the fewest bytes left gets the whole capacity of
    /// its path, then the next what is left on its own.
    Srpt,
    /// First come, first served: as SRPT, but by when data enter the network.
    Fcfs,
}

impl Ideal {
    /// Every ideal there is.
    pub const ALL: &'static [Self] = &[Self::MaxMin, Self::Srpt, Self::Fcfs];

    /// Its name in scenarios and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MaxMin => "max_min",
            Self::Srpt => "srpt",
            Self::Fcfs => "fcfs",
        }
    }

    /// One line of help.
    pub const fn title(self) -> &'static str {
        match self {
            Self::MaxMin => "Fluid max-min fairness (processor sharing on one bottleneck)",
            Self::Srpt => "Shortest remaining processing time first, preemptive",
            Self::Fcfs => "First come, first served",
        }
    }

    /// Where it is specified.
    pub const fn source(self) -> &'static str {
        match self {
            Self::MaxMin => {
                "Bertsekas and Gallager, Data Networks, 2nd ed. (1992), 6.5.2; \
                 Kleinrock, Time-shared systems, J. ACM 14 (1967)"
            }
            Self::Srpt => {
                "Schrage, A proof of the optimality of the shortest remaining processing time \
                 discipline, Operations Research 16 (1968); over a network greedily by remaining \
                 size, after pFabric (SIGCOMM 2013)"
            }
            Self::Fcfs => "Kleinrock, Queueing Systems, vol. 1 (1975), chapter 5",
        }
    }

    fn sharing(self, network: &Network) -> Box<dyn Sharing> {
        match self {
            Self::MaxMin => Box::new(MaxMin::new(network)),
            Self::Srpt => Box::new(Ranked::new(network, Urgency::LeastLeft)),
            Self::Fcfs => Box::new(Ranked::new(network, Urgency::FirstIn)),
        }
    }
}

/// Runs the flows of `config` under `ideal`, the same flows that [`crate::run`] runs under a protocol,
/// and reports them to `observer` by the same rules.
///
/// # Errors
///
/// All faults of the configuration or of its paths.
pub fn run(
    config: &Config,
    ideal: Ideal,
    observer: &mut dyn Observer,
) -> Result<Outcome, ConfigError> {
    config.check()?;
    let paths = Paths::of(config)?;
    let reserved = Reserved::new(config, &paths);
    let network = Network::new(config, &paths, &reserved.links());
    let sharing = ideal.sharing(&network);
    let mut fluid = Fluid::new(config, &paths, network, sharing, reserved);
    fluid.run(observer);
    Ok(fluid.finish(observer))
}
