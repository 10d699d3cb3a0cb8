/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * RCP's option as hosts write and read it: docs/wire.md.
 */
#pragma once

#include "echo.h"
#include "host_flow.h"
#include "wire.h"

#define OPTION_FULL (OPTION_SHORT + 8)
#define OPTION_NAMES (OPTION_VERSION << 4 | RCP)

/*
 * How long, in ns, a grant is returned in every packet to the sender: longer than an acknowledgement is delayed
 * (TCP_DELACK_MAX), and so that a lost one does not matter.
 */
#define ECHO_HOLDS 250000000ull

struct rcp_option {
	__u8 kind;
	__u8 length;
	__be16 exid;
	/* Version and law, and the echo. */
	__be32 names;
	__be32 rate;
	__be32 rtt;
};

/* What the kernel is to search for: kind, length of these four bytes, experiment. */
static __always_inline void option_asked(struct rcp_option *option)
{
	__builtin_memset(option, 0, sizeof(*option));
	option->kind = OPTION_KIND;
	option->length = 4;
	option->exid = bpf_htons(OPTION_EXID);
}

/* The option of a packet of the connection, or of its SYN: its length, 0 if it has none of RCP's. */
static __always_inline __u32 option_read(struct bpf_sock_ops *event, struct rcp_option *option,
					 __u64 flags)
{
	option_asked(option);
	int length = bpf_load_hdr_opt(event, option, sizeof(*option), flags);

	if ((length != OPTION_SHORT && length != OPTION_FULL) ||
	    bpf_ntohl(option->names) >> 24 != OPTION_NAMES)
		return 0;
	return length;
}

/* What to return to the peer now. */
static __always_inline __u32 echo_of(const struct host_flow *flow)
{
	if (!flow || !flow->echo || bpf_ktime_get_ns() - flow->echo_at > ECHO_HOLDS)
		return 0;
	return flow->echo;
}

/* An RTT as headers state it, of the kernel's smoothed RTT in eighths of a microsecond. */
static __always_inline __u32 stated_rtt(__u32 srtt_us)
{
	/* 2^28 / 10^6 / 8 in units of 2^-24. A connection without a sample has an RTT of 0. */
	__u64 units = (__u64)srtt_us * 562949953 >> 24;

	return units > 0xFFFFFFFF ? 0xFFFFFFFF : units;
}

static __always_inline void option_build(struct rcp_option *option, __u32 length, __u32 echo,
					 __u32 srtt_us)
{
	option->kind = OPTION_KIND;
	option->length = length;
	option->exid = bpf_htons(OPTION_EXID);
	option->names = bpf_htonl(OPTION_NAMES << 24 | echo);
	option->rate = bpf_htonl(RATE_UNLIMITED);
	option->rtt = bpf_htonl(stated_rtt(srtt_us));
}
