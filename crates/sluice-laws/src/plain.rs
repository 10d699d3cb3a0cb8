//! Values in the form in which a kernel's maps hold them.

/// A value that fast and slow path share, as the 64-bit words that a kernel's map holds.
pub trait Plain: Copy {
    /// `[u64; N]`.
    type Plain: Copy + Default + AsRef<[u64]> + AsMut<[u64]>;
    /// The value in words.
    fn to_plain(self) -> Self::Plain;
    /// The value of these words, the reverse of [`Plain::to_plain`].
    fn from_plain(words: Self::Plain) -> Self;
}

/// For a grant or a budget that is one number.
impl Plain for u64 {
    type Plain = [u64; 1];

    fn to_plain(self) -> [u64; 1] {
        [self]
    }

    fn from_plain([number]: [u64; 1]) -> Self {
        number
    }
}

impl Plain for () {
    type Plain = [u64; 0];

    fn to_plain(self) -> [u64; 0] {
        []
    }

    fn from_plain(_: [u64; 0]) {}
}
