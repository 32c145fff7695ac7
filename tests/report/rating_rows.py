"""Rows of the movie experiments, with scores that a test decides."""

from report.synthetic import row

from vicinal.experiments import config

AHEAD = {"max": -0.1, "median": -0.05}
KINDS = ("last", "last_mean", "best")


def usual_score(cell):
    """ReLU is 1 + split / 100, local activations are ahead, more on later splits."""
    ahead = AHEAD.get(cell.model.activation, 0.0)
    ahead = 0.25 if cell.model.taps == 6 else ahead  # a control, far behind
    return 1.0 + cell.seed / 100 + ahead * (1 + cell.seed)


def made_rows(name, score=usual_score, rival=lambda cell, target: 1.5):
    """Rows of ``movies-users`` or ``movies-items``.

    Args:
        name: Of the experiment.
        score: From a network's cell to its RMSE.
        rival: From a cell of the whole matrix and a target to an RMSE.
    """
    experiment = config.find(name)
    cells = [cell for block in config.blocks(experiment) for cell in block.cells]
    targets = {cell.settings["target"] for cell in cells if cell.name == name}
    found = []
    for cell in cells:
        own = cell.name == name
        one = row(cell, score(cell) if own else 1.5, metric="rmse_argmax", data="d")
        one.result["predict_seconds"] = 0.01
        if own:
            lower = dict.fromkeys(KINDS, score(cell) - 0.01)
            one.result["scores"]["rmse_expected"] = lower
            one.result["parameters"]["convolution"] = (
                160 if not cell.model.hops else 162
            )
            facts = {"train": 664, "test": 73, "graph ratings": 90_000}
        else:
            one.result["parts"] = {str(t): rival(cell, t) for t in targets}
            one.result["parameters"] = {"total": 7}
            facts = {"train": 90_000, "test": 10_000}
        one.result["data_facts"] = facts
        found.append(one)
    return found
