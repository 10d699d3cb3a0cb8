//! The program of one link.

use std::mem::MaybeUninit;
use std::sync::{Mutex, MutexGuard, PoisonError};

use libbpf_rs::skel::{OpenSkel as _, SkelBuilder as _};
use libbpf_rs::{OpenObject, ProgramMut};

use crate::error::Error;
use crate::skeleton::{RouterMaps, RouterSkel, RouterSkelBuilder, types};

/// The parser that packets meet first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parser {
    /// Direct access for common packets; the others go on to the general one.
    #[default]
    Direct,
    /// The general one for all packets: slower, with the same effect. For tests that compare the two.
    General,
}

/// Memory for the handle of a loaded program.
pub struct ProgramMemory(MaybeUninit<OpenObject>);

impl Default for ProgramMemory {
    fn default() -> Self {
        Self(MaybeUninit::uninit())
    }
}

/// The fast path of one link, loaded into the kernel. Dropping it unloads it, unless it is attached.
pub struct KernelRouter<'place> {
    skeleton: RouterSkel<'place>,
    /// The program's variables, in memory that the kernel shares.
    variables: Mutex<&'place mut types::bss>,
}

impl<'place> KernelRouter<'place> {
    /// Loads the program, with sums of zero and no grant for any law.
    pub fn load(place: &'place mut ProgramMemory, parser: Parser) -> Result<Self, Error> {
        let mut open = RouterSkelBuilder::default().open(&mut place.0).map_err(Error::Load)?;
        let constants = open.maps.rodata_data.as_deref_mut().ok_or(Error::Layout(".rodata"))?;
        constants.direct = parser == Parser::Direct;
        let mut skeleton = open.load().map_err(Error::Load)?;
        let variables = skeleton.maps.bss_data.take().ok_or(Error::Layout(".bss"))?;
        Ok(Self { skeleton, variables: Mutex::new(variables) })
    }

    /// The program, which belongs at the link's egress (tcx or clsact). It lets every packet go on.
    pub fn program(&self) -> &ProgramMut<'place> {
        &self.skeleton.progs.sluice_router
    }

    pub(crate) fn maps(&self) -> &RouterMaps<'place> {
        &self.skeleton.maps
    }

    pub(crate) fn variables(&self) -> MutexGuard<'_, &'place mut types::bss> {
        self.variables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
