PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: run test lint format clean

run: $(READY)  ## train median, max and ReLU networks and compare them
	$(BIN)/python examples/source_localization.py

test: $(READY)  ## lint, types, tests
	$(MAKE) lint
	$(BIN)/python -m pytest -n 2 -q

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q -c constraints.txt torch
	$(BIN)/python -m pip install -q -c constraints.txt -e ".[dev,pyg,report]"
	touch $(READY)

clean:
	rm -rf $(VENV) build output
