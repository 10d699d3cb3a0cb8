//! Asks the processor for memory that will be wanted soon.
//!
//! A packet touches a score of cache lines whose addresses are known well before they are needed;
//! asked for at once, they come side by side instead of one after another.

/// Brings the `LINES` cache lines that follow the start of `place` near. A hint: it changes nothing.
#[inline(always)]
pub(crate) fn prefetch<const LINES: usize, T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "the processor ignores a prefetch of any address it cannot read")]
    for line in 0..LINES {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address = std::ptr::from_ref(place).cast::<i8>().wrapping_add(64 * line);
        // SAFETY: prefetching reads nothing that the program can see, and never faults.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
