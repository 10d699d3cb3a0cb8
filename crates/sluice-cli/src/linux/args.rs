//! The arguments of the commands of the data plane.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Subcommand;
use sluice_units::{BufferSize, Rate, Ratio, Span};

use crate::complete;
use crate::input::ScenarioSettings;
use crate::start::RunOptions;

/// Arguments of `sluice router`.
#[derive(clap::Args)]
pub struct RouterArgs {
    #[command(subcommand)]
    pub command: RouterCommand,
}

#[derive(Subcommand)]
pub enum RouterCommand {
    /// Start a router at a device, or all routers of the settings
    Up(RouterUpArgs),
    /// End a router and remove its filter, also after its process was killed
    Down(RouterDownArgs),
}

/// Arguments of `sluice router up`.
#[derive(clap::Args)]
pub struct RouterUpArgs {
    /// Device before the link, e.g. `eth1` [default: all of `[[router]]` in the settings]
    #[arg(long, value_name = "NAME", add = complete::devices())]
    pub dev: Option<String>,
    /// Capacity of the link, e.g. `1gbit` or `100 Mbps`
    #[arg(long, requires = "dev")]
    pub rate: Option<Rate>,
    /// Limit of the virtual queue, in bytes or in time at the rate [default: 100 ms]
    #[arg(long, value_name = "SIZE", requires = "dev")]
    pub buffer: Option<BufferSize>,
    /// Longest RTT of the paths through the link; longer ones that hosts state count as this [default: 1 s]
    #[arg(long, value_name = "TIME", requires = "dev")]
    pub longest_rtt: Option<Span>,
    /// Part of the rate that flows get, above 0 to 1 [default: 0.95]
    #[arg(long, requires = "dev")]
    pub gamma: Option<Ratio>,
    #[command(flatten)]
    pub start: StartArgs,
}

/// Arguments of `sluice router down`.
#[derive(clap::Args)]
pub struct RouterDownArgs {
    /// Device of the router [default: those of all routers]
    #[arg(long, value_name = "NAME", add = complete::devices())]
    pub dev: Option<String>,
    /// Leave a router that is up: only put back what a process left that was killed, as systemd does
    #[arg(long, hide = true, conflicts_with = "dry_run")]
    pub killed: bool,
    /// Print the changes that would be made, and make none
    #[arg(long)]
    pub dry_run: bool,
}

/// Arguments of `sluice host`.
#[derive(clap::Args)]
pub struct HostArgs {
    #[command(subcommand)]
    pub command: HostCommand,
}

#[derive(Subcommand)]
pub enum HostCommand {
    /// Let TCP connections that begin from now on follow the rates that routers grant
    Up(HostUpArgs),
    /// End the host, and put back what it changed, also after its process was killed
    Down(DownArgs),
}

/// Arguments of `sluice host up`.
#[derive(clap::Args)]
pub struct HostUpArgs {
    /// Folder of the cgroup (v2) of the processes whose connections follow grants [default: the root, and
    /// so all]
    #[arg(long, value_name = "PATH")]
    pub cgroup: Option<PathBuf>,
    /// Device by which acknowledgements leave, so that they have room for rates; may be repeated
    /// [default: all Ethernet devices that are up, also those that come up later]
    #[arg(long, value_name = "NAME", add = complete::devices())]
    pub dev: Vec<String>,
    #[command(flatten)]
    pub start: StartArgs,
}

/// How a service is started.
#[derive(clap::Args)]
pub struct StartArgs {
    /// File of settings, which options override [default: /etc/sluice.toml, if there is one]
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,
    /// Stay in the foreground until Ctrl-C or SIGTERM, as for systemd
    #[arg(long)]
    pub foreground: bool,
    /// Become the leader of a session: what `up` starts in the background.
    #[arg(long, hide = true, requires = "foreground")]
    pub session: bool,
    /// Print the changes that would be made, and make none
    #[arg(long, conflicts_with = "foreground")]
    pub dry_run: bool,
}

/// Arguments of `sluice status`.
#[derive(clap::Args)]
pub struct StatusArgs {
    /// Print JSON instead of tables
    #[arg(long, conflicts_with = "watch")]
    pub json: bool,
    /// Print again each second, until Ctrl-C
    #[arg(long)]
    pub watch: bool,
}

/// Arguments of `sluice down` and `sluice host down`.
#[derive(clap::Args)]
pub struct DownArgs {
    /// Leave a host that is up: only put back what a process left that was killed, as systemd does
    #[arg(long, hide = true, conflicts_with = "dry_run")]
    pub killed: bool,
    /// Print the changes that would be made, and make none
    #[arg(long)]
    pub dry_run: bool,
}

/// Arguments of `sluice metrics`.
#[derive(clap::Args)]
pub struct MetricsArgs {
    /// Address of the loopback interface to serve `/metrics` at
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9469")]
    pub listen: SocketAddr,
}

/// Arguments of `sluice demo`.
#[derive(clap::Args)]
pub struct DemoArgs {
    /// Scenario file, or name of a ready scenario (see `sluice list scenarios`)
    #[arg(default_value = "demo", add = complete::scenarios())]
    pub file: PathBuf,
    #[command(flatten)]
    pub settings: ScenarioSettings,
    #[command(flatten)]
    pub start: RunOptions,
}

/// Arguments of `sluice doctor`.
#[derive(clap::Args)]
pub struct DoctorArgs {
    /// Device to check; may be repeated [default: all Ethernet devices that are up]
    #[arg(long, value_name = "NAME", add = complete::devices())]
    pub dev: Vec<String>,
    /// Rate of a flow that buffers should suffice for
    #[arg(long, requires = "rtt")]
    pub rate: Option<Rate>,
    /// Round-trip time of that flow
    #[arg(long, requires = "rate")]
    pub rtt: Option<Span>,
    /// Print JSON instead of lines
    #[arg(long)]
    pub json: bool,
}
