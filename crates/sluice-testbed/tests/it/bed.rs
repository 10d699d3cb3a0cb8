//! Two hosts and a link.

use std::sync::{Mutex, MutexGuard, PoisonError};

use sluice_testbed::{DirectionConfig, Link, Namespace, can_test, requirements};
use sluice_units::{Bytes, Rate, Span};

pub const A: &str = "198.18.0.1";
pub const B: &str = "198.18.0.2";
pub const A6: &str = "fd00::1";
pub const B6: &str = "fd00::2";

/// Two hosts joined by a link.
pub struct Bed {
    pub a: Namespace,
    pub b: Namespace,
    pub link: Link,
    /// Tests measure time, so only one runs at once.
    _alone: MutexGuard<'static, ()>,
}

/// The only test that runs, unless the machine lacks something.
pub fn alone() -> Option<MutexGuard<'static, ()>> {
    static ALONE: Mutex<()> = Mutex::new(());
    let guard = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    can_test("sluice-testbed", &requirements()).then_some(guard)
}

impl Bed {
    /// Hosts with addresses of IPv4 and IPv6, unless the machine lacks something.
    pub fn new(forward: DirectionConfig, backward: DirectionConfig) -> Option<Self> {
        let alone = alone()?;
        let (a, b) = (Namespace::new().unwrap(), Namespace::new().unwrap());
        let link = Link::new(&a, "to-b", &b, "to-a", forward, backward).unwrap();
        for (host, device, v4, v6) in [(&a, "to-b", A, A6), (&b, "to-a", B, B6)] {
            host.add_address(device, &format!("{v4}/24")).unwrap();
            host.add_address(device, &format!("{v6}/64")).unwrap();
        }
        Some(Self { a, b, link, _alone: alone })
    }
}

/// A direction with a rate, a delay and a buffer.
pub fn way(mbps: u64, delay: Span, buffer: u64) -> DirectionConfig {
    let rate = Some(Rate::from_bps(mbps * 1_000_000));
    DirectionConfig { rate, delay, buffer: Bytes::new(buffer), ..DirectionConfig::default() }
}

/// A direction with a delay only.
pub fn delay(delay: Span) -> DirectionConfig {
    DirectionConfig { delay, ..DirectionConfig::default() }
}
