//! The flows of a device, counted before a router is there.

use std::net::UdpSocket;

use sluice_linux::{AttachedFilter, Device, FilterRole, FlowCensus, Ncp, ProgramMemory};

use crate::bed;
use crate::namespace::{self, sh};

#[test]
fn flows_count_once_each_if_they_send_data() {
    namespace::with(|| {
        sh("ip link set lo up");
        let flows = sockets(50);
        // Of 65,536 bits, two flows may have one.
        let Some(counted) = census(|| (0..3).for_each(|_| send(&flows, 400))) else { return };
        assert!((49.0..50.1).contains(&counted), "{counted}");
        // With its headers as long as the longest acknowledgement: of IPv6, with full options.
        assert_eq!(census(|| send(&flows, 72)), Some(0.0));
        assert_eq!(census(|| ()), Some(0.0));
        assert_eq!(sh("tc qdisc show dev lo").matches("clsact").count(), 0);
    });
}

#[test]
fn a_census_and_a_router_take_one_place() {
    namespace::with(|| {
        bed::with(Ncp::Plain, |router| {
            let device = Device::named("lo").unwrap();
            let left = router.attach(&device).unwrap().program_id();
            let mut place = ProgramMemory::default();
            let census = FlowCensus::load(&mut place).unwrap();
            drop(census.attach(&device).unwrap());
            let found = AttachedFilter::left_at(&device, FilterRole::Router).unwrap();
            assert_ne!(found.unwrap().program_id(), left);
            assert_eq!(sh("tc filter show dev lo egress").matches("handle 0x51ce").count(), 1);
            router.attach(&device).unwrap().detach().unwrap();
            assert_eq!(sh("tc qdisc show dev lo").matches("clsact").count(), 0);
        });
    });
}

/// The number of flows at the loopback device during this work, unless the kernel rejects the program.
fn census(work: impl FnOnce()) -> Option<f64> {
    let mut place = ProgramMemory::default();
    let census = FlowCensus::load(&mut place).map_err(|why| bed::skip(&why.to_string())).ok()?;
    let attached = census.attach(&Device::named("lo").unwrap()).unwrap();
    work();
    attached.detach().unwrap();
    Some(census.flows().unwrap())
}

/// Sockets in this namespace, behind one to which the others send, and which nobody reads.
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
