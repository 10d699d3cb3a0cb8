//! `make bench-linux`: what the program costs a packet, by the kernel's own clock
//! (`BPF_PROG_TEST_RUN`).
//!
//! A line a benchmark: `bench NAME ns_per_packet=... min=... max=...`: the median of several runs,
//! and their spread. Each pass sums, stamps, writes and corrects the checksum; putting the asked-for word
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

const RCP: u8 = 1;
const XCP: u8 = 2;
const NCP: u8 = 3;

fn main() {
    let wanted: Vec<String> = env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let passes = if env::args().any(|arg| arg == "--brief") { PASSES / 20 } else { PASSES };
    let tagged = |ip| Packet { tags: vec![TAG], ..Packet::new(ip, &[]) };
    let plain = |ip: Ip| Packet::new(ip, &[]);
    for (name, law, packet) in [
        ("put_back", RCP, plain(V4)),
        ("rcp", RCP, plain(V4)),
        ("xcp", XCP, plain(V4)),
        ("ncp", NCP, plain(V4)),
        ("rcp_ipv6", RCP, plain(V6)),
        ("xcp_ipv6", XCP, plain(V6)),
        ("rcp_vlan", RCP, tagged(V4)),
        ("xcp_ipv6_extension", XCP, plain(Ip::V6(vec![(0, 0)]))),
    ] {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            measure(name, law, packet, passes);
        }
    }
}

/// Runs it and prints its line.
fn measure(name: &str, law: u8, packet: Packet, passes: u32) {
    let mut place = MaybeUninit::uninit();
    let loaded = BenchSkelBuilder::default().open(&mut place).and_then(|open| open.load());
    let mut bench = match loaded {
        Ok(bench) => bench,
        Err(why) => return eprintln!("SKIPPED: sluice-linux: bench {name}: {why}"),
    };
    let asked = match law {
        RCP => [u32::MAX, 21_474_836, 0],
        XCP => [805_306, 21_474_836, 1_000_000],
        _ => [u32::MAX, 805_306, 21_474_836],
    };
    let option = full(law, asked);
    let packet = Packet { options: [NOP, NOP, TIMESTAMPS, &option].concat(), ..packet };
    install(&mut bench, law);
    let bytes = packet.bytes();
    let word = if law == XCP { 16 } else { 8 };
    let at = find(&bytes, &option) + word;
    let data = bench.maps.bss_data.as_deref_mut().expect("the program has variables");
    data.word_at = at as u32;
    data.word = u32::from_ne_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
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

/// A grant of which every packet gets something, and which does not run out.
fn install(bench: &mut BenchSkel<'_>, law: u8) {
    let words = match law {
        XCP => [u64::MAX, 1 << 62, 1 << 62, 1 << 31 | 40 << 32, 1 << 31 | 26 << 32],
        _ => [u64::MAX, 123_456, 0, 0, 0],
    };
    let mut value: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    value.resize(size_of::<skeleton::types::grant>(), 0);
    let cpus = libbpf_rs::num_possible_cpus().expect("number of CPUs");
    let slot = 2 * u32::from(law) + 1;
    let grants = &bench.maps.grants;
    grants.update_percpu(&slot.to_ne_bytes(), &vec![value; cpus], MapFlags::ANY).expect("a slot");
    let data = bench.maps.bss_data.as_deref_mut().expect("the program has variables");
    data.generations[usize::from(law)] = 1;
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
