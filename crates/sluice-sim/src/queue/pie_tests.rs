use super::*;
use crate::queue::test_arrivals::{PACKET, finds_ahead, link};
use sluice_units::{Bytes, Limit};

fn at_work(pie: Pie) -> Box<dyn Queue> {
    pie.at(&link(), &Streams::new(1, "link")).arrival()
}

/// A packet that finds a queue of this length, while no time passes.
fn finds(ahead: Span) -> QueueArrival {
    finds_ahead(Time::ZERO, ahead)
}

/// Lets the timer expire `times` times over a queue of this length.
fn stands(queue: &mut dyn Queue, backlog: Span, times: u64) {
    for _ in 0..times {
        queue.tick(queue.due(), backlog);
    }
}

fn probability(queue: &dyn Queue) -> f64 {
    let mut found = f64::NAN;
    queue.metrics(&mut |name, value| {
        if name == "drop_probability" {
            found = value;
        }
    });
    found
}

/// Against an independent implementation: `tools/pie_vectors.py`.
#[test]
fn decisions_are_those_of_the_rfcs_pseudo_code() {
    let micros = |text: &str| Span::from_micros(text.parse().expect("an integer"));
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let mut pie = Controller::new(Pie::default(), PACKET * 2);
    let mut packets = 0;
    for line in include_str!("../../vectors/pie.txt").lines().filter(|line| !line.starts_with('#'))
    {
        match *line.split(' ').collect::<Vec<_>>() {
            ["link", target, t_update, max_burst, alpha, beta, mark_ecnth] => {
                let [alpha, beta, mark_ecnth] =
                    [alpha, beta, mark_ecnth].map(|gain| Ratio::new(number(gain)));
                let [target, t_update, max_burst] = [target, t_update, max_burst].map(micros);
                let params =
                    Pie { target, t_update, alpha, beta, max_burst, ecn: true, mark_ecnth };
                pie = Controller::new(params, PACKET * 2);
            }
            ["update", delay, probability, burst_allowance] => {
                pie.update(micros(delay));
                assert!((pie.probability - number(probability)).abs() < 1e-12, "{line}");
                assert_eq!(pie.burst_allowance, micros(burst_allowance), "{line}");
            }
            ["packet", delay, capable, draw, decision, accumulated] => {
                let found = match pie.strikes(micros(delay), || number(draw)) {
                    false => "taken",
                    true if capable == "1" && pie.marks() => "marked",
                    true => "dropped",
                };
                assert_eq!(found, decision, "{line}");
                assert!((pie.accumulated - number(accumulated)).abs() < 1e-9, "{line}");
                packets += 1;
            }
            _ => panic!("not a line of vectors: {line}"),
        }
    }
    assert!(packets > 1000, "{packets} packets");
}

/// Section 4.2 by hand, from 0: 0.125 / s (20 ms - 15 ms) + 1.25 / s (20 ms - 0), over 2048; then
/// without growth, over 128.
#[test]
fn the_probability_follows_excess_and_growth_of_the_delay() {
    let mut queue = at_work(Pie::default());
    assert_eq!(queue.due(), Time::ZERO + Span::from_millis(15));
    stands(&mut *queue, Span::from_millis(20), 1);
    let first = (0.000_625 + 0.025) / 2048.0;
    assert!((probability(&*queue) - first).abs() < 1e-15);
    stands(&mut *queue, Span::from_millis(20), 1);
    assert!((probability(&*queue) - (first + 0.000_625 / 128.0)).abs() < 1e-15);
    assert_eq!(queue.due(), Time::ZERO + Span::from_millis(45));
}

/// 150 ms are ten updates: nothing is dropped before, however long the queue.
#[test]
fn a_burst_passes() {
    let mut queue = at_work(Pie { alpha: Ratio::new(1000.0), ..Pie::default() });
    let long = Span::from_secs(1);
    queue.arrives(&finds(Span::ZERO));
    for _ in 0..10 {
        let taken = (0..100).all(|_| queue.arrives(&finds(long)) == Admission::Taken);
        assert!(taken);
        stands(&mut *queue, long, 1);
    }
    assert!(probability(&*queue) > 0.5);
    assert!((0..100).any(|_| queue.arrives(&finds(long)) == Admission::Early));
}

/// Section 4.1: two packets of queue are none.
#[test]
fn a_couple_of_packets_pass_whatever_the_probability() {
    let mut queue = at_work(Pie { alpha: Ratio::new(1000.0), ..Pie::default() });
    stands(&mut *queue, Span::from_secs(1), 40); // 1
    assert_eq!(queue.arrives(&finds(PACKET * 2)), Admission::Taken);
    assert_eq!(queue.arrives(&finds(PACKET * 2 + Span::NANO)), Admission::Early);
}

/// Section 5.4: no two drops of one in twenty follow each other within 0.85 / 0.05 packets, and none
/// is later than 8.5 / 0.05.
#[test]
fn drops_are_evenly_spaced() {
    let mut stream = Streams::new(1, "link").named("pie");
    let mut pie = Controller::new(Pie::default(), PACKET * 2);
    (pie.probability, pie.delay) = (0.05, Span::from_millis(15));
    pie.burst_allowance = Span::ZERO;
    let struck = (0..1_000_000).filter(|_| pie.strikes(pie.delay, || stream.random()));
    let places: Vec<u32> = struck.collect();
    let gaps: Vec<u32> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
    // The sum reaches 0.85 after 17 packets, give or take its rounding.
    let least = gaps.iter().min().copied();
    assert!(least == Some(17) || least == Some(18), "{least:?}");
    assert!(gaps.iter().max() <= Some(&171), "{:?}", gaps.iter().max());
    // 16 or 17 packets that pass, then a geometric number of mean 20.
    let mean = gaps.iter().sum::<u32>() as f64 / gaps.len() as f64;
    assert!((35.5..37.5).contains(&mean), "{mean}");
}

/// Section 5.1: below 10 % ECN-capable packets are marked, from there on dropped.
#[test]
fn marks_take_the_place_of_drops_up_to_a_tenth() {
    let decided = |probability, ecn, ecn_capable| {
        let mut controller = Controller::new(Pie { ecn, ..Pie::default() }, PACKET * 2);
        (controller.probability, controller.delay) = (probability, Span::from_millis(20));
        controller.burst_allowance = Span::ZERO;
        let (room, stream) = (link().room, Streams::new(1, "link").named("pie"));
        let mut queue = PieQueue { room, controller, due: Time::NEVER, stream };
        let arrival = QueueArrival { ecn_capable, ..finds(Span::from_millis(20)) };
        let found: Vec<Admission> = (0..1000).map(|_| queue.arrives(&arrival)).collect();
        [Admission::Marked, Admission::Early].map(|what| found.contains(&what))
    };
    assert_eq!(decided(0.099, true, true), [true, false]);
    assert_eq!(decided(0.1, true, true), [false, true]);
    assert_eq!(decided(0.099, true, false), [false, true], "it cannot be marked");
    assert_eq!(decided(0.099, false, true), [false, true], "ecn is off");
}

/// A packet without room is dropped, burst or not, and ends the sum of probabilities.
#[test]
fn what_finds_no_room_is_dropped() {
    let room = Room::new(Limit::Bytes(Bytes::new(30_000)), link().capacity.nominal());
    let mut controller = Controller::new(Pie::default(), PACKET * 2);
    controller.accumulated = 5.0;
    let stream = Streams::new(1, "link").named("pie");
    let mut queue = PieQueue { room, controller, due: Time::NEVER, stream };
    assert_eq!(queue.arrives(&finds(PACKET * 29)), Admission::Taken);
    assert_eq!(queue.arrives(&finds(PACKET * 30)), Admission::NoRoom);
    assert_eq!(queue.controller.accumulated, 0.0);
}
