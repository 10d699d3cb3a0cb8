/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Sockets that listened before the programs were there: the kernel asks the programs about packets of those sockets
 * alone that have asked for it, which others do when they begin to listen.
 */
#pragma once

#include "host_kernel.h"

/* The inode of the cgroup's folder. Set before the walk. */
__u64 listeners_cgroup;

/* A search for that cgroup among the ancestors of another. */
struct cgroup_search {
	const void *ancestors;
	_Bool found;
};

/* Compares the ancestor of this level; 1 ends the search. */
static long compare_ancestor(__u32 level, struct cgroup_search *search)
{
	struct cgroup *cgroup;
	const void *place = search->ancestors + level * sizeof(cgroup);

	if (bpf_probe_read_kernel(&cgroup, sizeof(cgroup), place))
		return 1;
	if (BPF_CORE_READ(cgroup, kn, id) != listeners_cgroup)
		return 0;
	search->found = 1;
	return 1;
}

/* Whether a socket is of that cgroup, or of one below it, however deep: the kernel does not limit how they are nested. */
static __always_inline _Bool is_within(struct sock *sk)
{
	struct cgroup *cgroup = BPF_CORE_READ(sk, sk_cgrp_data.cgroup);
	struct cgroup_search search = {
		.ancestors = (void *)cgroup + bpf_core_field_offset(struct cgroup, ancestors),
	};

	/* Itself is the last. */
	bpf_loop(BPF_CORE_READ(cgroup, level) + 1, compare_ancestor, &search, 0);
	return search.found;
}

/* What the walk writes for each of those sockets. */
#define WATCHED_NOW '+'
/* The kernel cannot: it is older than Linux 6.12. */
#define LEFT_ALONE '-'

/* Makes a socket that listens one whose packets the programs see. */
static __always_inline char watch_listener(struct tcp_sock *tcp, int wanted)
{
	int flags = 0;

	bpf_getsockopt(tcp, SOL_TCP, TCP_BPF_SOCK_OPS_CB_FLAGS, &flags, sizeof(flags));
	flags |= wanted;
	return bpf_setsockopt(tcp, SOL_TCP, TCP_BPF_SOCK_OPS_CB_FLAGS, &flags, sizeof(flags))
		       ? LEFT_ALONE
		       : WATCHED_NOW;
}

/* Called for each socket of a network namespace. */
static __always_inline void see_socket(struct bpf_iter__tcp *walk, int wanted)
{
	struct sock_common *common = walk->sk_common;
	struct tcp_sock *tcp;
	char result;

	if (!common || common->skc_state != TCP_LISTEN)
		return;
	tcp = bpf_skc_to_tcp_sock(common);
	if (!tcp || !is_within((struct sock *)tcp))
		return;
	result = watch_listener(tcp, wanted);
	bpf_seq_write(walk->meta->seq, &result, sizeof(result));
}
