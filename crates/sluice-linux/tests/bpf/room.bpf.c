/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The program of hosts for devices, for a test run, whose socket has no connection: it gets the state of one that owes
 * its peer an echo.
 */
#include "host_sack.h"

/* The echo's code; 0 for none. */
__u32 owed;

SEC("tc/egress")
int room(struct __sk_buff *skb)
{
	struct bpf_sock *sk = skb->sk ? bpf_sk_fullsock((void *)(long)skb->sk) : 0;
	struct host_flow *flow = flow_of_sock(sk, BPF_SK_STORAGE_GET_F_CREATE);

	if (flow) {
		flow->echo = owed;
		flow->echo_at = bpf_ktime_get_ns();
	}
	make_room(skb);
	return TCX_NEXT;
}

char _license[] SEC("license") = "Dual MIT/GPL";
