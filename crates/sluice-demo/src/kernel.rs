//! The protocols that a Linux kernel runs.

use sluice_laws::registry::ProtocolName;

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
