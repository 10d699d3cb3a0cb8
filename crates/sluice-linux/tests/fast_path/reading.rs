//! Sums that are read while packets arrive.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use libbpf_rs::ProgramInput;
use rustix::thread::{CpuSet, sched_setaffinity};
use sluice_laws::router::Plain as _;
use sluice_laws::xcp;
use sluice_linux::{Error, KernelRouter, Ncp};

use crate::bed;
use crate::craft::{Packet, V4, full};

/// Number of reads of the sums.
const READS: usize = 200_000;
/// Number of reads that may give up: a busy host stops a virtual CPU for longer than a read waits.
const BUSY: usize = 10;

/// A torn read would mix words of different packets: in XCP's 128-bit sum of two words, an error of
/// 2^64.
#[test]
fn sums_are_read_between_two_packets() {
    if thread::available_parallelism().unwrap().get() < 2 {
        return bed::skip("reading beside a packet takes two CPUs");
    }
    bed::with_ncp(Ncp::Plain, |bed| {
        let packet = Packet::new(V4, &[&full(2, [u32::MAX, u32::MAX, 0])]).bytes();
        let [router, _] = &bed.routers;
        let done = AtomicBool::new(false);
        thread::scope(|threads| {
            threads.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    pass_many(router, &packet);
                }
            });
            leave(bed.cpu);
            let mut reads = (0..READS).map(|_| is_of_whole_packets(router, &packet));
            let mut busy = 0;
            let wrong = reads.find(|read| {
                busy += usize::from(matches!(read, Err(Error::Busy)));
                !matches!(read, Ok(true) | Err(Error::Busy)) || busy > BUSY
            });
            done.store(true, Ordering::Relaxed);
            assert!(wrong.is_none(), "{wrong:?}");
        });
    });
}

pub fn pass_many(router: &KernelRouter<'_>, packet: &[u8]) {
    // With a context the kernel counts the packet's bytes.
    let mut context = [0; 192];
    let input = ProgramInput {
        context_in: Some(&mut context),
        data_in: Some(packet),
        repeat: 100_000,
        ..ProgramInput::default()
    };
    router.program().test_run(input).unwrap();
}

/// Keeps this thread off the CPU.
fn leave(cpu: usize) {
    let mut others = CpuSet::new();
    (0..CpuSet::MAX_CPU).filter(|&other| other != cpu).for_each(|other| others.set(other));
    sched_setaffinity(None, &others).unwrap();
}

/// Whether XCP's sums are those of a whole number of packets.
fn is_of_whole_packets(router: &KernelRouter<'_>, packet: &[u8]) -> Result<bool, Error> {
    let sums = router.law::<xcp::router::XcpRouter>()?.total()?.to_plain();
    let bytes = packet.len() as u64;
    let packets = sums[0] / bytes;
    let x = packets * u64::from(u32::MAX);
    let x_rtt = u128::from(x) * u128::from(u32::MAX);
    Ok(sums == [packets * bytes, x, x_rtt as u64, (x_rtt >> 64) as u64])
}
