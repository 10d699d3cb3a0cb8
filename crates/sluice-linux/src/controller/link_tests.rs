use sluice_laws::protocol::LinkContext;
use sluice_laws::rcp::RcpParams;
use sluice_laws::rcp::router::RcpRouter;

use super::*;
use crate::map;
use crate::router::{Ncp, Parser, ProgramMemory};

/// The number of RCP.
const RCP: u32 = 1;

#[test]
fn a_cpu_stopped_within_a_packet_puts_the_tick_off_and_keeps_the_grant() {
    let mut place = ProgramMemory::default();
    let router = match KernelRouter::load(&mut place, Parser::Direct, Ncp::Plain) {
        Ok(router) => router,
        Err(why) => return sluice_testbed::skip_test("sluice-linux", &why.to_string()),
    };
    let capacity = Rate::from_bps(100_000_000);
    let law =
        RcpRouter::new(&RcpParams::default(), &LinkContext { capacity, packet: Bytes::new(1_514) });
    let settings = ControllerSettings::default();
    let mut controller = LinkController::new(&router, law, capacity, settings).unwrap();
    let between = map::read(&router.maps().sums, RCP).unwrap();
    let mut within = between.clone();
    // As many as began did not finish.
    *within[0].last_mut().expect("sums have words") += 1;
    map::write(&router.maps().sums, RCP, &within).unwrap();
    // As after a tick that was due.
    let due = controller.due();
    controller.tick(due).unwrap();
    let after = monotonic_now();
    assert!(after > due, "it waited for the CPU");
    assert!(controller.due() <= after + settings.min_interval);
    assert!(controller.holds_until > after, "the grant is renewed");
    let counts = TickCounts { put_off: 1, ..TickCounts::default() };
    assert_eq!(controller.counts, counts);
    map::write(&router.maps().sums, RCP, &between).unwrap();
    controller.tick(monotonic_now() + settings.min_interval).unwrap();
    assert_eq!((controller.counts.ticks, controller.counts.put_off), (1, 1));
}
