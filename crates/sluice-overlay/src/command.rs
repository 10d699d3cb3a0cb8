//! The command line.

use std::io::Read as _;
use std::{io, process, thread};

use clap::{Parser, Subcommand, ValueEnum};
use sluice_laws::ncp::{FlowCount, NcpParams};
use sluice_units::{Bytes, Rate, Span};

use crate::demo::{self, DemoPlan};
use crate::error::OverlayError;
use crate::plan::{LinkPlan, ROOM, RateStep, link_rate, rate_step};
use crate::processes::{self, PATIENCE, SourceLimits};

/// An overlay of software routers under NCP, on the loopback interface.
#[derive(Parser, Debug)]
#[command(name = "sluice-overlay", version)]
pub struct OverlayCommand {
    /// How routers count flows: by equation (8) or (12) of the paper. The same for all processes.
    #[arg(long, global = true, value_enum, default_value_t = Counted::Eq8)]
    counted: Counted,
    /// End when standard input does, so that no process outlives the one that started it.
    #[arg(long, global = true)]
    while_input: bool,
    #[command(subcommand)]
    action: Action,
}

/// Equations that count flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Counted {
    /// All flows of a link count alike: what the paper calls NCP.
    Eq8,
    /// Less what flows leave that are bottlenecked elsewhere.
    Eq12,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Forward datagrams, and grant rates at the links to other routers.
    Router {
        /// UDP port.
        #[arg(long)]
        port: u16,
        /// A link to the router of that port: PORT:DELAY:RATE[:RATE@TIME]..., as 7002:20ms:4Mbps:2Mbps@6s. The
        /// rates are emulated; the router estimates them.
        #[arg(long = "link", value_name = "LINK", value_parser = LinkPlan::parse)]
        links: Vec<LinkPlan>,
        /// The most bytes that wait for each link.
        #[arg(long, default_value_t = ROOM)]
        room: Bytes,
    },
    /// Send a stream over routers to a sink.
    Source {
        /// UDP port; 0 takes any.
        #[arg(long, default_value_t = 0)]
        port: u16,
        /// Flow number, unique in the overlay.
        #[arg(long)]
        flow: u32,
        /// UDP ports of the routers and of the sink, as 7001,7002,8001.
        #[arg(long, value_delimiter = ',', required = true)]
        route: Vec<u16>,
        /// The rate that it asks of routers (section 4 of the paper), and sends at where none grants less.
        #[arg(long, default_value = "20Mbps")]
        desired: Rate,
        /// Time to send; without it, until the process is ended.
        #[arg(long)]
        duration: Option<Span>,
        /// End when no answer has come for that long. Above the longest round trip, with its queues.
        #[arg(long, default_value_t = PATIENCE)]
        patience: Span,
    },
    /// Receive streams, and return the rates that routers granted.
    Sink {
        /// UDP port.
        #[arg(long)]
        port: u16,
    },
    /// Run three routers in a row and three sources, and compare their rates with max-min fair ones.
    Demo {
        /// Capacities of the links A-B and B-C, each way.
        #[arg(long, num_args = 2, value_names = ["FIRST", "SECOND"], default_values = ["4Mbps", "6Mbps"], value_parser = link_rate)]
        rates: Vec<Rate>,
        /// Propagation delay of each link.
        #[arg(long, default_value = "20ms")]
        delay: Span,
        /// Time to run.
        #[arg(long, default_value = "10s")]
        duration: Span,
        /// Another rate from A to B from that time on, as 2Mbps@5s.
        #[arg(long, value_parser = rate_step)]
        change: Option<RateStep>,
    },
}

impl OverlayCommand {
    /// Does what the command line says.
    pub fn run(self) -> Result<(), OverlayError> {
        if self.while_input {
            thread::spawn(end_with_input);
        }
        let counted = match self.counted {
            Counted::Eq8 => FlowCount::Eq8,
            Counted::Eq12 => FlowCount::Eq12,
        };
        let params = NcpParams { counted, ..NcpParams::default() };
        match self.action {
            Action::Router { port, mut links, room } => {
                links.iter_mut().for_each(|link| link.room = room);
                processes::router(port, links, &params)
            }
            Action::Source { port, flow, route, desired, duration, patience } => {
                if desired == Rate::ZERO {
                    let what = "--desired is 0: the source would never send";
                    return Err(OverlayError::Argument(what.to_owned()));
                }
                let params = NcpParams { desired_rate: Some(desired), ..params };
                let limits = SourceLimits { duration, patience };
                processes::source(port, flow, &route, limits, &params)
            }
            Action::Sink { port } => processes::sink(port, &params),
            Action::Demo { rates, delay, duration, change } => {
                let program = std::env::current_exe().map_err(OverlayError::Socket)?;
                let rates = [rates[0], rates[1]];
                let plan = DemoPlan { program, rates, delay, duration, change, counted };
                let outcome = demo::run(&plan, &mut |line| processes::print(line))?;
                processes::print(&outcome.table());
                Ok(())
            }
        }
    }
}

/// Reads standard input until it ends, and ends the process.
fn end_with_input() {
    let mut bytes = [0; 64];
    while matches!(io::stdin().read(&mut bytes), Ok(1..)) {}
    process::exit(0);
}
