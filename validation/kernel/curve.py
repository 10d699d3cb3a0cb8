"""CUBIC's window between losses, beside W_cubic(t) = C (t - K)^3 + W_max of RFC 9438."""

from dataclasses import dataclass
from itertools import pairwise
from math import cbrt
from statistics import mean

C, BETA = 0.4, 0.7
#: Times of the table, in multiples of K.
PLACES = (0.25, 0.5, 1.0, 1.25)


@dataclass(frozen=True)
class Epoch:
    """The samples from the end of a recovery to the next loss, and W_max of their curve."""

    samples: list[dict]
    w_max: float

    @property
    def k(self) -> float:
        """Figure 2 of RFC 9438."""
        return cbrt(max(self.w_max - self.samples[0]["ssthresh"], 0.0) / C)

    def ratio(self, sample: dict) -> float:
        """The window relative to the RFC's, which is that of section 4.2."""
        t = sample["at"] - self.samples[0]["at"]
        return sample["cwnd"] / (C * (t - self.k) ** 3 + self.w_max)

    def ratio_at(self, place: float) -> float | None:
        """That at `place` x K, if the epoch is as long."""
        at = self.samples[0]["at"] + place * self.k
        return next((self.ratio(each) for each in self.samples if each["at"] >= at), None)


def epochs(samples: list[dict]) -> list[Epoch]:
    """The complete epochs; the first loss only yields W_max of the next."""
    losses = [
        place
        for place in range(1, len(samples))
        if samples[place]["ssthresh"] != samples[place - 1]["ssthresh"]
    ]
    found: list[Epoch] = []
    w_max: float | None = None
    for loss, following in pairwise(losses):
        window = samples[loss - 1]["cwnd"]
        # Section 4.7, fast convergence.
        converging = w_max is not None and window < w_max
        is_first = w_max is None
        w_max = window * (1 + BETA) / 2 if converging else window
        if not is_first:
            found.append(Epoch(grown(samples[loss:following]), w_max))
    return found


def grown(samples: list[dict]) -> list[dict]:
    """From the last sample before growth by a packet, the resolution of the kernel's window."""
    still = [place for place, each in enumerate(samples) if each["cwnd"] < each["ssthresh"] + 1]
    return samples[still[-1] if still else 0 :]


def curve_values(samples: list[dict]) -> dict[str, float]:
    """Metrics of a run: its epochs, and how far their windows are from the curve."""
    found = epochs(samples)
    apart = [[abs(each.ratio(at) - 1) for at in each.samples] for each in found]
    values = {
        "seconds between losses": mean(e.samples[-1]["at"] - e.samples[0]["at"] for e in found),
        "window at a loss, packets": mean(each.samples[-1]["cwnd"] for each in found),
        "distance from W_cubic, mean": mean(mean(each) for each in apart),
        "distance from W_cubic, greatest": max(max(each) for each in apart),
    }
    for place in PLACES:
        ratios = [ratio for each in found if (ratio := each.ratio_at(place)) is not None]
        if ratios:
            values[f"cwnd / W_cubic at {place:g} K"] = mean(ratios)
    return values
