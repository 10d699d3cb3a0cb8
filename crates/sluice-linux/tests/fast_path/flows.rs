//! The flows that the program counts: which packets have one, whose bit it is, and that none is lost.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rustix::thread::{CpuSet, sched_setaffinity};
use sluice_laws::flow_counter::CounterKind;
use sluice_laws::ncp::counted::CountedRouter;
use sluice_laws::ncp::{CountedGrant, CountedSums, FlowCount, NcpParams};
use sluice_laws::protocol::LinkContext;
use sluice_laws::router::{FlowId, LinkSample, Plain as _, RouterLaw, Sums as _};
use sluice_linux::{CountedInterval, Error, KernelRouter, Ncp};
use sluice_units::{Bytes, Rate, Time};

use crate::bed::{self, About, Bed};
use crate::craft::{Ip, NOP, Packet, TAG, TIMESTAMPS, V4, V6, full, short};
use crate::crafted::ASKED;
use crate::locate::{self, Segment};

/// The most memory, in which flows of a test do not share bits but rarely.
const LARGE: Bytes = Bytes::new(1 << 20);

/// The identity of a packet's flow: its addresses and ports, 8 bytes at a time.
pub fn of(packet: &[u8], segment: &Segment) -> u64 {
    let fold = |flow: u64, part: &[u8]| {
        mix(flow ^ part.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)))
    };
    let addresses = segment.addresses.chunks(8).fold(0, fold);
    fold(addresses, &packet[segment.tcp..segment.tcp + 4])
}

/// The finaliser of SplitMix64, which begins with the step of its state.
pub fn mix(x: u64) -> u64 {
    let z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A bit for each flow: the part of all bits that its salted hash is of 2^64.
pub fn bitmap(flows: &BTreeSet<u64>, salt: u64, memory: Bytes) -> Vec<u64> {
    let mut words = vec![0; memory.as_u64().div_ceil(8) as usize];
    for flow in flows {
        let bit = bit(*flow, salt, words.len());
        words[bit / 64] |= 1 << (bit % 64);
    }
    words
}

fn bit(flow: u64, salt: u64, words: usize) -> usize {
    ((u128::from(mix(flow ^ salt)) * (64 * words as u128)) >> 64) as usize
}

fn with_memory(memory: Bytes, test: impl FnOnce(&mut Bed<'_>)) {
    bed::with_ncp(Ncp::Counted(memory), test);
}

fn from_port(ip: Ip, port: u16) -> Packet {
    Packet { port, ..Packet::new(ip, &[&full(3, ASKED[2].1)]) }
}

fn pass(bed: &mut Bed<'_>, packet: &Packet) {
    bed.pass(&packet.bytes(), About::default());
}

#[test]
fn no_flow_one_flow_and_one_flow_with_many_packets() {
    with_memory(bed::MEMORY, |bed| {
        assert_eq!(bed.end_interval(), 0);
        pass(bed, &from_port(V4, 1));
        assert_eq!(bed.end_interval(), 1);
        for _ in 0..100 {
            pass(bed, &from_port(V4, 1));
        }
        assert_eq!(bed.end_interval(), 1);
        assert_eq!([bed.end_interval(), bed.end_interval()], [0, 0]);
        bed.agrees();
    });
}

/// Bits are those of the counter in the simulator, whatever the bitmap's size: of one block, of parts of them, of many.
#[test]
fn bitmaps_of_every_size() {
    for bytes in [16, 17, 100, 4_096, 4_097, 40_000, 1 << 20] {
        with_memory(Bytes::new(bytes), |bed| {
            for interval in 0..3 {
                for port in 0..1_000 {
                    pass(bed, &from_port(if port % 2 == 0 { V4 } else { V6 }, port + interval));
                }
                assert!(bed.end_interval() > 0);
            }
        });
    }
}

#[test]
fn a_flow_is_addresses_and_ports() {
    with_memory(LARGE, |bed| {
        for ip in [V4, V6] {
            let packet = from_port(ip, 1).bytes();
            let tcp = locate::segment(&packet).unwrap().tcp;
            let addresses = if tcp == 34 { 26..34 } else { 22..54 };
            bed.pass(&packet, About::default());
            let mut flows = 1;
            for at in addresses.chain(tcp..tcp + 4) {
                let mut other = packet.clone();
                other[at] ^= 1;
                bed.pass(&other, About::default());
                flows += 1;
            }
            // What else differs between packets of a flow is none of it.
            for at in [tcp + 4, tcp + 14, tcp + 19] {
                let mut same = packet.clone();
                same[at] ^= 1;
                bed.pass(&same, About::default());
            }
            assert_eq!(bed.end_interval(), flows);
        }
    });
}

/// Tags, IP options and extension headers are no part of a flow, and neither parser reads another.
#[test]
fn a_flow_is_the_same_behind_other_headers() {
    let options = [NOP, NOP, TIMESTAMPS, &full(3, ASKED[2].1)];
    with_memory(LARGE, |bed| {
        // With 20 bytes of options, TCP is where it is behind a plain IPv6 header.
        for ips in [
            [V4, Ip::V4(vec![1; 12]), Ip::V4(vec![1; 20])],
            [V6, Ip::V6(vec![(0, 0)]), Ip::V6(vec![(0, 0), (60, 2)])],
        ] {
            for ip in ips {
                for tags in [vec![], vec![TAG], vec![TAG, TAG]] {
                    pass(bed, &Packet { tags, ..Packet::new(ip.clone(), &options) });
                }
            }
            assert_eq!(bed.end_interval(), 1);
        }
    });
}

#[test]
fn a_full_bitmap_counts_all_that_it_can() {
    let memory = Bytes::new(16);
    with_memory(memory, |bed| {
        (0..2_000).for_each(|port| pass(bed, &from_port(V4, port)));
        let [router, _] = &bed.routers;
        let ended = router.law::<CountedRouter>().unwrap().end_interval().unwrap();
        assert_eq!(ended.flows, [u64::MAX; 2]);
        assert_eq!(flows_by_law(&ended, memory), 128.0 * 128_f64.ln());
    });
}

fn flows_by_law(ended: &CountedInterval, memory: Bytes) -> f64 {
    let (mut law, _) = law(memory);
    assert!(law.on_bitmap(&ended.flows));
    law.tick(0, &ended.sums[0], &sample());
    metric(&law, "N")
}

const CAPACITY: Rate = Rate::from_bps(100_000_000);

/// A law, and what it grants at first.
fn law(counter_memory: Bytes) -> (CountedRouter, CountedGrant) {
    let counter = CounterKind::Bitmap;
    let params =
        NcpParams { counted: FlowCount::Eq12, counter, counter_memory, ..NcpParams::default() };
    let link = LinkContext { capacity: CAPACITY, packet: Bytes::new(1_500) };
    let mut law = CountedRouter::new(&params, &link);
    let (grant, _) = law.start(CAPACITY);
    (law, grant)
}

fn sample() -> LinkSample {
    LinkSample::idle(Time::ZERO, Time::from_nanos(10_000_000), CAPACITY)
}

fn metric(law: &CountedRouter, wanted: &str) -> f64 {
    let mut found = f64::NAN;
    law.metrics(&mut |name, value| {
        if name == wanted {
            found = value;
        }
    });
    found
}

/// A law decides by what the kernel has counted as if it had seen the packets itself.
#[test]
fn the_law_decides_as_by_its_own_count() {
    with_memory(bed::MEMORY, |bed| {
        let ((mut seen, first), (mut read, _)) = (law(bed::MEMORY), law(bed::MEMORY));
        bed.install(3, first.to_plain().as_ref(), true);
        let mut before = CountedSums::default();
        for interval in 1..=20 {
            for port in 0..interval * 7 {
                pass(bed, &from_port(V4, port));
            }
            bed.model.flows.iter().for_each(|&flow| seen.on_flow(FlowId::new(flow)));
            bed.model.flows.clear();
            bed.agrees();
            let [router, _] = &bed.routers;
            let ended = router.law::<CountedRouter>().unwrap().end_interval().unwrap();
            let grown = ended.sums[bed.cpu].since(&before);
            before = ended.sums[bed.cpu];
            assert!(read.on_bitmap(&ended.flows));
            let [by_seen, by_read] =
                [&mut seen, &mut read].map(|law| law.tick(0, &grown, &sample()).grant.unwrap());
            assert_eq!(by_seen, by_read);
            let flows = f64::from(interval * 7);
            assert!((metric(&read, "N") / flows - 1.0).abs() < 0.05, "{flows}");
            assert!(metric(&read, "held") > 0.0, "packets state 3 ms, less than R");
            bed.install(3, by_read.to_plain().as_ref(), true);
        }
    });
}

#[test]
fn packets_that_are_not_summed_have_no_flow() {
    with_memory(bed::MEMORY, |bed| {
        for law in [1, 2, 6] {
            pass(bed, &Packet::new(V4, &[&full(law, ASKED[2].1)]));
        }
        pass(bed, &Packet::new(V4, &[&short(3)]));
        pass(bed, &Packet::new(V4, &[TIMESTAMPS]));
        pass(bed, &Packet { tags: vec![TAG; 3], ..from_port(V4, 1) });
        let packet = from_port(V4, 1).bytes();
        (14..packet.len() - 100).for_each(|length| {
            bed.pass(&packet[..length], About::default());
        });
        // A fragment, and UDP.
        for (at, value) in [(20, 0x20), (23, 17)] {
            let mut packet = packet.clone();
            packet[at] = value;
            bed.pass(&packet, About::default());
        }
        assert!(bed.model.flows.is_empty());
        assert_eq!(bed.end_interval(), 0);
    });
}

#[test]
fn a_flow_at_two_cpus_counts_once() {
    let cpus = libbpf_rs::num_possible_cpus().unwrap();
    if cpus < 2 {
        return bed::skip("a flow at two CPUs takes two");
    }
    with_memory(LARGE, |bed| {
        let before = bed.cpu;
        for cpu in [before, usize::from(before == 0)] {
            keep_to(cpu);
            pass(bed, &from_port(V4, 1));
            pass(bed, &from_port(V6, cpu as u16));
        }
        assert_eq!(bed.end_interval(), 3);
        let law = bed.routers[0].law::<CountedRouter>().unwrap();
        let packets = |sums: &CountedSums| sums.to_plain()[0];
        assert_eq!(law.sums().unwrap().iter().map(packets).filter(|&n| n == 2).count(), 2);
    });
}

fn keep_to(cpu: usize) {
    let mut set = CpuSet::new();
    set.set(cpu);
    sched_setaffinity(None, &set).unwrap();
}

/// Flows of one packet each, while another CPU ends intervals as fast as it can.
const FLOWS: u32 = 40_000;

#[test]
fn no_flow_is_lost_as_intervals_end() {
    if thread::available_parallelism().unwrap().get() < 2 {
        return bed::skip("ending intervals beside packets takes two CPUs");
    }
    with_memory(bed::MEMORY, |bed| {
        let [router, _] = &bed.routers;
        // A busy host stops the other CPU within a packet at times: the flows of that interval are lost, as the error says.
        let mut salt = 0;
        let mut attempt = |_| intervals_beside_packets(router, bed.cpu, &mut salt).ok();
        let intervals = (0..3).find_map(&mut attempt);
        let intervals = intervals.expect("one of three times without a stop");
        assert!(intervals.len() > 20, "{} intervals", intervals.len());
        let bits: u32 = intervals.iter().flat_map(|it| &it.flows).map(|it| it.count_ones()).sum();
        assert!(bits <= FLOWS, "a packet counts in one interval: {bits}");
        all_are_found(&intervals);
    });
}

/// An interval in which there were flows.
struct Interval {
    salt: u64,
    flows: Vec<u64>,
}

/// Passes the flows in order, from another CPU than this thread is on then.
fn intervals_beside_packets(
    router: &KernelRouter<'_>,
    cpu: usize,
    salt: &mut u64,
) -> Result<Vec<Interval>, Error> {
    let law = router.law::<CountedRouter>()?;
    let mut intervals = Vec::new();
    let done = AtomicBool::new(false);
    thread::scope(|threads| {
        threads.spawn(|| {
            keep_to(cpu);
            (0..FLOWS).for_each(|flow| {
                bed::run(router.program(), &packet_of(flow), About::default()).unwrap();
            });
            done.store(true, Ordering::Release);
        });
        keep_to(usize::from(cpu == 0));
        loop {
            let last = done.load(Ordering::Acquire);
            let ended = law.end_interval();
            let salt = std::mem::replace(salt, mix(*salt));
            let flows = ended?.flows;
            if flows.iter().any(|&word| word != 0) {
                intervals.push(Interval { salt, flows });
            }
            if last {
                return Ok(intervals);
            }
        }
    })
}

fn packet_of(flow: u32) -> Vec<u8> {
    let mut packet = from_port(V4, 1).bytes();
    packet[26..30].copy_from_slice(&flow.to_be_bytes());
    packet
}

/// Asserts that each flow has its bit in the interval of the flow before or one of the next: a few on, where a flow before
/// has another's bit by chance.
fn all_are_found(intervals: &[Interval]) {
    let mut at = 0;
    for flow in 0..FLOWS {
        let packet = packet_of(flow);
        let flow = of(&packet, &locate::segment(&packet).unwrap());
        let has = |interval: &Interval| {
            let bit = bit(flow, interval.salt, interval.flows.len());
            interval.flows[bit / 64] >> (bit % 64) & 1 == 1
        };
        let next = intervals[at..].iter().take(4).position(has);
        at += next.expect("its bit");
    }
}

#[test]
fn other_counters_are_refused() {
    let of = |counted, counter| Ncp::of(&NcpParams { counted, counter, ..NcpParams::default() });
    let bitmap = Ncp::Counted(NcpParams::default().counter_memory);
    assert_eq!(of(FlowCount::Eq12, CounterKind::Bitmap).unwrap(), bitmap);
    for counter in [CounterKind::Exact, CounterKind::HyperLogLog] {
        assert_eq!(of(FlowCount::Eq8, counter).unwrap(), Ncp::Plain);
        let refused = of(FlowCount::Eq12, counter).unwrap_err();
        assert!(matches!(refused, Error::CountsFlows));
        assert!(refused.to_string().contains("counter = \"bitmap\""), "{refused}");
    }
    let compensated = NcpParams { compensated: true, ..NcpParams::default() };
    assert_eq!(Ncp::of(&compensated).unwrap(), Ncp::Compensated);
}
