/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The echo of a rate in 24 bits: exponent (4 bits), mantissa (20 bits). crates/sluice-laws/src/wire/echo.rs.
 */
#pragma once

#include "law.h"

#define ECHO_BITS 20
#define ECHO_MAX (((1ull << ECHO_BITS) - 1) << 12)
/* No router lowered the rate, in the echo and in a forward word. */
#define ECHO_UNLIMITED 0xFFFFFF
#define RATE_UNLIMITED 0xFFFFFFFF

/* The code of a rate, which is rounded down. */
static __always_inline __u32 echo_code(__u32 rate)
{
	__u32 exponent = 0;

	if (rate == RATE_UNLIMITED)
		return ECHO_UNLIMITED;
	for (__u32 over = rate >> ECHO_BITS, half = 8; half; half >>= 1)
		if (over >> half) {
			over >>= half;
			exponent += half;
		}
	exponent += rate >> (ECHO_BITS + exponent);
	return exponent << ECHO_BITS | rate >> exponent;
}

/* The rate of a code, at most the largest that fits. */
static __always_inline __u32 echo_rate(__u32 code)
{
	__u64 rate = (__u64)(code & ((1 << ECHO_BITS) - 1)) << (code >> ECHO_BITS & 0xF);

	if (code == ECHO_UNLIMITED)
		return RATE_UNLIMITED;
	return min(rate, ECHO_MAX);
}
