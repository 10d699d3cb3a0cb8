//! Spraying: the packets of a flow take several paths in turn.

/// Where the paths begin in the plan, in the order in which packets take them.
#[derive(Clone, Debug)]
pub(crate) struct Spray {
    begin: Vec<u32>,
    next: usize,
}

impl Spray {
    /// These paths, of which there is at least one, round and round.
    pub(crate) fn new(begin: Vec<u32>) -> Self {
        Self { begin, next: 0 }
    }

    /// Where the path of the next packet begins.
    pub(crate) fn next(&mut self) -> u32 {
        let begin = self.begin[self.next];
        self.next = (self.next + 1) % self.begin.len();
        begin
    }
}
