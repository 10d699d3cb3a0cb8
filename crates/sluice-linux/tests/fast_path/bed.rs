//! The program, loaded twice: unmodified, and with the general parser for all packets. Both have to
//! agree with the model.

use std::sync::OnceLock;

use libbpf_rs::{Error, ErrorKind, ProgramInput, ProgramMut};
use rustix::thread::{CpuSet, sched_getcpu, sched_setaffinity};
use sluice_laws::ncp::counted::CountedRouter;
use sluice_laws::router::Train;
use sluice_linux::{KernelRouter, Ncp, Parser, ProgramMemory};
use sluice_testbed::skip_test;
use sluice_units::Bytes;

use crate::model::{Fate, Model};
use crate::{checksum, flows, locate};

/// Memory of a bitmap, no power of two.
pub const MEMORY: Bytes = Bytes::new(1_000);

/// A packet's metadata in the kernel.
#[derive(Clone, Copy, Debug, Default)]
pub struct About {
    /// Bytes on the wire of all segments; 0 for the packet's own length.
    pub wire: u32,
    /// Number of segments; 0 for a packet without segmentation.
    pub segments: u16,
    /// Whether a network card has computed the checksum (CHECKSUM_COMPLETE): then the kernel checks
    /// that it is still right.
    pub summed: bool,
}

pub struct Bed<'place> {
    pub model: Model,
    pub routers: [KernelRouter<'place>; 2],
    /// The CPU to which this thread is bound.
    pub cpu: usize,
    /// The salt of the interval in which flows are counted.
    pub salt: u64,
}

/// Runs a test on a new bed with each fast path of NCP, unless the kernel rejects the program.
pub fn with(test: impl Fn(&mut Bed<'_>)) {
    for ncp in [Ncp::Plain, Ncp::Compensated, Ncp::Counted(MEMORY)] {
        with_ncp(ncp, &test);
    }
}

/// The same with one of them.
pub fn with_ncp(ncp: Ncp, test: impl FnOnce(&mut Bed<'_>)) {
    static REFUSED: OnceLock<bool> = OnceLock::new();
    if *REFUSED.get_or_init(is_refused) {
        return;
    }
    let mut places = [ProgramMemory::default(), ProgramMemory::default()];
    let [direct, general] = &mut places;
    let routers = [(direct, Parser::Direct), (general, Parser::General)]
        .map(|(place, parser)| KernelRouter::load(place, parser, ncp).unwrap());
    test(&mut Bed { model: Model::new(ncp), routers, cpu: keep_to_a_cpu(), salt: 0 });
}

/// Whether the kernel rejects the program. The first test to ask prints the reason, for all of
/// them.
fn is_refused() -> bool {
    let mut place = ProgramMemory::default();
    let refused = KernelRouter::load(&mut place, Parser::Direct, Ncp::Plain).err();
    if let Some(why) = &refused {
        skip(&why.to_string());
    }
    refused.is_some()
}

pub fn skip(why: &str) {
    skip_test("sluice-linux", why);
}

/// Sums, budgets and counts are per CPU, so a test must not migrate.
fn keep_to_a_cpu() -> usize {
    let cpu = sched_getcpu();
    let mut set = CpuSet::new();
    set.set(cpu);
    sched_setaffinity(None, &set).unwrap();
    cpu
}

impl Bed<'_> {
    /// Passes a packet through both programs, which have to agree with the model; returns the
    /// resulting packet.
    #[track_caller]
    pub fn pass(&mut self, packet: &[u8], about: About) -> (Vec<u8>, Fate) {
        let wire = if about.wire == 0 { packet.len() as u32 } else { about.wire };
        let (expected, fate) = self.model.pass(packet, Train::new(wire, about.segments));
        for router in &self.routers {
            let out = match run(router.program(), packet, about) {
                Err(why) if why.kind() == ErrorKind::InvalidInput && cut_in_ip(packet) => continue,
                out => out.unwrap(),
            };
            assert!(
                out == expected,
                "{about:?}, {fate:?}\nin       {packet:02x?}\nout      {out:02x?}\n\
                 expected {expected:02x?}"
            );
        }
        if let Some(segment) = locate::segment(packet) {
            let right = checksum::is_right(packet, &segment);
            assert!(!right || checksum::is_right(&expected, &segment), "checksum: {packet:02x?}");
        }
        (expected, fate)
    }

    /// Asserts that sums and budgets equal the model's.
    #[track_caller]
    pub fn agrees(&self) {
        for router in &self.routers {
            self.model.agrees(router, self.cpu);
        }
    }

    /// Ends an interval of flows, of which both programs must have the model's. Returns the bits that are set.
    #[track_caller]
    pub fn end_interval(&mut self) -> u32 {
        let Ncp::Counted(memory) = self.ncp() else { return 0 };
        let expected = flows::bitmap(&std::mem::take(&mut self.model.flows), self.salt, memory);
        for router in &self.routers {
            let ended = router.law::<CountedRouter>().unwrap().end_interval().unwrap();
            assert!(ended.flows == expected, "bits of {memory}");
        }
        self.salt = flows::mix(self.salt);
        expected.iter().map(|word| word.count_ones()).sum()
    }

    /// The fast path of NCP in both programs.
    pub fn ncp(&self) -> Ncp {
        self.routers[0].ncp()
    }

    /// Installs a grant in the model and in both programs: as many of these words as it has.
    pub fn install(&mut self, law: u8, grant: &[u64], holds: bool) {
        self.model.law(law).install(grant, holds, &self.routers);
    }
}

/// Whether a packet ends before its IP header does. Newer kernels refuse to run a program on such.
pub fn cut_in_ip(packet: &[u8]) -> bool {
    match packet[12..14] {
        [0x08, 0x00] => packet.len() < 34,
        [0x86, 0xDD] => packet.len() < 54,
        _ => false,
    }
}

/// `BPF_F_TEST_SKB_CHECKSUM_COMPLETE`: the kernel computes the checksum before, and compares it
/// with the packet after.
const SUMMED: u32 = 1 << 2;
/// Where `struct __sk_buff` (linux/bpf.h) has `wire_len`, `gso_segs` and `gso_size`, in words.
const WIRE_LEN: usize = 40;
const GSO_SEGS: usize = 41;
const GSO_SIZE: usize = 44;
const SK_BUFF_WORDS: usize = 48;

/// One test run of one packet.
pub fn run(program: &ProgramMut<'_>, packet: &[u8], about: About) -> Result<Vec<u8>, Error> {
    let mut context = [0_u32; SK_BUFF_WORDS];
    context[WIRE_LEN] = about.wire;
    context[GSO_SEGS] = about.segments.into();
    context[GSO_SIZE] = if about.segments > 0 { 1_448 } else { 0 };
    let mut context: Vec<u8> = context.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let mut out = vec![0; packet.len() + 64];
    let output = program.test_run(ProgramInput {
        context_in: Some(&mut context),
        data_in: Some(packet),
        data_out: Some(&mut out),
        flags: if about.summed { SUMMED } else { 0 },
        ..ProgramInput::default()
    })?;
    assert_eq!(output.return_value as i32, -1, "TCX_NEXT, whatever the packet is");
    let length = output.data.map_or(0, |data| data.len());
    out.truncate(length);
    Ok(out)
}
