//! Sizes in integer bytes.

use core::ops::{Add, AddAssign, Sub};

use crate::parse::{Kind, Shown, Unit};

const fn unit(name: &'static str, size: u64, shown: Shown) -> Unit {
    Unit { name, also: &[], size, shown }
}

/// How sizes are written. "KB" is left out: some mean 1000 bytes by it, some 1024.
pub(crate) const SIZE: Kind = Kind {
    what: "a size",
    finest: "1 byte",
    example: "1000 B",
    units: &[
        Unit { name: "B", also: &["byte", "bytes"], size: 1, shown: Shown::Decimal },
        unit("kB", 1_000, Shown::Decimal),
        unit("MB", 1_000_000, Shown::Decimal),
        unit("GB", 1_000_000_000, Shown::Decimal),
        unit("TB", 1_000_000_000_000, Shown::Decimal),
        unit("KiB", 1 << 10, Shown::Whole),
        unit("MiB", 1 << 20, Shown::Whole),
        unit("GiB", 1 << 30, Shown::Whole),
        unit("TiB", 1 << 40, Shown::Whole),
    ],
};

/// A size in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(u64);

impl Bytes {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// The largest size that can be written.
    pub const MAX: Self = Self(u64::MAX);

    /// A size of `n` bytes.
    pub const fn new(n: u64) -> Self {
        Self(n)
    }

    /// The size in bytes.
    pub const fn as_u64(self) -> u64 {
        self.0
    }

    /// The size in bytes, for printing and for slow-path arithmetic.
    pub fn as_f64(self) -> f64 {
        self.0 as f64
    }
}

impl Add for Bytes {
    type Output = Self;
    fn add(self, rhs: Self) -> Self {
        Self(self.0.saturating_add(rhs.0))
    }
}

impl AddAssign for Bytes {
    fn add_assign(&mut self, rhs: Self) {
        *self = *self + rhs;
    }
}

impl Sub for Bytes {
    type Output = Self;
    fn sub(self, rhs: Self) -> Self {
        Self(self.0.saturating_sub(rhs.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        let wanted = [
            ("1000 B", 1000),
            ("40B", 40),
            ("1500 bytes", 1500),
            ("10 kB", 10_000),
            ("1 MB", 1_000_000),
            ("1.5 MiB", 1_572_864),
            ("1 GiB", 1 << 30),
            ("0 B", 0),
        ];
        for (text, bytes) in wanted {
            assert_eq!(text.parse(), Ok(Bytes::new(bytes)), "{text}");
        }
    }

    #[test]
    fn ambiguous_values_are_rejected() {
        for text in ["1 KB", "1 mb", "1 Mb", "1000", "-1 B", "NaN B", "16777216 TiB", "0.4 B"] {
            assert!(text.parse::<Bytes>().is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_saturate() {
        let max = Bytes::new(u64::MAX);
        assert_eq!(max + Bytes::new(1), max);
        assert_eq!(Bytes::new(1) - Bytes::new(2), Bytes::ZERO);
    }
}
