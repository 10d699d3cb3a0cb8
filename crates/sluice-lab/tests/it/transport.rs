//! Transport shared by the protocols: each inherits `[transport]` and overrides what applies to it,
//! and results warn where they differ.

use crate::common::{folder, results};
use sluice_lab::ready::Ready;
use sluice_lab::scenario::{Document, Scenario};
use sluice_laws::registry::ProtocolName;
use sluice_laws::transport::Transport;
use sluice_units::Span;

const NETWORK: &str = "
    schema = 1
    stop = \"100 ms\"
    ideals = []
    topology.dumbbell = { capacity = \"10 Mbps\", rtt = \"10 ms\" }
    group = [{ name = \"a\", from = \"s0\", to = \"d0\", long = {} }]
";
/// Each field, with a value that is nobody's default.
const FIELDS: [(&str, &str); 6] = [
    ("initial_window", "7"),
    ("recovery", "sack"),
    ("delayed_ack", "true"),
    ("ecn", "true"),
    ("min_rto", "70 ms"),
    ("initial_rto", "3 s"),
];

fn scenario(set: &[(String, &str)]) -> Result<Scenario, String> {
    let mut document = Document::new("test.toml", NETWORK, "test");
    set.iter().for_each(|(field, value)| document.set("--set", field, value));
    let source = document.source().map_err(|error| error.to_string())?;
    Ok(source.scenario)
}

fn transport(scenario: &Scenario, name: ProtocolName) -> Transport {
    let parameters = &scenario.parameters;
    parameters.protocol(name).transport(&parameters.transport)
}

fn value(transport: &Transport, field: &str) -> String {
    let fields = transport.fields();
    fields.into_iter().find(|(name, _)| *name == field).expect("a field").1
}

/// The fields that a protocol's table cannot set, since its law determines them.
fn implied(name: ProtocolName) -> Vec<&'static str> {
    match name {
        ProtocolName::Tcp
        | ProtocolName::Cubic
        | ProtocolName::Dctcp
        | ProtocolName::Prague
        | ProtocolName::Tfrc => vec![],
        ProtocolName::Xcp
        | ProtocolName::NcpIncrements
        | ProtocolName::Bbr1
        | ProtocolName::Bbr3
        | ProtocolName::Swift => vec!["ecn"],
        ProtocolName::Rcp
        | ProtocolName::Ncp
        | ProtocolName::AlphaFair
        | ProtocolName::Hpcc
        | ProtocolName::Ledger => vec!["initial_window", "delayed_ack", "ecn"],
        ProtocolName::XcpGuaranteed => vec!["initial_window", "ecn"],
    }
}

#[test]
fn every_protocol_inherits_and_overrides_fields_that_its_law_leaves_open() {
    for &name in ProtocolName::ALL {
        for (field, set) in FIELDS {
            let shared = scenario(&[(format!("transport.{field}"), set)]).unwrap();
            let own = scenario(&[(format!("{name}.{field}"), set)]);
            if implied(name).contains(&field) {
                assert_ne!(value(&transport(&shared, name), field), set, "{name}.{field}");
                let error = own.unwrap_err();
                assert!(error.contains(&format!("unknown field `{field}`")), "{error}");
                continue;
            }
            // Laws that cannot do without marks do not inherit whether there are any, and TFRC's source
            // has an initial window of its own.
            let inherited = match (name, field) {
                (ProtocolName::Dctcp, "ecn") => "true",
                (ProtocolName::Prague, "ecn") => "ect1",
                (ProtocolName::Tfrc, "initial_window") => "3",
                _ => set,
            };
            assert_eq!(value(&transport(&shared, name), field), inherited, "{name}.{field}");
            let own = own.unwrap();
            assert_eq!(value(&transport(&own, name), field), set, "{name}.{field}");
            for &other in ProtocolName::ALL.iter().filter(|&&other| other != name) {
                let plain = transport(&scenario(&[]).unwrap(), other);
                assert_eq!(transport(&own, other), plain, "{other} beside {name}.{field}");
            }
        }
    }
}

/// RFC 6928; RFC 6298 (2.1); and Linux's minimum RTO.
#[test]
fn the_defaults_are_those_of_hosts_today() {
    let plain = scenario(&[]).unwrap();
    for &name in ProtocolName::ALL {
        let found = transport(&plain, name);
        assert_eq!(found.min_rto, Span::from_millis(200), "{name}");
        assert_eq!(found.initial_rto, Span::from_secs(1), "{name}");
        let window = match name {
            ProtocolName::Tfrc => 3, // RFC 5348 section 4.2
            _ if implied(name).contains(&"initial_window") => 1,
            _ => 10,
        };
        assert_eq!(found.initial_window, window, "{name}");
    }
}

#[test]
fn a_written_scenario_has_the_shared_fields_and_only_overridden_ones() {
    let set = [("tcp.min_rto".to_owned(), "1 s")];
    let text = scenario(&set).unwrap().to_toml().unwrap();
    assert_eq!(text.matches("min_rto").count(), 2, "{text}");
    let read = Document::new("test.toml", &text, "test").source().unwrap().scenario;
    assert_eq!(read.parameters, scenario(&set).unwrap().parameters);
}

/// The papers' values: two packets (PS 3.1), one in Katabi's ns-2.
#[test]
fn scenarios_of_papers_state_the_papers_transports() {
    let window = |file: &Ready, name| {
        let source = Document::new(file.name, file.text, file.name).source().unwrap();
        transport(&source.scenario, name).initial_window
    };
    let mut found = 0;
    for file in Ready::ALL {
        let expected = match file.name {
            "fct-5" | "ncp-1" | "ps2-rcp" | "ps7-rcp" => 2,
            "dumbbell-xcp-155" | "dumbbell-xcp-2480" | "xcp-5.9" => 1,
            _ => 10,
        };
        for name in [ProtocolName::Xcp, ProtocolName::Tcp, ProtocolName::Cubic] {
            assert_eq!(window(file, name), expected, "{}", file.name);
        }
        found += u32::from(expected != 10);
    }
    assert_eq!(found, 7);
}

/// The warning of a run with these settings about unequal transports.
fn note(name: &str, set: &[(&str, &str)]) -> Option<String> {
    let mut document = Document::new("test.toml", NETWORK, "test");
    set.iter().for_each(|(field, value)| document.set("--set", field, value));
    let text = document.source().unwrap().scenario.to_toml().unwrap();
    let folder = folder(name);
    let (report, _) = results(&folder, &text, 1, "results");
    let mut warnings = report.summary.warnings.into_iter();
    warnings.find(|warning| warning.code == "unequal_transports").map(|warning| warning.text)
}

#[test]
fn results_warn_where_transports_differ() {
    let protocols = ("protocols", "[\"rcp\", \"xcp\", \"tcp\"]");
    let unequal = [
        protocols,
        ("xcp.initial_window", "2"),
        ("tcp.min_rto", "1 s"),
        ("transport.delayed_ack", "true"),
    ];
    assert_eq!(
        note("unequal", &unequal).as_deref(),
        Some(
            "unequal transports: initial_window is 2 for xcp, 10 for tcp; \
             delayed_ack is false for rcp, true for xcp and tcp; \
             min_rto is 200 ms for rcp and xcp, 1 s for tcp"
        )
    );
    // RCP has no initial window: no scenario makes that equal.
    assert_eq!(note("equal", &[protocols]), None);
    let varied =
        [protocols, ("transport.recovery", "sack"), ("tcp.variant.pipe_counts_acks", "true")];
    assert_eq!(
        note("varied", &varied).as_deref(),
        Some(
            "unequal transports: recovery follows rules of ns-2 for tcp, the RFCs for rcp and xcp"
        )
    );
    // Protocols that no flow uses are not compared.
    assert_eq!(note("unspoken", &[protocols, ("cubic.min_rto", "1 s")]), None);
    let beside = [("protocols", "[\"rcp\"]"), ("group.a.protocol", "tcp"), ("tcp.min_rto", "1 s")];
    assert_eq!(
        note("beside", &beside).as_deref(),
        Some("unequal transports: min_rto is 200 ms for rcp, 1 s for tcp")
    );
}
