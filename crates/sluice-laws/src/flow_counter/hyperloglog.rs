//! `HyperLogLog`: Flajolet, Fusy, Gandouet and Meunier, "HyperLogLog: the analysis of a near-optimal cardinality
//! estimation algorithm", 2007.
//!
//! A departure: the estimator is that of Ertl, "New cardinality estimation algorithms for HyperLogLog sketches",
//! 2017, algorithm 6. The one of 2007 changes its formula at 2.5 m, and is off by several percent around it;
//! this one is unbiased for any number and needs no tables.

/// Largest value of a register: what 64 bits of hash leave after none at all.
const MOST: usize = 65;

/// Registers, each the largest rank of the hashes that fell to it.
#[derive(Clone, Debug)]
pub(super) struct HyperLogLog {
    registers: Vec<u8>,
    /// The number of registers of each value.
    of_value: Box<[u32; MOST + 1]>,
}

impl HyperLogLog {
    /// Of that many registers, a byte each.
    pub(super) fn new(registers: usize) -> Self {
        let mut all = Self { registers: vec![0; registers], of_value: Box::new([0; MOST + 1]) };
        all.clear();
        all
    }

    fn clear(&mut self) {
        self.registers.fill(0);
        self.of_value.fill(0);
        self.of_value[0] = self.registers.len() as u32;
    }

    pub(super) fn insert(&mut self, hash: u64) {
        // High bits of the product choose the register, low ones are uniform within it.
        let product = u128::from(hash) * self.registers.len() as u128;
        let register = &mut self.registers[(product >> 64) as usize];
        let rank = (product as u64).leading_zeros() as u8 + 1;
        if rank > *register {
            self.of_value[usize::from(*register)] -= 1;
            self.of_value[usize::from(rank)] += 1;
            *register = rank;
        }
    }

    /// Ertl's improved raw estimator, of q = 64 bits.
    pub(super) fn count(&mut self) -> f64 {
        let registers = self.registers.len() as f64;
        if self.of_value[0] as usize == self.registers.len() {
            return 0.0;
        }
        let part = |value: usize| f64::from(self.of_value[value]) / registers;
        let mut sum = tau(1.0 - part(MOST));
        for value in (1..MOST).rev() {
            sum = (sum + part(value)) / 2.0;
        }
        sum += sigma(part(0));
        self.clear();
        registers / (2.0 * core::f64::consts::LN_2 * sum)
    }
}

/// x + the sum over k of x^(2^k) 2^(k-1).
fn sigma(mut x: f64) -> f64 {
    let (mut scale, mut sum) = (1.0, x);
    loop {
        x *= x;
        let before = sum;
        sum += x * scale;
        scale *= 2.0;
        if sum == before {
            return sum;
        }
    }
}

/// (1 - x - the sum over k of (1 - x^(2^-k))^2 2^-k) / 3.
fn tau(mut x: f64) -> f64 {
    if x == 0.0 || x == 1.0 {
        return 0.0;
    }
    let (mut scale, mut sum) = (1.0, 1.0 - x);
    loop {
        x = libm::sqrt(x);
        let before = sum;
        scale /= 2.0;
        sum -= (1.0 - x) * (1.0 - x) * scale;
        if sum == before {
            return sum / 3.0;
        }
    }
}
