//! Grants: none yet, in succession, and expired.

use sluice_laws::alpha_fair::router::AlphaFairRouter;
use sluice_laws::ncp::compensated::CompensatedRouter;
use sluice_laws::ncp::counted::CountedRouter;
use sluice_laws::ncp::router::NcpRouter;
use sluice_laws::rcp;
use sluice_laws::xcp_guaranteed::router::AdmissionControl;
use sluice_linux::{Error, Ncp};
use sluice_units::Time;

use crate::bed::{self, About};
use crate::craft::{Ip, NOP, Packet, TAG, TIMESTAMPS, V4, V6, full, short};
use crate::crafted::{ASKED, install_grants};
use crate::model::Fate;

#[test]
fn before_the_first_grant_packets_are_summed_alone() {
    bed::with(|bed| {
        for (law, words) in ASKED {
            let packet = Packet::new(V4, &[NOP, NOP, TIMESTAMPS, &full(law, words)]).bytes();
            let (out, fate) = bed.pass(&packet, About::default());
            assert_eq!((out, fate), (packet, Fate::Summed));
        }
        bed.agrees();
    });
}

#[test]
fn a_new_grant_replaces_the_old_one_and_its_budget() {
    bed::with(|bed| {
        for round in 1..=5_u64 {
            bed.install(1, &[1_000 * round], true);
            bed.install(
                2,
                &[round << 20, round << 10, 1 << 31 | 31 << 32, 1 << 31 | 31 << 32],
                true,
            );
            for (law, words) in &ASKED[..2] {
                let packet = Packet::new(V6, &[&full(*law, *words)]).bytes();
                let fates = [(); 3].map(|()| bed.pass(&packet, About::default()).1);
                assert_eq!(fates, [Fate::Stamped; 3]);
            }
            bed.agrees();
        }
    });
}

#[test]
fn a_rate_is_lowered_and_never_raised() {
    bed::with(|bed| {
        bed.install(1, &[5_000], true);
        for (asked, granted) in [(0, 0), (1, 1), (4_999, 4_999), (5_000, 5_000), (5_001, 5_000)] {
            let packet = Packet::new(V4, &[&full(1, [asked, 7, 0])]).bytes();
            let expected = Packet::new(V4, &[&full(1, [granted, 7, 0])]).bytes();
            assert_eq!(bed.pass(&packet, About::default()).0, expected);
        }
    });
}

#[test]
fn a_router_that_lost_its_controller_cuts() {
    bed::with(|bed| {
        install_grants(bed);
        for (law, grant) in
            [(1, &[9][..]), (2, &[9, 9, 9, 9]), (3, &[9]), (6, &[9; 4]), (7, &[9; 11])]
        {
            bed.install(law, grant, false);
        }
        for (law, words) in ASKED {
            let option = full(law, words);
            for ip in [V4, V6, Ip::V4(vec![1; 8]), Ip::V6(vec![(0, 1)])] {
                for nops in 0..4 {
                    for tags in [vec![], vec![TAG]] {
                        let before = &[1; 4][..nops];
                        let packet = Packet::new(ip.clone(), &[before, &option, TIMESTAMPS]);
                        let packet = Packet { tags, ..packet };
                        let nops = vec![1; option.len() - 8];
                        let options = [before, &short(law), &nops, TIMESTAMPS].concat();
                        let cut = Packet { options, ..packet.clone() }.bytes();
                        let packet = packet.bytes();
                        for summed in [false, true] {
                            let about = About { summed, ..About::default() };
                            assert_eq!(bed.pass(&packet, about), (cut.clone(), Fate::Cut));
                        }
                        // A shortened option stays so.
                        assert_eq!(bed.pass(&cut, About::default()), (cut, Fate::Passed));
                    }
                }
            }
        }
        bed.agrees();
    });
}

#[test]
fn a_grant_is_for_every_cpu() {
    bed::with(|bed| {
        let cpus = libbpf_rs::num_possible_cpus().unwrap();
        let [router, _] = &bed.routers;
        let law = router.law::<rcp::router::RcpRouter>().unwrap();
        let refused = law.install(Time::NEVER, &[]).unwrap_err();
        assert!(matches!(refused, Error::Grants { given: 0, budgets } if budgets == cpus));
    });
}

/// NCP's fast paths have one header: the grant of one would be stamped as the other's.
#[test]
fn a_law_of_another_fast_path_is_refused() {
    let refused = |found: Option<Error>, law| {
        assert!(matches!(found, Some(Error::KernelLaw(number)) if number == law), "{found:?}");
    };
    bed::with_ncp(Ncp::Plain, |bed| {
        let [router, _] = &bed.routers;
        refused(router.law::<CompensatedRouter>().err(), 3);
        refused(router.law::<AlphaFairRouter>().err(), 4);
        refused(router.law::<AdmissionControl>().err(), 5);
        let counted = router.law::<CountedRouter>().err();
        assert!(matches!(counted, Some(Error::CountsFlows)), "{counted:?}");
    });
    bed::with_ncp(Ncp::Compensated, |bed| {
        let [router, _] = &bed.routers;
        refused(router.law::<NcpRouter>().err(), 3);
    });
    bed::with_ncp(Ncp::Counted(bed::MEMORY), |bed| {
        let [router, _] = &bed.routers;
        refused(router.law::<NcpRouter>().err(), 3);
        refused(router.law::<CompensatedRouter>().err(), 3);
    });
}
