//! Each registered sender on one network, over the queue that it is made for.

use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_sim::queue::{Discipline, Dualpi2, Threshold};
use sluice_units::{BufferSize, Rate, Ratio, Span};

use crate::benchmark::Benchmark;
use crate::networks::{Dumbbell, under};

/// Each way.
const FLOWS: usize = 50;

pub fn all(seconds: u64) -> impl Iterator<Item = Benchmark> {
    let senders = ProtocolName::ALL.iter().map(move |&protocol| {
        let network = move || {
            // Where all start at once, NCP sends 141,000 packets again in a brief run that delivers 180,000
            // (so 53,000), and little else would be measured.
            let starts = Span::from_millis(500);
            let dumbbell = Dumbbell { starts, ..Dumbbell::new(FLOWS, 155_000_000, 100_000_000) };
            under(queue(protocol), dumbbell.lasting(seconds))
        };
        Benchmark::new(format!("sender-{protocol}-155"), protocol, network).with(parameters())
    });
    senders.chain([recovery(seconds)])
}

/// TCP with SACK and RACK-TLP, whose windows overflow a buffer of 200 packets a flow.
fn recovery(seconds: u64) -> Benchmark {
    let dumbbell = Dumbbell::new(FLOWS, 1_000_000_000, 10_000_000_000);
    let network = move || dumbbell.lasting(seconds);
    Benchmark::new("recovery-tcp-1000", ProtocolName::Tcp, network).with(parameters())
}

fn queue(protocol: ProtocolName) -> Discipline {
    match protocol {
        ProtocolName::Dctcp => Discipline::Threshold(Threshold {
            // Above 1/7 of C x RTT, with which the link stays full.
            mark_above: BufferSize::Bdp(Ratio::new(0.2)),
            drop_others: false,
        }),
        ProtocolName::Prague => Discipline::Dualpi2(Dualpi2::default()),
        _ => Discipline::default(),
    }
}

/// Defaults, but for Swift and HPCC, whose defaults are for data centres, and a profile that all flows get.
fn parameters() -> Parameters {
    let mut parameters = Parameters::default();
    // The longest round trip and a tenth of it in the queue each way.
    parameters.swift.base_target = Span::from_millis(120);
    parameters.swift.fs_range = Span::from_millis(100);
    parameters.hpcc.flows = FLOWS as u32;
    parameters.xcp_guaranteed.profile = Some(Rate::from_bps(2_000_000));
    parameters
}
