//! Namespaces and links without emulation.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use sluice_testbed::{Namespace, veth};

use crate::bed::alone;

fn of_this_thread() -> std::path::PathBuf {
    fs::read_link("/proc/thread-self/ns/net").unwrap()
}

#[test]
fn a_thread_returns_to_its_namespace_even_after_a_panic() {
    let Some(_alone) = alone() else { return };
    let home = of_this_thread();
    let namespace = Namespace::new().unwrap();
    assert_eq!(of_this_thread(), home);
    let inside = namespace.enter(of_this_thread);
    assert_ne!(inside, home);
    assert_eq!(namespace.enter(of_this_thread), inside);
    assert_eq!(of_this_thread(), home);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        namespace.enter(|| resume_unwind(Box::new("on purpose")))
    }));
    assert!(panicked.is_err());
    assert_eq!(of_this_thread(), home);
}

#[test]
fn parameters_are_those_of_the_namespace() {
    let Some(_alone) = alone() else { return };
    let outside = fs::read_to_string("/proc/sys/net/ipv4/tcp_wmem").unwrap();
    let namespace = Namespace::new().unwrap();
    namespace.sysctl("net.ipv4.tcp_wmem", "4096 54321 654321").unwrap();
    let inside = namespace.enter(|| fs::read_to_string("/proc/sys/net/ipv4/tcp_wmem").unwrap());
    assert_eq!(inside.split_whitespace().collect::<Vec<_>>(), ["4096", "54321", "654321"]);
    assert_eq!(fs::read_to_string("/proc/sys/net/ipv4/tcp_wmem").unwrap(), outside);
    let error = namespace.sysctl("net.ipv4.tcp_flux", "1").unwrap_err().to_string();
    assert!(error.starts_with("cannot set net.ipv4.tcp_flux to 1: "), "{error}");
}

#[test]
fn errors_of_ip_have_its_arguments_and_message() {
    let Some(_alone) = alone() else { return };
    let error = Namespace::new().unwrap().ip(&["link", "show", "absent"]).unwrap_err().to_string();
    assert!(error.contains("`ip link show absent`") && error.contains("does not exist"), "{error}");
}

#[test]
fn veth_and_a_router_join_hosts() {
    let Some(_alone) = alone() else { return };
    let [left, router, right] = [(); 3].map(|()| Namespace::new().unwrap());
    veth(&left, "r", &router, "left").unwrap();
    veth(&router, "right", &right, "r").unwrap();
    router.forward().unwrap();
    for (host, device, address, via) in
        [(&left, "r", "198.18.1.2/24", "198.18.1.1"), (&right, "r", "198.18.2.2/24", "198.18.2.1")]
    {
        host.add_address(device, address).unwrap();
        host.ip(&["route", "add", "default", "via", via]).unwrap();
    }
    router.add_address("left", "198.18.1.1/24").unwrap();
    router.add_address("right", "198.18.2.1/24").unwrap();
    let listener = right.enter(|| TcpListener::bind("198.18.2.2:0")).unwrap();
    let address = listener.local_addr().unwrap();
    left.enter(|| TcpStream::connect(address)).unwrap();
    assert_eq!(listener.accept().unwrap().1.ip().to_string(), "198.18.1.2");
}

#[test]
fn both_protocols_of_the_loopback_interface_work() {
    let Some(_alone) = alone() else { return };
    for address in ["127.0.0.1:0", "[::1]:0"] {
        Namespace::new().unwrap().enter(|| {
            let listener = TcpListener::bind(address).unwrap();
            TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        });
    }
}
