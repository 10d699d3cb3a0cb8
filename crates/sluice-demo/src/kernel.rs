//! The protocols that a Linux kernel runs.

use sluice_laws::registry::ProtocolName;
use sluice_linux::{KernelHost, ProgramMemory};
use sluice_testbed::Namespace;

/// Name of the congestion control that a host's connections begin with. Under RCP they return to it without
/// grants.
pub fn control(protocol: ProtocolName) -> Option<&'static str> {
    match protocol {
        ProtocolName::Rcp | ProtocolName::Cubic => Some("cubic"),
        ProtocolName::Tcp => Some("reno"),
        ProtocolName::Bbr1 => Some("bbr"),
        _ => None,
    }
}

/// Those of some protocols that can be measured: `rcp` by this data plane, `cubic`, `tcp` (`reno`) and `bbr1` (`bbr`) by the
/// kernel alone.
pub fn measured(protocols: &[ProtocolName]) -> Vec<ProtocolName> {
    protocols.iter().copied().filter(|&protocol| control(protocol).is_some()).collect()
}

/// What this machine lacks to measure these protocols, each as a phrase for people; empty if nothing.
pub fn requirements(protocols: &[ProtocolName]) -> Vec<String> {
    let mut missing = sluice_testbed::requirements();
    if !missing.is_empty() {
        return missing;
    }
    missing.extend(protocols.iter().filter_map(|&protocol| lacking(protocol).err()));
    missing
}

/// Whether the kernel has a congestion control, which it may load for a route, and takes the programs of RCP.
fn lacking(protocol: ProtocolName) -> Result<(), String> {
    let control = control(protocol).unwrap_or_default();
    let namespace = Namespace::new().map_err(|error| error.to_string())?;
    let route = ["route", "add", "198.18.0.0/32", "dev", "lo", "congctl", control];
    let has_control = namespace.ip(&route);
    has_control
        .map_err(|error| format!("the congestion control `{control}` in its kernel: {error}"))?;
    if protocol == ProtocolName::Rcp {
        let mut memory = ProgramMemory::default();
        let host = KernelHost::load(&mut memory);
        host.map_err(|error| {
            format!("a kernel that takes RCP's programs (`sluice doctor`): {error}")
        })?;
    }
    Ok(())
}
