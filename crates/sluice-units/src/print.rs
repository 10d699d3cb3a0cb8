//! Printing quantities: the shortest text that reads back as the same value.

use crate::parse::{Kind, Shown, Unit};

impl Kind {
    /// `value` of the finest unit in the largest unit that is not larger than it ("1.5 kB"), or as
    /// a whole number of a unit that is no power of ten where that is shorter ("1 MiB", "2 h").
    pub(crate) fn write(&self, value: u64) -> String {
        if value == 0 {
            // Nothing of any unit: the shortest is the plainest ("0 s", not "0 ns").
            let decimal = self.units.iter().filter(|unit| unit.shown == Shown::Decimal);
            return format!(
                "0 {}",
                decimal.map(|unit| unit.name).min_by_key(|name| name.len()).unwrap_or_default()
            );
        }
        let fits = |unit: &&Unit| unit.shown == Shown::Decimal && unit.size <= value;
        let decimal = self.units.iter().rfind(fits).unwrap_or(&self.units[0]);
        let plain = format!("{} {}", in_decimal(value, decimal.size), decimal.name);
        self.units
            .iter()
            .filter(|unit| unit.shown == Shown::Whole && value.is_multiple_of(unit.size))
            .map(|unit| format!("{} {}", value / unit.size, unit.name))
            .fold(plain, |best, text| if text.len() < best.len() { text } else { best })
    }
}

/// `value / size` with every digit; `size` is a power of ten.
fn in_decimal(value: u64, size: u64) -> String {
    let (whole, rest) = (value / size, value % size);
    if rest == 0 {
        return whole.to_string();
    }
    let places = size.ilog10() as usize;
    format!("{whole}.{rest:0places$}").trim_end_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use crate::{Bytes, Rate, Span};

    #[test]
    fn values_print_in_the_unit_people_use() {
        assert_eq!(Rate::from_bps(2_400_000_000).to_string(), "2.4 Gbps");
        assert_eq!(Rate::from_bps(999).to_string(), "999 bps");
        assert_eq!(Rate::ZERO.to_string(), "0 bps");
        assert_eq!(Span::from_millis(100).to_string(), "100 ms");
        assert_eq!(Span::from_nanos(1_000_001).to_string(), "1.000001 ms");
        assert_eq!(Span::ZERO.to_string(), "0 s");
        assert_eq!(Span::from_secs(60).to_string(), "60 s");
        assert_eq!(Span::from_secs(1200).to_string(), "1200 s");
        assert_eq!(Span::from_secs(7200).to_string(), "2 h");
        assert_eq!(Bytes::new(1000).to_string(), "1 kB");
        assert_eq!(Bytes::new(1500).to_string(), "1.5 kB");
        assert_eq!(Bytes::new(1 << 20).to_string(), "1 MiB");
        assert_eq!(Bytes::new(512_000).to_string(), "512 kB");
    }

    #[test]
    fn the_largest_value_keeps_every_digit() {
        assert_eq!(Rate::MAX.to_string(), "18446744.073709551615 Tbps");
        assert_eq!("18446744.073709551615 Tbps".parse(), Ok(Rate::MAX));
    }

    #[test]
    fn width_and_alignment_are_kept() {
        assert_eq!(format!("[{:>8}]", Bytes::new(40)), "[    40 B]");
    }
}
