//! The expected result for a packet: `sluice_laws` on the option's words, for all laws.

use sluice_laws::router::{LawHeader as _, Plain, RouterLaw, Train};
use sluice_laws::{WireHeader, ncp, rcp, xcp};
use sluice_linux::KernelRouter;
use sluice_units::Time;

use crate::checksum;
use crate::locate::locate;

/// The laws' state, which the kernel's must equal.
pub struct Model {
    laws: [Box<dyn Kept>; 3],
}

/// The model's verdict on a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Not a packet of any law.
    Passed,
    /// Added to the sums; its words are unchanged.
    Summed,
    /// A word changed.
    Stamped,
    /// The option was shortened.
    Cut,
}

impl Model {
    pub fn new() -> Self {
        Self {
            laws: [
                Box::new(State::<rcp::router::RcpRouter>::new()),
                Box::new(State::<xcp::router::XcpRouter>::new()),
                Box::new(State::<ncp::router::NcpRouter>::new()),
            ],
        }
    }

    pub fn law(&mut self, number: u8) -> &mut dyn Kept {
        self.laws[usize::from(number) - 1].as_mut()
    }

    /// Asserts that a router's program has the same sums and budgets.
    pub fn agrees(&self, router: &KernelRouter<'_>, cpu: usize) {
        self.laws.iter().for_each(|law| law.agrees(router, cpu));
    }

    /// The resulting packet, and the verdict.
    pub fn pass(&mut self, packet: &[u8], train: Train) -> (Vec<u8>, Fate) {
        let mut out = packet.to_vec();
        let Some(found) = locate(packet) else { return (out, Fate::Passed) };
        let words = found.words(packet);
        let Some(stamped) = self.law(found.law).pass(words, train) else {
            out[found.option.start + 1] = 8;
            out[found.option.start + 8..found.option.end].fill(1);
            checksum::correct(packet, &mut out, found.segment.tcp);
            return (out, Fate::Cut);
        };
        if stamped == words {
            return (out, Fate::Summed);
        }
        let forward = &mut out[found.option.start + 8..found.option.end];
        for (bytes, word) in forward.chunks_exact_mut(4).zip(stamped) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        checksum::correct(packet, &mut out, found.segment.tcp);
        (out, Fate::Stamped)
    }
}

/// The state of one law.
pub trait Kept {
    /// Installs a grant of these words, here and in the routers.
    fn install(&mut self, grant: &[u64], holds: bool, routers: &[KernelRouter<'_>]);
    /// Adds a header to the sums and stamps it; `None` if the option is to be shortened.
    fn pass(&mut self, words: [u32; 4], train: Train) -> Option<[u32; 4]>;
    fn agrees(&self, router: &KernelRouter<'_>, cpu: usize);
}

struct State<L: RouterLaw> {
    sums: L::Sums,
    /// The grant, and whether it is still valid.
    grant: Option<(L::Grant, bool)>,
    /// This CPU's budget under the grant, once it has one.
    budget: Option<L::Budget>,
}

impl<L: RouterLaw> State<L> {
    fn new() -> Self {
        Self { sums: L::Sums::default(), grant: None, budget: None }
    }
}

impl<L: RouterLaw> Kept for State<L> {
    fn install(&mut self, words: &[u64], holds: bool, routers: &[KernelRouter<'_>]) {
        let mut plain = <L::Grant as Plain>::Plain::default();
        plain.as_mut().copy_from_slice(words);
        let grant = L::Grant::from_plain(plain);
        (self.grant, self.budget) = (Some((grant, holds)), None);
        let until = if holds { Time::NEVER } else { Time::from_nanos(1) };
        for router in routers {
            let cpus = libbpf_rs::num_possible_cpus().unwrap();
            let law = router.law::<L>().unwrap();
            law.install(until, &vec![grant; cpus]).unwrap();
        }
    }

    fn pass(&mut self, words: [u32; 4], train: Train) -> Option<[u32; 4]> {
        let mut header = L::Header::from_wire(WireHeader::new(words));
        // No law of the program looks at the grant as packets arrive.
        let none = L::Grant::from_plain(Default::default());
        L::arrive(&mut self.sums, &none, &header, train);
        let Some((grant, holds)) = self.grant else { return Some(words) };
        if !holds {
            return None;
        }
        let budget = self.budget.get_or_insert_with(|| L::fresh(&grant));
        L::stamp(&grant, budget, &mut header, train);
        Some(header.to_wire().get())
    }

    fn agrees(&self, router: &KernelRouter<'_>, cpu: usize) {
        let law = router.law::<L>().unwrap();
        let number = L::Header::FORM.law;
        let sums = law.sums().unwrap()[cpu].to_plain();
        assert_eq!(sums.as_ref(), self.sums.to_plain().as_ref(), "sums of law {number}");
        let budget = law.budgets().unwrap()[cpu].map(Plain::to_plain);
        let expected = self.budget.map(Plain::to_plain);
        let expected = expected.filter(|budget| !budget.as_ref().is_empty());
        assert_eq!(
            budget.as_ref().map(AsRef::as_ref),
            expected.as_ref().map(AsRef::as_ref),
            "budget of law {number}"
        );
    }
}
