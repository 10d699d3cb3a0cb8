//! Linear counting: Whang, Vander-Zanden and Taylor, "A linear-time probabilistic counting algorithm for database
//! applications", 1990.

/// A bit for each hash.
#[derive(Clone, Debug)]
pub(super) struct Bitmap {
    pub(super) words: Vec<u64>,
    set: u64,
}

impl Bitmap {
    /// Of this many words.
    pub(super) fn new(words: usize) -> Self {
        Self { words: vec![0; words], set: 0 }
    }

    pub(super) fn insert(&mut self, hash: u64) {
        let bit = ((u128::from(hash) * u128::from(self.bits())) >> 64) as u64;
        let (word, mask) = (&mut self.words[(bit / 64) as usize], 1 << (bit % 64));
        self.set += u64::from(*word & mask == 0);
        *word |= mask;
    }

    /// Sets the bits of another bitmap, if it is of the same size; returns whether it is.
    pub(super) fn merge(&mut self, words: &[u64]) -> bool {
        let fits = words.len() == self.words.len();
        if fits {
            for (own, other) in self.words.iter_mut().zip(words) {
                self.set += u64::from((other & !*own).count_ones());
                *own |= other;
            }
        }
        fits
    }

    /// n = -m ln V, where V is the part of bits that are not set; of one bit at least.
    pub(super) fn count(&mut self) -> f64 {
        if self.set == 0 {
            return 0.0;
        }
        let bits = self.bits();
        let unset = (bits - self.set).max(1);
        self.words.fill(0);
        self.set = 0;
        bits as f64 * libm::log(bits as f64 / unset as f64)
    }

    fn bits(&self) -> u64 {
        64 * self.words.len() as u64
    }
}
