//! Settings: a file, overridden by options.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sluice_lab::scenario::read_toml;
use sluice_live::{HostSettings, LiveSettings, RouterSettings};
use sluice_units::Faults;

use super::args::{HostUpArgs, RouterUpArgs, StartArgs};
use crate::exit::{Exit, fail};
use crate::input::refuse;

/// Read if it is there and no other file is named.
const DEFAULT: &str = "/etc/sluice.toml";

/// The file of settings and its path, if there is one.
fn read(args: &StartArgs) -> Result<(LiveSettings, Option<PathBuf>), Exit> {
    let path = match &args.settings {
        Some(path) => path,
        None if Path::new(DEFAULT).exists() => Path::new(DEFAULT),
        None => return Ok(Default::default()),
    };
    let settings = read_toml(path, |settings: &LiveSettings, problems| {
        problems.check("", |faults| settings.check(faults));
    });
    settings.map(|settings| (settings, Some(path.into()))).map_err(|error| refuse(&error))
}

/// The routers to start, each with the arguments by which a process of its own has the same settings.
pub fn routers(args: &RouterUpArgs) -> Result<Vec<(RouterSettings, Vec<OsString>)>, Exit> {
    let (settings, file) = read(&args.start)?;
    let routers = match &args.dev {
        Some(dev) => vec![router(dev, args, &settings)?],
        None if settings.router.is_empty() => {
            let help = "name a device with --dev and --rate, or in `[[router]]` of the settings";
            return Err(wrong("no router is named", help));
        }
        None => settings.router,
    };
    Ok(routers.into_iter().map(|router| with_arguments(router, file.as_deref())).collect())
}

fn router(dev: &str, args: &RouterUpArgs, settings: &LiveSettings) -> Result<RouterSettings, Exit> {
    let of_file = settings.router.iter().find(|router| router.dev == dev).cloned();
    let mut router = match (of_file, args.rate) {
        (Some(router), _) => router,
        (None, Some(rate)) => RouterSettings::new(dev, rate),
        (None, None) => {
            let help = "state it with --rate, e.g. `--rate 1gbit`";
            return Err(wrong(&format!("the capacity of the link at {dev} is missing"), help));
        }
    };
    router.rate = args.rate.unwrap_or(router.rate);
    router.buffer = args.buffer.unwrap_or(router.buffer);
    router.longest_rtt = args.longest_rtt.unwrap_or(router.longest_rtt);
    router.rcp.gamma = args.gamma.unwrap_or(router.rcp.gamma);
    let faults = Faults::of(|faults| router.check(faults));
    match faults.first() {
        // `rcp.gamma` and `longest_rtt` are those of the settings.
        Some(fault) => {
            let option = fault.field.rsplit('.').next().unwrap_or_default().replace('_', "-");
            Err(fail(Exit::WrongInput, &format!("error: --{option}: {}", fault.what)))
        }
        None => Ok(router),
    }
}

fn with_arguments(router: RouterSettings, file: Option<&Path>) -> (RouterSettings, Vec<OsString>) {
    let RouterSettings { dev, rate, buffer, longest_rtt, rcp } = &router;
    let options = [
        ("--dev", dev.clone()),
        ("--rate", rate.to_string()),
        ("--buffer", buffer.to_string()),
        ("--longest-rtt", longest_rtt.to_string()),
        ("--gamma", rcp.gamma.to_string()),
    ];
    let mut arguments = up("router", file);
    arguments.extend(options.into_iter().flat_map(|(name, value)| [name.into(), value.into()]));
    (router, arguments)
}

/// The settings of the host, and the arguments by which a process of its own has the same.
pub fn host(args: &HostUpArgs) -> Result<(HostSettings, Vec<OsString>), Exit> {
    let (settings, file) = read(&args.start)?;
    let mut host = settings.host;
    let mut arguments = up("host", file.as_deref());
    // A process in the background has another working folder.
    host.cgroup = args.cgroup.as_ref().or(host.cgroup.as_ref()).map(|cgroup| absolute(cgroup));
    if let Some(cgroup) = &host.cgroup {
        arguments.extend(["--cgroup".into(), cgroup.into()]);
    }
    if !args.dev.is_empty() {
        arguments.extend(args.dev.iter().flat_map(|dev| ["--dev".into(), dev.into()]));
        host.dev.clone_from(&args.dev);
    }
    Ok((host, arguments))
}

/// What the command line of a process in the background begins with.
fn up(service: &str, file: Option<&Path>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> =
        [service, "up", "--foreground", "--session"].map(OsString::from).into();
    if let Some(file) = file {
        arguments.extend(["--settings".into(), absolute(file).into()]);
    }
    arguments
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.into())
}

fn wrong(what: &str, help: &str) -> Exit {
    fail(Exit::WrongInput, &format!("error: {what}\n   = {help}"))
}
