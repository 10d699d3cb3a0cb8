//! The program of one link.

use std::mem::MaybeUninit;
use std::sync::{Mutex, MutexGuard, PoisonError};

use libbpf_rs::skel::{OpenSkel as _, SkelBuilder as _};
use libbpf_rs::{OpenObject, ProgramMut};
use sluice_laws::flow_counter::{CounterKind, bitmap_words};
use sluice_laws::ncp::{FlowCount, NcpParams};
use sluice_laws::wire::WireRtt;
use sluice_units::{Bytes, Span};

use crate::error::Error;
use crate::skeleton::router::{RouterMaps, RouterSkel, RouterSkelBuilder, types};

/// The parser that packets meet first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parser {
    /// Direct access for common packets; the others go on to the general one.
    #[default]
    Direct,
    /// The general one for all packets: slower, with the same effect. For tests that compare the two.
    General,
}

/// The fast path for packets of NCP. Their headers do not say which their routers run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ncp {
    /// One rate for all flows ([`sluice_laws::ncp::router`]).
    #[default]
    Plain,
    /// `compensated`: flows of RTTs beyond d0 have rates of their own ([`sluice_laws::ncp::compensated`]).
    Compensated,
    /// `counted = "eq12"` with `counter = "bitmap"` of this memory ([`sluice_laws::ncp::counted`]). The slow path reads the
    /// flows of an interval by [`KernelLaw::end_interval`](crate::KernelLaw::end_interval).
    Counted(Bytes),
}

impl Ncp {
    /// The fast path for routers of these parameters; [`Error::CountsFlows`] if they count flows by another counter than a
    /// bitmap.
    pub fn of(params: &NcpParams) -> Result<Self, Error> {
        match (params.counted, params.counter) {
            (FlowCount::Eq12, CounterKind::Bitmap) => Ok(Self::Counted(params.counter_memory)),
            (FlowCount::Eq12, _) => Err(Error::CountsFlows),
            _ if params.compensated => Ok(Self::Compensated),
            _ => Ok(Self::Plain),
        }
    }

    /// Words of the bitmap, of which there are none if no flow is counted.
    pub(crate) fn bitmap_words(self) -> usize {
        match self {
            Self::Counted(memory) => bitmap_words(memory),
            Self::Plain | Self::Compensated => 0,
        }
    }
}

/// Memory for the handle of a loaded program.
pub struct ProgramMemory(MaybeUninit<OpenObject>);

impl ProgramMemory {
    pub(crate) fn object(&mut self) -> &mut MaybeUninit<OpenObject> {
        &mut self.0
    }
}

impl Default for ProgramMemory {
    fn default() -> Self {
        Self(MaybeUninit::uninit())
    }
}

/// The fast path of one link, loaded into the kernel. Dropping it unloads it, unless it is attached.
pub struct KernelRouter<'place> {
    skeleton: RouterSkel<'place>,
    ncp: Ncp,
    /// The program's variables, in memory that the kernel shares.
    variables: Mutex<&'place mut types::bss>,
}

impl<'place> KernelRouter<'place> {
    /// Loads the program, with sums of zero and no grant for any law.
    pub fn load(place: &'place mut ProgramMemory, parser: Parser, ncp: Ncp) -> Result<Self, Error> {
        Self::load_within(place, parser, ncp, Span::MAX)
    }

    /// The same for a link whose paths have RTTs of at most `longest_rtt`: one above it, in a header of RCP or NCP, counts as this.
    /// That bounds d0, whatever hosts state. The laws themselves take RTTs of up to 10 s.
    pub fn load_within(
        place: &'place mut ProgramMemory,
        parser: Parser,
        ncp: Ncp,
        longest_rtt: Span,
    ) -> Result<Self, Error> {
        let mut open = RouterSkelBuilder::default().open(&mut place.0).map_err(Error::Load)?;
        let constants = open.maps.rodata_data.as_deref_mut().ok_or(Error::Layout(".rodata"))?;
        constants.direct = parser == Parser::Direct;
        constants.compensated = ncp == Ncp::Compensated;
        constants.longest_rtt = constants.longest_rtt.min(WireRtt::new(longest_rtt).units());
        constants.flow_bits = 64 * ncp.bitmap_words() as u32;
        // Two bitmaps; the smallest map of a router that needs none.
        let blocks = 2 * blocks(ncp.bitmap_words()).max(1);
        open.maps.flow_blocks.set_max_entries(blocks).map_err(Error::Load)?;
        let mut skeleton = open.load().map_err(Error::Load)?;
        let variables = skeleton.maps.bss_data.take().ok_or(Error::Layout(".bss"))?;
        Ok(Self { skeleton, ncp, variables: Mutex::new(variables) })
    }

    /// The program, which belongs at the link's egress (tcx or clsact). It lets every packet go on.
    pub fn program(&self) -> &ProgramMut<'place> {
        &self.skeleton.progs.sluice_router
    }

    /// The program that changes the virtual queue.
    pub(crate) fn set_queue_program(&self) -> &ProgramMut<'place> {
        &self.skeleton.progs.sluice_set_queue
    }

    /// The fast path that packets of NCP take.
    pub fn ncp(&self) -> Ncp {
        self.ncp
    }

    pub(crate) fn maps(&self) -> &RouterMaps<'place> {
        &self.skeleton.maps
    }

    pub(crate) fn variables(&self) -> MutexGuard<'_, &'place mut types::bss> {
        self.variables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Words of a block of a bitmap.
pub(crate) const BLOCK_WORDS: usize = size_of::<types::flow_block>() / size_of::<u64>();

/// Blocks of a bitmap.
pub(crate) fn blocks(words: usize) -> u32 {
    words.div_ceil(BLOCK_WORDS) as u32
}
