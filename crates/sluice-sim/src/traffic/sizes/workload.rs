//! Flow sizes as published measurements found them. A new one is a line in `workloads!`.

use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Bytes, Faults, Ratio};

use super::distribution::{Distribution, Draws};
use super::empirical::{CdfPoint, Empirical};

macro_rules! workloads {
    ($($variant:ident $name:literal $source:literal $points:expr),+ $(,)?) => {
        /// A measured distribution of flow sizes, by its name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        pub enum Workload {
            $(#[doc = $source] #[serde(rename = $name)] $variant),+
        }

        impl Workload {
            /// Every workload there is.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its name in scenarios.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// Where it was measured.
            pub const fn source(self) -> &'static str {
                match self { $(Self::$variant => $source),+ }
            }

            /// Its points: bytes, percentage of flows up to so many.
            pub const fn points(self) -> &'static [(u64, f64)] {
                match self { $(Self::$variant => &$points),+ }
            }
        }
    };
}

workloads! {
    WebSearch "websearch" "DCTCP (SIGCOMM 2010): a production web-search cluster" [
        (0, 0.0), (10_000, 15.0), (20_000, 20.0), (30_000, 30.0), (50_000, 40.0), (80_000, 53.0),
        (200_000, 60.0), (1_000_000, 70.0), (2_000_000, 80.0), (5_000_000, 90.0),
        (10_000_000, 97.0), (30_000_000, 100.0),
    ],
    DataMining "datamining" "VL2 (SIGCOMM 2009): a data-mining cluster" [
        (0, 0.0), (180, 10.0), (216, 20.0), (560, 30.0), (900, 40.0), (1_100, 50.0), (1_870, 60.0),
        (3_160, 70.0), (10_000, 80.0), (400_000, 90.0), (3_160_000, 95.0), (100_000_000, 98.0),
        (1_000_000_000, 100.0),
    ],
    Hadoop "hadoop" "Facebook's Hadoop cluster (SIGCOMM 2015)" [
        (0, 0.0), (100, 1.0), (200, 2.0), (300, 5.0), (350, 15.0), (400, 20.0), (500, 30.0),
        (600, 40.0), (700, 50.0), (1_000, 60.0), (2_000, 67.0), (7_000, 70.0), (30_000, 72.0),
        (50_000, 82.0), (80_000, 87.0), (120_000, 90.0), (300_000, 95.0), (1_000_000, 97.5),
        (2_000_000, 99.0), (10_000_000, 100.0),
    ],
    AliStorage "alistorage" "Alibaba's storage traffic, 2019" [
        (0, 0.0), (4_000, 22.93), (8_000, 69.21), (16_000, 80.61), (32_000, 90.47), (64_000, 93.53),
        (128_000, 96.77), (256_000, 97.53), (2_000_000, 100.0),
    ],
    GoogleRpc "googlerpc" "Google's RPCs, 2008, thinned to their octaves" [
        (0, 0.0), (3, 6.49), (32, 9.73), (64, 15.53), (128, 35.16), (256, 49.79), (512, 78.49),
        (1_024, 86.32), (2_048, 90.89), (4_096, 93.50), (8_192, 96.43), (16_384, 98.47),
        (32_768, 99.04), (65_536, 99.33), (131_072, 99.71), (262_144, 99.845), (524_288, 99.950),
        (1_048_576, 99.976), (2_097_152, 99.989), (4_193_000, 99.995), (8_231_141, 99.9985),
        (15_158_197, 100.0),
    ],
}

impl Workload {
    /// The distribution, linear between its points.
    pub fn distribution(self) -> Empirical {
        let point = |&(bytes, percent): &(u64, f64)| CdfPoint {
            size: Bytes::new(bytes),
            cumulative: Ratio::new(percent / 100.0),
        };
        let points = self.points().iter().map(point).collect();
        Empirical::new(points).expect("the points above rise and end at 100 %, as a test holds")
    }
}

impl Distribution for Workload {
    const SOURCE: &'static str = "each workload's own";

    fn check(&self, _payload: Bytes, _faults: &mut Faults) {}

    fn mean(&self, _payload: Bytes) -> f64 {
        self.distribution().mean()
    }

    fn draw(&self, _payload: Bytes, stream: Xoshiro256PlusPlus) -> Draws {
        self.distribution().draws(stream)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_workload_is_a_distribution() {
        for workload in Workload::ALL {
            assert!(workload.distribution().mean() > 100.0, "{}", workload.name());
        }
    }

    #[test]
    fn websearch_has_the_published_mean() {
        assert_eq!((Workload::WebSearch.distribution().mean() / 1e3).round(), 1711.0);
    }
}
