//! `sluice router`, `sluice host` and `sluice down`.

use std::ffi::OsString;
use std::fmt::Display;

use sluice_live::{
    Change, DaemonName, DaemonReport, DaemonRole, LiveError, RunDir, clean, down_changes,
    host_changes, network_namespace, router_changes, router_name, run_host, run_router, services,
    start_in_background, take_down,
};

use super::args::{
    DownArgs, HostArgs, HostCommand, HostUpArgs, RouterArgs, RouterCommand, RouterDownArgs,
    RouterUpArgs, StartArgs,
};
use super::settings;
use crate::exit::{Exit, fail, note, print};

/// Starts or ends routers.
pub fn router(args: &RouterArgs) -> Exit {
    match &args.command {
        RouterCommand::Up(args) => router_up(args).unwrap_or_else(|exit| exit),
        RouterCommand::Down(args) => router_down(args).unwrap_or_else(|exit| exit),
    }
}

/// Starts or ends the host.
pub fn host(args: &HostArgs) -> Exit {
    match &args.command {
        HostCommand::Up(args) => host_up(args).unwrap_or_else(|exit| exit),
        HostCommand::Down(args) => {
            let name = network_namespace().map(DaemonName::host).map_err(|error| refuse(&error));
            name.map_or_else(|exit| exit, |name| down_all(&[name], args.dry_run, args.killed))
        }
    }
}

/// Ends all services.
pub fn down(args: &DownArgs) -> Exit {
    let (names, all) = services(&RunDir::default());
    down_found(&names, all, args.dry_run, args.killed)
}

fn router_up(args: &RouterUpArgs) -> Result<Exit, Exit> {
    let dir = RunDir::default();
    let routers = settings::routers(args)?;
    if args.start.foreground {
        let [(router, _)] = &routers[..] else {
            let help = "name one with --dev; each runs in a process of its own";
            let error = format!("error: several routers in the foreground\n   = {help}");
            return Err(fail(Exit::WrongInput, &error));
        };
        lead(&args.start)?;
        return Ok(ended(run_router(router, &dir)));
    }
    let mut exit = Exit::Success;
    for (router, arguments) in routers {
        let done = if args.start.dry_run {
            router_changes(&router, &dir).map(|changes| print_changes(&changes))
        } else {
            router_name(&router.dev).and_then(|name| up(&dir, &name, &arguments))
        };
        exit = exit.and(done.unwrap_or_else(|error| refuse(&error)));
    }
    Ok(exit)
}

fn router_down(args: &RouterDownArgs) -> Result<Exit, Exit> {
    if let Some(dev) = &args.dev {
        let name = router_name(dev).map_err(|error| refuse(&error))?;
        return Ok(down_all(&[name], args.dry_run, args.killed));
    }
    let (mut names, all) = services(&RunDir::default());
    names.retain(|name| matches!(name.role, DaemonRole::Router(_)));
    Ok(down_found(&names, all, args.dry_run, args.killed))
}

fn host_up(args: &HostUpArgs) -> Result<Exit, Exit> {
    let dir = RunDir::default();
    let (host, arguments) = settings::host(args)?;
    if args.start.foreground {
        lead(&args.start)?;
        return Ok(ended(run_host(&host, &dir, &warn)));
    }
    let done = if args.start.dry_run {
        host_changes(&host, &dir).map(|changes| print_changes(&changes))
    } else {
        network_namespace().and_then(|here| up(&dir, &DaemonName::host(here), &arguments))
    };
    Ok(done.unwrap_or_else(|error| refuse(&error)))
}

/// Leaves the terminal, if this is a process in the background.
fn lead(args: &StartArgs) -> Result<(), Exit> {
    if !args.session {
        return Ok(());
    }
    let failed = |error: std::io::Error| fail(Exit::Failure, &format!("error: setsid: {error}"));
    sluice_live::leave_terminal().map_err(failed)
}

fn ended(result: Result<(), LiveError>) -> Exit {
    result.map_or_else(|error| refuse(&error), |()| Exit::Success)
}

/// Starts a service in the background and prints what it is.
fn up(dir: &RunDir, name: &DaemonName, arguments: &[OsString]) -> Result<Exit, LiveError> {
    let report = start_in_background(dir, name, arguments)?;
    report.warnings().iter().for_each(|warning| warn(warning));
    Ok(print(&match &report {
        DaemonReport::Router(router) => format!(
            "{name}: grants rates so that flows fill {} of {} (process {})\n",
            router.gamma,
            sluice_units::Rate::from_bps(router.capacity_bps),
            router.process
        ),
        DaemonReport::Host(host) => format!(
            "{name}: new TCP connections of {} follow grants (process {}); room for echoes at {}\n",
            host.cgroup,
            host.process,
            if host.devices.is_empty() { "no device".into() } else { host.devices.join(", ") }
        ),
    }))
}

/// Prints what a service lacks; in the background, to its log.
pub fn warn(warning: &str) {
    note(&format!("warning: {warning}"));
}

/// Ends the services that were found, and prints why others may not have been.
fn down_found(
    names: &[DaemonName],
    all: Result<(), LiveError>,
    dry_run: bool,
    only_killed: bool,
) -> Exit {
    if names.is_empty() && all.is_err() {
        return ended(all);
    }
    down_all(names, dry_run, only_killed).and(ended(all))
}

/// Ends services and prints what was ended.
fn down_all(names: &[DaemonName], dry_run: bool, only_killed: bool) -> Exit {
    let dir = RunDir::default();
    let take_down = if only_killed { clean } else { take_down };
    let take_down = |name| -> Result<(bool, Exit), LiveError> {
        let was_there = take_down(&dir, name)?;
        let line = format!("{name}: ended; everything is as it was\n");
        Ok((was_there, if was_there { print(&line) } else { Exit::Success }))
    };
    let plan = |changes: Vec<Change>| (!changes.is_empty(), print_changes(&changes));
    let all: Vec<_> = if dry_run {
        down_changes(&dir, names).into_iter().map(|changes| changes.map(plan)).collect()
    } else {
        names.iter().map(take_down).collect()
    };
    let mut exit = Exit::Success;
    let mut any = false;
    for done in all {
        any |= done.as_ref().map_or(true, |(was_there, _)| *was_there);
        exit = exit.and(done.map_or_else(|error| refuse(&error), |(_, exit)| exit));
    }
    if !any {
        match names {
            [name] => note(&format!("No {name} is up")),
            _ => note(&"Nothing is up"),
        }
    }
    exit
}

fn print_changes(changes: &[Change]) -> Exit {
    print(&changes.iter().map(|change| format!("would {change}\n")).collect::<String>())
}

/// Prints an error.
pub fn refuse(error: &LiveError) -> Exit {
    let exit = if error.is_input() { Exit::WrongInput } else { Exit::Failure };
    fail(exit, &format!("error: {error}") as &dyn Display)
}
