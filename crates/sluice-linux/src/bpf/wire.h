/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The TCP option that carries a header: docs/wire.md.
 */
#pragma once

#include "kernel.h"
#include "law.h"

#define OPTION_KIND 253
#define OPTION_EXID 0x51CE
#define OPTION_VERSION 1
/* Without forward words, which are what follows. */
#define OPTION_SHORT 8

#define TCP_END 0
#define TCP_NOP 1
#define TCP_HEADER 20
#define TCP_OPTIONS 40
#define TCP_CHECKSUM 16

enum law {
	RCP = 1,
	XCP = 2,
	NCP = 3,
	INCREMENTS = 6,
	LEDGER = 7,
	/* How many numbers there is room for, 0 being none: a power of two. */
	LAWS = 8,
};

/* The numbers above, a bit for each. */
#define SUPPORTED (1 << RCP | 1 << XCP | 1 << NCP | 1 << INCREMENTS | 1 << LEDGER)

/* A full option in a packet. */
struct asked {
	__u32 law;
	/* Of the TCP header, from the packet's first byte. */
	__u32 tcp;
	/* Of the option, from the TCP header's first byte. */
	__u32 at;
	/* Forward words in host order; all but the law's are undefined. */
	__u32 words[WORDS];
};

/* Bytes of a law's forward words. */
static __always_inline __u32 forward_bytes(__u32 law)
{
	return law == RCP ? 8 : 12;
}

/* In which forward word the law's routers grant. */
static __always_inline __u32 stamped_word(__u32 law)
{
	return law == XCP || law == INCREMENTS ? 2 : 0;
}

/* The law of an option of our kind, or 0 if it is none of ours. Its first five bytes are there. */
static __always_inline __u32 law_of(const __u8 *option, __u32 length)
{
	__u32 law = option[4] & 0xF;

	if (option[2] != OPTION_EXID >> 8 || option[3] != (OPTION_EXID & 0xFF) ||
	    option[4] >> 4 != OPTION_VERSION || !(SUPPORTED >> law & 1))
		return 0;
	return length == OPTION_SHORT || length == OPTION_SHORT + forward_bytes(law) ? law : 0;
}

/*
 * Looks through TCP options, 40 bytes at most, for the first congestion option. Returns its law, 0 if
 * there is none; `at` is its position if it is full, 0 if there is none or it is short.
 *
 * `end` is where the readable part of the packet ends, if the options lie `in_packet`.
 */
static __always_inline __u32 find_option(const __u8 *options, __u32 length, _Bool in_packet,
					 const void *end, __u32 *at)
{
	__u32 i = 0;

	if (length > TCP_OPTIONS)
		return 0;
	while (i <= TCP_OPTIONS - 2 && i + 2 <= length) {
		const __u8 *option = options + i;
		if (in_packet && (const void *)(option + 2) > end)
			return 0;
		if (option[0] == TCP_END)
			return 0;
		if (option[0] == TCP_NOP) {
			i++;
			continue;
		}
		__u32 size = option[1];
		if (size < 2 || i + size > length)
			return 0;
		if (option[0] == OPTION_KIND && size >= OPTION_SHORT &&
		    i <= TCP_OPTIONS - OPTION_SHORT) {
			if (in_packet && (const void *)(option + OPTION_SHORT) > end)
				return 0;
			__u32 law = law_of(option, size);
			if (law) {
				*at = i;
				return size == OPTION_SHORT ? 0 : law;
			}
		}
		i += size;
	}
	return 0;
}
