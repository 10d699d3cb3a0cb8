"""docs/figures/linux-websearch.svg: slowdown by flow size, measured and simulated."""

from typing import Any

from page import PROTOCOLS, ROOT

FIGURE = ROOT / "docs" / "figures" / "linux-websearch.svg"


def draw(systems: dict[str, Any]) -> None:
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot
    from sluice.plot import context, style

    names = [f"{name}{end}" for name in PROTOCOLS for end in ("", "@linux")]
    looks = style.looks(names)
    with context(), matplotlib.rc_context({"svg.hashsalt": "linux", "svg.fonttype": "none"}):
        figure, ax = pyplot.subplots(figsize=(5.2, 3.2))
        for name in names:
            bins = [each for each in systems[name]["by_size"] if each["flows"] >= 10]
            x = [middle(each) for each in bins]
            y = [each["slowdown"]["mean"] for each in bins]
            ax.plot(x, y, label=looks[name].title, **looks[name].marked(len(bins)))
        ax.set(xscale="log", yscale="log", xlabel="flow size (bytes)", ylabel="mean slowdown")
        ax.set_yticks([1, 2, 5, 10], labels=["1", "2", "5", "10"])
        ax.minorticks_off()
        style.legend(ax)
        figure.savefig(FIGURE, metadata={"Date": None})
        pyplot.close(figure)


def middle(of: dict[str, Any]) -> float:
    """Of a decade, in the logarithm."""
    high = of["to"] or 10 * of["from"]
    return (max(of["from"], high / 10) * high) ** 0.5
