/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What the hosts' programs use of the kernel: its stable interface to programs at sockets (linux/bpf.h), and
 * those fields of its own structures that the loader looks up in the running kernel's BTF.
 */
#pragma once

#include "kernel.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

enum {
	BPF_MAP_TYPE_SK_STORAGE = 24,
	BPF_F_NO_PREALLOC = 1,
	BPF_SK_STORAGE_GET_F_CREATE = 1,
};

/* Events at a socket: `op` of struct bpf_sock_ops. */
enum {
	BPF_SOCK_OPS_TCP_CONNECT_CB = 3,
	BPF_SOCK_OPS_ACTIVE_ESTABLISHED_CB = 4,
	BPF_SOCK_OPS_PASSIVE_ESTABLISHED_CB = 5,
	BPF_SOCK_OPS_TCP_LISTEN_CB = 11,
	BPF_SOCK_OPS_PARSE_HDR_OPT_CB = 13,
	BPF_SOCK_OPS_HDR_OPT_LEN_CB = 14,
	BPF_SOCK_OPS_WRITE_HDR_OPT_CB = 15,
};

/* Which of them a socket is asked about: `bpf_sock_ops_cb_flags`. */
enum {
	BPF_SOCK_OPS_PARSE_UNKNOWN_HDR_OPT_CB_FLAG = 1 << 5,
	BPF_SOCK_OPS_WRITE_HDR_OPT_CB_FLAG = 1 << 6,
};

enum {
	/* In args[0] of HDR_OPT_LEN: the kernel computes the segment size; there is no packet. */
	BPF_WRITE_HDR_TCP_CURRENT_MSS = 1,
	/* Searches the SYN that a SYN-ACK answers; there is none for one that is sent again. */
	BPF_LOAD_HDR_OPT_TCP_SYN = 1,
};

struct bpf_sock;
struct seq_file;

#define SOCK_OPS_POINTER(type, name) \
	union { \
		type name; \
		__u64 : 64; \
	} __attribute__((aligned(8)))

struct bpf_sock_ops {
	__u32 op;
	__u32 args[4];
	__u32 family;
	__u32 remote_ip4;
	__u32 local_ip4;
	__u32 remote_ip6[4];
	__u32 local_ip6[4];
	__u32 remote_port;
	__u32 local_port;
	__u32 is_fullsock;
	__u32 snd_cwnd;
	__u32 srtt_us;
	__u32 bpf_sock_ops_cb_flags;
	__u32 state;
	__u32 rtt_min;
	__u32 snd_ssthresh;
	__u32 rcv_nxt;
	__u32 snd_nxt;
	__u32 snd_una;
	__u32 mss_cache;
	__u32 ecn_flags;
	__u32 rate_delivered;
	__u32 rate_interval_us;
	__u32 packets_out;
	__u32 retrans_out;
	__u32 total_retrans;
	__u32 segs_in;
	__u32 data_segs_in;
	__u32 segs_out;
	__u32 data_segs_out;
	__u32 lost_out;
	__u32 sacked_out;
	__u32 sk_txhash;
	__u64 bytes_received;
	__u64 bytes_acked;
	SOCK_OPS_POINTER(struct bpf_sock *, sk);
	SOCK_OPS_POINTER(void *, skb_data);
	SOCK_OPS_POINTER(void *, skb_data_end);
	__u32 skb_len;
	__u32 skb_tcp_flags;
	__u64 skb_hwtstamp;
};

#define SOL_TCP 6
#define TCP_CONGESTION 13
#define TCP_CA_NAME_MAX 16
/* `bpf_sock_ops_cb_flags`, since Linux 6.12. */
#define TCP_BPF_SOCK_OPS_CB_FLAGS 1008
/* Of a socket's state. */
#define TCP_LISTEN 10

#define TCPHDR_SYN 0x02
#define TCPHDR_ACK 0x10

/* Of enum sk_pacing. */
#define SK_PACING_NONE 0
#define SK_PACING_NEEDED 1
/* Of enum tcp_ca_event: the first packet leaves after all before it were acknowledged. */
#define CA_EVENT_TX_START 0

/* The kernel's own structures: fields by name, whose offsets come from the running kernel. */
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct kernfs_node {
	__u64 id;
};

struct cgroup {
	int level;
	struct kernfs_node *kn;
	/* From the root down to itself. */
	struct cgroup *ancestors[1];
};

struct sock_cgroup_data {
	struct cgroup *cgroup;
};

struct sock_common {
	unsigned char skc_state;
};

struct sock {
	struct sock_cgroup_data sk_cgrp_data;
	unsigned long sk_pacing_rate;
	unsigned long sk_max_pacing_rate;
	__u32 sk_pacing_status;
};

struct inet_connection_sock_af_ops {
	__u16 net_header_len;
};

struct inet_connection_sock {
	const struct inet_connection_sock_af_ops *icsk_af_ops;
};

struct tcp_sock {
	__u16 tcp_header_len;
	__u32 packets_out;
	__u32 snd_cwnd;
	__u32 snd_cwnd_clamp;
	__u32 snd_ssthresh;
	__u32 srtt_us;
	__u32 mss_cache;
	/* Segments, since the connection began: lost, delivered, and of the latter those marked by ECN. */
	__u32 lost;
	__u32 delivered;
	__u32 delivered_ce;
};

struct bpf_iter_meta {
	struct seq_file *seq;
};

/* A walk over the sockets of a network namespace: one of them, or none at its end. */
struct bpf_iter__tcp {
	struct bpf_iter_meta *meta;
	struct sock_common *sk_common;
};

#pragma clang attribute pop

/* Operations of a congestion control, of which the loader matches those below by name. */
struct tcp_congestion_ops {
	__u32 (*ssthresh)(struct sock *sk);
	void (*cwnd_event)(struct sock *sk, __u32 event);
	void (*cong_control)(struct sock *sk, __u32 ack, int flag, const void *sample);
	__u32 (*undo_cwnd)(struct sock *sk);
	void (*init)(struct sock *sk);
	char name[TCP_CA_NAME_MAX];
};
