/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The router's fast path: RCP, XCP, NCP, XCP derived from NCP and Ledger at the egress of one link. A
 * packet leaves as it came, but for the words of its congestion header that the law's routers
 * change.
 */
#include "kernel.h"
#include "fallback.h"
#include "packet.h"
#include "pass.h"

/* Whether to try direct access first: always, but to hold the two ways against each other. */
const volatile _Bool direct = 1;

SEC("tc/egress")
int sluice_router(struct __sk_buff *skb)
{
	struct asked asked;
	enum parsed parsed = direct ? parse_direct(skb, &asked) : UNUSUAL;

	if (parsed == UNUSUAL)
		parsed = parse_copied(skb, &asked);
	if (parsed == ASKED)
		pass(skb, &asked, direct);
	return TCX_NEXT;
}

/* No helper in use asks for GPL. */
char _license[] SEC("license") = "MIT OR Apache-2.0";
