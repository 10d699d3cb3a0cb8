/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What the fast path shares with the slow path. All of it is per CPU, so that no CPU waits for another,
 * but for the generations and the budgets of laws of which few packets spend; on a CPU one packet is at
 * egress at a time.
 */
#pragma once

#include "kernel.h"
#include "wire.h"

/*
 * Monotone sums: they wrap, and nobody zeroes them. Between the two counts of packets, so that another
 * CPU that copies them from first to last sees by the counts whether a packet came between.
 */
struct sums {
	__u64 finished;
	__u64 words[14];
	__u64 begun;
};

struct grant {
	/* On the clock of bpf_ktime_get_ns; past it packets are cut. */
	__u64 holds_until;
	__u64 words[11];
};

/* Written by the fast path alone. */
struct budget {
	/* The grant that it is spent of. */
	__u64 generation;
	__s64 words[4];
};

/* A budget of all CPUs, for a law with ONE_BUDGET (crates/sluice-laws/src/router.rs). */
struct one_budget {
	/* Held by a packet that spends, and by the slow path that reads. */
	struct bpf_spin_lock lock;
	/* The latest grant that it was spent of. */
	__u64 generation;
	__u64 words[24];
};

/* By law, as its number in the option. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, LAWS);
	__type(key, __u32);
	__type(value, struct sums);
} sums SEC(".maps");

/* By law and the lowest bit of the generation: the slow path fills the slot that is not in use. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 2 * LAWS);
	__type(key, __u32);
	__type(value, struct grant);
} grants SEC(".maps");

/* By law. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, LAWS);
	__type(key, __u32);
	__type(value, struct budget);
} budgets SEC(".maps");

/* By law. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, LAWS);
	__type(key, __u32);
	__type(value, struct one_budget);
} one_budgets SEC(".maps");

/*
 * By law: which grant is in force; 0 for none yet. The slow path raises it when the grant is in its
 * slot, so that a packet sees a grant whole. (The slot's address depends on what is read here, which
 * orders the two reads on every machine.)
 */
volatile __u64 generations[LAWS];

static __always_inline struct sums *sums_of(__u32 law)
{
	return bpf_map_lookup_elem(&sums, &law);
}

static __always_inline const struct grant *grant_of(__u32 law, __u64 generation)
{
	__u32 slot = 2 * law + (generation & 1);

	return bpf_map_lookup_elem(&grants, &slot);
}

static __always_inline struct budget *budget_of(__u32 law)
{
	return bpf_map_lookup_elem(&budgets, &law);
}

static __always_inline struct one_budget *one_budget_of(__u32 law)
{
	return bpf_map_lookup_elem(&one_budgets, &law);
}
