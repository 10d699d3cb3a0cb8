//! Prints completion times of flows in slow start: simulated, and by the papers' formula
//! ceil(log2(L + 1) + 1/2) RTT + L/C (PS 3.4, FCT 2), which assumes an initial window of 1.

#[path = "../tests/it/shown/mod.rs"]
mod shown;
#[path = "../tests/it/slow_start/mod.rs"]
mod slow_start;

use shown::{CONTROL, PACKET, config, flow, group, pipe, results};
use slow_start::{Ends, Network, arrivals};
use sluice_laws::tcp::TcpParams;
use sluice_laws::tcp::throughput::slow_start_fct;
use sluice_sim::traffic::Traffic;
use sluice_units::{Bytes, Rate, Span, Time};

fn main() {
    // PS-7's link, and the FCT paper's example of a short pipe.
    for (bps, rtt) in [(2_400_000_000, Span::from_millis(100)), (1_000_000, Span::from_millis(200))]
    {
        table(bps, rtt);
    }
}

fn table(bps: u64, rtt: Span) {
    println!("{} Mb/s, RTT {} ms (completion times in ms)", bps / 1_000_000, ms(rtt));
    println!("| packets | formula | initial window 1, by hand | simulated | 2 | 10 |");
    println!("|---|---|---|---|---|---|");
    let sizes: Vec<u64> =
        (0..=12).flat_map(|n| [(1 << n) - 1, 1 << n]).chain([15, 25, 100]).collect();
    let sizes: std::collections::BTreeSet<u64> = sizes.into_iter().filter(|&n| n > 0).collect();
    // A queue of seconds would bring time-outs, which the formula knows nothing of.
    let fits = |&&size: &&u64| size * PACKET * 8 * 2 <= bps;
    let sizes: Vec<u64> = sizes.iter().filter(fits).copied().collect();
    let by_hand = by_hand(bps, rtt);
    let [one, two, ten] = [1, 2, 10].map(|window| simulated(bps, rtt, window, &sizes));
    for (i, &size) in sizes.iter().enumerate() {
        let formula = slow_start_fct(size, Bytes::new(PACKET), rtt, Rate::from_bps(bps));
        println!(
            "| {size} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} |",
            ms(formula),
            by_hand[size as usize - 1] / 1e6,
            ms(one[i]),
            ms(two[i]),
            ms(ten[i]),
        );
    }
    println!();
}

fn by_hand(bps: u64, rtt: Span) -> Vec<f64> {
    let time = |bytes: u64| bytes as f64 * 8e9 / bps as f64;
    let delay = rtt.as_nanos() as f64 / 2.0;
    let network = Network { data: time(PACKET), syn: time(CONTROL), ack: time(CONTROL), delay };
    arrivals(&network, &Ends { window: 1, delayed_ack: None }, 4096)
}

fn simulated(bps: u64, rtt: Span, window: u32, sizes: &[u64]) -> Vec<Span> {
    let tcp = TcpParams { initial_window: Some(window), ..TcpParams::default() };
    let apart = Span::from_secs(100);
    let flows = sizes.iter().enumerate();
    let flows = flows.map(|(i, &size)| flow(Time::ZERO + apart * i as u64, size)).collect();
    let length = apart * (sizes.len() as u64 + 1);
    let config = config(pipe(bps, rtt / 2), vec![group(Traffic::List(flows))], length);
    let (flows, _) = results(&config, &tcp);
    flows.iter().map(|flow| flow.completion.expect("there is time enough")).collect()
}

fn ms(span: Span) -> f64 {
    span.as_secs_f64() * 1e3
}
