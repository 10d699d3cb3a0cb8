//! RTTs above the longest that a router is set to.

use sluice_laws::ncp::router::NcpRouter;
use sluice_laws::rcp::router::RcpRouter;
use sluice_laws::router::Plain as _;
use sluice_linux::{KernelRouter, Ncp, Parser, ProgramMemory};
use sluice_units::Span;

use crate::bed::{self, About};
use crate::craft::{Packet, V4, full};

const SECOND: u32 = 1 << 28;

/// Packets in trains of three with this RTT, through a router of paths of at most `longest`: the sums of packets and RTTs, and the
/// same weighted by bytes, under RCP and under NCP.
fn sums(longest: Span, rtt: u32) -> [[u64; 4]; 2] {
    let mut place = ProgramMemory::default();
    let router =
        KernelRouter::load_within(&mut place, Parser::Direct, Ncp::Plain, longest).unwrap();
    let about = About { wire: 4_000, segments: 3, summed: false };
    for option in [full(1, [u32::MAX, rtt, 0]), full(3, [u32::MAX, 1_000, rtt])] {
        let packet = Packet::new(V4, &[&option]).bytes();
        assert_eq!(bed::run(router.program(), &packet, about).unwrap(), packet);
    }
    let ncp = router.law::<NcpRouter>().unwrap().total().unwrap().to_plain();
    let rcp = router.law::<RcpRouter>().unwrap().total().unwrap().to_plain();
    [rcp, *ncp.first_chunk().unwrap()]
}

#[test]
fn a_longer_rtt_counts_as_the_longest() {
    bed::with_ncp(Ncp::Plain, |_| {
        let paths = Span::from_millis(250);
        let hour = Span::from_secs(3_600);
        for (longest, rtt, counts) in [
            (paths, 1, 1),
            (paths, SECOND / 4, SECOND / 4),
            (paths, SECOND / 4 + 1, SECOND / 4),
            (paths, u32::MAX, SECOND / 4),
            // No router believes more than 10 s.
            (hour, 10 * SECOND, 10 * SECOND),
            (hour, u32::MAX, 10 * SECOND),
            (Span::ZERO, u32::MAX, 1),
        ] {
            let counts = u64::from(counts);
            assert_eq!(sums(longest, rtt), [[3, 3 * counts, 4_000, 4_000 * counts]; 2], "{rtt}");
        }
        // No RTT is none.
        assert_eq!(sums(paths, 0), [[0; 4]; 2]);
    });
}
