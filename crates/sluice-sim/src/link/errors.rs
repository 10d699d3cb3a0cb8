//! Packets lost on the wire.

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Which packets the wire loses: some at random, and those that a script lists.
pub(crate) struct Errors {
    probability: f64,
    stream: Xoshiro256PlusPlus,
    script: std::iter::Peekable<std::vec::IntoIter<u64>>,
    left: u64,
}

impl Errors {
    /// `None` where nothing is ever lost.
    pub(crate) fn new(
        probability: f64,
        script: Vec<u64>,
        stream: Xoshiro256PlusPlus,
    ) -> Option<Self> {
        let script = script.into_iter().peekable();
        (probability > 0.0 || script.len() > 0).then_some(Self {
            probability,
            stream,
            script,
            left: 0,
        })
    }

    /// Whether the next packet that leaves is lost.
    pub(super) fn strikes(&mut self) -> bool {
        let place = self.left;
        self.left += 1;
        self.script.next_if_eq(&place).is_some() || self.stream.random::<f64>() < self.probability
    }
}
