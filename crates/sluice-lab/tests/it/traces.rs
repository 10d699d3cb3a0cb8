//! Traces of a run: their totals, and captures that other tools can read.

use std::collections::BTreeMap;
use std::path::Path;

use crate::common::{Quiet, files, folder, path_of, plan, results, rows};
use etherparse::{NetSlice, SlicedPacket, TransportSlice};
use parquet::record::{Row, RowAccessor};
use pcap_parser::traits::{PcapNGPacketBlock, PcapReaderIterator};
use pcap_parser::{Block, PcapBlockOwned, PcapError, PcapNGReader};
use sluice_lab::scenario::Document;
use sluice_lab::{Options, Plan, PlanOverrides, Report, run};
use sluice_laws::registry::{Parameters, ProtocolName};

/// Events of every kind: drops, marks, losses on wires, delayed ACKs, gaps.
const TRACED: &str = r#"
schema = 1
protocols = ["xcp", "rcp", "tcp"]
stop = "2 s"
limit = "30 s"
header = "40 B"

[tcp]
ecn = true

[topology.dumbbell]
pairs = 2
capacity = "5 Mbps"
rtt = ["20 ms", "60 ms"]
error = 0.002
buffer = "30 packets"
queue = { red = {} }

[[group]]
name = "web"
pairs = "each"
poisson = { load = 0.8, sizes = { pareto = { mean = "30 packets", shape = 1.35 } } }

[[group]]
name = "long"
from = "s0"
to = "d0"
long = { stop = "2 s" }

[[metrics]]
flow = { group = "long" }
every = "10 ms"

[trace]
flows = ["long", "web.1"]
packets = [["left", "right"], ["right", "left"]]
"#;

/// Indices of columns in `trace-packets.parquet`.
const TIME: usize = 0;
const LINK: usize = 1;
const EVENT: usize = 2;
const KIND: usize = 5;
const BYTES: usize = 8;

fn events(report: &Report, run: &str) -> Vec<Row> {
    rows(&path_of(report, run, "trace-packets.parquet"))
}

#[test]
fn the_same_bytes_whatever_the_threads_and_without_lookahead() {
    let input = folder("traces-bytes");
    let (_, one) = results(&input, TRACED, 1, "one");
    let (_, four) = results(&input, TRACED, 4, "four");
    let overrides = PlanOverrides { no_lookahead: true, ..PlanOverrides::default() };
    let without = input.join("without");
    run(&plan(&input, TRACED, &overrides), &without, &Options::default(), &Quiet).unwrap();
    for name in one.keys() {
        assert!(one.get(name) == four.get(name), "{name} differs with threads");
    }
    assert!(one == files(&without), "files differ without lookahead");
    let captures = one.keys().filter(|name| name.ends_with("/packets.pcapng")).count();
    assert_eq!(captures, 3, "one for each protocol, none for ideals");
}

#[test]
fn a_traced_run_is_another_run_with_the_same_flows() {
    let input = folder("traces-key");
    let (traced, _) = results(&input, TRACED, 2, "out");
    let untraced = TRACED.split("[trace]").next().unwrap();
    let (plain, files) = results(&input, untraced, 2, "out");
    assert_eq!(plain.reused, 0);
    let flows = |report| -> Vec<String> {
        let rows = rows(&path_of(report, "xcp-1", "flows.parquet"));
        rows.iter().map(ToString::to_string).collect()
    };
    assert!(flows(&plain).len() > 30 && flows(&plain) == flows(&traced));
    let folder = &plain.summary.runs.last().unwrap().folder;
    assert!(!files.keys().any(|name| name.starts_with(folder) && name.contains("trace-")));
}

#[test]
fn packets_add_up_to_the_links_totals() {
    let (report, _) = results(&folder("traces-sums"), TRACED, 2, "out");
    let mut seen = BTreeMap::<String, u64>::new();
    for run in ["tcp-1", "xcp-1", "rcp-1"] {
        let events = events(&report, run);
        for link in rows(&path_of(&report, run, "links.parquet")) {
            let name = format!("{}>{}", link.get_string(0).unwrap(), link.get_string(1).unwrap());
            // Links are measured until the stop at 2 s.
            let of_link = || {
                events.iter().filter(|event| {
                    event.get_string(LINK).unwrap() == &name
                        && event.get_long(TIME).unwrap() < 2_000_000_000
                })
            };
            if !["left>right", "right>left"].contains(&&*name) {
                assert_eq!(of_link().count(), 0);
                continue;
            }
            let count = |what: &str| {
                of_link().filter(|event| event.get_string(EVENT).unwrap() == what).count() as i64
            };
            assert_eq!(count("drop"), link.get_long(10).unwrap(), "{run} {name}");
            assert_eq!(count("mark"), link.get_long(12).unwrap(), "{run} {name}");
            let left = of_link().filter(|event| event.get_string(EVENT).unwrap() == "dequeue");
            let sent: i64 = left.map(|event| event.get_long(BYTES).unwrap()).sum();
            assert!((sent - link.get_long(6).unwrap()).abs() <= 1000, "{run} {name}: {sent}");
        }
        for event in &events {
            *seen.entry(event.get_string(EVENT).unwrap().clone()).or_default() += 1;
        }
    }
    let rare = ["drop", "mark", "lose"].map(|what| seen.get(what).copied().unwrap_or(0));
    assert!(rare.iter().all(|&count| count > 5), "{seen:?}");
}

#[test]
fn a_senders_trace_ends_where_its_probe_does() {
    let (report, _) = results(&folder("traces-senders"), TRACED, 2, "out");
    for run in ["tcp-1", "xcp-1", "rcp-1"] {
        let trace = rows(&path_of(&report, run, "trace-flows.parquet"));
        let group = |row: &Row| row.get_string(1).unwrap().clone();
        assert!(trace.iter().all(|row| ["long", "web.1"].contains(&&*group(row))));
        let series = rows(&path_of(&report, run, "series.parquet"));
        let last = |quantity: &str| {
            let of = |row: &&Row| row.get_string(4).unwrap() == quantity;
            let row = series.iter().rfind(of);
            row.map(|row| (row.get_long(3).unwrap(), row.get_double(5).unwrap()))
        };
        let (time, acked) = last("acked_packets").unwrap();
        let before = |row: &&Row| group(row) == "long" && row.get_long(0).unwrap() < time;
        let row = trace.iter().rfind(before).unwrap();
        assert_eq!(row.get_long(5).unwrap() as f64, acked, "{run}");
        assert_eq!(row.get_double(3).ok(), last("cwnd").map(|(_, cwnd)| cwnd), "{run}");
        assert_eq!(row.get_long(4).is_ok(), run == "rcp-1", "only RCP paces");
    }
}

#[test]
fn a_trace_may_be_asked_for_beside_the_file() {
    let untraced = TRACED.split("[trace]").next().unwrap();
    let mut document = Document::new("test.toml", untraced, "test");
    document.set("--set", "trace.flows", "all");
    document.set("--set", "trace.packets", "[[\"left\", \"right\"]]");
    let source = document.source().unwrap();
    let plan = Plan::of(&source, folder("traces-set"), &PlanOverrides::default()).unwrap();
    assert_eq!(plan.config.trace.groups, [0, 1, 2]);
    assert_eq!(plan.config.trace.links.len(), 1);
}

/// A packet of a capture: interface, time, original length, captured bytes.
type Captured = (String, u64, u32, Vec<u8>);

fn captured(path: &Path) -> Vec<Captured> {
    let mut reader = PcapNGReader::new(1 << 16, std::fs::File::open(path).unwrap()).unwrap();
    let (mut interfaces, mut packets) = (Vec::new(), Vec::new());
    loop {
        match reader.next() {
            Ok((used, PcapBlockOwned::NG(block))) => {
                match block {
                    Block::InterfaceDescription(interface) => {
                        assert_eq!(interface.ts_resolution(), Some(1_000_000_000));
                        assert_eq!(interface.linktype.0, 228, "packets begin with IPv4");
                        interfaces.push(interface.if_name().unwrap().unwrap().to_owned());
                    }
                    Block::EnhancedPacket(packet) => packets.push((
                        interfaces[packet.if_id as usize].clone(),
                        u64::from(packet.ts_high) << 32 | u64::from(packet.ts_low),
                        packet.origlen,
                        packet.packet_data().to_vec(),
                    )),
                    _ => {}
                }
                reader.consume(used);
            }
            Ok(_) => unreachable!("no capture of the old format"),
            Err(PcapError::Eof) => return packets,
            Err(PcapError::Incomplete(_)) => reader.refill().unwrap(),
            Err(error) => panic!("{error:?}"),
        }
    }
}

#[test]
fn a_capture_has_the_packets_that_left_each_link() {
    let (report, _) = results(&folder("traces-capture"), TRACED, 2, "out");
    for run in ["tcp-1", "xcp-1", "rcp-1"] {
        let packets = captured(&path_of(&report, run, "packets.pcapng"));
        let events = events(&report, run);
        let left = events.iter().filter(|event| event.get_string(EVENT).unwrap() == "dequeue");
        let left: Vec<(String, u64)> = left
            .map(|row| (row.get_string(LINK).unwrap().clone(), row.get_long(TIME).unwrap() as u64))
            .collect();
        let found: Vec<(String, u64)> =
            packets.iter().map(|(link, time, ..)| (link.clone(), *time)).collect();
        assert!(found.len() > 1000 && found == left, "{run}");
        assert!(packets.is_sorted_by_key(|&(_, time, ..)| time));
    }
}

#[test]
fn captured_packets_are_right_as_ipv4_and_tcp() {
    let (report, _) = results(&folder("traces-segments"), TRACED, 2, "out");
    let mut sacks = 0;
    for (run, name) in
        [("tcp-1", ProtocolName::Tcp), ("xcp-1", ProtocolName::Xcp), ("rcp-1", ProtocolName::Rcp)]
    {
        let form = Parameters::default().protocol(name).wire();
        let mut headers = 0;
        for (_, _, length, mut bytes) in captured(&path_of(&report, run, "packets.pcapng")) {
            let captured = bytes.len();
            // A capture omits the data, which are zeros.
            bytes.resize(length as usize, 0);
            let packet = SlicedPacket::from_ip(&bytes).unwrap();
            let Some(NetSlice::Ipv4(ip)) = packet.net else { panic!("not IPv4") };
            let Some(TransportSlice::Tcp(tcp)) = packet.transport else { panic!("not TCP") };
            let ip = ip.header().to_header();
            assert_eq!(u32::from(ip.total_len), length);
            assert_eq!(ip.header_checksum, ip.calc_header_checksum());
            assert_eq!(captured, ip.header_len() + tcp.header_len());
            let header = tcp.to_header();
            assert_eq!(header.checksum, header.calc_checksum_ipv4(&ip, tcp.payload()).unwrap());
            assert_eq!(header.syn, header.sequence_number == 0);
            let options = header.options.as_slice();
            sacks += usize::from(options.starts_with(&[1, 1, 5]));
            let at = options.iter().position(|&byte| byte == 253);
            let congestion = at.and_then(|at| form.and_then(|form| form.read(&options[at..])));
            headers += usize::from(congestion.is_some());
        }
        assert_eq!(headers > 1000, form.is_some(), "{run}: {headers} congestion headers");
    }
    assert!(sacks > 5, "{sacks} selective acknowledgements");
}

/// Each group's packets have the header of its own protocol.
#[test]
fn a_capture_has_the_headers_of_several_protocols() {
    let text = TRACED
        .replace("name = \"long\"\n", "name = \"long\"\nprotocol = \"xcp\"\n")
        .replace("[tcp]", "[xcp]\ndesired_rate = \"1 Mbps\"\n[tcp]");
    let (report, _) = results(&folder("traces-mixed"), &text, 2, "out");
    for (run, expected) in
        [("tcp-1", [true, false]), ("xcp-1", [true, false]), ("rcp-1", [true, true])]
    {
        let found = [ProtocolName::Xcp, ProtocolName::Rcp].map(|name| {
            let form = Parameters::default().protocol(name).wire().expect("a header");
            let packets = captured(&path_of(&report, run, "packets.pcapng"));
            let has = |bytes: &[u8]| {
                let Some(TransportSlice::Tcp(tcp)) =
                    SlicedPacket::from_ip(bytes).unwrap().transport
                else {
                    panic!("not TCP")
                };
                let options = tcp.options();
                let at = options.iter().position(|&byte| byte == 253);
                at.is_some_and(|at| form.read(&options[at..]).is_some())
            };
            let count = packets.into_iter().filter(|(_, _, length, bytes)| {
                let mut bytes = bytes.clone();
                bytes.resize(*length as usize, 0);
                has(&bytes)
            });
            count.count()
        });
        assert_eq!(found.map(|count| count > 100), expected, "{run}: {found:?}");
        assert!(found.iter().zip(expected).all(|(&count, any)| any || count == 0), "{found:?}");
    }
}

#[test]
fn data_of_a_capture_are_a_stream() {
    let (report, _) = results(&folder("traces-stream"), TRACED, 2, "out");
    let data = events(&report, "tcp-1");
    let data = data.iter().filter(|row| row.get_string(KIND).unwrap() == "data").count();
    let mut streams = BTreeMap::<_, Vec<(u32, u32)>>::new();
    for (_, _, length, mut bytes) in captured(&path_of(&report, "tcp-1", "packets.pcapng")) {
        bytes.resize(length as usize, 0);
        let packet = SlicedPacket::from_ip(&bytes).unwrap();
        let (Some(NetSlice::Ipv4(ip)), Some(TransportSlice::Tcp(tcp))) =
            (packet.net, packet.transport)
        else {
            panic!("not TCP in IPv4")
        };
        let from = (ip.header().source(), tcp.source_port(), tcp.destination_port());
        if !tcp.payload().is_empty() {
            let part = (tcp.sequence_number(), tcp.payload().len() as u32);
            streams.entry(from).or_default().push(part);
        }
    }
    assert!(streams.len() > 10 && data > 1000);
    for (from, mut parts) in streams {
        parts.sort_unstable();
        parts.dedup();
        let mut next = 1;
        for (sequence, length) in parts {
            assert!(sequence >= next, "{from:?}: {sequence} overlaps what ends at {next}");
            assert_eq!((sequence - 1) % 960, 0, "{from:?}");
            next = sequence + length;
        }
    }
}

/// Wireshark's and tcpdump's own readers, if installed.
#[test]
fn tools_of_the_field_open_a_capture() {
    let (report, _) = results(&folder("traces-tools"), TRACED, 2, "out");
    let path = path_of(&report, "xcp-1", "packets.pcapng");
    let packets = captured(&path).len();
    let output =
        std::process::Command::new("tcpdump").args(["-nn", "-vv", "-r"]).arg(&path).output();
    let Ok(output) = output else {
        eprintln!("SKIPPED: no tcpdump here to read {}", path.display());
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(text.matches("proto TCP (6)").count(), packets);
    assert!(!text.contains("bad cksum"), "IPv4 headers");
}
