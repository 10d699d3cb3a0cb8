//! iperf3.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde::Deserialize;
use sluice_units::{Bytes, Rate, Span};

use crate::error::Attempt as _;
use crate::{Cgroup, Namespace, Program, Running, TestbedError};

/// The port of iperf3's server and clients, if `-p` gives no other.
pub const IPERF3_PORT: u16 = 5201;
/// How long a server may take to listen.
const LISTENS_WITHIN: Duration = Duration::from_secs(5);
/// The longest run of a client.
const LIMIT: Span = Span::from_secs(300);

/// The result of a client of iperf3.
#[derive(Clone, Debug, PartialEq)]
pub struct IperfReport {
    /// Its streams, as many as `-P` gives.
    pub streams: Vec<IperfStream>,
    /// Mean rate of all streams, in payload, as the sender counts it.
    pub sent: Rate,
    /// The same as the receiver counts it.
    pub received: Rate,
    /// Payload that the receiver got.
    pub received_bytes: Bytes,
    /// Segments sent again, of all streams.
    pub retransmits: u64,
}

/// One stream of iperf3.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IperfStream {
    /// Rate of the client's payload in each interval (`-i`, a second by default), also in those that
    /// `-O` omits from the means.
    pub intervals: Vec<Rate>,
    /// Mean rate in payload, as the receiver counts it.
    pub received: Rate,
    /// Segments sent again.
    pub retransmits: u64,
}

/// Starts a server in a namespace, and in a cgroup if there is one, and waits until it listens. It
/// serves one client after another.
///
/// # Errors
/// If there is no iperf3, or it does not listen within 5 s, for example because the port is taken.
pub fn iperf3_server(
    namespace: &Namespace,
    cgroup: Option<&Cgroup>,
    port: u16,
) -> Result<Running, TestbedError> {
    let program = Program::new("iperf3").args(["-s", "-p", &port.to_string()]).cgroup(cgroup);
    let mut server = program.start(namespace)?;
    let start = Instant::now();
    while !namespace.enter(|| is_listening(port)) {
        let is_ended = server.status()?.is_some();
        if is_ended || start.elapsed() > LISTENS_WITHIN {
            let what = if is_ended { "has ended" } else { "does not listen" };
            let said = format!("{} {}", server.stdout().trim(), server.stderr().trim());
            return Err(TestbedError::new(format!(
                "iperf3's server on port {port} {what}: {said}"
            )));
        }
        sleep(Duration::from_millis(2));
    }
    Ok(server)
}

/// Runs a client in a namespace, and in a cgroup if there is one, to its end. `-J` is added to the
/// arguments.
///
/// # Errors
/// If there is no iperf3, it fails (the text has its message), or takes longer than 5 min.
pub fn iperf3_client(
    namespace: &Namespace,
    cgroup: Option<&Cgroup>,
    arguments: &[&str],
) -> Result<IperfReport, TestbedError> {
    let mut client =
        Program::new("iperf3").arg("-J").args(arguments).cgroup(cgroup).start(namespace)?;
    let status = client.wait(LIMIT)?;
    IperfReport::read(&client.stdout()).map_err(|error| {
        let what = format!("`iperf3 {}`, {status}", arguments.join(" "));
        TestbedError::new(format!("{what}: {error} {}", client.stderr().trim()))
    })
}

/// Whether a TCP socket listens on a port in the namespace of this thread.
fn is_listening(port: u16) -> bool {
    let wanted = format!(":{port:04X}");
    ["tcp", "tcp6"].iter().any(|table| {
        let table = fs::read_to_string(format!("/proc/thread-self/net/{table}"));
        table.unwrap_or_default().lines().any(|line| {
            let mut words = line.split_whitespace().skip(1);
            // Local address, remote address, state; 0A is LISTEN.
            words.next().is_some_and(|local| local.ends_with(&wanted)) && words.nth(1) == Some("0A")
        })
    })
}

impl IperfReport {
    /// Reads what `iperf3 -J` prints.
    fn read(json: &str) -> Result<Self, TestbedError> {
        let output: Output = serde_json::from_str(json).attempt(|| "no report of iperf3".into())?;
        if let Some(error) = output.error {
            return Err(TestbedError::new(error));
        }
        let (Some(sent), Some(received)) = (output.end.sum_sent, output.end.sum_received) else {
            return Err(TestbedError::new("iperf3's report has no totals"));
        };
        let mut streams: Vec<_> = output.end.streams.iter().map(Stream::summary).collect();
        for interval in &output.intervals {
            for (stream, part) in streams.iter_mut().zip(&interval.streams) {
                stream.intervals.push(part.rate());
            }
        }
        Ok(Self {
            streams,
            sent: sent.rate(),
            received: received.rate(),
            received_bytes: Bytes::new(received.bytes),
            retransmits: sent.retransmits,
        })
    }
}

#[derive(Deserialize)]
struct Output {
    error: Option<String>,
    #[serde(default)]
    intervals: Vec<Interval>,
    #[serde(default)]
    end: End,
}

#[derive(Deserialize)]
struct Interval {
    streams: Vec<Sum>,
}

#[derive(Default, Deserialize)]
struct End {
    #[serde(default)]
    streams: Vec<Stream>,
    sum_sent: Option<Sum>,
    sum_received: Option<Sum>,
}

#[derive(Deserialize)]
struct Stream {
    sender: Sum,
    receiver: Sum,
}

#[derive(Deserialize)]
struct Sum {
    bytes: u64,
    bits_per_second: f64,
    #[serde(default)]
    retransmits: u64,
}

impl Stream {
    fn summary(&self) -> IperfStream {
        let (received, retransmits) = (self.receiver.rate(), self.sender.retransmits);
        IperfStream { intervals: Vec::new(), received, retransmits }
    }
}

impl Sum {
    fn rate(&self) -> Rate {
        Rate::from_bps_f64(self.bits_per_second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_has_its_streams_intervals_and_totals() {
        let json = r#"{
            "start": {},
            "intervals": [
                {"streams": [{"bytes": 5, "bits_per_second": 40.2, "retransmits": 1, "omitted": false}]},
                {"streams": [{"bytes": 6, "bits_per_second": 48, "retransmits": 0, "omitted": false}]}
            ],
            "end": {
                "streams": [{
                    "sender": {"bytes": 11, "bits_per_second": 44, "retransmits": 1},
                    "receiver": {"bytes": 10, "bits_per_second": 40}
                }],
                "sum_sent": {"bytes": 11, "bits_per_second": 44, "retransmits": 1},
                "sum_received": {"bytes": 10, "bits_per_second": 40}
            }
        }"#;
        let stream = IperfStream {
            intervals: vec![Rate::from_bps(40), Rate::from_bps(48)],
            received: Rate::from_bps(40),
            retransmits: 1,
        };
        let report = IperfReport {
            streams: vec![stream],
            sent: Rate::from_bps(44),
            received: Rate::from_bps(40),
            received_bytes: Bytes::new(10),
            retransmits: 1,
        };
        assert_eq!(IperfReport::read(json), Ok(report));
    }

    #[test]
    fn a_report_of_an_error_is_one() {
        let json = r#"{"start": {}, "end": {}, "error": "unable to connect to server"}"#;
        let error = IperfReport::read(json).unwrap_err();
        assert_eq!(error.to_string(), "unable to connect to server");
        assert!(IperfReport::read("").is_err());
    }
}
