/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The queue that the link would have at its capacity: bytes in, less capacity x time, at least 0 and at
 * most a limit. It needs no qdisc. src/virtual_queue.rs sets and reads it.
 *
 * All CPUs share one queue, kept as the time at which it will be empty. So that packets rarely touch
 * memory of other CPUs, a CPU collects bytes and folds them into the queue together, once they are
 * worth 100 us of transmission. On a link so slow that each packet is worth more, each is folded as it
 * comes, and the queue is exact.
 *
 * Bytes that a CPU collected are taken to have come evenly since it folded last, so that a link below
 * its capacity has no queue. Those of a burst came later: each CPU may hide 100 us of one.
 *
 * A nanosecond has 2^20 parts here: a byte takes 0.02 ns at 400 Gb/s. At 1 kb/s it takes 2^43 parts, and
 * the slow path sees to it that the limit is below 2^62.
 */
#pragma once

#include "traffic.h"

#define QUEUE_FRACTION 20

struct virtual_queue {
	/* Held by a packet that folds, and by the slow path that reads. */
	struct bpf_spin_lock lock;
	/* When it will be, or was, empty, on the clock of bpf_ktime_get_ns; and the parts beyond. */
	__u64 empty_at;
	__u64 fraction;
	/* Parts of a nanosecond that a byte takes. */
	__u64 per_byte;
	/* Bytes that it holds at most. */
	__u64 limit;
	/* The least time to empty that a packet found in the interval of this number. */
	__u64 interval;
	__u64 least;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct virtual_queue);
} virtual_queues SEC(".maps");

/* From how many bytes on a CPU folds; 0 until the capacity is known, when nothing is kept. */
volatile __u64 fold_bytes;

/* The number of the slow path's interval. */
volatile __u64 queue_interval;

/* What `queue_set` sets. */
volatile __u64 queue_per_byte;
volatile __u64 queue_limit;

static __always_inline struct virtual_queue *the_virtual_queue(void)
{
	__u32 index = 0;

	return bpf_map_lookup_elem(&virtual_queues, &index);
}

/* Adds bytes that came since `since`, or later. */
static __always_inline void queue_add(struct virtual_queue *queue, __u64 since, __u64 bytes)
{
	if (queue->empty_at < since) {
		queue->empty_at = since;
		queue->fraction = 0;
	}
	__u64 parts = min(bytes, queue->limit) * queue->per_byte + queue->fraction;
	queue->empty_at += parts >> QUEUE_FRACTION;
	queue->fraction = parts & ((1 << QUEUE_FRACTION) - 1);
}

/* Takes note of what a packet finds at `now`. Under the lock no CPU sees an older interval than one before it. */
static __always_inline void queue_found(struct virtual_queue *queue, __u64 now)
{
	__u64 interval = queue_interval;
	__u64 left = queue->empty_at > now ? queue->empty_at - now : 0;

	if (queue->interval != interval || left < queue->least)
		queue->least = left;
	queue->interval = interval;
}

static __always_inline void queue_bound(struct virtual_queue *queue, __u64 now)
{
	__u64 most = now + (queue->limit * queue->per_byte >> QUEUE_FRACTION);

	if (queue->empty_at > most) {
		queue->empty_at = most;
		queue->fraction = 0;
	}
}

/* Folds what this CPU collected, and a packet that arrives now. */
static __noinline void fold(struct traffic *here, __u32 arrived)
{
	struct virtual_queue *queue = the_virtual_queue();
	__u64 now = bpf_ktime_get_ns();

	if (!here || !queue)
		return;
	__u64 collected = here->unfolded, since = here->folded_at;
	here->unfolded = 0;
	here->folded_at = now;
	bpf_spin_lock(&queue->lock);
	queue_add(queue, since, collected);
	queue_found(queue, now);
	queue_add(queue, now, arrived);
	queue_bound(queue, now);
	bpf_spin_unlock(&queue->lock);
}

static __always_inline void enqueue(struct traffic *here, __u32 bytes)
{
	__u64 from = fold_bytes;

	if (!from)
		return;
	if (here->unfolded + bytes >= from)
		fold(here, bytes);
	else
		here->unfolded += bytes;
}

/* Sets the capacity and the limit. The queue keeps its bytes, as far as the limit allows. */
static __always_inline void queue_set(void)
{
	struct virtual_queue *queue = the_virtual_queue();
	__u64 per_byte = queue_per_byte, limit = queue_limit;
	__u64 now = bpf_ktime_get_ns();

	if (!queue)
		return;
	bpf_spin_lock(&queue->lock);
	__u64 left = queue->empty_at > now ? queue->empty_at - now : 0;
	__u64 bytes = queue->per_byte ? (left << QUEUE_FRACTION) / queue->per_byte : 0;
	queue->per_byte = per_byte;
	queue->limit = limit;
	queue->empty_at = now;
	queue->fraction = 0;
	queue_add(queue, now, bytes);
	bpf_spin_unlock(&queue->lock);
}
