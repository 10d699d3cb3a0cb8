/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Options of RCP that no host writes. What is written behind their end does not reach the packet.
 */
#pragma once

#include "headers.h"

struct options {
	union {
		__u8 bytes[TCP_OPTIONS];
		__be32 words[TCP_OPTIONS / 4];
	};
};

/* Any echo, and any forward words. */
static __always_inline void redraw(struct options *options)
{
	options->words[1] = (options->words[1] & bpf_htonl(0xFF000000)) |
			    (bpf_get_prandom_u32() & bpf_htonl(0xFFFFFF));
	options->words[2] = bpf_get_prandom_u32();
	options->words[3] = bpf_get_prandom_u32();
}

/*
 * As many of 16 options in any way, so that what is left may be valid. The kind stays, since a time stamp would have TCP itself
 * drop what comes after (PAWS).
 */
static __always_inline void garble(struct options *options, __u32 of_16)
{
	__u32 random = bpf_get_prandom_u32();
	__u8 byte = random >> 16, nibble = byte & 0xF;

	if ((random & 15) >= of_16)
		return;
	switch (random >> 4 & 7) {
	case 0:
		options->bytes[1] = nibble & 1 ? OPTION_SHORT : OPTION_SHORT + 8;
		options->bytes[2] = byte;
		options->words[1] = bpf_get_prandom_u32();
		redraw(options);
		break;
	case 1:
		options->bytes[1] = byte;
		break;
	case 2:
		/* Shorter than any. */
		options->bytes[1] = byte & 7;
		break;
	case 3:
		options->words[0] ^= bpf_htonl(1 << nibble);
		break;
	case 4:
		options->bytes[4] = byte;
		break;
	case 5:
	case 6:
		redraw(options);
		break;
	case 7:
		/* Two short ones, of any echoes. */
		options->bytes[1] = OPTION_SHORT;
		options->words[2] = options->words[0];
		options->words[3] = options->words[1];
		options->words[1] ^= bpf_get_prandom_u32() & bpf_htonl(0xFFFFFF);
		break;
	}
}

/* One in two options so that it is none of RCP's, with any echo, which is to be ignored. */
static __always_inline void break_option(struct options *options)
{
	__u32 random = bpf_get_prandom_u32();
	__u8 byte = random >> 16, nibble = byte & 0xF;

	if (random & 1)
		return;
	redraw(options);
	switch (random >> 1 & 3) {
	case 0:
		options->bytes[1] = byte & 0x80 ? OPTION_SHORT + 1 + nibble % 7 : byte & 7;
		break;
	case 1:
		options->words[0] ^= bpf_htonl(1 << nibble);
		break;
	case 2:
		options->bytes[4] = OPTION_VERSION << 4 | (nibble == RCP ? XCP : nibble);
		break;
	case 3:
		options->bytes[4] = (nibble == OPTION_VERSION ? 0 : nibble) << 4 | RCP;
		break;
	}
}
