//! Calls made per packet never allocate, in any protocol of the registry.

// A counting allocator is the only way to detect an allocation, and `GlobalAlloc` is an unsafe
// trait.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use sluice_laws::WireHeader;
use sluice_laws::flow_counter::{CounterKind, FlowCounter};
use sluice_laws::host::{
    AckEvent, CongestionEvent, PacketKind, RateSample, RtoEvent, SendEvent, SenderContext,
};
use sluice_laws::ncp::{FlowCount, NcpParams};
use sluice_laws::protocol::{LinkContext, Protocol};
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::router::FlowId;
use sluice_laws::telemetry::HopReading;
use sluice_laws::xcp::XcpParams;
use sluice_laws::xcp::policing::{FlowTest, TestRules};
use sluice_units::{Bytes, Rate, Ratio, Span, Time};

struct Counting;

thread_local! {
    /// Allocations of this thread: the test harness allocates in others.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is forwarded unchanged to `System`; counting does not touch its memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Number of allocations of `run`.
fn allocations(run: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    run();
    ALLOCATIONS.get() - before
}

const PACKETS: u64 = 10_000;

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(7)))), 1);
}

#[test]
fn no_call_per_packet_allocates() {
    let parameters = Parameters::default();
    for &name in ProtocolName::ALL {
        let protocol = parameters.protocol(name);
        assert_eq!(host_allocations(protocol), 0, "host and receiver of {name}");
        assert_eq!(router_allocations(protocol), 0, "router of {name}");
    }
}

/// An exact counter has grown before, in the slow path.
#[test]
fn no_packet_of_a_flow_that_is_counted_allocates() {
    for counter in [CounterKind::Exact, CounterKind::Bitmap, CounterKind::HyperLogLog] {
        let params = NcpParams { counted: FlowCount::Eq12, counter, ..NcpParams::default() };
        assert_eq!(host_allocations(&params), 0);
        assert_eq!(router_allocations(&params), 0, "{counter:?}");
    }
    let mut counter = FlowCounter::new(CounterKind::Exact, Bytes::ZERO);
    let mut interval = |flows: u64| {
        let grown = allocations(|| (0..flows).for_each(|flow| counter.saw(FlowId::new(flow))));
        assert_eq!(counter.count(), flows as f64);
        grown
    };
    assert_eq!(interval(48), 0);
    assert!(interval(PACKETS) > 0, "more flows than it has room for");
    assert_eq!(interval(3 * PACKETS), 0, "it has room for three times as many");
}

#[test]
fn a_check_of_the_receiver_does_not_allocate_nor_does_a_test_of_a_flow() {
    let params = XcpParams { check_receiver: Ratio::new(0.5), ..XcpParams::default() };
    assert_eq!(host_allocations(&params), 0);
    let rules = TestRules {
        keep: Ratio::new(0.5),
        failures: 2,
        shortest_rtt: Span::ZERO,
        longest_rtt: Span::from_secs(1),
        weight: Ratio::new(1.0),
    };
    let mut sender = params.host(&SenderContext::new(Bytes::new(1_000), Bytes::new(40)));
    let mut test = FlowTest::new(Time::ZERO);
    test.begin(Time::ZERO);
    sender.on_ack(&acked(0, WireHeader::default()));
    let tested = allocations(|| {
        for i in 1..PACKETS {
            let mut header = sender.header(&outgoing(i));
            std::hint::black_box(test.on_data(at(i), &mut header, 1_000, &rules));
        }
    });
    assert_eq!(tested, 0);
}

fn host_allocations(protocol: &dyn Protocol) -> u64 {
    let context = SenderContext::new(Bytes::new(1_000), Bytes::new(40));
    let mut sender = protocol.host(&context);
    let echo = protocol.echo();
    allocations(|| {
        for i in 0..PACKETS {
            let header = sender.header(&outgoing(i));
            let mut pending = WireHeader::default();
            echo.on_data(&mut pending, &header);
            sender.on_rate_sample(&sample(i));
            sender.on_packets_lost(i / 50);
            sender.on_telemetry(&readings(i));
            sender.on_ack(&acked(i, echo.ack_header(&mut pending)));
            std::hint::black_box(sender.control());
            match i % 100 {
                7 => sender.on_congestion(&CongestionEvent::new(at(i), 20)),
                17 => sender.on_recovered(),
                57 => sender.on_rto(&RtoEvent::new(at(i), 20)),
                _ => {}
            }
        }
    })
}

fn router_allocations(protocol: &dyn Protocol) -> u64 {
    let link = LinkContext { capacity: Rate::from_bps(1_000_000_000), packet: Bytes::new(1_000) };
    let Some(mut port) = protocol.router(&link) else { return 0 };
    let mut sender = protocol.host(&SenderContext::new(link.packet, Bytes::new(40)));
    allocations(|| {
        for i in 0..PACKETS {
            let mut header = sender.header(&outgoing(i));
            if port.counts_flows() {
                port.on_flow(FlowId::new(i % 40));
            }
            port.arrive(&header, 1_000);
            port.stamp(&mut header, 1_000);
            std::hint::black_box(header);
        }
    })
}

fn at(packet: u64) -> Time {
    Time::ZERO + Span::from_micros(packet)
}

fn outgoing(packet: u64) -> SendEvent {
    let kind = if packet == 0 { PacketKind::Syn } else { PacketKind::Data };
    SendEvent {
        srtt: Some(Span::from_millis(100)),
        in_flight: 20,
        seq: packet,
        ..SendEvent::new(at(packet), kind, 1_000)
    }
}

fn sample(packet: u64) -> RateSample {
    RateSample {
        sent: at(packet),
        delivered: 20,
        prior_delivered: packet.saturating_sub(20),
        interval: Some(Span::from_millis(100)),
        app_limited: false,
        in_flight_at_send: 20,
        lost: 0,
        newly_lost: 0,
    }
}

/// Of more links than a header counts.
fn readings(packet: u64) -> [HopReading; 20] {
    let capacity = Rate::from_bps(1_000_000_000);
    let reading = |link| HopReading {
        link: link as u32,
        capacity,
        at: at(packet),
        sent: 1_000 * packet,
        queue: Bytes::new(500),
    };
    std::array::from_fn(reading)
}

fn acked(packet: u64, header: WireHeader) -> AckEvent {
    let rtt = Some(Span::from_millis(100));
    AckEvent {
        kind: if packet == 0 { PacketKind::SynAck } else { PacketKind::Ack },
        rtt,
        srtt: rtt,
        min_rtt: rtt,
        acked: 1,
        delivered: 1,
        in_flight: 20,
        used: 20,
        ..AckEvent::new(at(packet), header)
    }
}
