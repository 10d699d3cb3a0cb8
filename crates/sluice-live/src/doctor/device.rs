//! The network devices.

use std::process::{Command, Stdio};

use serde::Deserialize;
use sluice_linux::{AttachedFilter, Device, Error, FilterRole};

use super::check::Check;

/// What `ip -d -j link` says of a device.
#[derive(Default, Deserialize)]
struct LinkDetails {
    #[serde(default)]
    mtu: u64,
    #[serde(default)]
    gso_max_size: u64,
    #[serde(default)]
    gro_max_size: u64,
}

pub fn checks(names: &[String]) -> Vec<Check> {
    if !names.is_empty() {
        return names.iter().flat_map(|name| of_device(name, Device::named(name))).collect();
    }
    match Device::ethernet_up() {
        Ok(devices) if devices.is_empty() => vec![Check::warning(
            "devices",
            "no Ethernet device is up in this network namespace",
            "ip link set DEVICE up",
        )],
        Ok(devices) => {
            let named = devices.into_iter().map(|device| (device.name().to_owned(), device));
            named.flat_map(|(name, device)| of_device(&name, Ok(device))).collect()
        }
        Err(error) => vec![Check::missing("devices", error.to_string(), "see `ip link`")],
    }
}

fn of_device(name: &str, device: Result<Device, Error>) -> Vec<Check> {
    let hook = device.and_then(|device| {
        let place = match device.has_clsact()? {
            true => "it has the qdisc clsact",
            false => "the qdisc clsact can be added",
        };
        let router = AttachedFilter::left_at(&device, FilterRole::Router)?;
        Ok(match router {
            Some(filter) => {
                format!("Ethernet; a router's program ({}) is there", filter.program_id())
            }
            None => format!("Ethernet; {place}"),
        })
    });
    match hook {
        Ok(found) => vec![Check::ok(format!("device {name}"), found), offloads(name)],
        Err(error) => {
            let mend = match error {
                Error::NotEthernet { .. } => {
                    "put the router at the Ethernet device below the tunnel"
                }
                Error::IngressQdisc(_) => "replace the qdisc `ingress` by `clsact`",
                _ => "see `ip link`",
            };
            vec![Check::missing(format!("device {name}"), error.to_string(), mend)]
        }
    }
}

/// How long trains of segments may be that pass as one packet. The programs count them as what they become.
fn offloads(name: &str) -> Check {
    let title = format!("offloads of {name}");
    let mut command = Command::new("ip");
    command.args(["-details", "-json", "link", "show", "dev", name]).stdin(Stdio::null());
    let output = command.output().map(|output| output.stdout).unwrap_or_default();
    let links: Vec<LinkDetails> = serde_json::from_slice(&output).unwrap_or_default();
    let Some(link) = links.into_iter().next() else {
        return Check::info(title, "unknown, without the program `ip`");
    };
    let LinkDetails { mtu, gso_max_size, gro_max_size } = link;
    Check::info(
        title,
        format!(
            "MTU {mtu}; trains of {gso_max_size} B leave (GSO) and of {gro_max_size} B arrive (GRO) at once"
        ),
    )
}
