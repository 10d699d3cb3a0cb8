use super::*;
use crate::queue::test_arrivals::{PACKET, finds_ahead, link, link_with};
use sluice_units::Limit;

fn at_work(rem: Rem) -> Box<dyn Queue> {
    rem.at(&link(), &Streams::new(1, "link")).arrival()
}

fn finds(packets: u64) -> QueueArrival {
    finds_ahead(Time::ZERO, PACKET * packets)
}

fn metrics(queue: &dyn Queue) -> [f64; 2] {
    let mut found = Vec::new();
    queue.metrics(&mut |_, value| found.push(value));
    found.try_into().expect("price and probability")
}

fn is(queue: &dyn Queue, price: f64) {
    let probability = 1.0 - 1.001_f64.powf(-price);
    let found = metrics(queue);
    assert!((found[0] - price).abs() < 1e-12, "{found:?}");
    assert!((found[1] - probability).abs() < 1e-12, "{found:?}");
}

/// By hand: 5 packets of input, 2 that leave, a queue of 30 against 20.
#[test]
fn the_price_follows_input_and_queue() {
    let mut queue = at_work(Rem::default());
    for _ in 0..5 {
        queue.arrives(&finds(30));
    }
    assert_eq!(queue.due(), Time::ZERO + Span::from_millis(2));
    queue.tick(queue.due(), PACKET * 30);
    is(&*queue, 0.001 * (0.1 * 10.0 + 5.0 - 2.0));
    queue.tick(queue.due(), PACKET * 50);
    is(&*queue, 0.004 + 0.001 * (0.1 * 30.0 - 2.0));
    assert_eq!(queue.due(), Time::ZERO + Span::from_millis(6));
    queue.tick(queue.due(), Span::ZERO);
    is(&*queue, 0.005 - 0.001 * (0.1 * 20.0 + 2.0));
    queue.tick(queue.due(), Span::ZERO);
    is(&*queue, 0.0);
}

/// What is dropped is input, too.
#[test]
fn drops_raise_the_price() {
    let link = link_with(Limit::Packets(0));
    let mut queue = Rem::default().at(&link, &Streams::new(1, "link")).arrival();
    for _ in 0..50 {
        assert_eq!(queue.arrives(&finds(1)), Admission::NoRoom);
    }
    queue.tick(queue.due(), PACKET * 20);
    is(&*queue, 0.001 * 48.0);
}

/// The share of packets struck is 1 - phi^-price, within four standard deviations, and each decision
/// is independent.
#[test]
fn packets_are_struck_with_the_probability_of_the_price() {
    let mut queue = at_work(Rem { gamma: Ratio::new(1.0), ..Rem::default() });
    queue.tick(queue.due(), PACKET * 1040); // price 100
    let [price, probability] = metrics(&*queue);
    assert!((price - 100.0).abs() < 1e-9 && (probability - 0.0951).abs() < 1e-4);
    let n = 100_000;
    let struck: Vec<bool> = (0..n).map(|_| queue.arrives(&finds(30)) == Admission::Early).collect();
    let share = |count: usize| count as f64 / f64::from(n);
    let deviation = (probability * (1.0 - probability) / f64::from(n)).sqrt();
    let once = share(struck.iter().filter(|&&is| is).count());
    assert!((once - probability).abs() < 4.0 * deviation, "{once} for {probability}");
    let twice = share(struck.windows(2).filter(|pair| pair[0] && pair[1]).count());
    assert!((twice / probability.powi(2) - 1.0).abs() < 0.15, "{twice}");
}

#[test]
fn a_packet_that_can_be_marked_is() {
    let decided = |ecn, ecn_capable| {
        let mut queue = at_work(Rem { gamma: Ratio::new(1.0), ecn, ..Rem::default() });
        queue.tick(queue.due(), PACKET * 1040);
        let arrival = QueueArrival { ecn_capable, ..finds(30) };
        let found: Vec<Admission> = (0..1000).map(|_| queue.arrives(&arrival)).collect();
        [Admission::Marked, Admission::Early].map(|what| found.contains(&what))
    };
    assert_eq!(decided(true, true), [true, false]);
    assert_eq!(decided(true, false), [false, true], "it cannot be marked");
    assert_eq!(decided(false, true), [false, true], "ecn is off");
}
