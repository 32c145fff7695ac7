PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
SOURCES := $(wildcard csrc/*) CMakeLists.txt

.PHONY: run test lint format docs bench fallback sanitize arm clean

run: $(READY)  ## train four networks that differ in the activation, and compare them
	$(BIN)/python examples/source_localization.py

test: export OMP_NUM_THREADS = 1  # tests run side by side
test: $(READY) lint  ## lint, types, tests with the native kernels and with plain torch
	$(BIN)/python -m pytest -n 2 -q
	VICINAL_KERNELS=reference $(BIN)/python -m pytest -n 2 -q tests/kernels tests/functional

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(READY)  ## the documentation; a warning is an error
	$(BIN)/sphinx-build -q -W -n --keep-going -b html -d build/doctrees docs build/docs
	@echo "documentation: $(CURDIR)/build/docs/index.html"

bench: $(READY)  ## time the operators against their rivals; see docs/performance.md
	$(BIN)/python benchmarks/run.py $(ARGS)

fallback: $(READY)  ## install without a compiler: plain torch serves, and says so
	rm -rf build/fallback
	CXX=/bin/false $(BIN)/python -m pip install -q --no-deps --target build/fallback .
	PYTHONPATH=build/fallback:$$($(BIN)/python -c "import sysconfig; \
	print(sysconfig.get_path('purelib'))") $(BIN)/python -S -c "import vicinal.kernels \
	as k; print(k.__file__, k.active_path()); assert k.active_path() == 'reference'"

$(READY): pyproject.toml constraints.txt $(SOURCES)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q -c constraints.txt torch
	$(BIN)/python -m pip install -q -c constraints.txt -e ".[dev,docs,experiments,parquet,pyg,report,tensorboard]"
	touch $(READY)

clean:
	rm -rf $(VENV) build output
