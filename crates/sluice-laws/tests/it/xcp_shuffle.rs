//! XCP's shuffled traffic where the link is overloaded: h = max(0, gamma y - |phi|), equation (4.4).

use sluice_laws::protocol::{LinkContext, Protocol};
use sluice_laws::router::LinkSample;
use sluice_laws::xcp::XcpParams;
use sluice_units::{Bytes, Rate, Span, Time};

const CAPACITY: Rate = Rate::from_bytes_per_sec(1_000_000);

/// Bytes that a router shuffles after 100 ms in which `arrived` bytes arrived and none queued.
fn shuffled(arrived: u64) -> f64 {
    let link = LinkContext { capacity: CAPACITY, packet: Bytes::new(1000) };
    let mut port = XcpParams::default().router(&link).expect("XCP has a router law");
    let sample = LinkSample {
        arrived: Bytes::new(arrived),
        ..LinkSample::idle(Time::ZERO, Time::ZERO + Span::from_millis(100), CAPACITY)
    };
    port.tick(0, &sample);
    let mut found = f64::NAN;
    port.metrics(&mut |name, value| {
        if name == "h" {
            found = value;
        }
    });
    found
}

/// phi shuffles traffic whether it is positive or negative, so its magnitude counts.
#[test]
fn what_phi_takes_is_shuffled_already() {
    // y = 1.1 MB/s: phi = 0.4 x -100 kB/s, a tenth of y is 110 kB/s.
    assert!((shuffled(110_000) - 70_000.0).abs() < 1.0, "{}", shuffled(110_000));
    // y = 1.5 MB/s: phi = -200 kB/s is more than the tenth.
    assert_eq!(shuffled(150_000), 0.0);
}
