//! The flows that a program counts: `src/bpf/flows.h`.

use std::sync::atomic::{Ordering, fence};

use sluice_laws::flow_counter::next_salt;
use sluice_laws::ncp::CountedSums;
use sluice_laws::ncp::counted::CountedRouter;

use crate::error::Error;
use crate::law::KernelLaw;
use crate::map;
use crate::router::{BLOCK_WORDS, blocks};

/// What the program has of an interval that ended.
#[derive(Clone, Debug)]
pub struct CountedInterval {
    /// The sums of each CPU, as those of [`KernelLaw::sums`]: they only grow.
    pub sums: Vec<CountedSums>,
    /// The bitmap of flows, of all CPUs together, for [`CountedRouter::on_bitmap`].
    pub flows: Vec<u64>,
}

impl KernelLaw<'_, '_, CountedRouter> {
    /// Begins another interval, in which flows are counted anew, and returns what the program has of the last. To be
    /// called once for each tick of the law.
    ///
    /// Each packet's flow is in one interval or the next. Sums are read a moment later, so packets that arrive
    /// meanwhile are in these sums already, and their flows in the next interval.
    ///
    /// [`Error::Busy`] as of [`KernelLaw::sums`]: then the flows of the last interval are lost, but
    /// the next has begun. The caller keeps its grant, as for an interval in which the link could send nothing
    /// ([`sluice_laws::router::RouterLaw::on_skip`]).
    pub fn end_interval(&self) -> Result<CountedInterval, Error> {
        let ended = self.exchange()?;
        // Which waits for packets that began in the ended one.
        let sums = self.sums()?;
        Ok(CountedInterval { sums, flows: self.flows(ended)? })
    }

    /// Clears the bitmap that is not in use, and puts it in use with the next salt. Returns which was before.
    fn exchange(&self) -> Result<u32, Error> {
        let mut variables = self.router.variables();
        let (ended, next) = (variables.flow_interval & 1, variables.flow_interval.wrapping_add(1));
        self.clear((next & 1) as u32)?;
        variables.flow_salts[(next & 1) as usize] = next_salt(variables.flow_salts[ended as usize]);
        // Both have to be there before any CPU looks.
        fence(Ordering::SeqCst);
        variables.flow_interval = next;
        // And all CPUs have to see it before this one looks whether they are within a packet.
        fence(Ordering::SeqCst);
        Ok(ended as u32)
    }

    fn clear(&self, half: u32) -> Result<(), Error> {
        let empty =
            vec![vec![0; BLOCK_WORDS]; libbpf_rs::num_possible_cpus().map_err(Error::Load)?];
        self.blocks(half).try_for_each(|at| map::write(&self.router.maps().flow_blocks, at, &empty))
    }

    /// The words of a bitmap, of all CPUs.
    fn flows(&self, half: u32) -> Result<Vec<u64>, Error> {
        let mut flows = Vec::new();
        for at in self.blocks(half) {
            let mut all = vec![0; BLOCK_WORDS];
            for cpu in map::read(&self.router.maps().flow_blocks, at)? {
                all.iter_mut().zip(cpu).for_each(|(all, word)| *all |= word);
            }
            flows.extend(all);
        }
        flows.truncate(self.router.ncp().bitmap_words());
        Ok(flows)
    }

    /// Where in the map the blocks of a bitmap are.
    fn blocks(&self, half: u32) -> std::ops::Range<u32> {
        let blocks = blocks(self.router.ncp().bitmap_words());
        half * blocks..(half + 1) * blocks
    }
}

#[cfg(test)]
#[path = "flows_tests.rs"]
mod tests;
