//! The laws' functions in the kernel, against the vectors that `sluice_laws` is tested with
//! (`tools/vectors.py`).

use std::fs;
use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};

use libbpf_rs::ProgramInput;
use libbpf_rs::skel::{OpenSkel as _, SkelBuilder as _};
use skeleton::{PlainSkel, PlainSkelBuilder};
use sluice_laws::router::LawHeader as _;
use sluice_laws::wire::Coding;
use sluice_laws::{ledger, ncp, ncp_increments, rcp, xcp};
use sluice_linux::Ncp;

use crate::bed;

mod skeleton {
    // As in the crate: libbpf is a C library.
    #![allow(unsafe_code, clippy::all)]
    include!(concat!(env!("OUT_DIR"), "/plain.skel.rs"));
}

/// The test program's number for NCP with compensation.
const COMPENSATED: u8 = 8;
/// And for NCP that counts flows.
const COUNTED: u8 = 9;
/// And for echoes, as hosts write and read them.
const ECHO: u32 = 10;

#[test]
fn the_kernel_matches_the_vectors() {
    bed::with_ncp(Ncp::Plain, |_| {
        let mut place = MaybeUninit::uninit();
        let open = PlainSkelBuilder::default().open(&mut place).unwrap();
        all_files(&mut open.load().unwrap());
    });
}

#[test]
fn echoes_are_those_of_the_wire() {
    bed::with_ncp(Ncp::Plain, |_| {
        let mut place = MaybeUninit::uninit();
        let open = PlainSkelBuilder::default().open(&mut place).unwrap();
        let mut plain = open.load().unwrap();
        let edges = (0..32).flat_map(|bit| [(1 << bit) - 1, 1 << bit, u32::MAX - (1 << bit)]);
        let random = (0..1000_u32).map(|i| i.wrapping_mul(0x9E37_79B9));
        for word in edges.chain(random).chain([0xFF_FFFF, u32::MAX]) {
            plain.maps.bss_data.as_deref_mut().unwrap().vector.law = ECHO;
            plain.maps.bss_data.as_deref_mut().unwrap().vector.words[0] = word;
            run(&mut plain);
            let [_, code, rate] = plain.maps.bss_data.as_deref().unwrap().vector.words;
            assert_eq!(code, Coding::Rate.code(word), "code of {word:#x}");
            assert_eq!(rate, Coding::Rate.word(word & 0xFF_FFFF), "rate of {word:#x}");
        }
    });
}

fn all_files(plain: &mut PlainSkel<'_>) {
    for (law, file) in [
        (rcp::header::RcpHeader::FORM.law, "rcp.txt"),
        (xcp::header::XcpHeader::FORM.law, "xcp.txt"),
        (ncp::header::NcpHeader::FORM.law, "ncp.txt"),
        (COMPENSATED, "ncp_compensated.txt"),
        (COUNTED, "ncp_counted.txt"),
        (ncp_increments::header::IncrementHeader::FORM.law, "ncp_increments.txt"),
        (ledger::header::LedgerHeader::FORM.law, "ledger.txt"),
    ] {
        let vectors = fs::read_to_string(directory().join(file)).unwrap();
        let vectors: Vec<&str> = vectors.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(vectors.len() > 400, "{file} has {} vectors", vectors.len());
        for vector in vectors {
            check(plain, law, vector);
        }
    }
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../sluice-laws/vectors")
}

/// `grant | budget | header | bytes packets | header after | budget after | growth of the sums`.
fn check(plain: &mut PlainSkel<'_>, law: u8, line: &str) {
    let parts: Vec<Vec<u64>> = line.split('|').map(numbers).collect();
    let [grant, budget, header, train, header_after, budget_after, growth] = &parts[..] else {
        panic!("seven parts: {line}");
    };
    let vector = &mut plain.maps.bss_data.as_deref_mut().unwrap().vector;
    *vector = Default::default();
    vector.law = law.into();
    copy(&mut vector.grant, grant, |word| word);
    copy(&mut vector.budget, budget, |word| word as i64);
    copy(&mut vector.words, &header[..3], |word| word as u32);
    (vector.train.bytes, vector.train.packets) = (train[0] as u32, train[1] as u32);

    run(plain);

    let vector = &plain.maps.bss_data.as_deref().unwrap().vector;
    let words = vector.words.map(u64::from);
    let forward = if law == 1 { 2 } else { 3 };
    assert_eq!(words[..forward], header_after[..forward], "header: {line}");
    let spent = vector.budget.map(|word| word as u64);
    assert_eq!(&spent[..budget_after.len()], budget_after, "budget: {line}");
    assert_eq!(&vector.sums[..growth.len()], growth, "sums: {line}");
}

fn run(plain: &mut PlainSkel<'_>) {
    let input = ProgramInput { data_in: Some(&[0; 14]), ..ProgramInput::default() };
    assert_eq!(plain.progs.plain.test_run(input).unwrap().return_value, 0);
}

fn numbers(part: &str) -> Vec<u64> {
    part.split_whitespace().map(|number| number.parse().unwrap()).collect()
}

fn copy<T>(to: &mut [T], from: &[u64], convert: impl Fn(u64) -> T) {
    for (to, &from) in to.iter_mut().zip(from) {
        *to = convert(from);
    }
}
