/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * RCP's sender in the kernel: "the source transmits at rate R_p" (Processor Sharing Flows in the Internet, section
 * 2.2 step 3), and what a connection does without a rate. crates/sluice-laws/src/rcp/host.rs.
 */
#pragma once

#include "host_flow.h"
#include "host_option.h"

/*
 * How the kernel knows RCP's congestion control: letters, digits, dots and underscores. Set before the programs are loaded,
 * since a name is the machine's, and several hosts may be up in its namespaces.
 */
const volatile char control_name[TCP_CA_NAME_MAX] = "sluice_rcp";
/* A congestion control of the kernel's, for a connection whose own is not known or is gone. */
#define ALWAYS_THERE "reno"

/* Bytes of a frame's header below IP, as routers count them: Ethernet's. */
#define LINK_HEADER 14
/*
 * For how long, in ns, a grant holds beyond two periods (below): its life at a router, four intervals of 10 ms, so that one that is
 * renewed late ends no connection's control.
 */
#define PATIENCE 40000000ull

/*
 * A sender below a segment an RTT sends one all the same, an RTT counting as this at least, in us: RCP's longest
 * interval. Otherwise it learns of a higher rate only from its next segment, seconds later. The simulator's senders
 * have probes (REF) for that, which a program cannot send here. While such segments are lost, they leave half as often after
 * each lossy round, down to 2^-BACKOFF_MOST, and twice as often after each other one.
 */
#define SLOWEST_PERIOD 10000
#define BACKOFF_MOST 6

/* Packets that may be in flight at any rate: the initial window of RFC 6928. */
#define LEAST_WINDOW 10

static __always_inline struct tcp_sock *tcp_of(struct sock *sk)
{
	return (struct tcp_sock *)sk;
}

/* Payload of a full segment, beside our option. */
static __always_inline __u32 payload_of(const struct tcp_sock *tcp)
{
	return tcp->mss_cache > OPTION_FULL + 1 ? tcp->mss_cache - OPTION_FULL : 1;
}

/*
 * Payload in bytes a second at a granted rate. The kernel's pacing counts payload, the routers all bytes of a
 * frame: headers count as those of full segments, so a flow of shorter ones exceeds its grant by their headers.
 */
static __always_inline __u64 granted_payload(struct sock *sk, __u32 granted)
{
	const struct inet_connection_sock *icsk = (void *)sk;
	const struct tcp_sock *tcp = tcp_of(sk);
	__u64 bytes = (__u64)granted * 25 / 2, payload = payload_of(tcp);
	__u32 headers = tcp->tcp_header_len + OPTION_FULL + icsk->icsk_af_ops->net_header_len +
			LINK_HEADER;

	return bytes * payload / (payload + headers);
}

/* The longest time between two segments, in us, and the length of a round. */
static __always_inline __u64 period(const struct tcp_sock *tcp, const struct host_flow *flow)
{
	return (__u64)max(tcp->srtt_us >> 3, SLOWEST_PERIOD) << flow->backoff;
}

/* Segments that leave in an RTT at that rate. */
static __always_inline __u32 segments_per_rtt(const struct tcp_sock *tcp, __u64 rate)
{
	/* The kernel's unit is an eighth of a microsecond. */
	__u64 bytes = rate * tcp->srtt_us / 8000000, segments = bytes / payload_of(tcp);

	return min(segments, 1u << 20);
}

/*
 * Sends at the granted rate. The rate alone limits a sender; the window, twice what it sends in an RTT, bounds
 * what is lost if a path fails. Beside it there is room for what waits in the host: a train of a millisecond
 * (tcp_tso_autosize) and the one before.
 */
static __always_inline void follow(struct sock *sk, const struct host_flow *flow)
{
	struct tcp_sock *tcp = tcp_of(sk);
	__u64 least = 1000000ull * payload_of(tcp) / period(tcp, flow);
	__u64 rate = max(granted_payload(sk, flow->granted), least);

	rate = min(rate, (__u64)sk->sk_max_pacing_rate);
	__u64 trains = (rate >> 9) / payload_of(tcp);
	__u32 window = 2 * segments_per_rtt(tcp, rate) + min(trains, 1u << 20) + LEAST_WINDOW;
	sk->sk_pacing_rate = rate;
	tcp->snd_cwnd = min(window, tcp->snd_cwnd_clamp);
}

/* Whether a grant of `then` is too old: two RTTs, or two segments at the least rate, and some. */
static __always_inline _Bool is_over(const struct tcp_sock *tcp, const struct host_flow *flow,
				     __u64 then, __u64 now)
{
	return now > then + 2000 * period(tcp, flow) + PATIENCE;
}

/*
 * At each acknowledgement: whether they have carried no grant for too long, and more than a few. No router grants any more
 * then, or this host's program at sockets is gone.
 */
#define SILENT_ACKS 3

static __always_inline _Bool is_silent(const struct tcp_sock *tcp, struct host_flow *flow)
{
	if (flow->fresh) {
		flow->fresh = 0;
		flow->stale = 0;
		flow->silent = 0;
		return 0;
	}
	__u64 now = bpf_ktime_get_ns();
	if (!flow->silent)
		flow->silent_since = now;
	flow->silent++;
	return flow->silent >= SILENT_ACKS && is_over(tcp, flow, flow->silent_since, now);
}

/*
 * RCP's senders ignore losses, since routers see the queues that lose packets. A link without a router may lose them, too:
 * a connection that in each of four rounds (of an RTT, 10 ms at least) loses more than one in eight segments, and delivers
 * less than seven eighths of what it is granted, ignores grants for ten seconds, and twice as long each time. Marks of ECN
 * count as losses. Where routers see the overload, grants are delivered, or fall: a round whose grant is an eighth below that of
 * the one before does not count, and one below half of what the first of the row was granted ends the row.
 */
#define LOSS_PART 8
#define LOSSY_ROUNDS 4
#define DISTRUST 10000000000ull
#define DISTRUST_DOUBLES 5

/* At each acknowledgement: returns the segments that the last round delivered if it is lossy and should be the last, 0 if not. */
static __always_inline __u32 lossy(struct sock *sk, struct host_flow *flow)
{
	const struct tcp_sock *tcp = tcp_of(sk);
	__u64 now = bpf_ktime_get_coarse_ns(), elapsed = now - flow->round_began;

	if (elapsed < 1000 * period(tcp, flow))
		return 0;
	__u64 lost = (__u32)(tcp->lost + tcp->delivered_ce - flow->lost);
	__u64 delivered = (__u32)(tcp->delivered - flow->delivered);
	__u64 rate = min(granted_payload(sk, flow->granted), (__u64)sk->sk_pacing_rate);
	__u64 granted = rate * (elapsed / 1000) / 1000000 / payload_of(tcp);
	_Bool is_first = !flow->round_began, is_lossy = lost * LOSS_PART > lost + delivered;
	_Bool is_seen = LOSS_PART * (__u64)flow->granted < (LOSS_PART - 1) * (__u64)flow->round_grant;

	flow->round_began = now;
	flow->round_grant = flow->granted;
	flow->lost = tcp->lost + tcp->delivered_ce;
	flow->delivered = tcp->delivered;
	if (is_first || !is_lossy) {
		flow->lossy_rounds = 0;
		flow->backoff -= flow->backoff > 0;
		return 0;
	}
	flow->backoff = min(flow->backoff + 1, BACKOFF_MOST);
	if (LOSS_PART * delivered >= (LOSS_PART - 1) * granted ||
	    (flow->lossy_rounds && 2 * (__u64)flow->granted < flow->row_grant)) {
		flow->lossy_rounds = 0;
		return 0;
	}
	if (is_seen)
		return 0;
	if (!flow->lossy_rounds)
		flow->row_grant = flow->granted;
	flow->lossy_rounds++;
	return flow->lossy_rounds < LOSSY_ROUNDS ? 0 : max(delivered, 1);
}

static __always_inline void ignore_grants(struct host_flow *flow)
{
	flow->ignore_until = bpf_ktime_get_ns() + (DISTRUST << flow->distrusted);
	flow->distrusted = min(flow->distrusted + 1, DISTRUST_DOUBLES);
	count(lossy);
}

/* Returns the connection to its own congestion control, in congestion avoidance at that window. */
static __always_inline void fall_back(struct sock *sk, struct host_flow *flow, __u32 window)
{
	struct tcp_sock *tcp = tcp_of(sk);
	char before[TCP_CA_NAME_MAX], always[TCP_CA_NAME_MAX] = ALWAYS_THERE;

	tcp->snd_cwnd = min(max(window, 2), tcp->snd_cwnd_clamp);
	tcp->snd_ssthresh = tcp->snd_cwnd;
	flow->granted = 0;
	flow->lossy_rounds = 0;
	flow->backoff = 0;
	__builtin_memcpy(before, flow->before, sizeof(before));
	if (bpf_setsockopt(sk, SOL_TCP, TCP_CONGESTION, before, sizeof(before)) &&
	    bpf_setsockopt(sk, SOL_TCP, TCP_CONGESTION, always, sizeof(always)))
		return;
	count(fell_back);
}

/* The same for want of grants: what is in flight goes on, but no more than the rate had there. */
static __always_inline void fall_back_silent(struct sock *sk, struct host_flow *flow)
{
	const struct tcp_sock *tcp = tcp_of(sk);

	fall_back(sk, flow, min(segments_per_rtt(tcp, sk->sk_pacing_rate), tcp->packets_out));
}
