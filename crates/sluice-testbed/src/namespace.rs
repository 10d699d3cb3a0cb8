//! Network namespaces.

use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::fs::{Mode, OFlags, open};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use crate::TestbedError;
use crate::error::Attempt;
use crate::sys::enter_new_network_namespace;

/// What connections and addresses need so that a test begins at once and does not depend on those
/// before or on the machine's own settings. Absent ones are skipped, such as those of IPv6.
const DEFAULTS: &[(&str, &str)] = &[
    ("net.ipv4.tcp_no_metrics_save", "1"),
    ("net.ipv4.conf.all.rp_filter", "0"),
    ("net.ipv4.conf.default.rp_filter", "0"),
    // Duplicate address detection keeps an address from use for a second.
    ("net.ipv6.conf.all.accept_dad", "0"),
    ("net.ipv6.conf.default.accept_dad", "0"),
    ("net.ipv6.conf.default.router_solicitations", "0"),
];

/// A network namespace without a name. It ends with the last of its descriptor, its sockets and its
/// processes, thus also when this process is killed. Links and processes in it stay until they are
/// dropped themselves.
#[derive(Debug)]
pub struct Namespace(OwnedFd);

impl Namespace {
    /// A new namespace, with the loopback interface up, TCP that forgets earlier connections
    /// (`tcp_no_metrics_save`), reverse-path filters off, and no detection of duplicate addresses
    /// (`accept_dad=0`).
    ///
    /// # Errors
    /// Without the privilege to create or configure it (CAP_SYS_ADMIN), or without `ip`.
    pub fn new() -> Result<Self, TestbedError> {
        let descriptor = {
            let _home = Home::remember().attempt(|| "cannot open the present namespace".into())?;
            enter_new_network_namespace()
                .attempt(|| "cannot create a network namespace (root can)".into())?;
            present().attempt(|| "cannot open the new network namespace".into())?
        };
        let namespace = Self(descriptor);
        for &(name, value) in DEFAULTS {
            if sysctl_path(name).exists() {
                namespace.sysctl(name, value)?;
            }
        }
        namespace.ip(&["link", "set", "lo", "up"])?;
        Ok(namespace)
    }

    /// Runs `work` on this thread in the namespace; the thread returns to its own afterwards, also
    /// after a panic. Sockets that `work` opens, and threads and processes that it starts, belong to the namespace.
    ///
    /// # Panics
    /// If the kernel refuses the move, for which a process must have lost its privileges meanwhile.
    pub fn enter<T>(&self, work: impl FnOnce() -> T) -> T {
        let _home = Home::remember().expect("the thread's network namespace can be opened");
        move_to(self.0.as_fd()).expect("a thread may enter a network namespace that it created");
        work()
    }

    /// Runs iproute2's `ip` with these arguments in the namespace and returns what it prints.
    ///
    /// # Errors
    /// If there is no `ip`, or it fails; the text has its arguments and message.
    pub fn ip(&self, arguments: &[&str]) -> Result<String, TestbedError> {
        let what = || format!("`ip {}`", arguments.join(" "));
        let mut command = Command::new("ip");
        // Ctrl-C is for this process, as for programs.
        command.args(arguments).stdin(Stdio::null()).process_group(0);
        let output = self.enter(|| command.output()).attempt(what)?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            return Err(TestbedError::new(format!("{}: {}", what(), message.trim())));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Gives a device an address with the length of its prefix, such as `198.18.0.1/24` or `fd00::1/64`,
    /// which can be used at once.
    ///
    /// # Errors
    /// As of [`Namespace::ip`].
    pub fn add_address(&self, device: &str, address: &str) -> Result<(), TestbedError> {
        let mut arguments = vec!["addr", "add", address, "dev", device];
        if address.contains(':') {
            // The kernel completes even the detection of no duplicates (`accept_dad=0`) some time later.
            arguments.push("nodad");
        }
        self.ip(&arguments).map(drop)
    }

    /// Sets a kernel parameter of the namespace, such as `net.ipv4.tcp_wmem`.
    ///
    /// # Errors
    /// If namespaces have no parameter of this name, or the kernel refuses the value.
    pub fn sysctl(&self, name: &str, value: &str) -> Result<(), TestbedError> {
        let path = sysctl_path(name);
        self.enter(|| fs::write(path, value)).attempt(|| format!("cannot set {name} to {value}"))
    }

    /// Makes the namespace a router of IPv4 and IPv6.
    ///
    /// # Errors
    /// As of [`Namespace::sysctl`].
    pub fn forward(&self) -> Result<(), TestbedError> {
        self.sysctl("net.ipv4.ip_forward", "1")?;
        let ipv6 = "net.ipv6.conf.all.forwarding";
        if sysctl_path(ipv6).exists() { self.sysctl(ipv6, "1") } else { Ok(()) }
    }

    pub(crate) fn descriptor(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }

    /// A second handle of the same namespace.
    pub(crate) fn duplicate(&self) -> Result<Self, TestbedError> {
        self.0.try_clone().map(Self).attempt(|| "cannot duplicate a namespace's descriptor".into())
    }
}

/// The file of a parameter. The kernel shows that of the namespace of the thread that opens it.
fn sysctl_path(name: &str) -> std::path::PathBuf {
    Path::new("/proc/sys").join(name.replace('.', "/"))
}

fn present() -> io::Result<OwnedFd> {
    Ok(open("/proc/thread-self/ns/net", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?)
}

fn move_to(namespace: BorrowedFd<'_>) -> io::Result<()> {
    Ok(move_into_link_name_space(namespace, Some(LinkNameSpaceType::Network))?)
}

/// Returns the thread to the namespace that it was in.
struct Home(OwnedFd);

impl Home {
    fn remember() -> io::Result<Self> {
        present().map(Self)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        move_to(self.0.as_fd()).expect("a thread may return to its network namespace");
    }
}
