# Needs Rust (see rust-version in Cargo.toml), Python 3.11 or later and git; `make` lists what it does.

CARGO ?= cargo
PYTHON ?= python3
TARGET := $(or $(CARGO_TARGET_DIR),target)
SLUICE := $(TARGET)/release/sluice
# A workspace of its own.
OWN_LAW := --manifest-path examples/own-law/Cargo.toml
# Python with this package and what its tests need.
VENV := .venv
PY := $(VENV)/bin/python

.DEFAULT_GOAL := help
.PHONY: help build run test test-python python docs gallery lint lint-python lint-linux bench bench-linux validate mutants figure check-figure check-tour report-picture

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build the sluice command with all optimisations
	$(CARGO) build --release --locked -p sluice-cli

run: build ## run a web-search workload under RCP, XCP, NCP and TCP (scenarios/websearch.toml)
	$(SLUICE) run scenarios/websearch.toml

test: ## run every test; check Python's syntax, the documentation, and that seeded bugs still apply
	$(CARGO) test --locked
	$(CARGO) test --locked $(OWN_LAW) --target-dir $(TARGET)
	$(PYTHON) -m compileall -q tools validation
	$(PYTHON) tools/mutants.py --check
	$(PYTHON) tools/vectors.py --check
	CARGO=$(CARGO) tools/test_linux.sh
	CARGO=$(CARGO) $(PYTHON) tools/test_report.py
	$(PYTHON) tools/check_docs.py
	$(MAKE) test-python

test-python: python ## run the tests of the Python package, its examples among them
	$(PY) -m mypy.stubtest sluice._core
	$(PY) -m pytest --quiet python

python: $(VENV)/ready ## install the Python package, as it stands in this folder, into .venv
	PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(PY) -m pip install --quiet --disable-pip-version-check \
		--no-build-isolation --no-deps --editable .

$(VENV)/ready: python/requirements.txt
	$(PYTHON) -m venv --clear $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

docs: python $(VENV)/docs-ready ## build the documentation site into target/docs; its snippets and notebook are run
	$(PY) docs/site/try_slurm.py
	$(PY) -m sphinx --fail-on-warning --keep-going --quiet docs $(TARGET)/docs
	@echo "$(TARGET)/docs/index.html is written"

$(VENV)/docs-ready: docs/requirements.txt $(VENV)/ready
	$(PY) -m pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

gallery: python ## draw the papers' figures at full scale into docs/gallery (twenty minutes)
	$(VENV)/bin/sluice reproduce all --scale full --out $(TARGET)/gallery
	cp $(TARGET)/gallery/*.md $(TARGET)/gallery/*.svg docs/gallery/

lint: ## check the format, the lints and the documentation; any warning is an error
	$(CARGO) fmt --all --check
	$(CARGO) fmt $(OWN_LAW) --check
	$(CARGO) clippy --locked --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --no-deps

lint-python: $(VENV)/ready ## check the Python package's format and types, and lint its Rust part
	$(PY) -m ruff format --check
	$(PY) -m ruff check
	$(PY) -m mypy
	$(CARGO) clippy --locked -p sluice-py --all-targets -- -D warnings

lint-linux: ## the same lints for crates/sluice-linux (CONTRIBUTING.md tells what it needs)
	$(CARGO) clippy --locked -p sluice-linux --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked -p sluice-linux --no-deps

bench: ## measure simulated packets a second on one core (see docs/performance.md)
	$(CARGO) bench --locked -p sluice-sim --bench engine

bench-linux: ## measure the kernel's time a packet, as root on Linux
	$(CARGO) bench --locked -p sluice-linux --bench fast_path

validate: build ## compare with ns-2.35 (its package: ns2); without it, nothing is compared
	SLUICE=$(SLUICE) $(PYTHON) validation/compare.py --check

mutants: ## seed each bug of docs/mutants.md and check that its test fails (long)
	$(PYTHON) tools/mutants.py

figure: build ## run scenarios/websearch.toml and put its figure and table into the README
	$(PYTHON) tools/readme_figure.py $(SLUICE)

check-tour: build ## run the commands of docs/tour.md and other pages and check what they print
	$(PYTHON) tools/tour.py $(SLUICE)

check-figure: build ## check that the README shows what `make run` gives
	$(PYTHON) tools/readme_figure.py --check $(SLUICE)

report-picture: build ## photograph the report of scenarios/websearch.toml for the README (needs Chromium)
	$(SLUICE) run scenarios/websearch.toml --quiet
	$(SLUICE) report results/websearch
	$(PYTHON) tools/report_picture.py results/websearch/report.html
