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
    #: Whether fast convergence (section 4.7) has reduced W_max.
    converging: bool

    @property
    def seconds(self) -> float:
        return self.samples[-1]["at"] - self.samples[0]["at"]

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
    found: list[Epoch] = []
    w_max: float | None = None
    for loss, following in pairwise(losses(samples)):
        window = samples[loss - 1]["cwnd"]
        is_first = w_max is None
        converging = w_max is not None and window < w_max
        w_max = window * (1 + BETA) / 2 if converging else window
        if not is_first:
            found.append(Epoch(grown(samples[loss:following]), w_max, converging))
    return found


def losses(samples: list[dict]) -> list[int]:
    """The first sample after each loss: the window falls, having been down at ssthresh before."""
    found = []
    was_down = True
    for place, (before, sample) in enumerate(pairwise(samples), start=1):
        if was_down and sample["cwnd"] < before["cwnd"] and not is_down(before):
            found.append(place)
            was_down = False
        was_down = was_down or is_down(sample)
    return found


def is_down(sample: dict) -> bool:
    """Whether the window is still as a loss left it; growth of a packet is the least to be seen."""
    return sample["cwnd"] < sample["ssthresh"] + 1


def grown(samples: list[dict]) -> list[dict]:
    """From the last sample before the window grows."""
    down = [place for place, each in enumerate(samples) if is_down(each)]
    return samples[down[-1] if down else 0 :]


def curve_values(samples: list[dict]) -> dict[str, float]:
    """Metrics of a run: its epochs, and how far their windows are from the curve."""
    found = epochs(samples)
    apart = [[abs(each.ratio(at) - 1) for at in each.samples] for each in found]
    values = {
        "window at a loss, packets": mean(each.samples[-1]["cwnd"] for each in found),
        "distance from W_cubic, mean": mean(mean(each) for each in apart),
        "distance from W_cubic, greatest": max(max(each) for each in apart),
    }
    for kind, converging in (("W_max at the window", False), ("W_max reduced", True)):
        seconds = [each.seconds for each in found if each.converging == converging]
        if seconds:
            values[f"growth to the next loss, {kind}, s"] = mean(seconds)
    for place in PLACES:
        ratios = [ratio for each in found if (ratio := each.ratio_at(place)) is not None]
        if ratios:
            values[f"cwnd / W_cubic at {place:g} K"] = mean(ratios)
    return values
