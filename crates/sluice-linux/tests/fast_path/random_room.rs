//! Half a million random packets, half of them full of selective acknowledgements, through the program of hosts for devices.

use std::time::Instant;

use rand::Rng;
use rand::seq::IndexedRandom as _;

use crate::craft::{Packet, V4, V6};
use crate::draw;
use crate::locate;
use crate::room::{self, Room, full_of_sack};

#[test]
fn half_a_million_packets_of_hosts_at_random() {
    room::with(|room| {
        let (packets, mut random) = draw::run_of("hosts");
        let packets = packets / 2;
        let started = Instant::now();
        let made = run(room, packets, &mut random);
        let seconds = started.elapsed().as_secs_f64();
        println!("{packets} packets, {made} with an echo for a block, in {seconds:.1} s");
        let others = packets - made;
        assert!(made.min(others) > packets / 5, "{made} with an echo, {others} without");
    });
}

/// Passes a number of packets; returns how many were changed.
fn run(room: &mut Room<'_>, packets: u64, random: &mut impl Rng) -> u64 {
    let mut made = 0;
    for count in 0..packets {
        if count % 50 == 0 {
            let echo = random.random_range(0..1 << 24);
            room.owes(*[0, 1, 0xFF_FFFF, echo, echo, echo].choose(random).unwrap());
        }
        let mut packet = draw::bytes(random, packet);
        if random.random_ratio(1, 8) {
            mislead(&mut packet, random);
        }
        made += u64::from(room.pass(&packet, draw::about(random, packet.len())));
        if count % 500 == 0 {
            room.agrees();
        }
    }
    room.agrees();
    made
}

fn packet<R: Rng>(random: &mut R) -> Packet {
    let packet = draw::packet(random);
    if random.random_ratio(1, 4) {
        return packet;
    }
    let mut options = full_of_sack(random.random());
    // Blocks of any numbers.
    let blocks = options.len() - 24;
    random.fill(&mut options[blocks..]);
    let ip = if random.random_ratio(1, 8) {
        packet.ip
    } else {
        [V4, V6].choose(random).unwrap().clone()
    };
    let tags = if random.random_ratio(1, 8) { packet.tags } else { Vec::new() };
    Packet { ip, tags, options, ..packet }
}

/// Writes options full of SACK behind the first 20 bytes of the TCP header, wherever that ends.
fn mislead(bytes: &mut [u8], random: &mut impl Rng) {
    let Some(segment) = locate::segment(bytes) else { return };
    let options = full_of_sack(random.random());
    if let Some(there) = bytes.get_mut(segment.tcp + 20..segment.tcp + 20 + options.len()) {
        there.copy_from_slice(&options);
    }
}
