//! iperf3.

use std::time::{Duration, Instant};

use serde::Deserialize;
use sluice_units::{Bytes, Rate, Span};

use crate::error::Attempt as _;
use crate::server::start_server;
use crate::{Cgroup, Namespace, Program, Running, TestbedError};

/// The port of iperf3's server and clients, if `-p` gives no other.
pub const IPERF3_PORT: u16 = 5201;
/// How long a client may take to end, which tells its server first.
const STOPS_WITHIN: Span = Span::from_secs(10);
/// How the error in the report of a client begins that SIGINT has ended; some versions name the signal.
const INTERRUPTED: &str = "interrupt - the client has terminated";
/// How long a client may take before it handles SIGINT, which ends it without a report until then.
const BEGINS_WITHIN: Duration = Duration::from_secs(1);
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
    /// The client's payload in each interval (`-i`, a second by default), also in those that
    /// `-O` omits from the means.
    pub intervals: Vec<IperfInterval>,
    /// Mean rate in payload, as the receiver counts it.
    pub received: Rate,
    /// Segments sent again.
    pub retransmits: u64,
}

/// Part of the time of a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IperfInterval {
    /// From the start of the test.
    pub start: Span,
    /// From the start of the test.
    pub end: Span,
    /// Payload that the client sent, or with `-R` received.
    pub bytes: Bytes,
}

/// A client of iperf3 that runs until [`IperfClient::stop`].
#[derive(Debug)]
pub struct IperfClient {
    client: Running,
    started: Instant,
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
    start_server(&program, namespace, port)
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

impl IperfClient {
    /// Starts a client in a namespace, and in a cgroup if there is one. `-J` is added to the arguments, which should
    /// have a time (`-t`) that is long enough.
    ///
    /// # Errors
    /// As of [`Program::start`].
    pub fn start(
        namespace: &Namespace,
        cgroup: Option<&Cgroup>,
        arguments: &[&str],
    ) -> Result<Self, TestbedError> {
        let program = Program::new("iperf3").arg("-J").args(arguments).cgroup(cgroup);
        program.start(namespace).map(|client| Self { client, started: Instant::now() })
    }

    /// Whether it has ended by itself, which is too early.
    ///
    /// # Errors
    /// As of [`Running::status`].
    pub fn has_ended(&mut self) -> Result<bool, TestbedError> {
        Ok(self.client.status()?.is_some())
    }

    /// Ends the test, and returns the streams up to now: none if it had only just started.
    ///
    /// # Errors
    /// If it had ended or failed (the text has its message), does not end within 10 s, or reports nothing after a second.
    pub fn stop(mut self) -> Result<Vec<IperfStream>, TestbedError> {
        let had_ended = self.has_ended()?;
        let may_be_silent = !had_ended && self.started.elapsed() < BEGINS_WITHIN;
        if !had_ended {
            self.client.interrupt()?;
            self.client.wait(STOPS_WITHIN)?;
        }
        let said = self.client.stdout();
        if may_be_silent && said.is_empty() {
            return Ok(Vec::new());
        }
        Output::read(&said)?.interrupted()
    }
}

impl IperfReport {
    /// Reads what `iperf3 -J` prints.
    fn read(json: &str) -> Result<Self, TestbedError> {
        let mut output = Output::read(json)?;
        if let Some(error) = output.error.take() {
            return Err(TestbedError::new(error));
        }
        let streams = output.streams();
        let (Some(sent), Some(received)) = (output.end.sum_sent, output.end.sum_received) else {
            return Err(TestbedError::new("iperf3's report has no totals"));
        };
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

impl Output {
    fn read(json: &str) -> Result<Self, TestbedError> {
        serde_json::from_str(json).attempt(|| "no report of iperf3".into())
    }

    /// The streams of a client that SIGINT has ended.
    fn interrupted(&self) -> Result<Vec<IperfStream>, TestbedError> {
        match &self.error {
            Some(error) if error.starts_with(INTERRUPTED) => Ok(self.streams()),
            Some(error) => Err(TestbedError::new(format!("iperf3: {error}"))),
            None => Err(TestbedError::new("iperf3 had ended")),
        }
    }

    fn streams(&self) -> Vec<IperfStream> {
        let mut streams: Vec<_> = self.end.streams.iter().map(Stream::summary).collect();
        for interval in &self.intervals {
            for (stream, part) in streams.iter_mut().zip(&interval.streams) {
                stream.intervals.push(part.interval());
            }
        }
        streams
    }
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
    #[serde(default)]
    start: f64,
    #[serde(default)]
    end: f64,
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

    fn interval(&self) -> IperfInterval {
        let [start, end] = [self.start, self.end].map(Span::from_secs_f64);
        IperfInterval { start, end, bytes: Bytes::new(self.bytes) }
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
                {"streams": [{"start": 0, "end": 1, "bytes": 5, "bits_per_second": 40.2, "retransmits": 1, "omitted": false}]},
                {"streams": [{"start": 1, "end": 2.5, "bytes": 6, "bits_per_second": 32, "retransmits": 0, "omitted": false}]}
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
        let interval = |start, end, bytes| IperfInterval {
            start: Span::from_millis(start),
            end: Span::from_millis(end),
            bytes: Bytes::new(bytes),
        };
        let stream = IperfStream {
            intervals: vec![interval(0, 1_000, 5), interval(1_000, 2_500, 6)],
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
    fn a_report_of_a_client_that_was_interrupted_has_its_streams() {
        let of = |error: &str| {
            let error = error.to_string();
            Output { error: Some(error), intervals: Vec::new(), end: End::default() }.interrupted()
        };
        let interrupted = "interrupt - the client has terminated";
        for error in [interrupted, &format!("{interrupted} by signal Interrupt(2)")] {
            assert_eq!(of(error), Ok(Vec::new()));
        }
        assert_eq!(of("unable to connect").unwrap_err().to_string(), "iperf3: unable to connect");
    }

    #[test]
    fn a_report_of_an_error_is_one() {
        let json = r#"{"start": {}, "end": {}, "error": "unable to connect to server"}"#;
        let error = IperfReport::read(json).unwrap_err();
        assert_eq!(error.to_string(), "unable to connect to server");
        assert!(IperfReport::read("").is_err());
    }
}
