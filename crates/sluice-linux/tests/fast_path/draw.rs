//! Packets at random: most of them valid, of any headers and options; some damaged.

use std::time::SystemTime;

use rand::seq::IndexedRandom as _;
use rand::{Rng, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::bed::About;
use crate::craft::{
    Ip, MSS, NOP, Packet, SACK_PERMITTED, SERVICE_TAG, TAG, TIMESTAMPS, WINDOW_SCALE, full, sack,
    short,
};
use crate::locate;

pub const LAWS: [u8; 5] = [1, 2, 3, 6, 7];

/// Edge cases of the arithmetic.
const TURNS: [u32; 14] = [
    0,
    1,
    2,
    255,
    256,
    1 << 20,
    (1 << 28) - 1,
    1 << 28,
    10 << 28,
    (10 << 28) + 1,
    i32::MAX as u32,
    1 << 31,
    u32::MAX - 1,
    u32::MAX,
];

/// How many packets to draw, and a generator, whose seed is printed.
pub fn run_of(what: &str) -> (u64, Xoshiro256PlusPlus) {
    let packets = from_environment("SLUICE_LINUX_PACKETS").unwrap_or(1_000_000);
    let seed = from_environment("SLUICE_LINUX_SEED").unwrap_or_else(now);
    println!("SLUICE_LINUX_SEED={seed}, {what}");
    (packets, Xoshiro256PlusPlus::seed_from_u64(seed))
}

fn from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().expect("a number"))
}

fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_nanos() as u64
}

pub fn about(random: &mut impl Rng, bytes: usize) -> About {
    let segments = if random.random_ratio(1, 2) {
        random.random_range(0..=1)
    } else {
        of_any_size(random, 16) as u16
    };
    let wire =
        if random.random_ratio(1, 3) { 0 } else { random.random_range(bytes as u32..=65_536) };
    About { wire, segments, summed: random.random() }
}

/// A number of at most `bits` bits, each length equally likely.
pub fn of_any_size(random: &mut impl Rng, bits: u32) -> u64 {
    random.random::<u64>().checked_shr(64 - random.random_range(0..=bits)).unwrap_or(0)
}

pub fn word(random: &mut impl Rng) -> u32 {
    if random.random_ratio(1, 3) {
        *TURNS.choose(random).unwrap()
    } else {
        of_any_size(random, 32) as u32
    }
}

/// A drawn packet, one in four damaged.
pub fn bytes<R: Rng>(random: &mut R, packet: impl Fn(&mut R) -> Packet) -> Vec<u8> {
    loop {
        let mut bytes = packet(random).bytes();
        if random.random_ratio(1, 4) {
            damage(&mut bytes, random);
        }
        // A checksum of all ones is equivalent to zero; no sender sends it, and which of the two
        // results from a change is arbitrary.
        let ones = locate::segment(&bytes)
            .is_some_and(|found| bytes.get(found.tcp + 16..found.tcp + 18) == Some(&[0xFF; 2]));
        if !ones {
            return bytes;
        }
    }
}

pub fn packet(random: &mut impl Rng) -> Packet {
    let tags = match random.random_range(0..20) {
        0..13 => 0,
        13..16 => 1,
        16..19 => 2,
        _ => 3,
    };
    Packet {
        tags: (0..tags).map(|_| *[TAG, SERVICE_TAG].choose(random).unwrap()).collect(),
        ip: ip(random),
        port: of_any_size(random, 16) as u16,
        syn: random.random_ratio(1, 10),
        options: options(random),
        payload: if random.random_ratio(1, 3) { 0 } else { random.random_range(1..200) },
    }
}

fn ip(random: &mut impl Rng) -> Ip {
    let plain = random.random_ratio(4, 5);
    if random.random_ratio(2, 3) {
        let words = if plain { 0 } else { random.random_range(1..=10) };
        return Ip::V4((0..4 * words).map(|_| random.random()).collect());
    }
    let headers = if plain { 0 } else { random.random_range(1..=7) };
    let kinds = [0, 0, 43, 43, 60, 60, 60, 44];
    Ip::V6(
        (0..headers).map(|_| (*kinds.choose(random).unwrap(), random.random_range(0..3))).collect(),
    )
}

/// TCP options in any order, as far as they fit, usually with a congestion option.
fn options(random: &mut impl Rng) -> Vec<u8> {
    let mut all: Vec<Vec<u8>> = (0..random.random_range(0..5)).map(|_| other(random)).collect();
    if random.random_ratio(9, 10) {
        all.insert(random.random_range(0..=all.len()), ours(random));
    }
    let mut options = Vec::new();
    for option in all {
        if options.len() + option.len() <= 40 {
            options.extend(option);
        }
    }
    options
}

fn ours(random: &mut impl Rng) -> Vec<u8> {
    let law = *LAWS.choose(random).unwrap();
    if random.random_ratio(1, 20) {
        return short(law);
    }
    full(law, [(); 3].map(|()| word(random)))
}

fn other(random: &mut impl Rng) -> Vec<u8> {
    let choices = [NOP, NOP, NOP, MSS, SACK_PERMITTED, WINDOW_SCALE, TIMESTAMPS, &[253, 4, 1, 2]];
    match random.random_range(0..20) {
        0..17 => choices.choose(random).unwrap().to_vec(),
        17 => sack(random.random_range(1..=2)),
        18 => vec![253, random.random_range(2..=8), 0x51, 0xCE, random.random(), 0, 0, 0],
        _ => ours(random),
    }
}

/// Changes a few bytes of the headers, or truncates the packet.
fn damage(bytes: &mut Vec<u8>, random: &mut impl Rng) {
    if random.random_ratio(1, 3) {
        bytes.truncate(random.random_range(14..=bytes.len()));
        return;
    }
    for _ in 0..random.random_range(1..=3) {
        let at = random.random_range(12..bytes.len().min(130));
        if random.random() {
            bytes[at] = random.random();
        } else {
            bytes[at] ^= 1 << random.random_range(0..8);
        }
    }
}
