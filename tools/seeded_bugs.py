"""The bugs that `mutants.py` seeds: mistakes that a developer could make, and the test that tells.

`before` stands in `file` exactly once. `test` is `package lib path::of::test` for a test beside the
code, or `package file name` for one in `tests/`. They are in the order of the crates, the last to be
built first, so that each costs the build of one crate.
"""

from typing import NamedTuple


class Bug(NamedTuple):
    name: str
    #: What a person would notice.
    wrong: str
    file: str
    before: str
    after: str
    test: str


LAB = "crates/sluice-lab/src/"
SIM = "crates/sluice-sim/src/"
LAWS = "crates/sluice-laws/src/"
UNITS = "crates/sluice-units/src/"

BUGS = [
    # --- sluice-lab: scenarios and results
    Bug(
        "percentile-off-by-one",
        "percentiles are those of the next value up",
        LAB + "results/histogram.rs",
        "below >= rank",
        "below > rank",
        "sluice-lab lib results::histogram::tests::percentiles_of_a_hundred_values",
    ),
    Bug(
        "bin-edge-excluded",
        "a flow of exactly 10 kB counts among the smaller ones",
        LAB + "results/bins.rs",
        "edge <= bytes",
        "edge < bytes",
        "sluice-lab lib results::bins::tests::a_bin_holds_the_sizes_between_its_edges",
    ),
    Bug(
        "warm-up-counts",
        "flows of the warm-up are in the summary",
        LAB + "results/tally.rs",
        "if !record.measured {",
        "if false {",
        "sluice-lab measured flows_of_the_warm_up_and_after_the_stop_are_left_out",
    ),
    Bug(
        "spread-misses-its-end",
        "the last of 50 RTTs from 60 to 100 ms is 99.2 ms",
        LAB + "scenario/spread.rs",
        "n.saturating_sub(1).max(1)",
        "n.max(1)",
        "sluice-lab lib scenario::spread::tests::a_spread_reaches_both_ends",
    ),
    # --- sluice-sim: the event queue
    Bug(
        "ties-the-wrong-way",
        "the last of several actors acts first at one instant",
        SIM + "wheel.rs",
        "self.ties[a as usize] < self.ties[b as usize]",
        "self.ties[a as usize] > self.ties[b as usize]",
        "sluice-sim lib wheel::tests::order_is_exact",
    ),
    Bug(
        "far-event-placed-twice",
        "an event that moved away and back comes into the wheel twice, which makes a cycle",
        SIM + "wheel.rs",
        "due == time && next == FAR",
        "due == time",
        "sluice-sim lib wheel::tests::order_is_exact",
    ),
    # --- sluice-sim: links and queues
    Bug(
        "clock-fraction-lost",
        "each packet is up to a nanosecond early: 40 bytes at 400 Gb/s take none",
        SIM + "link/clock.rs",
        "fraction: long as u32 }",
        "fraction: 0 }",
        "sluice-sim lib link::clock::tests::sub_nanosecond_packets_do_not_drift",
    ),
    Bug(
        "one-packet-too-many",
        "a buffer of 5 packets lets 6 wait",
        SIM + "queue/droptail.rs",
        "arrival.waiting < self.packets",
        "arrival.waiting <= self.packets",
        "sluice-sim corners a_buffer_holds_what_it_says",
    ),
    Bug(
        "error-applied-twice",
        "a packet that leaves a link is asked twice whether the wire loses it",
        SIM + "link/mod.rs",
        "if self.errs(departs) {",
        "if self.errs(departs) || self.errs(departs) {",
        "sluice-sim tcp_recovery the_third_duplicate_repeats_the_packet",
    ),
    Bug(
        "flushed-late",
        "packets that a law holds are let go a millisecond after they were due",
        SIM + "engine/mod.rs",
        "self.net.wheel.schedule(flush, at - 1)",
        "self.net.wheel.schedule(flush, at + 1_000_000)",
        "sluice-sim corners a_flow_that_ends_with_a_held_packet_is_told_in_order",
    ),
    # --- sluice-sim: running ahead of the clock
    Bug(
        "shared-link-runs-ahead",
        "a link that two others feed takes the packets of one before the other's are known",
        SIM + "plan/ahead.rs",
        "graph.feeders[element].len() == 1 &&",
        "graph.feeders[element].len() <= 2 &&",
        "sluice-sim determinism lookahead_changes_nothing",
    ),
    Bug(
        "host-feeds-ahead",
        "a host runs ahead though it sends into links that others feed too",
        SIM + "plan/ahead.rs",
        "self.feeders[link].len() == 1)",
        "self.feeders[link].len() >= 1)",
        "sluice-sim determinism lookahead_changes_nothing",
    ),
    Bug(
        "batch-longer-than-its-keys",
        "packets on wires of more than four seconds are sorted by what is left of their times",
        SIM + "engine/wires.rs",
        "meeting.window.min(Batch::LONGEST)",
        "meeting.window",
        "sluice-sim corners packets_keep_their_order_over_the_longest_wires",
    ),
    Bug(
        "window-of-the-farthest",
        "a meeting looks ahead by the delay of its farthest feeder, not its nearest",
        SIM + "plan/mod.rs",
        "as_nanos() + 1).min();",
        "as_nanos() + 1).max();",
        "sluice-sim determinism lookahead_changes_nothing",
    ),
    Bug(
        "batch-sorted-by-wire",
        "packets of a batch are taken wire by wire",
        SIM + "engine/batch.rs",
        "        if !self.mixed {",
        "        if self.mixed {",
        "sluice-sim lib engine::batch::tests::a_batch_is_in_order",
    ),
    Bug(
        "told-before-its-time",
        "flows that ended ahead of the clock are told before those that ended earlier",
        SIM + "engine/records.rs",
        "if self.due() >= now {",
        "if self.due.is_none() || now == 0 {",
        "sluice-sim determinism lookahead_changes_nothing",
    ),
    Bug(
        "told-by-place",
        "flows that end together are told by their place, then by group",
        SIM + "engine/records.rs",
        "(ended, record.group, record.index), record",
        "(ended, record.index as usize, record.group as u64), record",
        "sluice-sim corners flows_that_end_together_are_told_in_order",
    ),
    # --- sluice-sim: hosts and flows
    Bug(
        "timer-after-input",
        "a timer fires after a packet of the same instant, or before, as events happen to fall",
        SIM + "engine/flows.rs",
        "if due <= now {",
        "if due < now {",
        "sluice-sim corners a_timer_comes_before_an_arrival_of_the_same_instant",
    ),
    Bug(
        "stale-answer",
        "an answer to a flow that is gone reaches the flow that has its place now",
        SIM + "host/flow.rs",
        "if slot.generation == key.generation {",
        "if slot.generation >= key.generation {",
        "sluice-sim corners an_answer_to_a_flow_that_is_gone_reaches_no_other",
    ),
    Bug(
        "no-back-off",
        "the retransmission time-out does not double",
        SIM + "host/sender.rs",
        "self.rto.back_off();",
        "",
        "sluice-sim tcp_recovery time_outs_double",
    ),
    Bug(
        "alone-a-packet-longer",
        "the empty path is thought to take a packet longer, so that slowdowns fall below 1",
        SIM + "engine/build.rs",
        "self.packet * (packets - 2)",
        "self.packet * (packets - 1)",
        "sluice-sim properties a_flow_is_told_once_and_makes_sense",
    ),
    # --- sluice-sim: traffic
    Bug(
        "load-for-every-pair",
        "each pair of a dumbbell brings the load of all",
        SIM + "traffic/poisson.rs",
        "self.per_second(setting) / setting.pairs as f64",
        "self.per_second(setting)",
        "sluice-lab scenarios pairs_share_the_load_of_their_group",
    ),
    Bug(
        "on-off-begins-anew",
        "sources that are on for long begin all at once, and not somewhere in their time",
        SIM + "traffic/on_off/source.rs",
        "self.law.residual(mean, &mut self.stream)",
        "self.law.sample(mean, &mut self.stream)",
        "sluice-sim draws on_off_sources_begin_as_if_they_had_always_run",
    ),
    Bug(
        "crowd-off-its-slope",
        "arrivals of a flash crowd are late where its rate rises and early where it falls",
        SIM + "traffic/flash_crowd.rs",
        "2.0 * slope * sum",
        "slope * sum",
        "sluice-sim lib traffic::flash_crowd::tests::a_profile_adds_up_over_slopes_steps_and_ends",
    ),
    Bug(
        "period-rounded",
        "flows at even distances drift by the rounding of each distance",
        SIM + "traffic/ticks.rs",
        "let gap = gap * 1e9;",
        "let gap = (gap * 1e9).round();",
        "sluice-sim draws periodic_flows_do_not_drift",
    ),
    Bug(
        "web-load-by-page",
        "a web load counts a session's pages and objects as if they were added, not multiplied",
        SIM + "traffic/web.rs",
        "self.pages.get() * self.objects.get()",
        "self.pages.get() + self.objects.get()",
        "sluice-sim draws every_model_meets_its_load",
    ),
    Bug(
        "pareto-mean",
        "Pareto sizes are larger than their mean says, by the shape",
        SIM + "traffic/sizes/pareto.rs",
        "(shape - 1.0) / shape",
        "(shape - 1.0)",
        "sluice-sim draws pareto_sizes_have_their_mean_and_their_least",
    ),
    Bug(
        "sizes-jump-to-the-point",
        "measured sizes are only those of the points, with nothing between",
        SIM + "traffic/sizes/empirical.rs",
        "{ (level - low.cumulative.get()) / width }",
        "{ 1.0 }",
        "sluice-sim draws measured_sizes_lie_evenly_between_the_points",
    ),
    Bug(
        "streams-without-owner",
        "all groups draw the same flows",
        SIM + "rng.rs",
        "&[0], self.owner.as_bytes()]",
        "&[0], &[]]",
        "sluice-sim draws groups_that_are_alike_draw_apart",
    ),
    # --- sluice-laws: RCP
    Bug(
        "rcp-queue-adds",
        "a queue raises R: the sign of the second term of equation (2)",
        LAWS + "rcp/router.rs",
        "alpha * (c - y) - beta * q / d0",
        "alpha * (c - y) + beta * q / d0",
        "sluice-laws lib rcp::router::tests::equation_2_by_hand",
    ),
    Bug(
        "rcp-interval-at-least-rtt",
        "R changes every max(tau, d0), as PS section 2.2 misprints it",
        LAWS + "rcp/router.rs",
        "self.params.interval.min(d0)",
        "self.params.interval.max(d0)",
        "sluice-laws lib rcp::router::tests::the_interval_is_10_ms_or_a_shorter_rtt",
    ),
    Bug(
        "rcp-stamp-raises",
        "the last router of a path decides, not the slowest",
        LAWS + "rcp/router.rs",
        "header.rate.min(*grant)",
        "*grant",
        "sluice-laws lib rcp::router::tests::a_stamp_lowers_what_is_asked_and_nothing_else",
    ),
    Bug(
        "rcp-d0-without-floor",
        "headers that state a microsecond bring d0 below a packet's own transmission",
        LAWS + "rcp/rtt.rs",
        "capacity.time_for(packet).as_secs_f64().max(LEAST)",
        "capacity.time_for(packet).as_secs_f64().min(LEAST)",
        "sluice-laws lib rcp::rtt::tests::d0_is_at_least_a_packets_transmission_time",
    ),
    Bug(
        "rcp-no-rtt-is-zero",
        "a header without an RTT counts as one of zero",
        LAWS + "rcp/rtt.rs",
        "if rtt == WireRtt::NONE {",
        "if train.bytes() == 0 {",
        "sluice-laws lib rcp::rtt::tests::zero_is_no_sample_and_a_wild_one_counts_as_ten_seconds",
    ),
    # --- sluice-laws: XCP
    Bug(
        "xcp-books-the-appendix",
        "what a header does not take is booked as Appendix A prints it: H_feedback for p as well",
        LAWS + "xcp/feedback.rs",
        "self.book((granted + negative).max(0), negative);",
        "self.book(granted.max(0), negative);",
        "sluice-laws lib xcp::feedback::tests::what_a_header_does_not_take_is_booked_as_it_happens",
    ),
    Bug(
        "xcp-carry-dropped",
        "shares of under 1 byte/s a packet are cut to nothing",
        LAWS + "xcp/feedback.rs",
        "residue.carry = feedback - whole * (n << FRACTION_BITS);",
        "residue.carry = 0;",
        "sluice-laws lib xcp::feedback::tests::"
        "the_sums_of_feedback_are_the_targets_even_below_one_byte_a_second_a_packet",
    ),
    Bug(
        "xcp-shuffle-without-abs",
        "an overloaded link shuffles more, not less: phi for |phi| in (4.4)",
        LAWS + "xcp/router.rs",
        "(most - self.phi.abs())",
        "(most - self.phi)",
        "sluice-laws xcp_shuffle what_phi_takes_is_shuffled_already",
    ),
    Bug(
        "xcp-no-least-window",
        "negative feedback takes the window below a packet, and the flow stops: max(..., s) of (4.1)",
        LAWS + "xcp/host.rs",
        "self.cwnd = packets.max(1.0);",
        "self.cwnd = packets;",
        "sluice-laws lib xcp::host::tests::"
        "equation_4_1_turns_feedback_into_a_window_of_at_least_a_packet",
    ),
    Bug(
        "xcp-train-booked-once",
        "a kernel's super-packet takes the feedback of one packet and its pieces that of many",
        LAWS + "xcp/feedback.rs",
        "let n = i64::from(train.packets());",
        "let n = i64::from(train.packets().min(1));",
        "sluice-laws vectors the_fast_path_does_what_the_vectors_say",
    ),
    Bug(
        "xcp-every-cpu-has-it-all",
        "each of several CPUs hands out the whole grant",
        LAWS + "xcp/router.rs",
        "grant.share(part, whole)",
        "grant.share(whole, whole)",
        "sluice-laws lib xcp::router::tests::several_cpus_share_a_grant",
    ),
    Bug(
        "xcp-answer-rounds-for-good",
        "feedback that an answer cannot say is lost",
        LAWS + "xcp/receiver.rs",
        "reverse: sum - reverse,",
        "reverse: 0,",
        "sluice-laws lib xcp::receiver::tests::what_one_answer_cannot_say_the_next_one_does",
    ),
    # --- sluice-laws: NCP
    Bug(
        "ncp-window-whole-sum",
        "(5) is counted over whatever the interval was, not over d0",
        LAWS + "ncp/router.rs",
        "* (self.rtt.get() / elapsed)",
        "* 1.0",
        "sluice-laws lib ncp::router::tests::an_interval_that_is_not_d0_counts_in_proportion",
    ),
    Bug(
        "ncp-queue-not-drained",
        "R leaves no room for the queue to drain: (8) without beta q/d0",
        LAWS + "ncp/router.rs",
        "(self.target() - drain) / self.flows",
        "self.target() / self.flows",
        "sluice-laws lib ncp::router::tests::equation_8_by_hand",
    ),
    Bug(
        "ncp-idle-link-keeps-its-rate",
        "a link that stood idle offers newcomers what it offered its last crowd",
        LAWS + "ncp/router.rs",
        "return self.target();",
        "return self.rate;",
        "sluice-laws lib ncp::router::tests::an_idle_link_gives_all_that_it_fills",
    ),
    Bug(
        "ncp-states-what-was-granted",
        "headers state R as granted though a packet an RTT leaves, the paper's two meanings of R_j",
        LAWS + "ncp/host.rs",
        "self.apart.set(rtt / self.window);",
        "self.apart.set(self.told.map_or(rtt / self.window, |rate| {\n"
        "            f64::from(self.packet) / rate.as_bytes_per_sec_f64()\n        }));",
        "sluice-laws lib ncp::host::tests::what_is_stated_is_the_window_in_use",
    ),
    Bug(
        "ncp-paced-window-stalls",
        "a sender whose rate falls is silent until its flight has, and is not counted meanwhile",
        LAWS + "ncp/host.rs",
        "{ u32::MAX } else { self.window as u32 }",
        "{ self.window.ceil() as u32 } else { self.window as u32 }",
        "sluice-sim ncp_shares flows_of_one_rtt_share_alpha_of_the_link_evenly",
    ),
    Bug(
        "ncp-answers-are-flows",
        "acknowledgements state what the data they answer did, and are counted on their way back",
        LAWS + "ncp/receiver.rs",
        "Header { reverse: heard, ..Header::default() }.to_words()",
        "Header { reverse: heard, rate: Offer::NONE, ..Header::from_words(*words) }.to_words()",
        "sluice-laws lib ncp::receiver::tests::"
        "one_answer_to_several_packets_tells_the_latest_rate_and_nothing_else",
    ),
    Bug(
        "ncp-train-is-a-packet",
        "a super-packet of many segments counts as one packet of its flow",
        LAWS + "ncp/sums.rs",
        "u64::from(header.x) * packets",
        "u64::from(header.x)",
        "sluice-laws vectors the_fast_path_does_what_the_vectors_say",
    ),
    # --- sluice-laws: the wire
    Bug(
        "echo-rounds-up",
        "a sender hears of more than was granted",
        LAWS + "wire/echo.rs",
        "exponent << bits | size >> exponent",
        "exponent << bits | size >> exponent | 1",
        "sluice-laws vectors options_are_written_and_read_as_the_vectors_say",
    ),
    Bug(
        "grant-finer-than-its-echo",
        "a grant comes back as less than it was",
        LAWS + "wire/offer.rs",
        "Self(units >> cut << cut)",
        "Self(units >> cut << cut | units & 1)",
        "sluice-laws lib wire::echo::tests::a_rate_granted_anywhere_comes_back_as_it_was",
    ),
    Bug(
        "spacing-forgets-its-rest",
        "at 400 Gb/s every packet states a throughput that is off the same way",
        LAWS + "wire/ticks.rs",
        "self.rest = sum as u32;",
        "self.rest = 0;",
        "sluice-laws lib wire::ticks::tests::at_400_gbps_a_packet_is_off_but_their_sum_is_not",
    ),
    Bug(
        "option-without-room",
        "an option is written where only a shorter one fits",
        LAWS + "wire/option.rs",
        "says && room >= self.full()",
        "says && room >= SHORT",
        "sluice-laws lib wire::option::tests::the_table_of_rooms_holds",
    ),
    # --- sluice-laws: TCP
    Bug(
        "tcp-partial-ack-ends-recovery",
        "NewReno leaves fast recovery at the first partial acknowledgement, as Reno does",
        LAWS + "tcp/duplicates.rs",
        "Phase::Fast if self.recovery == Recovery::NewReno && !whole",
        "Phase::Fast if self.recovery == Recovery::Reno && !whole",
        "sluice-laws lib tcp::tests::scripts::newreno_repairs_two_losses_with_a_partial_ack",
    ),
    Bug(
        "tcp-sack-repeats-a-hole",
        "a hole of the scoreboard is sent again and again within one round trip",
        LAWS + "tcp/scoreboard.rs",
        "self.resent = seq + 1; // (C.2)",
        "self.resent = flight.una + 1;",
        "sluice-laws lib tcp::tests::scripts::sack_repairs_three_losses_in_a_window",
    ),
    Bug(
        "tcp-retransmits-after-timeout",
        "duplicates of what a time-out sent twice start a fast retransmit: recover is one too low",
        LAWS + "tcp/repair.rs",
        "flight.guard = flight.nxt + 1;",
        "flight.guard = flight.nxt;",
        "sluice-laws lib tcp::tests::scripts::"
        "a_time_out_goes_back_and_duplicates_after_it_are_not_losses",
    ),
    Bug(
        "tcp-variance-of-the-new-srtt",
        "RTTVAR is taken from the SRTT that already has the sample in it, against RFC 6298 (2.3)",
        LAWS + "tcp/rto.rs",
        "srtt.abs_diff(r)",
        "((7 * srtt + r) / 8).abs_diff(r)",
        "sluice-laws lib tcp::rto::tests::later_samples_follow_2_3_by_hand",
    ),
    Bug(
        "tcp-halves-cwnd",
        "ssthresh is half of cwnd, not half of what is in flight: RFC 5681 eq. (4)",
        LAWS + "tcp/reno.rs",
        "self.ssthresh = (in_flight / 2)",
        "self.ssthresh = (self.cwnd.max(in_flight) / 2)",
        "sluice-sim tcp_recovery sack_repairs_a_window_within_a_round_trip",
    ),
    # --- sluice-units
    Bug(
        "megabytes-are-mebibytes",
        "1 MB is read as 1048576 bytes",
        UNITS + "bytes.rs",
        'unit("MB", 1_000_000,',
        'unit("MB", 1 << 20,',
        "sluice-units lib bytes::tests::sizes_are_read_as_people_write_them",
    ),
    Bug(
        "halves-round-down",
        "numbers read from text lose what is behind the finest unit",
        UNITS + "decimal.rs",
        "(scaled + s / 2) / s",
        "scaled / s",
        "sluice-units lib decimal::tests::halves_round_up_and_nothing_vanishes",
    ),
    Bug(
        "transmission-rounds-down",
        "a packet's transmission time is cut to whole nanoseconds",
        UNITS + "rate.rs",
        "bits.div_ceil(u128::from(self.0))",
        "(bits / u128::from(self.0))",
        "sluice-units lib rate::tests::transmission_times_round_up",
    ),
]
