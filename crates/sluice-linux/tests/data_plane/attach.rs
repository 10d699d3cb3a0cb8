//! The hook of a device, in network namespaces of the tests' own.

use std::net::UdpSocket;
use std::os::fd::AsFd as _;

use libbpf_rs::{TC_EGRESS, TcHook};
use rustix::thread::{CapabilitySet, capabilities, set_capabilities};
use sluice_linux::{
    AttachedFilter, Device, Error, FilterRole, KernelHost, KernelRouter, Ncp, ProgramMemory,
};

use crate::bed;
use crate::namespace::{self, sh};

/// A pair of Ethernet devices, of which packets leave `near`.
const PAIR: &str = "ip link add near type veth peer name far
    sysctl -qw net.ipv6.conf.all.disable_ipv6=1 || true
    ip addr add 198.18.0.1/24 dev near
    ip link set near up; ip link set far up
    ip neigh add 198.18.0.2 lladdr 02:00:00:00:00:02 dev near";

/// Runs a test in a namespace with the pair, with two programs.
fn with(test: impl FnOnce(&Device, [&KernelRouter<'_>; 2]) + Send) {
    namespace::with(|| {
        bed::with_two(|routers| {
            sh(PAIR);
            test(&Device::named("near").unwrap(), routers);
        });
    });
}

/// Sends ten datagrams of 100 bytes; returns how many packets each program saw of them.
fn send(routers: [&KernelRouter<'_>; 2]) -> [u64; 2] {
    let seen = || routers.map(|router| router.traffic().unwrap());
    let before = seen();
    let socket = UdpSocket::bind("198.18.0.1:0").unwrap();
    (0..10).for_each(|_| assert_eq!(socket.send_to(&[0; 100], "198.18.0.2:9").unwrap(), 100));
    let after = seen();
    [0, 1].map(|i| {
        let packets = after[i].packets - before[i].packets;
        // Ethernet, IP and UDP have 42 bytes.
        assert_eq!(after[i].bytes - before[i].bytes, packets * 142);
        packets
    })
}

/// A filter of somebody else at the device.
fn foreign(router: &KernelRouter<'_>, device: &Device, priority: u32) -> TcHook {
    let mut hook = TcHook::new(router.program().as_fd());
    hook.ifindex(device.index() as i32).attach_point(TC_EGRESS).create().unwrap();
    hook.handle(1).priority(priority).attach().unwrap()
}

fn has_clsact() -> bool {
    sh("tc qdisc show dev near").contains("clsact")
}

#[test]
fn packets_pass_the_program_from_attach_to_detach() {
    with(|device, [one, two]| {
        assert_eq!(send([one, two]), [0, 0]);
        let attached = one.attach(device).unwrap();
        assert_eq!((attached.device().name(), attached.is_attached().unwrap()), ("near", true));
        assert_eq!(send([one, two]), [10, 0]);
        attached.detach().unwrap();
        assert_eq!(send([one, two]), [0, 0]);
        assert!(!has_clsact(), "it was created for the program");
    });
}

#[test]
fn a_left_over_program_stays_and_is_replaced() {
    with(|device, [one, two]| {
        let left = one.attach(device).unwrap();
        drop(one.attach(device).unwrap());
        assert_eq!(send([one, two]), [10, 0], "each packet once");
        let attached = two.attach(device).unwrap();
        assert_eq!(send([one, two]), [0, 10]);
        // The earlier one has nothing there any more.
        assert!(!left.is_attached().unwrap());
        left.detach().unwrap();
        assert!(attached.is_attached().unwrap());
        assert_eq!(send([one, two]), [0, 10]);
        // Whoever created the qdisc, it was for us.
        attached.detach().unwrap();
        assert!(!has_clsact());
    });
}

#[test]
fn a_left_over_program_is_found_and_removed_by_its_device() {
    with(|device, [one, two]| {
        let left = |role| AttachedFilter::left_at(device, role).unwrap();
        assert_eq!(left(FilterRole::Router).map(|left| left.program_id()), None);
        assert!(!device.has_clsact().unwrap());
        let attached = one.attach(device).unwrap().program_id();
        assert!(device.has_clsact().unwrap());
        assert_eq!(left(FilterRole::Host).map(|left| left.program_id()), None);
        let found = left(FilterRole::Router).unwrap();
        assert_eq!(found.program_id(), attached);
        found.detach().unwrap();
        assert_eq!(send([one, two]), [0, 0]);
        assert!(!has_clsact(), "it was created for the program");
    });
}

#[test]
fn the_qdisc_goes_with_the_last_program_of_router_and_host() {
    with(|device, [one, _]| {
        let mut memory = ProgramMemory::default();
        let host = KernelHost::load(&mut memory).unwrap();
        for is_router_first in [true, false] {
            let router = one.attach(device).unwrap();
            let room = host.attach_device(device).unwrap();
            let [first, last] = if is_router_first { [router, room] } else { [room, router] };
            first.detach().unwrap();
            assert!(has_clsact());
            last.detach().unwrap();
            assert!(!has_clsact(), "the router first: {is_router_first}");
        }
    });
}

#[test]
fn the_qdisc_goes_with_a_program_that_took_the_place_of_a_removed_one() {
    with(|device, _| {
        let mut memory = ProgramMemory::default();
        let host = KernelHost::load(&mut memory).unwrap();
        for is_theirs in [false, true] {
            if is_theirs {
                sh("tc qdisc add dev near clsact");
            }
            let removed = host.attach_device(device).unwrap();
            sh("tc filter del dev near egress pref 82");
            host.attach_device_again(device, &removed).unwrap().detach().unwrap();
            assert_eq!(has_clsact(), is_theirs);
        }
    });
}

#[test]
fn ethernet_devices_that_are_up_are_listed() {
    namespace::with(|| {
        sh(PAIR);
        sh("ip link set lo up; ip link add idle type veth peer name other; ip link set far down");
        let devices = Device::ethernet_up().unwrap();
        assert_eq!(devices, [Device::named("near").unwrap()]);
    });
}

#[test]
fn a_program_outlives_its_process() {
    namespace::with(|| {
        sh(PAIR);
        let device = Device::named("near").unwrap();
        let filters = || sh("tc filter show dev near egress").matches("handle").count();
        bed::with(Ncp::Plain, |router| {
            // All that a process has of it is closed as it ends.
            drop(router.attach(&device).unwrap());
        });
        if has_clsact() {
            assert_eq!(filters(), 1);
            bed::with(Ncp::Plain, |router| {
                let attached = router.attach(&device).unwrap();
                assert_eq!(filters(), 1);
                attached.detach().unwrap();
            });
            assert!(!has_clsact());
        }
    });
}

#[test]
fn filters_of_others_see_the_packets_too_and_stay() {
    for priority in [10, 100] {
        with(|device, [ours, theirs]| {
            let mut hook = foreign(theirs, device, priority);
            let attached = ours.attach(device).unwrap();
            assert_eq!(send([ours, theirs]), [10, 10], "priority {priority}");
            attached.detach().unwrap();
            assert_eq!(send([ours, theirs]), [0, 10]);
            // The qdisc was there before.
            hook.detach().unwrap();
            assert!(has_clsact());
        });
    }
}

#[test]
fn a_qdisc_that_others_came_to_use_stays() {
    with(|device, [ours, theirs]| {
        let attached = ours.attach(device).unwrap();
        let _hook = foreign(theirs, device, 100);
        sh("tc filter add dev near ingress u32 match u32 0 0");
        attached.detach().unwrap();
        assert_eq!(send([ours, theirs]), [0, 10]);
        let attached = ours.attach(device).unwrap();
        sh("tc filter del dev near egress pref 100");
        attached.detach().unwrap();
        assert!(has_clsact() && sh("tc filter show dev near ingress").contains("u32"));
    });
}

#[test]
fn what_is_gone_needs_no_detaching() {
    with(|device, [one, _]| {
        let attached = one.attach(device).unwrap();
        sh("tc qdisc del dev near clsact");
        assert!(!attached.is_attached().unwrap());
        attached.detach().unwrap();
        let attached = one.attach(device).unwrap();
        sh("ip link del near");
        attached.detach().unwrap();
        assert!(matches!(one.attach(device), Err(Error::Hook { .. })));
    });
}

#[test]
fn devices_without_an_ethernet_header_are_refused() {
    namespace::with(|| {
        sh("ip tuntap add tunnel mode tun; ip tuntap add bridged mode tap");
        let refused = Device::named("tunnel").unwrap_err();
        let expected =
            matches!(&refused, Error::NotEthernet { device, kind: 0xFFFE } if device == "tunnel");
        assert!(expected, "{refused:?}");
        assert!(refused.to_string().contains("no Ethernet device"), "{refused}");
        assert_eq!(Device::named("bridged").unwrap().name(), "bridged");
        let loopback = Device::numbered(1).unwrap();
        assert_eq!((loopback.name(), loopback.index()), ("lo", 1));
    });
}

#[test]
fn devices_that_are_not_there_are_refused() {
    namespace::with(|| {
        for name in ["near", "", "a/b", "a-name-longer-than-any-device-has", "lo\0"] {
            let refused = Device::named(name).unwrap_err();
            assert!(matches!(&refused, Error::NoDevice(of, _) if of == name), "{name}: {refused}");
        }
        for number in [0, 999, u32::MAX] {
            let refused = Device::numbered(number).unwrap_err();
            assert!(matches!(refused, Error::NoDevice(..)), "{number}: {refused}");
        }
    });
}

#[test]
fn an_ingress_qdisc_in_the_way_is_reported_and_stays() {
    with(|device, [one, _]| {
        sh("tc qdisc add dev near ingress");
        let refused = one.attach(device).unwrap_err();
        assert!(matches!(&refused, Error::IngressQdisc(of) if of == "near"), "{refused}");
        assert!(sh("tc qdisc show dev near").contains("ingress"));
    });
}

#[test]
fn without_permission_nothing_changes_and_the_error_says_so() {
    with(|device, [one, _]| {
        let all = capabilities(None).unwrap();
        let mut fewer = all;
        fewer.effective -= CapabilitySet::NET_ADMIN;
        set_capabilities(None, fewer).unwrap();
        let refused = one.attach(device).unwrap_err();
        set_capabilities(None, all).unwrap();
        assert!(refused.to_string().contains("CAP_NET_ADMIN"), "{refused}");
        assert!(!has_clsact());
    });
}
