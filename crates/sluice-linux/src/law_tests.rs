use libbpf_rs::ProgramInput;

use super::*;
use crate::{Parser, ProgramMemory};
use craft::{Packet, V4, full};

#[path = "../tests/fast_path/craft.rs"]
#[allow(dead_code)]
mod craft;

/// The number of Ledger.
const LEDGER: usize = 7;
/// Four flows, room for all, a byte a d0 and a byte a tick are a unit of rates.
const fn grant(shared: u64) -> [u64; 11] {
    [9, 0, 0, shared, 4 << 8, shared, 0, 1 << 40, 1 << 32, 1 << 32, 64]
}

/// What a newcomer without an end is granted.
fn newcomer(router: &KernelRouter<'_>) -> u32 {
    let packet = Packet::new(V4, &[&full(7, [u32::MAX, 0, 1 << 31 | 0x7FF << 7 | 64])]).bytes();
    let mut out = vec![0; packet.len()];
    let input = ProgramInput {
        data_in: Some(&packet),
        data_out: Some(&mut out),
        ..ProgramInput::default()
    };
    router.program().test_run(input).unwrap();
    u32::from_be_bytes(out[62..66].try_into().expect("four bytes"))
}

/// A CPU that read the generation of grants before the slow path raised it, and goes on when another CPU has begun the
/// new budget: it must not begin it again.
#[test]
fn a_packet_of_the_last_grant_books_in_the_budget_in_force() {
    let mut place = ProgramMemory::default();
    let router = match KernelRouter::load(&mut place, Parser::Direct, Ncp::Plain) {
        Ok(router) => router,
        Err(why) => return sluice_testbed::skip_test("sluice-linux", &why.to_string()),
    };
    let law = router.law::<LedgerRouter>().unwrap();
    for shared in [1 << 20, 1 << 19] {
        law.install(Time::NEVER, &[Plain::from_plain(grant(shared))]).unwrap();
    }
    // S / (N + n + 1): of the new grant, of the last, of the new.
    assert_eq!(newcomer(&router), (1 << 19) / 5);
    router.variables().generations[LEDGER] = 1;
    assert_eq!(newcomer(&router), (1 << 20) / 6);
    router.variables().generations[LEDGER] = 2;
    assert_eq!(newcomer(&router), (1 << 19) / 7);
    let budget = law.budgets().unwrap()[0].expect("it has begun").to_plain();
    assert_eq!((budget[0], budget[14]), (3 << 8, 3), "newcomers, and those without an end");
}
