//! Errors between a slow path and the kernel.

use std::{fmt, io};

use sluice_units::Rate;

/// Why the kernel refused, or could not be used.
#[derive(Debug)]
pub enum Error {
    /// The program cannot be loaded.
    Load(libbpf_rs::Error),
    /// The congestion control cannot be registered: the kernel takes none from BPF.
    Control(libbpf_rs::Error),
    /// The program cannot be attached to what has this name.
    Attach(String, libbpf_rs::Error),
    /// A map of the program, of this name, cannot be read or written.
    Map(String, libbpf_rs::Error),
    /// A map does not hold what this crate's program puts there.
    Layout(&'static str),
    /// The program has no law of this number, or not of this shape.
    KernelLaw(u8),
    /// The law counts the flows of packets, but not as the program does, or the program is loaded for another.
    CountsFlows,
    /// Sums could not be read between two packets: a CPU was within one whenever they were.
    Busy,
    /// The number of grants is not the number of budgets.
    Grants {
        /// The number of grants.
        given: usize,
        /// The number of budgets: one for each possible CPU, or for all of them.
        budgets: usize,
    },
    /// The controller does not run the law of this number: its grants have a budget, or it counts the flows of packets.
    Uncontrolled(u8),
    /// The virtual queue of a link cannot have this capacity.
    Capacity(Rate),
    /// The virtual queue could not be set.
    SetQueue(libbpf_rs::Error),
    /// There is no such network device, or the kernel says nothing of it.
    NoDevice(String, io::Error),
    /// Packets of this device begin without an Ethernet header, so that the program would not find their options.
    NotEthernet {
        /// Its name.
        device: String,
        /// Its type, `ARPHRD_*` of linux/if_arp.h.
        kind: u16,
    },
    /// This device has the qdisc `ingress` in the place of `clsact`.
    IngressQdisc(String),
    /// The program cannot be attached to a device, or detached.
    Hook {
        /// The device's name.
        device: String,
        /// Why the kernel refused.
        cause: io::Error,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Load(cause) => write!(
                f,
                "the kernel does not take the BPF program: {cause:#} (it takes some of root alone, \
                 or of a process with CAP_BPF and CAP_NET_ADMIN)"
            ),
            Self::Control(cause) => write!(
                f,
                "the kernel does not take a congestion control: {cause:#} (it needs Linux 6.4 with BTF, and root)"
            ),
            Self::Attach(to, cause) => {
                write!(f, "the BPF program cannot be attached to {to}: {cause:#}")
            }
            Self::Map(map, cause) => write!(f, "the BPF map `{map}` cannot be used: {cause:#}"),
            Self::Layout(map) => write!(f, "the BPF map `{map}` is not laid out as expected"),
            Self::KernelLaw(number) => {
                write!(
                    f,
                    "the BPF program knows no law {number} of this shape: it has the fast paths of `rcp`, \
                     `xcp`, `ncp_increments`, `ledger`, and of `ncp` that with which it was loaded: plain, compensated or counted"
                )
            }
            Self::CountsFlows => write!(
                f,
                "the BPF program counts flows by linear counting alone, and if it is loaded to do so: use \
                 `counter = \"bitmap\"`, or a law that counts by sums, as NCP's equation (8)"
            ),
            Self::Busy => write!(f, "a CPU was within a packet whenever its sums were read"),
            Self::Grants { given, budgets } => {
                write!(f, "{given} grants for {budgets} budgets: there must be one for each")
            }
            Self::Uncontrolled(number) => write!(
                f,
                "the controller does not run law {number}: it runs `rcp`, and `ncp` plain or compensated"
            ),
            Self::Capacity(capacity) => {
                write!(f, "a link of {capacity}: its capacity must be within 1 kb/s and 400 Gb/s")
            }
            Self::SetQueue(cause) => write!(f, "the virtual queue cannot be set: {cause:#}"),
            Self::NoDevice(name, cause) => write!(
                f,
                "no network device {name} in this network namespace: {cause} (`ip link` lists them)"
            ),
            Self::NotEthernet { device, kind } => write!(
                f,
                "{device} is no Ethernet device (its type is {kind}): packets of tunnels such as TUN, WireGuard and \
                 PPP begin with the IP header, and the program reads options behind an Ethernet header alone"
            ),
            Self::IngressQdisc(device) => write!(
                f,
                "{device} has an `ingress` qdisc, which takes the place of the `clsact` that egress needs: \
                 replace it (`tc qdisc del dev {device} ingress`, `tc qdisc add dev {device} clsact`)"
            ),
            Self::Hook { device, cause } => {
                write!(f, "the egress of {device} cannot be changed: {cause}")?;
                match cause.kind() {
                    io::ErrorKind::PermissionDenied => write!(f, " (it takes CAP_NET_ADMIN)"),
                    _ => Ok(()),
                }
            }
        }
    }
}

impl std::error::Error for Error {}
