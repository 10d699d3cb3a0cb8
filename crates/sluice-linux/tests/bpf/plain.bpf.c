/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The laws' functions on plain values, for vectors that no packet could be: trains larger than a test
 * run lets a packet be.
 */
#include "kernel.h"
#include "echo.h"
#include "ledger.h"
#include "ncp.h"
#include "ncp_compensated.h"
#include "ncp_counted.h"
#include "ncp_increments.h"
#include "rcp.h"
#include "wire.h"
#include "xcp.h"

/* NCP with compensation and NCP that counts flows, which have no numbers of their own. */
#define COMPENSATED LAWS
#define COUNTED (LAWS + 1)
/* No law: the code of the echo of words[0] becomes words[1], and the rate of words[0] as a code words[2]. */
#define ECHO (LAWS + 2)

struct {
	__u64 grant[11];
	__s64 budget[24];
	__u64 sums[14];
	__u32 words[WORDS];
	__u32 law;
	struct train train;
} vector;

SEC("tc/egress")
int plain(struct __sk_buff *skb)
{
	struct train train = vector.train;
	__u32 *words = vector.words;

	switch (vector.law) {
	case RCP:
		rcp_arrive(vector.sums, words, train);
		words[0] = rcp_stamp(vector.grant, words);
		break;
	case XCP:
		xcp_arrive(vector.sums, words, train);
		words[2] = xcp_stamp(vector.grant, vector.budget, words, train);
		break;
	case NCP:
		ncp_arrive(vector.sums, words, train);
		words[0] = ncp_stamp(vector.grant, words);
		break;
	case COMPENSATED:
		ncp_arrive(vector.sums, words, train);
		words[0] = compensated_stamp(vector.grant, words, train);
		break;
	case COUNTED:
		counted_arrive(vector.sums, vector.grant, words, train);
		words[0] = ncp_stamp(vector.grant, words);
		break;
	case INCREMENTS:
		increments_arrive(vector.sums, words, train);
		words[2] = increments_stamp(vector.grant, vector.budget, words, train);
		break;
	case LEDGER:
		ledger_arrive(vector.sums, vector.grant, words, train);
		__u32 flow = ledger_stretched(vector.grant, words);
		if (ledger_spends(words))
			words[0] = ledger_book((struct ledger_used *)vector.budget, vector.grant, words);
		else
			words[0] = ledger_stamp(vector.grant, words);
		words[LEDGER_FLOW] = flow;
		break;
	case ECHO:
		words[1] = echo_code(words[0]);
		words[2] = echo_rate(words[0] & 0xFFFFFF);
		break;
	default:
		return 1;
	}
	return 0;
}

char _license[] SEC("license") = "MIT OR Apache-2.0";
