//! The fast path and the TCP option, against `vectors/`: the results of `tools/vectors.py`, which
//! shares no code with Rust. The kernel's fast path is tested against the same files.

use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::router::{LawHeader as _, Plain, RouterLaw, Train};
use sluice_laws::wire::{ECHO, option};
use sluice_laws::{WireHeader, alpha_fair, ledger, ncp, ncp_increments, rcp, xcp};

#[test]
fn the_fast_path_matches_the_vectors() {
    assert!(law::<rcp::router::RcpRouter>(include_str!("../../vectors/rcp.txt")) > 400);
    assert!(law::<xcp::router::XcpRouter>(include_str!("../../vectors/xcp.txt")) > 700);
    assert!(law::<ncp::router::NcpRouter>(include_str!("../../vectors/ncp.txt")) > 400);
    let compensated = include_str!("../../vectors/ncp_compensated.txt");
    assert!(law::<ncp::compensated::CompensatedRouter>(compensated) > 400);
    assert!(
        law::<ncp::counted::CountedRouter>(include_str!("../../vectors/ncp_counted.txt")) > 400
    );
    let increments = include_str!("../../vectors/ncp_increments.txt");
    assert!(law::<ncp_increments::router::IncrementRouter>(increments) > 700);
    assert!(
        law::<alpha_fair::router::AlphaFairRouter>(include_str!("../../vectors/alpha_fair.txt"))
            > 400
    );
    assert!(law::<ledger::router::LedgerRouter>(include_str!("../../vectors/ledger.txt")) > 700);
}

/// Checks a law against its file; returns the number of vectors.
fn law<L: RouterLaw>(file: &str) -> usize {
    vectors(file, |line, parts| {
        let [grant, budget, header, train, header_after, budget_after, growth] = parts else {
            panic!("seven parts, not {}", parts.len());
        };
        let grant: L::Grant = plain(grant);
        let mut budget: L::Budget = plain(budget);
        let mut header = L::Header::from_wire(wire_header(header));
        let [bytes, packets] = numbers(train)[..] else { panic!("bytes and packets: {train}") };
        let train = Train::new(bytes.try_into().unwrap(), packets.try_into().unwrap());
        let mut sums = L::Sums::default();

        L::arrive(&mut sums, &grant, &header, train);
        L::stamp(&grant, &mut budget, &mut header, train);

        assert_eq!(header.to_wire(), wire_header(header_after), "header: {line}");
        assert_eq!(budget.to_plain().as_ref(), numbers(budget_after), "budget: {line}");
        assert_eq!(sums.to_plain().as_ref(), numbers(growth), "sums: {line}");
    })
}

#[test]
fn options_match_the_vectors() {
    let parameters = Parameters::default();
    let checked = vectors(include_str!("../../vectors/option.txt"), |line, parts| {
        let [law, header, room, bytes, echo] = parts else { panic!("five parts") };
        let name = ProtocolName::ALL.iter().find(|name| name.as_str() == *law).unwrap();
        let form = parameters.protocol(*name).wire().unwrap();
        let mut out = [0; option::LONGEST];
        let length = form.write(wire_header(header), room.parse().unwrap(), &mut out);
        let hex: String = out[..length].iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(if hex.is_empty() { "-" } else { &hex }, *bytes, "{line}");
        if let Some(read) = form.read(&out[..length]) {
            assert_eq!(read.get()[ECHO].to_string(), *echo, "{line}");
        }
    });
    assert!(checked > 300);
}

/// Calls `check` with each line of a file and its parts; returns their number.
fn vectors(file: &str, check: impl Fn(&str, &[&str])) -> usize {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| check(line, &split(line))).count()
}

fn split(line: &str) -> Vec<&str> {
    line.split('|').map(str::trim).collect()
}

fn numbers(part: &str) -> Vec<u64> {
    part.split_whitespace().map(|number| number.parse().unwrap()).collect()
}

fn wire_header(part: &str) -> WireHeader {
    let words: Vec<u32> = numbers(part).into_iter().map(|word| word.try_into().unwrap()).collect();
    WireHeader::new(words.try_into().unwrap())
}

fn plain<P: Plain>(part: &str) -> P {
    let mut words = P::Plain::default();
    words.as_mut().copy_from_slice(&numbers(part));
    P::from_plain(words)
}
