"""What HPCC's authors published: slowdown by flow size in the data centre of their Figure 11.

Read, to about 2 %, from the figures of "HPCC key results" (hpcc-group.github.io/results.html): HPCC
with telemetry in full and eta = 95 %, and DCTCP. They repeat the paper's simulations with flows
of Hadoop alone: a load of 30 %, which Figure 11 (a) shows with incasts, and of 50 %, its (c).
"""

from __future__ import annotations

#: Classes of flows by rank of size, in percent; 70 % of the flows are of up to 7 kB.
CLASSES = (0, 70, 75, 80, 85, 90, 95, 100)
#: By protocol, load and percentile: a slowdown for each class.
SLOWDOWN: dict[tuple[str, float, int], tuple[float, ...]] = {
    ("hpcc", 0.3, 50): (1.00, 1.14, 1.21, 1.26, 1.34, 1.53, 1.96),
    ("hpcc", 0.3, 95): (1.46, 1.73, 1.91, 2.03, 2.24, 2.72, 3.89),
    ("hpcc", 0.3, 99): (2.04, 2.25, 2.44, 2.58, 2.89, 3.62, 5.51),
    ("hpcc", 0.5, 50): (1.03, 1.36, 1.50, 1.58, 1.74, 2.07, 3.29),
    ("hpcc", 0.5, 95): (1.82, 2.40, 2.78, 3.04, 3.56, 4.71, 8.27),
    ("hpcc", 0.5, 99): (2.52, 3.18, 3.71, 4.10, 4.88, 6.65, 12.44),
    ("dctcp", 0.3, 50): (1.00, 1.13, 1.21, 1.25, 1.34, 1.49, 1.69),
    ("dctcp", 0.3, 95): (2.44, 2.43, 2.44, 2.46, 2.52, 2.87, 3.59),
    ("dctcp", 0.3, 99): (3.54, 3.31, 3.27, 3.23, 3.27, 3.72, 5.10),
    ("dctcp", 0.5, 50): (1.16, 1.51, 1.69, 1.77, 1.91, 2.18, 2.70),
    ("dctcp", 0.5, 95): (3.56, 3.59, 3.65, 3.70, 3.90, 4.62, 6.65),
    ("dctcp", 0.5, 99): (5.27, 4.92, 4.86, 4.90, 5.14, 6.17, 9.65),
}
