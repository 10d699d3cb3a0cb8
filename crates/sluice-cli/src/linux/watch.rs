//! `sluice status` and `sluice metrics`.

use std::io::{IsTerminal as _, stdout};
use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::json;
use sluice_live::{
    DaemonReport, RunDir, network_namespace, reports, serve_metrics, status_table, stop_flag,
};

use super::args::{MetricsArgs, StatusArgs};
use super::service::{refuse, warn};
use crate::exit::{Exit, fail, note, print};

/// How often `--watch` prints.
const EVERY: Duration = Duration::from_secs(1);
/// How soon it sees Ctrl-C.
const STOPS_WITHIN: Duration = Duration::from_millis(50);

/// Moves to the top left of the terminal, and clears what is below.
const CLEAR: &str = "\x1b[H\x1b[J";

/// Prints the state of the services.
pub fn status(args: &StatusArgs) -> Exit {
    if !args.watch {
        return show(args.json);
    }
    let stop = match stop_flag() {
        Ok(stop) => stop,
        Err(error) => return refuse(&error),
    };
    let clear = if stdout().is_terminal() { CLEAR } else { "\n" };
    while !stop.load(Ordering::Relaxed) {
        // Services that do not answer now may do so next time; a reader that is gone stays so.
        if print(clear) != Exit::Success {
            break;
        }
        let _ = show(false);
        let shown = Instant::now();
        while shown.elapsed() < EVERY && !stop.load(Ordering::Relaxed) {
            sleep(STOPS_WITHIN);
        }
    }
    Exit::Success
}

fn show(as_json: bool) -> Exit {
    let found = reports(&RunDir::default())
        .and_then(|found| network_namespace().map(|namespace| (found, namespace)));
    let (found, here) = match found {
        Ok(found) => found,
        Err(error) => return refuse(&error),
    };
    let mut exit = Exit::Success;
    let is_none = found.is_empty();
    let mut up: Vec<DaemonReport> = Vec::new();
    for report in found {
        match report {
            Ok(report) => up.push(report),
            Err(error) => exit = exit.and(refuse(&error)),
        }
    }
    if as_json {
        return print(&format!("{:#}\n", json!(up))).and(exit);
    }
    if is_none {
        note(&"Nothing is up; `sluice router up` and `sluice host up` start services");
    }
    up.iter().flat_map(DaemonReport::warnings).for_each(|warning| warn(warning));
    print(&status_table(&up, here)).and(exit)
}

/// Serves metrics until Ctrl-C or SIGTERM.
pub fn metrics(args: &MetricsArgs) -> Exit {
    let served = stop_flag().and_then(|stop| {
        serve_metrics(args.listen, &RunDir::default(), &stop, |address| {
            note(&format!("Metrics are at http://{address}/metrics"));
        })
    });
    match served {
        Ok(()) => Exit::Success,
        Err(error) if error.is_input() => fail(Exit::WrongInput, &format!("error: --{error}")),
        Err(error) => refuse(&error),
    }
}
