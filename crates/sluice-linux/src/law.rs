//! The sums, grants and budgets of one law in a program.

use std::marker::PhantomData;
use std::sync::atomic::{Ordering, fence};
use std::thread;
use std::time::{Duration, Instant};

use sluice_laws::ledger::header::LedgerHeader;
use sluice_laws::ledger::router::LedgerRouter;
use sluice_laws::ncp::compensated::CompensatedRouter;
use sluice_laws::ncp::counted::CountedRouter;
use sluice_laws::ncp::header::NcpHeader;
use sluice_laws::ncp::router::NcpRouter;
use sluice_laws::ncp_increments::header::IncrementHeader;
use sluice_laws::ncp_increments::router::IncrementRouter;
use sluice_laws::rcp::header::RcpHeader;
use sluice_laws::rcp::router::RcpRouter;
use sluice_laws::router::{LawHeader as _, Plain, RouterLaw, Sums};
use sluice_laws::xcp::header::XcpHeader;
use sluice_laws::xcp::router::XcpRouter;
use sluice_units::Time;

use crate::error::Error;
use crate::map;
use crate::router::{KernelRouter, Ncp};
use crate::skeleton::router::types;

/// Attempts to read the sums, each of which a packet may interrupt. On a CPU that does
/// nothing but stamp, one read in a thousand or two fails.
const READS: usize = 100;
/// Time for which attempts go on at least: a CPU that is interrupted within a packet, or a virtual one that its host stops
/// there, stays within it for milliseconds. Time alone would not do, for the CPU that reads can be
/// stopped too.
const PATIENCE: Duration = Duration::from_millis(100);

/// Access to the sums, grants and budgets of one law in a [`KernelRouter`]'s program.
pub struct KernelLaw<'router, 'place, L> {
    pub(crate) router: &'router KernelRouter<'place>,
    number: u8,
    law: PhantomData<L>,
}

impl<'place> KernelRouter<'place> {
    /// Access to what the program keeps for the law `L`; [`Error::KernelLaw`] if it has no such law,
    /// [`Error::CountsFlows`] if that law counts flows, and the program is not loaded to do so ([`Ncp::Counted`]).
    pub fn law<L: RouterLaw>(&self) -> Result<KernelLaw<'_, 'place, L>, Error> {
        KernelLaw::new(self)
    }
}

impl<'router, 'place, L: RouterLaw> KernelLaw<'router, 'place, L> {
    fn new(router: &'router KernelRouter<'place>) -> Result<Self, Error> {
        if L::COUNTS_FLOWS && !matches!(router.ncp(), Ncp::Counted(_)) {
            return Err(Error::CountsFlows);
        }
        let number = L::Header::FORM.law;
        if shape_in_program(number, router.ncp()) != Some(shape::<L>()) {
            return Err(Error::KernelLaw(number));
        }
        Ok(Self { router, number, law: PhantomData })
    }

    /// The law's number in the option.
    pub(crate) fn number(&self) -> u8 {
        self.number
    }

    /// The sums of each CPU, between two packets. They only grow (and wrap); laws read
    /// differences. Each CPU's are the latest that could be read, which may be a tenth of a second old while
    /// another is waited for; then it gives up with [`Error::Busy`].
    pub fn sums(&self) -> Result<Vec<L::Sums>, Error> {
        let mut cpus = vec![None; libbpf_rs::num_possible_cpus().map_err(Error::Load)?];
        let start = Instant::now();
        for read in 1.. {
            let values = map::read(&self.router.maps().sums, self.number.into())?;
            for (cpu, value) in cpus.iter_mut().zip(values) {
                *cpu = between_packets(&value).or(*cpu);
            }
            if let Some(sums) = cpus.iter().copied().collect() {
                return Ok(sums);
            }
            if read >= READS && start.elapsed() > PATIENCE {
                break;
            }
            // The packet may be one of this CPU's, where it can be preempted.
            thread::yield_now();
        }
        Err(Error::Busy)
    }

    /// The sums of all CPUs together; fails as [`sums`](Self::sums) does.
    pub fn total(&self) -> Result<L::Sums, Error> {
        let cpus = self.sums()?;
        Ok(cpus.iter().fold(L::Sums::default(), |total, sums| total.plus(sums)))
    }

    /// The budget that each CPU has left of the grant in force; `None` for a CPU that has not begun it. Of a law with
    /// [`RouterLaw::ONE_BUDGET`] there is one, `None` until a packet spends of it.
    ///
    /// Budgets are those of this moment: the slow path does not see what packets spend from then until the next grant.
    pub fn budgets(&self) -> Result<Vec<Option<L::Budget>>, Error> {
        let generation = self.router.variables().generations[usize::from(self.number)];
        let of = |words: &[u64]| {
            let (begun, words) = words.split_first()?;
            (generation != 0 && *begun == generation).then(|| plain(words))
        };
        if L::ONE_BUDGET {
            let value = map::read_locked(&self.router.maps().one_budgets, self.number.into())?;
            // The lock is in the first word.
            return Ok(vec![value.split_first().and_then(|(_, words)| of(words))]);
        }
        let cpus = map::read(&self.router.maps().budgets, self.number.into())?;
        Ok(cpus.iter().map(|words| of(words)).collect())
    }

    /// Puts a grant in force, which holds until then on `CLOCK_MONOTONIC`. Past it, packets are cut.
    ///
    /// `grants` has one for each possible CPU, in their order, of which that CPU starts a fresh
    /// budget ([`RouterLaw::share`]), or the one of all CPUs ([`RouterLaw::ONE_BUDGET`]). A packet sees the old
    /// grant or the new one, whole.
    pub fn install(&self, holds_until: Time, grants: &[L::Grant]) -> Result<(), Error> {
        let cpus = libbpf_rs::num_possible_cpus().map_err(Error::Load)?;
        let budgets = if L::ONE_BUDGET { 1 } else { cpus };
        if grants.len() != budgets {
            return Err(Error::Grants { given: grants.len(), budgets });
        }
        let each = grants.iter().cycle().take(cpus);
        let values: Vec<Vec<u64>> = each.map(|grant| slot(holds_until, grant)).collect();
        let mut variables = self.router.variables();
        let generation = &mut variables.generations[usize::from(self.number)];
        let next = generation.wrapping_add(1).max(1);
        let slot = 2 * u32::from(self.number) + (next & 1) as u32;
        map::write(&self.router.maps().grants, slot, &values)?;
        // The grant has to be in its slot before any CPU looks there.
        fence(Ordering::SeqCst);
        *generation = next;
        Ok(())
    }
}

/// The sums in a value of the map of sums, or `None` if a packet came between while it was copied.
fn between_packets<P: Plain>(value: &[u64]) -> Option<P> {
    let [finished, words @ .., begun] = value else { return None };
    (finished == begun).then(|| plain(words))
}

/// The words of sums, grant and budget that the program has for a law. NCP's fast paths share a header: a program
/// with one would stamp by what it takes for the grant of the other.
fn shape_in_program(number: u8, ncp: Ncp) -> Option<[usize; 3]> {
    if number == RcpHeader::FORM.law {
        Some(shape::<RcpRouter>())
    } else if number == XcpHeader::FORM.law {
        Some(shape::<XcpRouter>())
    } else if number == IncrementHeader::FORM.law {
        Some(shape::<IncrementRouter>())
    } else if number == LedgerHeader::FORM.law {
        Some(shape::<LedgerRouter>())
    } else if number == NcpHeader::FORM.law {
        Some(match ncp {
            Ncp::Plain => shape::<NcpRouter>(),
            Ncp::Compensated => shape::<CompensatedRouter>(),
            Ncp::Counted(_) => shape::<CountedRouter>(),
        })
    } else {
        None
    }
}

fn shape<L: RouterLaw>() -> [usize; 3] {
    [length::<L::Sums>(), length::<L::Grant>(), length::<L::Budget>()]
}

/// The number of words of a value.
fn length<P: Plain>() -> usize {
    P::Plain::default().as_ref().len()
}

/// The value at the start of these words.
fn plain<P: Plain>(words: &[u64]) -> P {
    let mut plain = P::Plain::default();
    for (to, from) in plain.as_mut().iter_mut().zip(words) {
        *to = *from;
    }
    P::from_plain(plain)
}

/// A value of the map of grants.
fn slot<P: Plain>(holds_until: Time, grant: &P) -> Vec<u64> {
    let mut words = types::grant::default().words;
    let plain = grant.to_plain();
    words[..length::<P>()].copy_from_slice(plain.as_ref());
    [holds_until.as_nanos()].into_iter().chain(words).collect()
}

#[cfg(test)]
#[path = "law_tests.rs"]
mod tests;
