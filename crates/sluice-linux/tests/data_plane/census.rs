//! The flows of a device, counted before a router is there.

use std::net::UdpSocket;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{scope, sleep};
use std::time::Duration;

use sluice_linux::{AttachedFilter, Device, FilterRole, Ncp};
use sluice_units::Span;

use crate::bed;
use crate::namespace::{self, sh};

const COUNTED: Span = Span::from_millis(200);

#[test]
fn flows_count_once_each_if_they_send_data() {
    namespace::with(|| {
        sh("ip link set lo up");
        let device = Device::named("lo").unwrap();
        assert_eq!(device.count_flows(COUNTED).unwrap(), 0.0);
        let flows = sockets(50);
        let counted = beside(|| send(&flows, 400), || device.count_flows(COUNTED).unwrap());
        // Of 65,536 bits, two flows may have one.
        assert!((49.0..50.1).contains(&counted), "{counted}");
        // With its headers as long as the longest acknowledgement: of IPv6, with full options.
        let counted = beside(|| send(&flows, 72), || device.count_flows(COUNTED).unwrap());
        assert_eq!(counted, 0.0);
        assert_eq!(sh("tc qdisc show dev lo").matches("clsact").count(), 0);
    });
}

#[test]
fn a_router_that_was_left_there_goes() {
    namespace::with(|| {
        bed::with(Ncp::Plain, |router| {
            let device = Device::named("lo").unwrap();
            drop(router.attach(&device).unwrap());
            device.count_flows(Span::from_millis(1)).unwrap();
            assert!(AttachedFilter::left_at(&device, FilterRole::Router).unwrap().is_none());
            assert_eq!(sh("tc qdisc show dev lo").matches("clsact").count(), 0);
        });
    });
}

/// Sockets in this namespace, which send to one that nobody reads.
fn sockets(count: usize) -> Vec<UdpSocket> {
    let to = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = to.local_addr().unwrap();
    let mut sockets = vec![to];
    for _ in 0..count {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.connect(address).unwrap();
        sockets.push(socket);
    }
    sockets
}

fn send(sockets: &[UdpSocket], bytes: usize) {
    for socket in &sockets[1..] {
        socket.send(&vec![0; bytes]).unwrap();
    }
}

/// Repeats `work` while `other` runs.
fn beside<T>(work: impl Fn() + Sync, other: impl FnOnce() -> T) -> T {
    let ended = AtomicBool::new(false);
    scope(|threads| {
        threads.spawn(|| {
            while !ended.load(Ordering::Relaxed) {
                work();
                sleep(Duration::from_millis(5));
            }
        });
        let found = other();
        ended.store(true, Ordering::Relaxed);
        found
    })
}
