//! nginx, curl, and iperf3 that is stopped.

use std::thread::sleep;
use std::time::Duration;

use sluice_testbed::{Download, IPERF3_PORT, IperfClient, iperf3_server, web_server};
use sluice_units::{Bytes, Span};

use crate::bed::{B, Bed, delay, way};

fn finished(download: &mut Download) -> Span {
    loop {
        match download.finished().unwrap() {
            Some(took) => return took,
            None => sleep(Duration::from_millis(1)),
        }
    }
}

#[test]
fn a_download_takes_round_trips_and_transmission() {
    let one_way = Span::from_millis(20);
    let Some(bed) = Bed::new(delay(one_way), way(10, one_way, 1_000_000)) else { return };
    let _server = web_server(&bed.b, None).unwrap();
    let took = |size| {
        let mut all: Vec<Download> =
            (0..2).map(|_| Download::start(&bed.a, None, B, Bytes::new(size)).unwrap()).collect();
        all.iter_mut().map(finished).max().unwrap()
    };
    // Before the first one, hosts ask for each other's hardware addresses.
    took(1);
    // A round trip for the connection, one for the answer, and the time of two packets each.
    let short = took(1);
    assert!(short >= Span::from_millis(80) && short < Span::from_millis(95), "{short}");
    // Two of them at 10 Mb/s take 0.8 s, and headers 5 % of that.
    let long = took(500_000);
    assert!(long > Span::from_millis(880) && long < Span::from_millis(1_200), "{long}");
}

#[test]
fn a_download_of_no_server_is_an_error() {
    let Some(bed) = Bed::new(delay(Span::ZERO), delay(Span::ZERO)) else { return };
    let mut download = Download::start(&bed.a, None, B, Bytes::new(1_000)).unwrap();
    let error = loop {
        match download.finished() {
            Ok(None) => sleep(Duration::from_millis(1)),
            Ok(Some(took)) => panic!("{took}"),
            Err(error) => break error.to_string(),
        }
    };
    assert!(error.contains("curl") && error.contains(B), "{error}");
}

#[test]
fn a_client_that_is_stopped_reports_up_to_then() {
    let one_way = Span::from_millis(5);
    let Some(bed) = Bed::new(way(50, one_way, 100_000), delay(one_way)) else { return };
    let _server = iperf3_server(&bed.a, None, IPERF3_PORT).unwrap();
    let arguments = ["-c", crate::bed::A, "-R", "-P", "2", "-t", "100", "-i", "0.25"];
    let mut client = IperfClient::start(&bed.b, None, &arguments).unwrap();
    sleep(Duration::from_millis(2_000));
    assert!(!client.has_ended().unwrap());
    let streams = client.stop().unwrap();
    assert_eq!(streams.len(), 2);
    let received: u64 =
        streams.iter().flat_map(|it| &it.intervals).map(|it| it.bytes.as_u64()).sum();
    let rate = 8.0 * received as f64 / streams[0].intervals.last().unwrap().end.as_secs_f64();
    assert!((40e6..50e6).contains(&rate), "{rate}");
}
