//! Ledger: newcomers by hand, and from several CPUs at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use sluice_laws::WireHeader;
use sluice_laws::ledger::header::LedgerHeader;
use sluice_laws::ledger::router::LedgerRouter;
use sluice_laws::ledger::{LedgerBudget, LedgerGrant};
use sluice_laws::router::{LawHeader as _, Plain as _, RouterLaw, Train};
use sluice_linux::{Error, KernelRouter, Ncp};
use sluice_units::Time;

use crate::bed::{self, About, Bed};
use crate::craft::{Packet, V4, full};
use crate::model::Fate;
use crate::reading::pass_many;

/// R; three ticks of 2^-28 s a byte; 2^13 bytes, half of a T; S; N = 4; the room, S; the least; 2^14 bytes a T; a
/// byte a d0 and sixteen a T are a unit of rates; a queue that grows by half of what the link sends.
pub const GRANT: [u64; 11] =
    [300_000, 3 << 16, (13 << 5) + 1, 1 << 20, 4 << 8, 1 << 20, 7, 1 << 26, 1 << 32, 16 << 32, 96];
/// Which words of a grant are the room, and the part of T that a byte takes.
const ROOM: usize = 5;
const T_OF_A_BYTE: usize = 7;
/// Which words of a budget are what is booked, and the number and rates of flows without an end.
const BOOKED: usize = 1;
const COUNT: usize = 6 + 8;
const GRANTED: usize = 15 + 8;
const SYN: u32 = 1 << 31;
/// 50 bytes.
const SHORT: u32 = ((5 << 5 | 18) + 1) << 7 | EVEN;
const ENDLESS: u32 = 0x7FF << 7 | EVEN;
/// A stretch of x of 1.
const EVEN: u32 = 64;

fn packet(rate: u32, state: u32) -> Vec<u8> {
    Packet::new(V4, &[&full(7, [rate, 0, state])]).bytes()
}

/// The rate in the option of such a packet.
fn rate(packet: &[u8]) -> u32 {
    u32::from_be_bytes(packet[62..66].try_into().expect("four bytes"))
}

/// What is left of a request for `asked`.
#[track_caller]
fn granted(bed: &mut Bed<'_>, asked: u32, state: u32) -> u32 {
    let (out, fate) = bed.pass(&packet(asked, state), About::default());
    // The queue of the grant stretches all data that request something.
    let changes = rate(&out) != asked || (asked > 0 && state & SYN == 0);
    assert_eq!(fate == Fate::Stamped, changes);
    rate(&out)
}

/// S / 5, S / 6 and S / 7; R for flows that send, which spend nothing.
#[test]
fn newcomers_get_equal_shares_and_flows_that_send_get_r() {
    bed::with_ncp(Ncp::Plain, |bed| {
        bed.install(7, &GRANT, true);
        for share in [209_715, 174_762, 149_796] {
            assert_eq!(granted(bed, u32::MAX, SYN | ENDLESS), share);
            for (asked, left) in [(u32::MAX, 300_000), (300_001, 300_000), (9, 9)] {
                assert_eq!(granted(bed, asked, ENDLESS), left);
            }
            assert_eq!(granted(bed, 0, SYN | ENDLESS), 0, "nothing requested");
        }
        bed.agrees();
    });
}

/// By 1.5, more than a router grants. The words of rate and stretch change together or alone, in packets with their options at any
/// address. SYNs have no x.
#[test]
fn the_stretch_is_multiplied_behind_the_queue() {
    bed::with_ncp(Ncp::Plain, |bed| {
        bed.install(7, &GRANT, true);
        for state in [ENDLESS, SYN | ENDLESS] {
            for (asked, stretch, behind) in
                [(9, 64, 96), (u32::MAX, 51, 77), (u32::MAX, 0, 0), (9, 100, 127), (0, 64, 64)]
            {
                let option = full(7, [asked, 5, state & !0x7F | stretch]);
                for nops in 0..4 {
                    let packet = Packet::new(V4, &[&[1; 4][..nops], &option]).bytes();
                    let (out, _) = bed.pass(&packet, About::default());
                    let at = 70 + nops;
                    let found = u32::from_be_bytes(out[at..at + 4].try_into().expect("four bytes"));
                    assert_eq!(
                        found,
                        state & !0x7F | if state & SYN == 0 { behind } else { stretch },
                        "{asked} with {nops} before the option"
                    );
                }
            }
        }
        bed.agrees();
    });
}

/// What a newcomer with a few bytes does not book, the next one may have.
#[test]
fn where_the_room_ends_the_least_is_left_until_the_next_grant() {
    bed::with_ncp(Ncp::Plain, |bed| {
        let mut grant = GRANT;
        grant[ROOM] = 300_000;
        for _ in 0..3 {
            bed.install(7, &grant, true);
            assert_eq!(granted(bed, u32::MAX, SYN | SHORT), 209_715);
            for left in [209_715, 300_000 - 209_715 - 50, 7, 7] {
                // The short one counts as a 328th of T: as nothing.
                assert_eq!(granted(bed, u32::MAX, SYN | ENDLESS), left);
            }
            bed.agrees();
        }
    });
}

/// Without a grant nothing shows how long flows go on; RTTs and bytes are summed.
#[test]
fn before_the_first_grant_x_is_not_summed() {
    bed::with_ncp(Ncp::Plain, |bed| {
        bed.pass(&Packet::new(V4, &[&full(7, [1, 5, 8 << 18 | EVEN])]).bytes(), About::default());
        bed.agrees();
    });
}

#[test]
fn a_grant_is_for_all_cpus_together() {
    bed::with_ncp(Ncp::Plain, |bed| {
        let law = bed.routers[0].law::<LedgerRouter>().unwrap();
        let grant = LedgerGrant::from_plain(GRANT);
        let refused = law.install(Time::NEVER, &[grant; 2]).unwrap_err();
        assert!(matches!(refused, Error::Grants { given: 2, budgets: 1 }), "{refused}");
    });
}

/// Newcomers to each CPU, as many as are granted rates of all sizes and then the least. They are alike, so that their order, which
/// is any, does not matter.
#[test]
fn cpus_grant_together_what_one_would() {
    const EACH: usize = 2_000;
    bed::with_ncp(Ncp::Plain, |bed| {
        let [router, _] = &bed.routers;
        let Some(cpus) = several_cpus() else { return };
        let mut words = GRANT;
        words[ROOM] = 3 << 20;
        let grant = LedgerGrant::from_plain(words);
        let law = router.law::<LedgerRouter>().unwrap();
        for _ in 0..3 {
            law.install(Time::NEVER, &[grant]).unwrap();
            let mut rates = on_each(&cpus, || newcomers(router, EACH)).concat();
            rates.sort_unstable_by(|a, b| b.cmp(a));

            let mut used = LedgerRouter::fresh(&grant);
            let expected: Vec<u32> = rates.iter().map(|_| book(&grant, &mut used)).collect();
            assert_eq!(expected.last(), Some(&7), "the room has to end");
            assert!(rates == expected, "{rates:?}\n{expected:?}");
            let [budget] = law.budgets().unwrap()[..] else { panic!("one budget") };
            assert_eq!(budget.map(|budget| budget.to_plain()), Some(used.to_plain()));
        }
    });
}

/// The rates of that many newcomers.
fn newcomers(router: &KernelRouter<'_>, number: usize) -> Vec<u32> {
    let syn = packet(u32::MAX, SYN | ENDLESS);
    let granted = || rate(&bed::run(router.program(), &syn, About::default()).unwrap());
    (0..number).map(|_| granted()).collect()
}

/// The rate of such a newcomer by the law.
fn book(grant: &LedgerGrant, used: &mut LedgerBudget) -> u32 {
    let mut header = LedgerHeader::from_wire(WireHeader::new([u32::MAX, 0, SYN | ENDLESS, 0]));
    LedgerRouter::stamp(grant, used, &mut header, Train::packet(100));
    header.rate.units()
}

/// All CPUs book newcomers of one rate, while grants come and the budget is read. A budget that is read while a packet changes it,
/// or that another CPU begins anew, would show.
#[test]
fn a_budget_is_read_whole_and_begun_once() {
    const RATE: u64 = 1_000;
    bed::with_ncp(Ncp::Plain, |bed| {
        let [router, _] = &bed.routers;
        let Some(cpus) = several_cpus() else { return };
        // Room without an end, and newcomers that lower no share.
        let mut words = GRANT;
        (words[ROOM], words[T_OF_A_BYTE]) = (1 << 60, 0);
        let endless = ((62 << 5) + 1) << 7 | EVEN;
        let syn = packet(RATE as u32, SYN | endless);
        let law = router.law::<LedgerRouter>().unwrap();
        let done = AtomicBool::new(false);
        let most = || {
            let [budget] = law.budgets().unwrap()[..] else { panic!("one budget") };
            let words = budget.map_or([0; 24], |budget| budget.to_plain());
            let flows = words[COUNT];
            assert_eq!([words[BOOKED], words[GRANTED]], [flows * RATE; 2], "{words:?}");
            flows
        };
        thread::scope(|threads| {
            for &cpu in &cpus {
                let (done, syn) = (&done, &syn);
                threads.spawn(move || {
                    keep_to(cpu);
                    while !done.load(Ordering::Relaxed) {
                        pass_many(router, syn);
                    }
                });
            }
            let read = || {
                let mut seen = 0;
                for _ in 0..2_000 {
                    law.install(Time::NEVER, &[LedgerGrant::from_plain(words)]).unwrap();
                    let mut before = 0;
                    for _ in 0..20 {
                        let flows = most();
                        assert!(flows >= before, "{flows} after {before}");
                        before = flows;
                    }
                    seen += before;
                }
                assert!(seen > 0, "no newcomer was seen");
            };
            let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(read));
            done.store(true, Ordering::Relaxed);
            failed.unwrap_or_else(|cause| std::panic::resume_unwind(cause));
        });
    });
}

/// The CPUs of this machine, unless there is one.
fn several_cpus() -> Option<Vec<usize>> {
    let number = libbpf_rs::num_possible_cpus().unwrap();
    let own = sched_getaffinity(None).unwrap();
    let cpus: Vec<usize> = (0..number).filter(|&cpu| keeps_to(cpu)).collect();
    sched_setaffinity(None, &own).unwrap();
    if cpus.len() < 2 {
        bed::skip("newcomers to several CPUs take two");
        return None;
    }
    Some(cpus)
}

/// What `work` gives on each CPU, at the same time.
fn on_each<T: Send>(cpus: &[usize], work: impl Fn() -> T + Sync) -> Vec<T> {
    let work = &work;
    thread::scope(|threads| {
        let run = |&cpu| {
            threads.spawn(move || {
                keep_to(cpu);
                work()
            })
        };
        let started: Vec<_> = cpus.iter().map(run).collect();
        started.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn keep_to(cpu: usize) {
    assert!(keeps_to(cpu));
}

/// Binds this thread to the CPU, if it may run there.
fn keeps_to(cpu: usize) -> bool {
    let mut set = CpuSet::new();
    set.set(cpu);
    sched_setaffinity(None, &set).is_ok()
}
