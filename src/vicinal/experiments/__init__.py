"""What to run and what came out.

- :mod:`vicinal.experiments.config` -- TOML files to cells
- :mod:`vicinal.experiments.cell`, :mod:`~vicinal.experiments.settings` -- one run
- :mod:`vicinal.experiments.run` -- a cell to its row
- :mod:`vicinal.experiments.runner`, :mod:`~vicinal.experiments.pool` -- many at once
- :mod:`vicinal.experiments.store` -- rows in SQLite
- :mod:`vicinal.experiments.exchange` -- rows as CSV and JSON files
- :mod:`vicinal.experiments.statistics` -- means, intervals, paired tests
"""
