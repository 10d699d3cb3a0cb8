use std::thread;
use std::time::Duration;

use sluice_units::Bytes;

use super::*;
use crate::{KernelRouter, Ncp, Parser, ProgramMemory};

/// The number of NCP, by which its sums are in their map.
const NCP: u32 = 3;

/// A router whose first CPU is within a packet, by its sums; `None` if the kernel rejects the program.
fn within_a_packet(place: &mut ProgramMemory) -> Option<KernelRouter<'_>> {
    match KernelRouter::load(place, Parser::Direct, Ncp::Counted(Bytes::new(16))) {
        Ok(router) => {
            set_begun(&router, 1);
            Some(router)
        }
        Err(why) => {
            sluice_testbed::skip_test("sluice-linux", &why.to_string());
            None
        }
    }
}

/// Sets how many packets the first CPU has begun; it finished none.
fn set_begun(router: &KernelRouter<'_>, packets: u64) {
    let mut sums = map::read(&router.maps().sums, NCP).unwrap();
    *sums[0].last_mut().unwrap() = packets;
    map::write(&router.maps().sums, NCP, &sums).unwrap();
}

fn set_first_word(router: &KernelRouter<'_>, block: u32, word: u64) {
    let mut words = map::read(&router.maps().flow_blocks, block).unwrap();
    words[0][0] = word;
    map::write(&router.maps().flow_blocks, block, &words).unwrap();
}

/// The packet began before the exchange, and sets its bit after it.
#[test]
fn a_packet_that_has_begun_is_waited_for() {
    let mut place = ProgramMemory::default();
    let Some(router) = within_a_packet(&mut place) else { return };
    let law = router.law::<CountedRouter>().unwrap();
    // A busy host may keep the packet for longer than a read waits.
    let ended = (0..10).find_map(|interval| {
        set_begun(&router, 1);
        thread::scope(|threads| {
            threads.spawn(|| {
                thread::sleep(Duration::from_millis(20));
                set_first_word(&router, interval & 1, 0b100);
                set_begun(&router, 0);
            });
            law.end_interval().ok()
        })
    });
    assert_eq!(ended.expect("one of ten in time").flows, [0b100, 0]);
}

#[test]
fn a_packet_that_does_not_end_costs_an_interval() {
    let mut place = ProgramMemory::default();
    let Some(router) = within_a_packet(&mut place) else { return };
    let law = router.law::<CountedRouter>().unwrap();
    set_first_word(&router, 0, 0b1);
    assert!(matches!(law.end_interval(), Err(Error::Busy)));
    set_begun(&router, 0);
    set_first_word(&router, 1, 0b10);
    assert_eq!(law.end_interval().unwrap().flows, [0b10, 0], "those of the interval that began");
    assert_eq!(law.end_interval().unwrap().flows, [0, 0], "the lost ones are in none");
}
