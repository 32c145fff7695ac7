"""What local activations cost, against what else a user could run.

- :mod:`benchmarks.run` -- the command: everything below, one table
- :mod:`benchmarks.workloads` -- W1 to W7, and graphs no cost model was fitted on
- :mod:`benchmarks.draws` -- the random graphs of W3 to W7
- :mod:`benchmarks.rivals` -- what is timed: one function ``x -> z`` each
- :mod:`benchmarks.setting` -- a workload at one number of hops
- :mod:`benchmarks.loop` -- a plain loop over the nodes
- :mod:`benchmarks.timing` -- interleaved timing in one process
- :mod:`benchmarks.activations` -- rivals on a workload, timed
- :mod:`benchmarks.sampled` -- two hops on W6, on a sample of rows
- :mod:`benchmarks.filters` -- forms of the filter bank
- :mod:`benchmarks.memory` -- peak memory in a fresh process
- :mod:`benchmarks.scaling` -- slopes against nodes, degree and hops
- :mod:`benchmarks.targets` -- what was aimed at
- :mod:`benchmarks.report` -- Markdown and JSON
- :mod:`benchmarks.publish` -- the table into the documentation
"""
