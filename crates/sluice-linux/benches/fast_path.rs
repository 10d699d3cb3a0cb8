//! `make bench-linux`: what the program costs a packet, by the kernel's own clock
//! (`BPF_PROG_TEST_RUN`).
//!
//! A line a benchmark: `bench NAME ns_per_packet=... min=... max=...`: the median of several runs,
//! and their spread. Each pass sums, stamps, writes and corrects the checksum; putting the asked-for words
//! back before it is counted in (`put_back` is that alone, with the loop of the test run). Names given
//! as arguments choose among them; `--brief` takes a twentieth of the time.

use std::env;
use std::mem::MaybeUninit;

use libbpf_rs::skel::{OpenSkel as _, SkelBuilder as _};
use libbpf_rs::{MapCore as _, MapFlags, ProgramInput, ProgramMut};

use craft::{Ip, NOP, Packet, TAG, TIMESTAMPS, V4, V6, full};
use skeleton::{BenchSkel, BenchSkelBuilder};

#[path = "../tests/fast_path/craft.rs"]
#[allow(dead_code)]
mod craft;

mod skeleton {
    // As in the crate: libbpf is a C library.
    #![allow(unsafe_code, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/bench.skel.rs"));
}

const RUNS: usize = 11;
const PASSES: u32 = 2_000_000;

/// A law, and what its fast path is given.
struct Path {
    law: u8,
    compensated: bool,
    /// Bits of the bitmap of flows.
    flow_bits: u32,
    /// What each packet asks for.
    words: [u32; 3],
    /// Of which each gets something, and which does not run out.
    grant: &'static [u64],
    /// The words that the router changes.
    stamped: &'static [usize],
    /// Bytes that a CPU collects before it writes them to the virtual queue.
    fold_bytes: u64,
}

/// 80 ms in ticks, and the 3 ms between two packets.
const RTT: u32 = 21_474_836;
const X: u32 = 805_306;

/// 100 us of a link of 10 Gb/s.
const AT_10_GBPS: u64 = 125_000;

const RCP: Path = Path {
    law: 1,
    compensated: false,
    flow_bits: 0,
    words: [u32::MAX, RTT, 0],
    grant: &[123_456],
    stamped: &[0],
    fold_bytes: AT_10_GBPS,
};
/// On a link on which a packet takes longer than 100 us.
const SLOW: Path = Path { fold_bytes: 1, ..RCP };
const XCP: Path = Path {
    law: 2,
    words: [X, RTT, 1_000_000],
    grant: &[1 << 62, 1 << 62, 1 << 31 | 40 << 32, 1 << 31 | 26 << 32],
    stamped: &[2],
    ..RCP
};
const NCP: Path = Path { law: 3, words: [u32::MAX, X, RTT], ..RCP };
/// Beyond a d0 of 10 ms, so that the rate takes two divisions.
const COMPENSATED: Path =
    Path { compensated: true, grant: &[123_456, 1_000_000, RTT as u64 / 8], ..NCP };
/// Within one of 80 ms.
const NEAR: Path = Path { grant: &[123_456, 1_000_000, RTT as u64], ..COMPENSATED };
/// A bitmap of 4 KiB, and a flow below R, of which a byte takes 100 ticks.
const COUNTED: Path =
    Path { flow_bits: 8 * 4_096, grant: &[123_456, 100 << 24, RTT as u64, 0], ..NCP };
const INCREMENTS: Path = Path { law: 6, grant: &[1 << 31 | 40 << 32, 0, 0, 0], ..XCP };
/// Towards the equal share: R is a byte in 2 us.
const RATIO: Path = Path {
    grant: &[
        1 << 31 | 40 << 32,
        1 << 31 | 1 << 40 | 26 << 32,
        1 << 31 | 40 << 32,
        1 << 31 | 28 << 32,
    ],
    ..INCREMENTS
};
/// Data of 64 KiB left, which count among the flows of this link.
const LEDGER: Path =
    Path { law: 7, words: [u32::MAX, X, LEDGER_FLOW], grant: &ledger_grant(64), ..RCP };
/// Behind a queue that grows by 1/64 of what the link sends.
const STRETCHED: Path = Path { grant: &ledger_grant(65), stamped: &[0, 2], ..LEDGER };

const fn ledger_grant(stretch: u64) -> [u64; 11] {
    let room = u64::MAX;
    [123_456, 1 << 44, (13 << 5) + 1, 1 << 20, 4 << 8, room, 7, 0, 1 << 10, 1 << 40, stretch]
}
/// 80 ms, and the data left.
const LEDGER_FLOW: u32 = ((24 << 8 | 71) + 1) << 18 | ((16 << 5) + 1) << 7 | 64;
/// The first request of a flow, which counts as a flow of 80 ticks and books nothing of the room.
const NEWCOMER: Path = Path { words: [u32::MAX, 0, 1 << 31 | LEDGER_FLOW], ..LEDGER };

fn main() {
    let wanted: Vec<String> = env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let passes = if env::args().any(|arg| arg == "--brief") { PASSES / 20 } else { PASSES };
    let tagged = |ip| Packet { tags: vec![TAG], ..Packet::new(ip, &[]) };
    let plain = |ip: Ip| Packet::new(ip, &[]);
    for (name, path, packet) in [
        ("put_back", RCP, plain(V4)),
        ("rcp", RCP, plain(V4)),
        ("rcp_slow_link", SLOW, plain(V4)),
        ("no_option", RCP, plain(V4)),
        ("xcp", XCP, plain(V4)),
        ("ncp", NCP, plain(V4)),
        ("ncp_compensated", COMPENSATED, plain(V4)),
        ("ncp_compensated_near", NEAR, plain(V4)),
        ("ncp_counted", COUNTED, plain(V4)),
        ("ncp_counted_ipv6", COUNTED, plain(V6)),
        ("ncp_increments", INCREMENTS, plain(V4)),
        ("ncp_increments_ratio", RATIO, plain(V4)),
        ("ledger", LEDGER, plain(V4)),
        ("ledger_queue", STRETCHED, plain(V4)),
        ("ledger_newcomer", NEWCOMER, plain(V4)),
        ("ledger_ipv6", LEDGER, plain(V6)),
        ("rcp_ipv6", RCP, plain(V6)),
        ("xcp_ipv6", XCP, plain(V6)),
        ("rcp_vlan", RCP, tagged(V4)),
        ("xcp_ipv6_extension", XCP, plain(Ip::V6(vec![(0, 0)]))),
    ] {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            measure(name, &path, packet, passes);
        }
    }
}

/// Runs it and prints its line.
fn measure(name: &str, path: &Path, packet: Packet, passes: u32) {
    let mut place = MaybeUninit::uninit();
    let loaded = BenchSkelBuilder::default().open(&mut place).and_then(|mut open| {
        let constants = open.maps.rodata_data.as_deref_mut().expect("the program has constants");
        constants.compensated = path.compensated;
        constants.flow_bits = path.flow_bits;
        open.load()
    });
    let mut bench = match loaded {
        Ok(bench) => bench,
        Err(why) => return eprintln!("SKIPPED: sluice-linux: bench {name}: {why}"),
    };
    let option = full(path.law, path.words);
    let packet = Packet { options: [NOP, NOP, TIMESTAMPS, &option].concat(), ..packet };
    install(&mut bench, path);
    let mut bytes = packet.bytes();
    let option_at = find(&bytes, &option);
    if name == "no_option" {
        // Another experiment's.
        bytes[option_at + 2] = 0;
    }
    let data = bench.maps.bss_data.as_deref_mut().expect("the program has variables");
    for (place, word) in path.stamped.iter().enumerate() {
        let at = option_at + 8 + 4 * word;
        data.words_at[place] = at as u32;
        data.words[place] = u32::from_ne_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    }
    let progs = &bench.progs;
    let program = if name == "put_back" { &progs.put_back } else { &progs.bench };
    let mut runs: Vec<u128> = (0..RUNS).map(|_| run(program, &bytes, passes)).collect();
    runs.sort_unstable();
    println!(
        "bench {name} ns_per_packet={} min={} max={}",
        runs[RUNS / 2],
        runs[0],
        runs[RUNS - 1]
    );
}

/// Puts its grant in force for ever, and sets after how many bytes the virtual queue is written.
fn install(bench: &mut BenchSkel<'_>, path: &Path) {
    let words = [&[u64::MAX], path.grant].concat();
    let mut value: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    value.resize(size_of::<skeleton::types::grant>(), 0);
    let cpus = libbpf_rs::num_possible_cpus().expect("number of CPUs");
    let slot = 2 * u32::from(path.law) + 1;
    let grants = &bench.maps.grants;
    grants.update_percpu(&slot.to_ne_bytes(), &vec![value; cpus], MapFlags::ANY).expect("a slot");
    let data = bench.maps.bss_data.as_deref_mut().expect("the program has variables");
    data.generations[usize::from(path.law)] = 1;
    data.fold_bytes = path.fold_bytes;
}

fn find(bytes: &[u8], option: &[u8]) -> usize {
    bytes.windows(option.len()).position(|window| window == option).expect("it is there")
}

/// Nanoseconds per pass, over `passes` passes of one packet.
fn run(program: &ProgramMut<'_>, packet: &[u8], passes: u32) -> u128 {
    // With a context the kernel counts the packet's bytes.
    let mut context = [0; 192];
    let input = ProgramInput {
        context_in: Some(&mut context),
        data_in: Some(packet),
        repeat: passes,
        ..ProgramInput::default()
    };
    let output = program.test_run(input).expect("a test run");
    output.duration.as_nanos()
}
