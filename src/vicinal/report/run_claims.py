"""Claims about single runs: whose best one errs least, by counting."""

from vicinal.experiments import config
from vicinal.report.claim_parts import Computed, Count, Found
from vicinal.report.results import Index, plan

__all__ = ["COMPUTED"]

_SAID = {"activation": "max", "hops": 1}  # whose best run the paper praises
_OTHERS = [{"activation": "relu", "hops": 0}]
_OTHERS += [{"activation": "max", "hops": hops} for hops in (2, 3)]
_OTHERS += [{"activation": "median", "hops": hops} for hops in (1, 2, 3)]


def _best_run(author: str) -> Computed:
    """Of how many networks the best run errs more than that of 1-hop max."""

    def count(index: Index) -> Found:
        best = [_lowest(index, author, network) for network in (_SAID, *_OTHERS)]
        ours, *others = best
        if ours is None or None in others:
            return None
        known = [other for other in others if other is not None]
        worse = sum(other > ours for other in known)
        better = sum(other < ours for other in known)
        name = "networks whose best run errs more than that of 1-hop max"
        return [Count(name, worse, better, len(known), len(known))]

    return count


def _lowest(index: Index, author: str, network: dict[str, object]) -> float | None:
    """The lowest error of a network's planned runs; none while one is missing."""
    experiment = config.find("authorship")
    found = index.group(experiment.run | {"author": author} | network)
    if found is None:
        return None
    errors = found.scores("last")
    planned = plan(config.blocks(experiment))[found.config_hash]
    return min(errors[seed] for seed in planned) if planned <= errors.keys() else None


COMPUTED = {
    f"best run of {author}": _best_run(author)
    for author in ("charlotte_bronte", "austen")
}
