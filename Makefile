PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
SOURCES := $(filter-out csrc/driver.cpp,$(wildcard csrc/*)) CMakeLists.txt

.PHONY: run test lint format docs bench fallback sanitize arm clean

QUICK := --quick --store output/quick.sqlite --report output/report.html
run: $(READY)  ## the short forms of two studies, and the page that shows them
	mkdir -p output
	$(BIN)/vicinal run faulty-sensors $(QUICK)
	$(BIN)/vicinal run source-localization $(QUICK)

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

# A second environment that borrows all packages of the first but this one, which is
# compiled with sanitizers. Left out: tests of time and of memory.
SAN := build/sanitize
sanitize: $(READY)  ## the tests of the kernels under AddressSanitizer and UBSan
	rm -rf $(SAN)
	$(BIN)/python -m venv --without-pip $(SAN)
	site=$$($(SAN)/bin/python -c "import sysconfig; print(sysconfig.get_path('purelib'))"); \
	$(BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))" > $$site/borrowed.pth; \
	$(BIN)/python -m pip install -q --no-deps --target $$site \
	    -C cmake.define.VICINAL_SANITIZE=ON .
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 VICINAL_KERNELS=native \
	    $(SAN)/bin/python -m pytest -q -p no:cacheprovider -n 2 tests/kernels \
	    --ignore tests/kernels/test_leak.py --ignore tests/kernels/test_large.py \
	    --ignore tests/kernels/test_speed.py

# Debian: apt install g++-aarch64-linux-gnu qemu-user
arm:  ## the kernels cross-compiled for ARM, every path compared in an emulator
	mkdir -p build
	aarch64-linux-gnu-g++ -std=c++17 -O2 -ffp-contract=off -Wall -Wextra -static -pthread \
	    csrc/driver.cpp csrc/kernels.cpp csrc/threads.cpp csrc/pages.cpp -o build/driver_arm
	qemu-aarch64 build/driver_arm

$(READY): pyproject.toml constraints.txt $(SOURCES)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q -c constraints.txt torch
	$(BIN)/python -m pip install -q -c constraints.txt -e ".[dev,docs,experiments,parquet,pyg,report,tensorboard]"
	touch $(READY)

clean:
	rm -rf $(VENV) build output
