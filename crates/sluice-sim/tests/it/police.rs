//! Policing agents at a bottleneck: who is convicted, and who is not.

use crate::common::{RunResult, run_to_end};
use crate::shown::{PACKET, config, group, link};
use sluice_laws::conduct::Conduct;
use sluice_laws::registry::ProtocolName;
use sluice_laws::xcp::XcpParams;
use sluice_laws::xcp::policing::Charge;
use sluice_sim::queue::{Discipline, Wfq};
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{GroupConfig, Isolation, Police, SampleAndHold};
use sluice_units::{BufferSize, Rate, Ratio, Span, Time};

const FLOWS: u64 = 20;
/// The fair window in packets, at an RTT of 80 ms: a share is a megabit a second.
const SHARE: u64 = 10;
const CAPACITY: u64 = FLOWS * SHARE * PACKET * 8 * 1_000 / 80;
const STOP: u64 = 30;

/// Twenty flows, of which the first has this conduct, over a link with this agent.
fn policed(conduct: Conduct, police: Police, also: impl Fn(&mut sluice_sim::Config)) -> RunResult {
    let mut links = vec![
        link(0, 1, CAPACITY, Span::from_millis(20)),
        link(1, 0, CAPACITY, Span::from_millis(20)),
    ];
    links[0].buffer = BufferSize::Time(Span::from_millis(80));
    links[0].police = Some(police);
    let mut groups = Vec::new();
    for flow in 0..FLOWS {
        let host = 2 + flow as usize;
        links.push(link(host, 0, 4 * CAPACITY, Span::from_millis(20)));
        links.push(link(0, host, 4 * CAPACITY, Span::from_millis(20)));
        let start = Time::ZERO + Span::from_millis(137) * flow;
        let long = Long { count: 1, start, stop: Time::NEVER, ..Long::default() };
        let conduct = if flow == 0 { conduct } else { Conduct::HONEST };
        let name = format!("flow {flow}");
        groups.push(GroupConfig { name, from: host, conduct, ..group(Traffic::Long(long)) });
    }
    let mut config = config(links, groups, Span::from_secs(STOP));
    also(&mut config);
    run_to_end(&config, &XcpParams::default())
}

fn often() -> Police {
    Police { every: Span::from_secs(2), ..Police::default() }
}

fn abuser() -> Conduct {
    Conduct { fixed_rate: Some(Rate::from_bps(4_000_000)), ..Conduct::HONEST }
}

/// What the only conviction, of the first flow, is for.
fn convicted(result: &RunResult) -> Charge {
    let groups: Vec<usize> = result.convictions.iter().map(|found| found.group).collect();
    assert_eq!(groups, [0], "the cheat and nobody else");
    result.convictions[0].charge
}

#[test]
fn honest_flows_are_tested_and_none_is_convicted() {
    let losses = |config: &mut sluice_sim::Config| {
        config.links[..2].iter_mut().for_each(|link| link.error = Ratio::new(0.01));
    };
    let delayed = |config: &mut sluice_sim::Config| config.parameters.transport.delayed_ack = true;
    let narrow = |config: &mut sluice_sim::Config| {
        config.links[0].capacity = Rate::from_bps(CAPACITY / SHARE);
    };
    let both = |config: &mut sluice_sim::Config| {
        losses(config);
        delayed(config);
    };
    let fair =
        |config: &mut sluice_sim::Config| config.links[0].queue = Discipline::Wfq(Wfq::default());
    // A flow of weight 4 and one of a quarter, of which the first sends four times what it states.
    let weighted = |config: &mut sluice_sim::Config| {
        config.groups[0].weight = Ratio::new(4.0);
        config.groups[1].weight = Ratio::new(0.25);
    };
    let variants: [&dyn Fn(&mut sluice_sim::Config); 7] =
        [&|_| {}, &losses, &delayed, &both, &narrow, &fair, &weighted];
    for (number, variant) in variants.into_iter().enumerate() {
        let result = policed(Conduct::HONEST, often(), variant);
        let police = result.outcome.links[0].police.expect("there is an agent");
        assert!(police.tests > 5 * FLOWS, "{number}: {police:?}");
        assert_eq!((result.convictions.len(), police.dropped), (0, 0), "{number}: {police:?}");
    }
}

#[test]
fn each_cheat_is_convicted_of_what_it_does() {
    assert_eq!(convicted(&policed(abuser(), often(), |_| {})), Charge::Unresponsive);
    let lenient = Conduct { decrease_gain: Ratio::new(0.1), ..Conduct::HONEST };
    assert_eq!(convicted(&policed(lenient, often(), |_| {})), Charge::Unresponsive);
    let liar = Conduct { throughput_gain: Ratio::new(3.0), ..Conduct::HONEST };
    assert_eq!(convicted(&policed(liar, often(), |_| {})), Charge::Understates);
    let receiver =
        Conduct { added_feedback: Some(Rate::from_bytes_per_sec(10_000)), ..Conduct::HONEST };
    assert_eq!(convicted(&policed(receiver, often(), |_| {})), Charge::Unresponsive);
}

#[test]
fn a_convicted_flow_is_isolated_as_the_scenario_has_it() {
    let delivered = |isolate| {
        let result = policed(abuser(), Police { isolate, ..often() }, |_| {});
        let at = result.convictions[0].at.since(Time::ZERO).as_secs_f64();
        let bytes = result.records[0].delivered.as_f64();
        (bytes * 8.0 - 4e6 * at) / (STOP as f64 - at)
    };
    let (reported, limited, dropped) =
        (delivered(Isolation::Report), delivered(Isolation::Limit), delivered(Isolation::Drop));
    // Its rate; half of it, where what passes twice does not count; nothing. Less what was on the way.
    assert!((3.9e6..4.0e6).contains(&reported), "{reported}");
    assert!((1.8e6..2.0e6).contains(&limited), "{limited}");
    assert!((-3e4..1e3).contains(&dropped), "{dropped}");
}

#[test]
fn samples_find_the_cheat_with_the_state_of_fewer_flows() {
    let sample = SampleAndHold {
        threshold: Ratio::new(0.15),
        oversampling: Ratio::new(1.0),
        interval: Span::from_millis(500),
    };
    let result = policed(abuser(), Police { sample: Some(sample), ..often() }, |_| {});
    assert_eq!(convicted(&result), Charge::Unresponsive);
    let tracked = result.outcome.links[0].police.expect("there is an agent").tracked;
    assert!(tracked < FLOWS, "{tracked}");
}

/// On the way to the bottleneck, and at it.
#[test]
fn two_agents_convict_a_cheat_apart() {
    let isolate = Isolation::Report;
    let result = policed(abuser(), Police { isolate, ..often() }, |config| {
        let first = config.links.iter().position(|link| link.from == 2).unwrap();
        config.links[first].police = Some(Police { isolate, ..often() });
    });
    let mut found: Vec<_> =
        result.convictions.iter().map(|found| (found.link, found.group)).collect();
    found.sort_unstable();
    assert_eq!(found, [(0, 0), (2, 0)]);
}

#[test]
fn no_more_flows_are_tracked_than_there_are_entries() {
    let result = policed(Conduct::HONEST, Police { entries: 7, ..often() }, |_| {});
    assert_eq!(result.outcome.links[0].police.expect("there is an agent").tracked, 7);
}

#[test]
fn flows_of_other_protocols_pass() {
    let result = policed(Conduct::HONEST, often(), |config| {
        config.groups.iter_mut().for_each(|group| group.protocol = Some(ProtocolName::Tcp));
    });
    assert_eq!(result.outcome.links[0].police, None);
}
