"""What a reader would hold a configuration against: ReLU, the controls, the rivals."""

from collections.abc import Sequence
from typing import Any

from vicinal.experiments.cell import make_cell
from vicinal.experiments.settings import ModelSettings
from vicinal.report import labels
from vicinal.report.results import Group, Index, Section

__all__ = ["REFERENCES", "is_local", "reference"]

_PLAIN = {"model": "gnn", "pointwise": "none", "hops": 0}
_LOCAL = ("max", "median")
_OF_LOCAL = ("initial", "shared", "convention", "neighborhoods")  # others read none
_SHIFT = ("shift", "scaled")
_DEFAULTS = {name: one.default for name, one in ModelSettings.model_fields.items()}
_TAPS = _DEFAULTS["taps"]

REFERENCES = {
    "ReLU": "ReLU",
    "no activation": "no activation at all",
    "linear twin": "their linear twin, the mean over the same neighbourhoods",
    "ReLU, more taps": "ReLU with as many more filter taps",
    "PReLU": "PReLU, which is trained as well",
    "maxout": "maxout, which is trained as well",
    "clipped ReLU": "ReLU of inputs that were clipped first",
    "clipped MLP": "an MLP of inputs that were clipped first",
    "logistic regression": "logistic regression on the same words",
}  # as a column's name, and in a sentence


def reference(
    group: Group, name: str, section: Section, index: Index, run: dict[str, Any]
) -> Group | None:
    """The group of one reference, on the same data; none if it was not run.

    Args:
        group: Whose reference it is.
        name: One of ``REFERENCES``.
        section: The table that both should stand in.
        index: All rows: a reference may belong to another section.
        run: What is common to the experiment.
    """
    changes = _changes(name, group.settings, run)
    if changes is None:
        return None
    other = _reference(group.settings, changes, index, run)
    here = {one.config_hash for one in section.groups}
    if _is_rival(group.settings, run) and (not other or other.config_hash not in here):
        networks = _networks(section, run | changes)
        return _of_its_shift(networks, group) if networks else other
    return other


def _reference(
    settings: dict[str, Any], changes: dict[str, Any], index: Index, run: dict[str, Any]
) -> Group | None:
    if settings["model"] == "gnn" and settings["activation"] == "relu":
        changes = changes | {"taps": run.get("taps", _TAPS), "layers": 1}
    found = index.group(settings | changes)
    if found is None and _is_rival(settings, run):
        task = make_cell(settings, 0, "report").task.model_dump(mode="json")
        found = index.group(run | task | changes)
    return found


def _is_rival(settings: dict[str, Any], run: dict[str, Any]) -> bool:
    """Whether it has settings of its own on the task of the networks."""
    return bool(settings["model"] != "gnn" and settings["task"] == run.get("task"))


def _networks(section: Section, network: dict[str, Any]) -> list[Group]:
    """The section's networks of these settings; their inputs and shifts may differ.

    A rival may have been given the same data in another form.
    """
    wanted = {"taps": _TAPS, "layers": 1} | network
    asked = {
        name: given
        for name, given in wanted.items()
        if not labels.of_task(name) and name not in _SHIFT
    }
    return [
        group for group in section.groups if asked.items() <= group.settings.items()
    ]


def _of_its_shift(networks: Sequence[Group], rival: Group) -> Group | None:
    """The only network, or the only one with the rival's shift; else none is fair."""
    shift = rival.settings["shift"]
    alike = [one for one in networks if one.settings["shift"] == shift]
    found = networks if len(networks) == 1 else alike
    return found[0] if len(found) == 1 else None


def _changes(
    name: str, settings: dict[str, Any], run: dict[str, Any]
) -> dict[str, Any] | None:
    """What makes the reference of a configuration; none where it would say nothing."""
    clipped = {"clip": True} if "clip" in settings else {}
    usual = {name: run.get(name, _DEFAULTS[name]) for name in _OF_LOCAL}
    plain = _PLAIN | usual | dict.fromkeys(clipped, False)
    relu = plain | {"activation": "relu"}
    words = settings["task"] == "authorship"
    local: dict[str, dict[str, Any] | None] = {
        "no activation": plain | {"activation": "identity"},
        "linear twin": {"activation": "mean", "convention": usual["convention"]},
        "PReLU": plain | {"activation": "prelu"},
        "maxout": plain | {"activation": "maxout"},
        "ReLU, more taps": relu | {"taps": settings["taps"] + settings["hops"]},
        "clipped ReLU": relu | clipped if clipped else None,
        "clipped MLP": relu | clipped | {"model": "mlp"} if clipped else None,
        "logistic regression": relu | {"model": "word-logistic"} if words else None,
    }
    if name == "ReLU":
        return relu
    return local[name] if is_local(settings) else None


def is_local(settings: dict[str, Any]) -> bool:
    """Whether it is a network with an order statistic."""
    return settings["model"] == "gnn" and settings["activation"] in _LOCAL
