//! Prints the goodput of long TCP flows under random loss beside the square-root law and PFTK.

#[path = "../tests/it/loss/mod.rs"]
mod loss;
#[path = "../tests/it/shown/mod.rs"]
mod shown;

use loss::{MIN_RTO, RTT, by_rounds, goodput, pftk, square_root};
use sluice_laws::tcp::LossRecovery;

fn main() {
    let [rtt, rto] = [RTT, MIN_RTO].map(|span| span.as_secs_f64() * 1e3);
    println!("RTT {rtt} ms, minimum RTO {rto} ms; goodput in packets/s, 95% intervals");
    println!("| loss | 1.31/(RTT sqrt p) | AIMD in rounds | PFTK | Reno | NewReno | SACK | RACK |");
    println!("|---|---|---|---|---|---|---|---|");
    for loss in [1e-5, 1e-4, 1e-3, 1e-2, 2e-2, 5e-2, 0.1] {
        let law = square_root(loss);
        print!("| {loss} | {law:.1} | {:.1} | {:.1} |", by_rounds(loss), pftk(loss));
        for recovery in
            [LossRecovery::Reno, LossRecovery::NewReno, LossRecovery::Sack, LossRecovery::Rack]
        {
            // About as many losses in all as keep the interval near 2%.
            let measured = goodput(recovery, loss, 40, if loss < 1e-4 { 40.0 } else { 200.0 });
            let (mean, error) = (measured.mean, measured.half_width);
            print!(" {mean:.1} +- {error:.1} ({:.3} of the law) |", mean / law);
        }
        println!();
    }
}
