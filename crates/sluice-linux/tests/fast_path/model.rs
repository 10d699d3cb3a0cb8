//! The expected result for a packet: `sluice_laws` on the option's words, for all laws.

use std::collections::BTreeSet;

use sluice_laws::router::{LawHeader as _, Plain, RouterLaw, Train};
use sluice_laws::{WireHeader, ledger, ncp, ncp_increments, rcp, xcp};
use sluice_linux::{KernelRouter, Ncp};
use sluice_units::Time;

use crate::checksum;
use crate::flows;
use crate::locate::locate;

/// The laws' state, which the kernel's must equal.
pub struct Model {
    laws: [Box<dyn Kept>; 5],
    /// The flows of NCP's packets, since somebody emptied it.
    pub flows: BTreeSet<u64>,
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
    pub fn new(ncp: Ncp) -> Self {
        let ncp: Box<dyn Kept> = match ncp {
            Ncp::Plain => Box::new(State::<ncp::router::NcpRouter>::new()),
            Ncp::Compensated => Box::new(State::<ncp::compensated::CompensatedRouter>::new()),
            Ncp::Counted(_) => Box::new(State::<ncp::counted::CountedRouter>::new()),
        };
        Self {
            laws: [
                Box::new(State::<rcp::router::RcpRouter>::new()),
                Box::new(State::<xcp::router::XcpRouter>::new()),
                ncp,
                Box::new(State::<ncp_increments::router::IncrementRouter>::new()),
                Box::new(State::<ledger::router::LedgerRouter>::new()),
            ],
            flows: BTreeSet::new(),
        }
    }

    pub fn law(&mut self, number: u8) -> &mut dyn Kept {
        let law = self.laws.iter_mut().find(|law| law.number() == number);
        law.expect("a law of the program").as_mut()
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
        if found.law == ncp::header::NcpHeader::FORM.law {
            self.flows.insert(flows::of(packet, &found.segment));
        }
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
    /// The law's number in the option.
    fn number(&self) -> u8;
    /// Installs a grant, as many of these words as it has, here and in the routers.
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
    /// What it left of the last grant that it had one of.
    left: Option<L::Budget>,
}

impl<L: RouterLaw> State<L> {
    fn new() -> Self {
        Self { sums: L::Sums::default(), grant: None, budget: None, left: None }
    }
}

impl<L: RouterLaw> Kept for State<L> {
    fn number(&self) -> u8 {
        L::Header::FORM.law
    }

    fn install(&mut self, words: &[u64], holds: bool, routers: &[KernelRouter<'_>]) {
        let mut plain = <L::Grant as Plain>::Plain::default();
        plain.as_mut().iter_mut().zip(words).for_each(|(to, &word)| *to = word);
        let grant = L::Grant::from_plain(plain);
        self.grant = Some((grant, holds));
        self.left = self.budget.take().or(self.left);
        let until = if holds { Time::NEVER } else { Time::from_nanos(1) };
        for router in routers {
            let budgets = if L::ONE_BUDGET { 1 } else { libbpf_rs::num_possible_cpus().unwrap() };
            let law = router.law::<L>().unwrap();
            law.install(until, &vec![grant; budgets]).unwrap();
        }
    }

    fn pass(&mut self, words: [u32; 4], train: Train) -> Option<[u32; 4]> {
        let mut header = L::Header::from_wire(WireHeader::new(words));
        let mut arriving = words;
        let compares_x = L::COUNTS_FLOWS || self.number() == ledger::header::LedgerHeader::FORM.law;
        if compares_x && self.grant.is_none() {
            // There is no R to compare X with.
            arriving[1] = 0;
        }
        let grant =
            self.grant.map_or_else(|| L::Grant::from_plain(Default::default()), |(it, _)| it);
        let arriving = L::Header::from_wire(WireHeader::new(arriving));
        L::arrive(&mut self.sums, &grant, &arriving, train);
        let Some((grant, holds)) = self.grant else { return Some(words) };
        if !holds {
            return None;
        }
        let budget = self.budget.get_or_insert_with(|| match &self.left {
            Some(left) => L::renew(&grant, left),
            None => L::fresh(&grant),
        });
        L::stamp(&grant, budget, &mut header, train);
        Some(header.to_wire().get())
    }

    fn agrees(&self, router: &KernelRouter<'_>, cpu: usize) {
        let law = router.law::<L>().unwrap();
        let number = self.number();
        let sums = law.sums().unwrap()[cpu].to_plain();
        assert_eq!(sums.as_ref(), self.sums.to_plain().as_ref(), "sums of law {number}");
        let place = if L::ONE_BUDGET { 0 } else { cpu };
        let budget = law.budgets().unwrap()[place].map(Plain::to_plain);
        let expected = self.budget.map(Plain::to_plain);
        // One of all CPUs begins with the first packet that spends.
        let begun = |budget: &[u64]| !L::ONE_BUDGET || budget.iter().any(|&word| word > 0);
        let expected =
            expected.filter(|budget| !budget.as_ref().is_empty() && begun(budget.as_ref()));
        assert_eq!(
            budget.as_ref().map(AsRef::as_ref),
            expected.as_ref().map(AsRef::as_ref),
            "budget of law {number}"
        );
    }
}
