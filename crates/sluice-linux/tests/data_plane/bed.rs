//! A loaded program, and packets for it.

use libbpf_rs::ProgramInput;
use rustix::thread::{CpuSet, sched_getcpu, sched_setaffinity};
use sluice_linux::{KernelRouter, Ncp, Parser, ProgramMemory};
use sluice_testbed::skip_test;

use crate::craft::{NOP, Packet, TIMESTAMPS, V4, full};

/// Runs a test on a program, unless the kernel rejects it.
pub fn with(ncp: Ncp, test: impl FnOnce(&KernelRouter<'_>)) {
    let mut place = ProgramMemory::default();
    match KernelRouter::load(&mut place, Parser::Direct, ncp) {
        Ok(router) => test(&router),
        Err(why) => skip(&why.to_string()),
    }
}

/// The same with two programs.
pub fn with_two(test: impl FnOnce([&KernelRouter<'_>; 2])) {
    let mut places = [ProgramMemory::default(), ProgramMemory::default()];
    let loaded =
        places.each_mut().map(|place| KernelRouter::load(place, Parser::Direct, Ncp::Plain));
    match &loaded {
        [Ok(one), Ok(two)] => test([one, two]),
        [Err(why), _] | [_, Err(why)] => skip(&why.to_string()),
    }
}

pub fn skip(why: &str) {
    skip_test("sluice-linux", why);
}

/// Keeps this thread to the CPU on which it is.
pub fn keep_to_a_cpu() {
    let mut set = CpuSet::new();
    set.set(sched_getcpu());
    sched_setaffinity(None, &set).unwrap();
}

/// A data packet with a full option of a law.
pub fn packet(law: u8, words: [u32; 3]) -> Vec<u8> {
    Packet::new(V4, &[NOP, NOP, TIMESTAMPS, &full(law, words)]).bytes()
}

/// A datagram of the same length as an ordinary packet: no TCP.
pub fn datagram() -> Vec<u8> {
    let mut bytes = Packet::new(V4, &[]).bytes();
    bytes[23] = 17;
    bytes
}

/// Where `struct __sk_buff` (linux/bpf.h) has `wire_len`, `gso_segs` and `gso_size`, in words.
const WIRE_LEN: usize = 40;
const GSO_SEGS: usize = 41;
const GSO_SIZE: usize = 44;
const SK_BUFF_WORDS: usize = 48;

/// Passes a packet `times` times, each with `wire` bytes on the wire. Returns it as it was last.
pub fn pass(router: &KernelRouter<'_>, packet: &[u8], wire: u32, times: u32) -> Vec<u8> {
    pass_train(router, packet, wire, 0, times)
}

/// The same with super-packets of so many segments.
pub fn pass_train(
    router: &KernelRouter<'_>,
    packet: &[u8],
    wire: u32,
    segments: u32,
    times: u32,
) -> Vec<u8> {
    // The kernel takes 0 for 1.
    if times == 0 {
        return packet.to_vec();
    }
    let mut context = [0_u32; SK_BUFF_WORDS];
    context[WIRE_LEN] = wire;
    context[GSO_SEGS] = segments;
    context[GSO_SIZE] = if segments > 0 { 1_448 } else { 0 };
    let mut context: Vec<u8> = context.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let mut out = vec![0; packet.len()];
    let input = ProgramInput {
        context_in: Some(&mut context),
        data_in: Some(packet),
        data_out: Some(&mut out),
        repeat: times,
        ..ProgramInput::default()
    };
    router.program().test_run(input).unwrap();
    out
}

/// What became of the option of a packet of [`packet`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Its first word.
    Granted(u32),
    /// It is a short option now.
    Cut,
}

pub fn fate(packet: &[u8]) -> Fate {
    let option = &packet[14 + 20 + 20 + NOP.len() * 2 + TIMESTAMPS.len()..];
    assert_eq!(option[0], 253, "{packet:02x?}");
    if option[1] == 8 {
        return Fate::Cut;
    }
    Fate::Granted(u32::from_be_bytes(option[8..12].try_into().unwrap()))
}
