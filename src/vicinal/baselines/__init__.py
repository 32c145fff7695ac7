"""What a practitioner would try first: plain tensors in, answers out.

- :mod:`vicinal.baselines.mlp` -- a network that does not know the graph
- :mod:`vicinal.baselines.linear` -- logistic and ridge regression
- :mod:`vicinal.baselines.nearest` -- the nearest training signal, the nearest amplitude
- :mod:`vicinal.baselines.median` -- medians without training
- :mod:`vicinal.baselines.bayes` -- the best that can be done, the generator known
- :mod:`vicinal.baselines.ratings` -- means, biases, neighbours, factors of ratings
- :mod:`vicinal.baselines.svd` -- ratings by the SVD of scikit-surprise
- :mod:`vicinal.baselines.constant` -- the same answer for all
"""

from vicinal.baselines.bayes import bayes as bayes
from vicinal.baselines.constant import majority as majority
from vicinal.baselines.constant import mean_target as mean_target
from vicinal.baselines.linear import best_strength as best_strength
from vicinal.baselines.linear import linear_svm as linear_svm
from vicinal.baselines.linear import logistic_regression as logistic_regression
from vicinal.baselines.linear import ridge as ridge
from vicinal.baselines.median import median_features as median_features
from vicinal.baselines.median import median_filter as median_filter
from vicinal.baselines.mlp import MLP as MLP
from vicinal.baselines.nearest import amplitude as amplitude
from vicinal.baselines.nearest import nearest_neighbor as nearest_neighbor
from vicinal.baselines.stylometry import burrows_delta as burrows_delta
from vicinal.baselines.stylometry import cosine_delta as cosine_delta
from vicinal.baselines.stylometry import nearest_author as nearest_author
from vicinal.baselines.wan_entropy import relative_entropy as relative_entropy
