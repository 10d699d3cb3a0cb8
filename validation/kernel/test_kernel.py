#!/usr/bin/env python3
"""Tests of the parts that need neither root nor a network."""

import sys
import unittest
from math import cbrt
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

from curve import BETA, C, curve_values, epochs
from kernel_runs import LATEST_P99_S, LATEST_S, refused
from link import Direction
from relay import quantile
from setups import SET_UPS

#: 1000 bytes take 1 ms.
RATE = 8e6
PACKET = bytes(1000)


class Link(unittest.TestCase):
    def test_a_packet_is_delivered_after_transmission_and_delay(self) -> None:
        way = Direction(RATE, 0.010, 3000)
        way.take(PACKET, 1.0)
        self.assertAlmostEqual(way.due(), 1.011)

    def test_packets_leave_one_after_another(self) -> None:
        way = Direction(RATE, 0.0, 3000)
        for now in (0.0, 0.0005):
            way.take(PACKET, now)
        self.assertEqual([round(due, 6) for due, _ in way.wire], [0.001, 0.002])

    def test_the_buffer_counts_the_rest_of_the_packet_in_transmission(self) -> None:
        way = Direction(RATE, 0.0, 2000)
        for now in (0.0, 0.0, 0.0009):
            way.take(PACKET, now)
        self.assertEqual((way.packets, way.drops), (2, 1))
        way.take(PACKET, 0.0011)
        self.assertEqual((way.packets, way.drops), (3, 1))

    def test_a_packet_larger_than_the_buffer_passes_an_idle_link(self) -> None:
        way = Direction(RATE, 0.0, 500)
        way.take(PACKET, 0.0)
        self.assertEqual((way.packets, way.drops), (1, 0))

    def test_the_integral_of_the_queue_is_that_of_its_linear_fall(self) -> None:
        way = Direction(RATE, 0.0, 3000)
        way.take(PACKET, 0.0)
        way.take(PACKET, 0.0)
        # A triangle of 2000 bytes and 2 ms.
        self.assertAlmostEqual(way.counters(0.005).queue_byte_s, 2.0)

    def test_counters_are_of_what_left_in_between(self) -> None:
        way = Direction(RATE, 0.0, 3000)
        way.take(PACKET, 0.0)
        way.take(PACKET, 0.0)
        found = way.counters(0.002).since(way.counters(0.002))
        self.assertEqual((found.packets, found.sent_bytes, found.drops), (0, 0, 0))
        way = Direction(RATE, 0.0, 3000)
        way.take(PACKET, 0.0)
        before = way.counters(0.0005)
        self.assertAlmostEqual(way.counters(0.002).since(before).sent_bytes, 500)


class Curve(unittest.TestCase):
    def samples(self, factor: float) -> list[dict]:
        """Three epochs after losses at 100 packets, whose windows are `factor` times the RFC's."""
        k = cbrt(100 * (1 - BETA) / C)
        rows = [{"at": 0.9, "cwnd": 100.0, "ssthresh": 50.0}]
        for epoch in range(3):
            begin = 1.0 + 5 * epoch
            rows += [
                {
                    "at": begin + t / 100,
                    "cwnd": (factor if t else 1.0) * (C * (t / 100 - k) ** 3 + 100),
                    "ssthresh": 70.0 + epoch * 1e-9,
                }
                for t in range(500)
            ]
        return rows

    def test_a_window_on_the_curve_is_at_distance_zero(self) -> None:
        found = curve_values(self.samples(1.0))
        self.assertLess(found["distance from W_cubic, greatest"], 0.02)

    def test_a_window_above_it_is_not(self) -> None:
        found = curve_values(self.samples(1.1))
        self.assertGreater(found["distance from W_cubic, mean"], 0.02)

    def test_fast_convergence_reduces_w_max(self) -> None:
        rows = [
            {"at": float(at), "cwnd": cwnd, "ssthresh": ssthresh}
            for at, (cwnd, ssthresh) in enumerate(
                [(100, 80), (70, 70), (90, 70), (63, 63), (80, 63), (56, 56)]
            )
        ]
        self.assertEqual([each.w_max for each in epochs(rows)], [90 * (1 + BETA) / 2])


class Runs(unittest.TestCase):
    def run_late_by(self, p99: float, latest: float, limited: int = 0) -> dict:
        return {"lateness_s": {"p99": p99, "max": latest}, "samples": [[{"limited_us": limited}]]}

    def test_late_runs_are_refused(self) -> None:
        self.assertFalse(refused(self.run_late_by(LATEST_P99_S, LATEST_S)))
        self.assertTrue(refused(self.run_late_by(2 * LATEST_P99_S, LATEST_S)))
        self.assertTrue(refused(self.run_late_by(LATEST_P99_S, 2 * LATEST_S)))

    def test_runs_that_a_buffer_limited_are_refused(self) -> None:
        self.assertTrue(refused(self.run_late_by(0, 0, limited=5)))

    def test_quantiles_are_of_the_sorted_values(self) -> None:
        self.assertEqual(quantile([3.0, 1.0, 2.0], 0.99), 3.0)
        self.assertEqual(quantile([], 0.99), 0.0)

    def test_flows_start_before_the_measured_time_and_alike_for_both_sides(self) -> None:
        for of in SET_UPS.values():
            self.assertEqual(of.starts(1), of.starts(1))
            self.assertNotEqual(of.starts(1), of.starts(2))
            self.assertLess(max(of.starts(1)), of.window_s[0])


if __name__ == "__main__":
    unittest.main()
