//! The kernel, and what this process may ask of it.

use std::fs;
use std::path::Path;

use rustix::system::uname;
use rustix::time::{ClockId, clock_getres};
use sluice_linux::{KernelHost, KernelRouter, Ncp, Parser, ProgramMemory};

use super::check::Check;
use crate::cgroup::cgroup_root;
use crate::daemon::need_privileges;
use crate::sysctl;

/// The oldest kernel on which the programs were run.
const OLDEST: (u32, u32) = (6, 6);

const BTF: &str = "/sys/kernel/btf/vmlinux";
const CLOCK: &str = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
/// Clocks that take a microsecond and more to read, which each packet does.
const SLOW_CLOCKS: [&str; 4] = ["hpet", "acpi_pm", "jiffies", "refined-jiffies"];

pub fn checks() -> Vec<Check> {
    let privileges = need_privileges().map_err(|error| error.to_string());
    let may_load = privileges.is_ok();
    vec![
        match privileges {
            Ok(()) => Check::ok("privileges", "this process may load and attach BPF programs"),
            Err(found) => Check::missing("privileges", found, "run this command with sudo"),
        },
        release(&uname().release().to_string_lossy()),
        btf(),
        match cgroup_root() {
            Ok(root) => Check::ok("cgroup v2", root.display().to_string()),
            Err(error) => Check::missing("cgroup v2", "not mounted", error.to_string()),
        },
        loads("router's programs", may_load, || {
            let mut memory = ProgramMemory::default();
            KernelRouter::load(&mut memory, Parser::default(), Ncp::default()).map(drop)
        }),
        loads("host's programs", may_load, || {
            let mut memory = ProgramMemory::default();
            KernelHost::load(&mut memory).map(drop)
        }),
        jit(may_load),
        clock(),
        timers(),
    ]
}

fn release(release: &str) -> Check {
    let mut numbers = release.split(['.', '-']).map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) if (major, minor) < OLDEST => {
            let (major, minor) = OLDEST;
            Check::missing("kernel", release, format!("install Linux {major}.{minor} or later"))
        }
        _ => Check::ok("kernel", format!("Linux {release}")),
    }
}

fn btf() -> Check {
    match Path::new(BTF).exists() {
        true => Check::ok("types of the kernel (BTF)", BTF),
        false => Check::missing(
            "types of the kernel (BTF)",
            format!("there is no {BTF}"),
            "use a kernel with CONFIG_DEBUG_INFO_BTF=y, as those of distributions",
        ),
    }
}

fn loads(
    name: &str,
    may_load: bool,
    load: impl FnOnce() -> Result<(), sluice_linux::Error>,
) -> Check {
    if !may_load {
        return Check::info(name, "not tried, for want of privileges");
    }
    match load() {
        Ok(()) => Check::ok(name, "the kernel takes them"),
        Err(error) => Check::missing(
            name,
            error.to_string(),
            "use a newer kernel of a distribution; report the error if it persists",
        ),
    }
}

fn jit(may_read: bool) -> Check {
    match sysctl::read("net.core.bpf_jit_enable").as_deref() {
        Some("0") => Check::warning(
            "BPF compiler (JIT)",
            "off: programs are interpreted, several times slower",
            "sysctl -w net.core.bpf_jit_enable=1",
        ),
        Some(value) => Check::ok("BPF compiler (JIT)", format!("net.core.bpf_jit_enable={value}")),
        None if may_read => Check::warning(
            "BPF compiler (JIT)",
            "the kernel has none",
            "use a kernel with CONFIG_BPF_JIT=y",
        ),
        None => Check::info("BPF compiler (JIT)", "root alone may see whether it is on"),
    }
}

fn clock() -> Check {
    let name = fs::read_to_string(CLOCK).unwrap_or_default();
    match name.trim() {
        "" => Check::info("clock", "the kernel does not say which it has"),
        slow if SLOW_CLOCKS.contains(&slow) => Check::warning(
            "clock",
            format!("{slow}: it takes a microsecond or more to read, for each packet"),
            format!("echo tsc > {CLOCK}, if available_clocksource beside it has it"),
        ),
        name => Check::ok("clock", name),
    }
}

fn timers() -> Check {
    let resolution = clock_getres(ClockId::Monotonic);
    match (resolution.tv_sec, resolution.tv_nsec) {
        (0, 1) => Check::ok("timers", "high resolution"),
        (_, nanos) => Check::warning(
            "timers",
            format!("a resolution of {} us: updates of R and pacing are as coarse", nanos / 1_000),
            "boot without highres=off, or use a kernel with CONFIG_HIGH_RES_TIMERS=y",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::CheckOutcome;
    use super::*;

    #[test]
    fn old_kernels_are_refused() {
        for (text, outcome) in [
            ("6.18.44", CheckOutcome::Ok),
            ("6.6-rc1", CheckOutcome::Ok),
            ("10.0", CheckOutcome::Ok),
            ("6.5.0-44-generic", CheckOutcome::Missing),
            ("5.15.0", CheckOutcome::Missing),
            ("strange", CheckOutcome::Ok),
        ] {
            assert_eq!(release(text).outcome, outcome, "{text}");
        }
    }
}
