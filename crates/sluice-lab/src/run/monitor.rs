//! Who follows the runs, and may end them.

/// Who is told how far the runs have got. Called from every thread.
pub trait Monitor: Sync {
    /// So many runs more are to be had; gives the number of the first of them.
    fn expect(&self, runs: usize) -> usize;

    /// Run `index` has done this fraction of its work.
    fn progress(&self, index: usize, fraction: f64);

    /// Whether to end the runs now, keeping those that are through.
    fn cancelled(&self) -> bool;
}

/// Nobody is told, and nothing ends early.
impl Monitor for () {
    fn expect(&self, _: usize) -> usize {
        0
    }

    fn progress(&self, _: usize, _: f64) {}

    fn cancelled(&self) -> bool {
        false
    }
}
