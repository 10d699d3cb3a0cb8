/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * RCP at a host, for connections of programs that know nothing of it. One program sees the events of sockets in a
 * cgroup: it negotiates, writes requests and echoes, and reads grants. The other is the congestion control that
 * paces connections at what they are granted. A connection whose peer does not answer in kind, or whose path
 * grants nothing, is the kernel's own.
 */
#include "host_control.h"
#include "host_flow.h"
#include "host_kernel.h"
#include "host_listeners.h"
#include "host_option.h"
#include "host_sack.h"

#define WATCHED (BPF_SOCK_OPS_WRITE_HDR_OPT_CB_FLAG | BPF_SOCK_OPS_PARSE_UNKNOWN_HDR_OPT_CB_FLAG)

static __always_inline void watch(struct bpf_sock_ops *event)
{
	/* Other programs of the cgroup may have asked for other events. */
	bpf_sock_ops_cb_flags_set(event, event->bpf_sock_ops_cb_flags | WATCHED);
}

/* How many SYNs may be lost with the option, as Linux has it for MPTCP. */
#define SYNS 2

/* A connection begins, perhaps on a socket that had another before. */
static __always_inline void on_connect(struct bpf_sock_ops *event)
{
	struct host_flow *flow = flow_of_sock(event->sk, BPF_SK_STORAGE_GET_F_CREATE);
	char before[TCP_CA_NAME_MAX];

	if (!flow)
		return;
	__builtin_memcpy(before, flow->before, sizeof(before));
	if (before[0])
		bpf_setsockopt(event, SOL_TCP, TCP_CONGESTION, before, sizeof(before));
	__builtin_memset(flow, 0, sizeof(*flow));
	watch(event);
}

/* Puts a connection under the control of grants; what it had is kept for when they end. */
static __always_inline _Bool begin_to_follow(struct bpf_sock_ops *event, struct host_flow *flow)
{
	char *ours = (char *)control_name, name[TCP_CA_NAME_MAX] = {};

	if (bpf_getsockopt(event, SOL_TCP, TCP_CONGESTION, name, sizeof(name)))
		return 0;
	if (!bpf_strncmp(name, sizeof(name), ours))
		return 1;
	__builtin_memcpy(flow->before, name, sizeof(name));
	if (bpf_setsockopt(event, SOL_TCP, TCP_CONGESTION, ours, TCP_CA_NAME_MAX))
		return 0;
	count(followed);
	return 1;
}

/* A grant came for this host's packets. */
static __always_inline void on_grant(struct bpf_sock_ops *event, struct host_flow *flow,
				     __u32 rate)
{
	_Bool follows = flow->granted;
	__u64 now = bpf_ktime_get_ns();

	count(grants);
	if (now < flow->ignore_until)
		return;
	flow->granted = rate;
	flow->granted_at = now;
	flow->fresh = 1;
	if (follows)
		return;
	flow->round_began = 0;
	if (!begin_to_follow(event, flow))
		flow->granted = 0;
}

/* A router's grant for the peer's packet, which goes back. */
static __always_inline void on_request(struct host_flow *flow, const struct rcp_option *option)
{
	flow->echo = echo_code(bpf_ntohl(option->rate));
	flow->echo_at = bpf_ktime_get_ns();
}

/* Whether a packet carries data. Unless its length is about to be known, `skb_len` counts from its TCP header on. */
static __always_inline _Bool has_data(struct bpf_sock_ops *event)
{
	const __u8 *tcp = event->skb_data;

	if (event->op == BPF_SOCK_OPS_HDR_OPT_LEN_CB)
		return event->skb_len > 0;
	if ((void *)(tcp + 20) > event->skb_data_end)
		return 0;
	return event->skb_len > (tcp[12] >> 4 << 2);
}

static __always_inline void on_option(struct bpf_sock_ops *event, struct host_flow *flow,
				      const struct rcp_option *option, __u32 length)
{
	__u32 rate = echo_rate(bpf_ntohl(option->names) & 0xFFFFFF);

	/* Where no router lowered the rate, none grants, and a connection that followed is to follow no more. */
	if (rate == RATE_UNLIMITED)
		flow->granted = 0;
	else if (rate)
		on_grant(event, flow, rate);
	if (length == OPTION_FULL)
		on_request(flow, option);
	else if (has_data(event))
		flow->echo = 0;
}

/*
 * The handshake is complete: both ends speak the protocol if the packet that completes it has an option, or the connection is
 * ordinary. A server does not go by the SYN, which is forgotten with SYN cookies.
 */
static __always_inline void on_established(struct bpf_sock_ops *event, _Bool is_client)
{
	struct rcp_option option;
	__u32 length = option_read(event, &option, 0);
	struct host_flow *flow;

	if (!length) {
		bpf_sock_ops_cb_flags_set(event, event->bpf_sock_ops_cb_flags & ~WATCHED);
		if (event->sk)
			bpf_sk_storage_delete(&host_flows, event->sk);
		count(ordinary);
		return;
	}
	flow = flow_of_sock(event->sk, is_client ? 0 : BPF_SK_STORAGE_GET_F_CREATE);
	if (!flow)
		return;
	count(agreed);
	watch(event);
	on_option(event, flow, &option, length);
}

static __always_inline void on_packet(struct bpf_sock_ops *event)
{
	struct host_flow *flow = flow_of_sock(event->sk, 0);
	struct rcp_option option;
	__u32 length = option_read(event, &option, 0);

	if (flow && length)
		on_option(event, flow, &option, length);
}

/*
 * A SYN-ACK that is sent again has no SYN to look at (TCP_SAVE_SYN is not set), and so no option: something on the path
 * may have dropped the first for it.
 */
static __always_inline __u32 answer_to_syn(struct bpf_sock_ops *event, struct rcp_option *option)
{
	struct rcp_option syn;
	__u32 length = option_read(event, &syn, BPF_LOAD_HDR_OPT_TCP_SYN), echo;

	if (!length)
		return 0;
	echo = length == OPTION_FULL ? echo_code(bpf_ntohl(syn.rate)) : 0;
	option_build(option, OPTION_FULL, echo, 0);
	return OPTION_FULL;
}

/*
 * The option for the packet about to leave: full in SYNs, until two were lost, perhaps for their option; in the first
 * answer to a SYN that had one; and with data. Others return an echo, as a client's answer to a SYN-ACK does.
 */
static __always_inline __u32 wanted(struct bpf_sock_ops *event, struct rcp_option *option)
{
	struct host_flow *flow = flow_of_sock(event->sk, 0);
	__u32 flags = event->skb_tcp_flags, echo;

	if (flags & TCPHDR_SYN && flags & TCPHDR_ACK)
		return answer_to_syn(event, option);
	if (!flow)
		return 0;
	if (event->op == BPF_SOCK_OPS_HDR_OPT_LEN_CB &&
	    event->args[0] == BPF_WRITE_HDR_TCP_CURRENT_MSS)
		return OPTION_FULL;
	echo = echo_of(flow);
	if (flags & TCPHDR_SYN ? event->total_retrans < SYNS : has_data(event)) {
		option_build(option, OPTION_FULL, echo, event->srtt_us);
		return OPTION_FULL;
	}
	if (flags & TCPHDR_SYN || !echo)
		return 0;
	option_build(option, OPTION_SHORT, echo, 0);
	return OPTION_SHORT;
}

static __always_inline void reserve(struct bpf_sock_ops *event)
{
	struct rcp_option option;
	__u32 length = wanted(event, &option);

	if (!length || !bpf_reserve_hdr_opt(event, length, 0))
		return;
	if (length == OPTION_FULL && !bpf_reserve_hdr_opt(event, OPTION_SHORT, 0))
		return;
	if (event->args[0] != BPF_WRITE_HDR_TCP_CURRENT_MSS)
		count(no_room);
}

static __always_inline void write(struct bpf_sock_ops *event)
{
	struct rcp_option option;
	__u32 length = wanted(event, &option);

	if (!length)
		return;
	if (length == OPTION_FULL && !bpf_store_hdr_opt(event, &option, OPTION_FULL, 0)) {
		count(full);
		return;
	}
	option.length = OPTION_SHORT;
	if (!bpf_store_hdr_opt(event, &option, OPTION_SHORT, 0))
		count(brief);
}

SEC("sockops")
int sluice_host(struct bpf_sock_ops *event)
{
	switch (event->op) {
	case BPF_SOCK_OPS_TCP_LISTEN_CB:
		watch(event);
		break;
	case BPF_SOCK_OPS_TCP_CONNECT_CB:
		on_connect(event);
		break;
	case BPF_SOCK_OPS_ACTIVE_ESTABLISHED_CB:
		on_established(event, 1);
		break;
	case BPF_SOCK_OPS_PASSIVE_ESTABLISHED_CB:
		on_established(event, 0);
		break;
	case BPF_SOCK_OPS_PARSE_HDR_OPT_CB:
		on_packet(event);
		break;
	case BPF_SOCK_OPS_HDR_OPT_LEN_CB:
		reserve(event);
		break;
	case BPF_SOCK_OPS_WRITE_HDR_OPT_CB:
		write(event);
		break;
	}
	return 1;
}

SEC("iter/tcp")
int sluice_listeners(struct bpf_iter__tcp *walk)
{
	see_socket(walk, WATCHED);
	return 0;
}

/* At the egress of a host's device. */
SEC("tc/egress")
int sluice_make_room(struct __sk_buff *skb)
{
	make_room(skb);
	return TCX_NEXT;
}

SEC("struct_ops/sluice_init")
void BPF_PROG(sluice_init, struct sock *sk)
{
	struct host_flow *flow = flow_of_sock(sk, 0);

	/* The kernel paces by a timer of its own, unless the fq discipline does. */
	if (sk->sk_pacing_status == SK_PACING_NONE)
		sk->sk_pacing_status = SK_PACING_NEEDED;
	if (flow && flow->granted)
		follow(sk, flow);
}

SEC("struct_ops/sluice_cong_control")
void BPF_PROG(sluice_cong_control, struct sock *sk)
{
	struct host_flow *flow = flow_of_sock(sk, 0);
	char control[TCP_CA_NAME_MAX] = ALWAYS_THERE;
	__u32 delivered;

	/* A connection that took ours as its default, without the program at sockets. */
	if (!flow) {
		bpf_setsockopt(sk, SOL_TCP, TCP_CONGESTION, control, sizeof(control));
		return;
	}
	if (is_silent(tcp_of(sk), flow) || !flow->granted) {
		fall_back_silent(sk, flow);
		return;
	}
	delivered = lossy(sk, flow);
	if (delivered) {
		ignore_grants(flow);
		fall_back(sk, flow, delivered / 2);
		return;
	}
	if (!flow->stale)
		follow(sk, flow);
}

/*
 * After a pause an old grant says nothing of the link: the window is that of a new connection at most until a new one comes,
 * or the end of the control.
 */
SEC("struct_ops/sluice_cwnd_event")
void BPF_PROG(sluice_cwnd_event, struct sock *sk, __u32 event)
{
	struct host_flow *flow = flow_of_sock(sk, 0);
	struct tcp_sock *tcp = tcp_of(sk);

	if (event != CA_EVENT_TX_START || !flow ||
	    !is_over(tcp, flow, flow->granted_at, bpf_ktime_get_ns()))
		return;
	flow->stale = 1;
	tcp->snd_cwnd = min(tcp->snd_cwnd, LEAST_WINDOW);
}

/*
 * "Retransmits lost packets just like TCP" (section 2.3), but the routers alone set the rate: they see the queue that
 * lost the packet.
 */
SEC("struct_ops/sluice_ssthresh")
__u32 BPF_PROG(sluice_ssthresh, struct sock *sk)
{
	return max(tcp_of(sk)->snd_cwnd, 2);
}

SEC("struct_ops/sluice_undo_cwnd")
__u32 BPF_PROG(sluice_undo_cwnd, struct sock *sk)
{
	return tcp_of(sk)->snd_cwnd;
}

/* Without min_tso_segs: with one in BPF the kernel now and then sends half of a window in one train (decision 31). */
SEC(".struct_ops.link")
struct tcp_congestion_ops sluice_rcp = {
	.init = (void *)sluice_init,
	.cong_control = (void *)sluice_cong_control,
	.cwnd_event = (void *)sluice_cwnd_event,
	.ssthresh = (void *)sluice_ssthresh,
	.undo_cwnd = (void *)sluice_undo_cwnd,
	.name = "sluice_rcp",
};

/* The kernel lets only programs compatible with the GPL control congestion. MIT is, and this is its name for it. */
char _license[] SEC("license") = "Dual MIT/GPL";
