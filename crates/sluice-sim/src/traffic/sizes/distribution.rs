//! What every distribution of flow sizes implements.

use rand_xoshiro::Xoshiro256PlusPlus;
use sluice_units::{Bytes, Faults};

/// Draws sizes, one per call.
pub(crate) type Draws = Box<dyn FnMut() -> Bytes + Send>;

/// A distribution of flow sizes. `mean` and `draw` may assume that `check` found no fault; `payload`
/// is the data in a full packet.
pub(super) trait Distribution {
    /// Where the distribution is from: a paper, a standard or a tool.
    const SOURCE: &'static str;
    /// Checks the parameters.
    fn check(&self, payload: Bytes, faults: &mut Faults);
    /// The mean in bytes.
    fn mean(&self, payload: Bytes) -> f64;
    /// Independent draws, each of at least one byte.
    fn draw(&self, payload: Bytes, stream: Xoshiro256PlusPlus) -> Draws;
}

/// A drawn size in whole bytes; at least 1.
pub(crate) fn at_least_one(bytes: f64) -> Bytes {
    Bytes::new(((bytes + 0.5) as u64).max(1))
}
