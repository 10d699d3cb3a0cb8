"""Bugs of sluice-units: quantities."""

from .bug import Bug

UNITS = "crates/sluice-units/src/"

BUGS = [
    Bug(
        "megabytes-are-mebibytes",
        "1 MB is read as 1048576 bytes",
        UNITS + "bytes.rs",
        'unit("MB", 1_000_000,',
        'unit("MB", 1 << 20,',
        "sluice-units lib bytes::tests::sizes_are_read_as_people_write_them",
    ),
    Bug(
        "halves-round-down",
        "numbers read from text lose what is behind the finest unit",
        UNITS + "decimal.rs",
        "(scaled + s / 2) / s",
        "scaled / s",
        "sluice-units lib decimal::tests::halves_round_up_and_nothing_vanishes",
    ),
    Bug(
        "transmission-rounds-down",
        "a packet's transmission time is cut to whole nanoseconds",
        UNITS + "rate.rs",
        "bits.div_ceil(u128::from(self.0))",
        "(bits / u128::from(self.0))",
        "sluice-units lib rate::tests::transmission_times_round_up",
    ),
]
