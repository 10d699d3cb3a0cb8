//! Printed values read back as the same values, and reading any text gives a value or an error.

use core::fmt::{Debug, Display};
use core::str::FromStr;

use proptest::prelude::*;
use sluice_units::{BufferSize, Bytes, Rate, Ratio, Span, Time, UnitError};

fn assert_round_trip<T>(value: T) -> Result<(), TestCaseError>
where
    T: FromStr<Err = UnitError> + Display + Debug + PartialEq,
{
    let text = value.to_string();
    prop_assert_eq!(text.parse(), Ok(value), "{}", text);
    Ok(())
}

/// Counts of every magnitude, including round ones.
fn count() -> impl Strategy<Value = u64> {
    let round = (0u64..2000, 0u32..18).prop_map(|(n, p)| n.saturating_mul(10u64.pow(p)));
    let binary = (0u64..2000, 0u32..50).prop_map(|(n, p)| n << p);
    let hours = (0u64..5_000_000).prop_map(|minutes| minutes * 60_000_000_000);
    let any_size = (any::<u64>(), 0u32..64).prop_map(|(n, shift)| n >> shift);
    prop_oneof![round, binary, hours, any_size]
}

fn ratio() -> impl Strategy<Value = Ratio> {
    let finite = prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO;
    prop_oneof![finite, -10.0..10.0].prop_map(Ratio::new)
}

fn buffer() -> impl Strategy<Value = BufferSize> {
    prop_oneof![
        Just(BufferSize::Unlimited),
        count().prop_map(BufferSize::Packets),
        count().prop_map(|n| BufferSize::Bytes(Bytes::new(n))),
        count().prop_map(|n| BufferSize::Time(Span::from_nanos(n))),
        ratio().prop_map(|x| BufferSize::Bdp(Ratio::new(x.get().abs()))),
    ]
}

/// Any text, and texts that look like quantities.
fn text() -> impl Strategy<Value = String> {
    let nearly =
        "[-+]?[0-9]{0,30}[.e]?[-+]?[0-9]{0,30} ?(ns|us|µs|h|B|TiB|bps|GB/s|packets|bdp|e)?";
    prop_oneof![any::<String>(), "\\PC*", "[0-9.eE+ \u{b5}s-]{0,12}", nearly]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn printed_values_read_back(n in count(), ratio in ratio(), buffer in buffer()) {
        assert_round_trip(Time::from_nanos(n))?;
        assert_round_trip(Span::from_nanos(n))?;
        assert_round_trip(Rate::from_bps(n))?;
        assert_round_trip(Bytes::new(n))?;
        assert_round_trip(ratio)?;
        assert_round_trip(buffer)?;
    }

    #[test]
    fn any_text_is_read_or_refused(text in text()) {
        let _ = text.parse::<Time>();
        let _ = text.parse::<Span>();
        let _ = text.parse::<Rate>();
        let _ = text.parse::<Bytes>();
        if let Ok(ratio) = text.parse::<Ratio>() {
            prop_assert!(ratio.get().is_finite());
        }
        if let Ok(buffer) = text.parse::<BufferSize>() {
            assert_round_trip(buffer)?;
        }
    }
}
