/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What the fast paths of all laws share. Theirs are functions of plain values: no map, no packet.
 * Each does, bit for bit, what `arrive` and `stamp` of its law in crates/sluice-laws do; the words
 * of sums, grants and budgets are those of `Plain` there.
 */
#pragma once

#include "kernel.h"

#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))

/* Units of 2^-28 s in a second, as times have in headers. */
#define SECOND (1u << 28)

/* Forward words of a header, at most. */
#define WORDS 3

/* Packets under one header. */
struct train {
	/* On the wire, of all packets together. */
	__u32 bytes;
	/* 1 to 65535. */
	__u32 packets;
};

/* Significant bits of a rate that is granted: those that the echo carries. */
#define OFFER_BITS 20

/*
 * A rate as a header can grant it: 1 at least, and rounded down to its significant bits. BPF does not
 * count leading zeros; at most 12 bits are cut, whose number is found by halves.
 */
static __always_inline __u32 offer_rounded(__u32 rate)
{
	__u32 cut = 0;

	if (!rate)
		return 1;
	for (__u32 over = rate >> OFFER_BITS, half = 8; half; half >>= 1)
		if (over >> half) {
			over >>= half;
			cut += half;
		}
	cut += rate >> (OFFER_BITS + cut);
	return rate >> cut << cut;
}
