//! `sluice plot`.

use std::path::PathBuf;

use sluice_lab::plot::{self, Choice};

use crate::exit::{Exit, fail, print};
use crate::input;

/// Arguments of `sluice plot`.
#[derive(clap::Args)]
pub struct PlotArgs {
    /// Folder of results written by `sluice sweep`
    dir: PathBuf,
    /// Swept field along the axis, e.g. `load`
    #[arg(long, value_name = "FIELD")]
    x: String,
    /// Measure, e.g. `completion_p99`, `slowdown_mean`, `utilization`, `group.web.throughput`
    #[arg(long, value_name = "MEASURE")]
    y: String,
    /// Draw only points where another swept field has this value
    #[arg(long, value_name = "FIELD=VALUE", value_parser = input::assignment)]
    at: Vec<(String, String)>,
    /// Only flows with about this size, e.g. `50kB` for those of 10 to 100 kB
    #[arg(long, value_name = "SIZE", value_parser = size)]
    size: Option<sluice_units::Bytes>,
    /// Draw only these protocols and ideals, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    protocols: Vec<String>,
    /// Figure to write: NAME.svg or NAME.png
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

fn size(text: &str) -> Result<sluice_units::Bytes, String> {
    text.parse().map_err(|error| format!("{error}"))
}

/// Draws the figure.
pub fn plot(args: PlotArgs) -> Exit {
    let PlotArgs { dir, x, y, at, size, protocols: systems, out } = args;
    match plot::write(&dir, &Choice { x, y, at, size, systems }, &out) {
        Ok(()) => print(&format!("{}\n", out.display())),
        Err(error) => {
            let exit = if error.is_input() { Exit::WrongInput } else { Exit::Failure };
            fail(exit, &format!("error: {error}"))
        }
    }
}
