/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The router's fast path: RCP, XCP, NCP, XCP derived from NCP and Ledger at the egress of one link. A
 * packet leaves as it came, but for the words of its congestion header that the law's routers
 * change. All packets are counted.
 */
#include "kernel.h"
#include "egress.h"

/* Whether to try direct access first: always, but to hold the two ways against each other. */
const volatile _Bool direct = 1;

SEC("tc/egress")
int sluice_router(struct __sk_buff *skb)
{
	egress(skb, direct);
	return TCX_NEXT;
}

/* Run by the slow path, never attached: it changes the virtual queue under its lock. */
SEC("tc/egress")
int sluice_set_queue(struct __sk_buff *skb)
{
	queue_set();
	return TCX_NEXT;
}

/* No helper in use asks for GPL. */
char _license[] SEC("license") = "MIT OR Apache-2.0";
