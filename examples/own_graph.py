"""From your own edge list to a median activation inside a plain torch model.

Six sensors along a river, water flows from each to the next; the weight of an edge says
how much of it arrives. Ask what a neighbourhood costs before it is made, then use it.
"""

import torch
from torch import nn

import vicinal as vc

edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (1, 3)]  # from, to
weight = [0.9, 0.8, 0.9, 0.7, 0.9, 0.1]
river = vc.Graph.from_edges(edges, num_nodes=6, weight=weight)
print(river, river.cost(hops=2, features=8), sep="\n")


class Forecast(nn.Module):
    """Linear layers of torch around a local activation, on any graph."""

    def __init__(self):
        super().__init__()
        self.encode = nn.Linear(1, 8)
        self.activation = vc.nn.MedianActivation(hops=2, features=8)
        self.decode = nn.Linear(8, 1)

    def forward(self, x, graph):
        """Map levels (days, sensors, 1) to levels (days, sensors, 1)."""
        return self.decode(self.activation(self.encode(x), graph))


torch.manual_seed(0)
levels = torch.rand(100, river.num_nodes, 1)
tomorrow = river.shift("adjacency", scaled=False).to_dense() @ levels
model = Forecast()
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
for step in range(41):
    loss = nn.functional.mse_loss(model(levels, river), tomorrow)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        print(f"step {step}: loss {loss.item():.4f}")
