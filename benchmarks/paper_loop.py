"""What the paper's own cells would take with a plain loop over nodes.

``python benchmarks/paper_loop.py`` times one step (forward and backward of the local
activation, a batch of 100 signals with 32 features, one thread) of every distinct graph
and activation among the paper's cells of source localisation, by the loop of
``benchmarks/loop.py`` and by vicinal, and multiplies by the steps of the cells.
"""

import sys
import time
from collections import Counter
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.loop import balls_of, local_loop
from vicinal import datasets, nn
from vicinal.experiments import config
from vicinal.experiments.exchange import read_rows

ROWS = Path(__file__).parents[1] / "results" / "source-localization.json.gz"
BLOCKS = ("hops", "degree", "loss")  # the paper's own, by the start of their names
REPEATS = 3


def own_cells():
    """The paper's cells, each once."""
    blocks = config.blocks(config.find("source-localization"))
    own = [block for block in blocks if block.name.startswith(BLOCKS)]
    cells = (cell for block in own for cell in block.cells)
    return list({(cell.config_hash, cell.seed): cell for cell in cells}.values())


def hours(cells, rows):
    """Core hours that cells took by their rows, data included."""
    found = {(row.config_hash, row.seed): row.result for row in rows}
    results = [found[cell.config_hash, cell.seed] for cell in cells]
    return sum(one["seconds"] + one["load_seconds"] for one in results) / 3600


def kind(cell):
    """What decides the cost of a step."""
    return cell.task.graph, cell.task.density, cell.model.activation, cell.model.hops


def steps(cell):
    """Training steps of a cell."""
    return cell.training.epochs * -(-cell.task.samples[0] // cell.training.batch)


def seconds(function, x):
    """Median time of forward and backward."""
    times = []
    for _ in range(REPEATS):
        started = time.process_time()
        function(x).sum().backward()
        times.append(time.process_time() - started)
    return sorted(times)[REPEATS // 2]


def both(cell):
    """Seconds of one step by the loop, and by vicinal."""
    task = datasets.TASKS[cell.name].load(cell.task, cell.seed, None)
    reduce, hops = cell.model.activation, cell.model.hops
    balls = balls_of(task.graph.neighborhoods(hops))
    x = torch.randn(cell.training.batch, task.graph.num_nodes, 32, requires_grad=True)
    made = {"max": nn.MaxActivation, "median": nn.MedianActivation}
    activation = made[reduce](hops, 32)
    ours = seconds(lambda x: activation(x, task.graph), x)
    return seconds(lambda x: local_loop(x, balls, hops, reduce), x), ours


def main():
    """Time every kind once and add up."""
    torch.set_num_threads(1)
    own, rows = own_cells(), read_rows(ROWS)
    cells = [cell for cell in own if cell.model.hops > 0]
    for told, some in (("own", own), ("local", cells)):
        print(f"{len(some)} {told} cells took {hours(some, rows):.2f} core hours")
    total = Counter()
    for cell in cells:
        total[kind(cell)] += steps(cell)
    examples = {kind(cell): cell for cell in cells}
    loop = ours = 0.0
    for name, count in total.items():
        slow, fast = both(examples[name])
        loop, ours = loop + slow * count, ours + fast * count
        print(*name, f"loop {1e3 * slow:.1f} ms, vicinal {1e3 * fast:.2f} ms a step")
    print(
        f"{len(cells)} cells with a local activation, {sum(total.values())} steps: "
        f"{loop / 3600:.1f} core hours in the loop, {ours / 3600:.2f} in vicinal, "
        f"{loop / ours:.0f} times as long"
    )
    whole = hours(cells, rows)
    print(
        f"as whole cells about {whole + (loop - ours) / 3600:.0f} core hours with the "
        f"loop, {whole:.2f} with vicinal"
    )


if __name__ == "__main__":
    main()
