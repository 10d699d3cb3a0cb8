//! A million random packets, most of them valid, under random grants: a third of them with each fast path of NCP.

use std::time::Instant;

use rand::Rng;
use rand::seq::IndexedRandom as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::bed::{self, Bed};
use crate::draw::{self, LAWS, of_any_size, word};
use crate::model::Fate;

#[test]
fn a_million_packets_at_random() {
    bed::with(|bed| {
        let (packets, mut random) = draw::run_of(&format!("routers, {:?} NCP", bed.ncp()));
        let packets = packets / 3;
        let started = Instant::now();
        let fates = run(bed, packets, &mut random);
        println!("{packets} packets, {fates:?} in {:.1} s", started.elapsed().as_secs_f64());
        let enough = packets / 50;
        assert!(fates.iter().all(|&(_, count)| count >= enough), "not all were met: {fates:?}");
    });
}

/// Passes a number of packets; returns the number of each verdict.
fn run(bed: &mut Bed<'_>, packets: u64, random: &mut Xoshiro256PlusPlus) -> [(Fate, u64); 4] {
    let mut fates = [Fate::Passed, Fate::Summed, Fate::Stamped, Fate::Cut].map(|fate| (fate, 0));
    for count in 0..packets {
        // At first there is no grant.
        if count > packets / 20 && random.random_ratio(1, 50) {
            grant(bed, random);
        }
        let packet = draw::bytes(random, draw::packet);
        let (_, fate) = bed.pass(&packet, draw::about(random, packet.len()));
        fates.iter_mut().find(|(of, _)| *of == fate).unwrap().1 += 1;
        if count % 500 == 0 {
            bed.agrees();
        }
        if random.random_ratio(1, 2_000) {
            bed.end_interval();
        }
    }
    bed.end_interval();
    bed.agrees();
    fates
}

fn grant(bed: &mut Bed<'_>, random: &mut impl Rng) {
    let holds = random.random_ratio(4, 5);
    let law = *LAWS.choose(random).unwrap();
    let words = match law {
        // Targets are below 2^62; factors are any.
        2 => {
            let [positive, negative] = [(); 2].map(|()| of_any_size(random, 62));
            let [xi_p, xi_n] = [(); 2].map(|()| factor(random));
            vec![positive, negative, xi_p, xi_n]
        }
        6 => {
            let [by_time, by_bytes, by_ratio] =
                [(); 3].map(|()| factor(random) | u64::from(random.random::<bool>()) << 40);
            let rate = if random.random() { factor(random) } else { 0 };
            vec![by_time, by_bytes, by_ratio, rate]
        }
        // That of NCP, where it counts flows: ticks of a byte are second, and a choice last.
        3 if random.random() => {
            let per_byte = of_any_size(random, 64);
            vec![word(random).into(), per_byte, word(random).into(), random.random_range(0..=1)]
        }
        7 => {
            let mut words: Vec<u64> = (0..11).map(|_| of_any_size(random, 64)).collect();
            (words[0], words[2]) = (word(random).into(), of_any_size(random, 16));
            words
        }
        _ => (0..4).map(|_| word(random).into()).collect(),
    };
    bed.install(law, &words, holds);
}

fn factor(random: &mut impl Rng) -> u64 {
    of_any_size(random, 32) | u64::from(random.random_range(0..64_u32)) << 32
}
