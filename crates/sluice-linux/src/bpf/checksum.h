/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Sums of words, as TCP's checksum has them.
 */
#pragma once

#include "kernel.h"

/* The checksum adds 16-bit words; what begins at an odd byte counts with its bytes swapped. */
static __always_inline __u32 swapped(__u32 word)
{
	return (word & 0x00FF00FF) << 8 | (word >> 8 & 0x00FF00FF);
}

/* What is carried out is added again. */
static __always_inline __be32 summed(__be32 a, __be32 b)
{
	__u64 sum = (__u64)a + b;

	return sum + (sum >> 32);
}
