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
# All crates but the one that needs clang and Linux's headers, the services on it, and its testbed;
# MEMBERS=--workspace takes them too. One selection for all commands, since features, and so what is compiled anew, depend on it.
MEMBERS := --workspace --exclude sluice-linux --exclude sluice-live --exclude sluice-demo --exclude sluice-testbed
# The built Python module, and its name as one.
MODULE := lib_core.$(if $(filter Darwin,$(shell uname -s)),dylib,so)
IN_PLACE := python/sluice/_core.abi3.so
# Runs a test unless it passed with the same inputs: `$(ONCE) NAME PATH... -- COMMAND...`.
ONCE := $(PYTHON) tools/once.py
SOURCES := Cargo.toml Cargo.lock crates scenarios

.DEFAULT_GOAL := help
.PHONY: help build live trial run test test-rust test-own-law test-tools build-linux-tests test-linux test-linux-command test-report test-python test-rust-long test-linux-long test-python-long test-long debug python python-release dist test-dist check-platforms docs gallery check-gallery draw-gallery lint lint-python bench instructions check-instructions bench-linux validate validate-kernel measure-linux mutants fuzz figure check-tour check-figure report-picture

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build the sluice command with all optimisations
	$(CARGO) build --release --locked -p sluice-cli

live: ## build it with the data plane on Linux (needs clang; docs/how-to/linux.md)
	$(CARGO) build --release --locked -p sluice-cli --features linux

trial: ## build the command for trying changes: sooner, and a little slower; prints its path
	$(CARGO) build --profile trial --locked -p sluice-cli
	@echo $(TARGET)/trial/sluice

run: build ## run a web-search workload under RCP, XCP, NCP, Ledger and TCP (scenarios/websearch.toml)
	$(SLUICE) run scenarios/websearch.toml

# Two parts at a time: some keep only one core busy. What a part prints comes when it ends.
SIDE_BY_SIDE := -j2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
PARTS := test-rust test-python test-own-law test-tools build-linux-tests test-report

test: ## check everything that takes minutes; skip what passed and did not change
	@# What the longest parts need comes first, and only once: with it to make, they would begin after all others.
	@$(MAKE) --no-print-directory python
	@$(MAKE) --no-print-directory $(SIDE_BY_SIDE) -o debug -o python $(PARTS)
	@$(MAKE) --no-print-directory test-linux
	@$(MAKE) --no-print-directory test-linux-command
	@$(PYTHON) tools/test_long.py --age

test-rust:
	$(ONCE) rust $(SOURCES) -- $(CARGO) test --locked $(MEMBERS) --tests
	$(ONCE) doctests $(SOURCES) -- $(CARGO) test --locked $(MEMBERS) --doc

test-own-law:
	$(ONCE) own-law $(SOURCES) examples -- $(CARGO) test --locked $(OWN_LAW) --target-dir $(TARGET)

test-tools:
	$(PYTHON) -m compileall -q tools validation
	$(PYTHON) validation/kernel/test_kernel.py
	$(PYTHON) tools/mutants.py --check
	$(PYTHON) tools/vectors.py --check
	$(PYTHON) tools/pie_vectors.py --check
	$(PYTHON) tools/check_docs.py
	$(PYTHON) tools/check_cycles.py
	$(PYTHON) tools/check_names.py

build-linux-tests:
	CARGO=$(CARGO) tools/test_linux.sh build

# Not beside others, since its connections run in real time.
test-linux:
	CARGO=$(CARGO) $(ONCE) linux Cargo.toml Cargo.lock tools/test_linux.sh scenarios \
		$(addprefix crates/sluice-,units laws sim lab linux live demo testbed) -- tools/test_linux.sh kernel

# Not beside others, since it exchanges the command that they run.
test-linux-command:
	CARGO=$(CARGO) $(ONCE) linux-command Cargo.toml Cargo.lock tools/test_linux.sh scenarios packaging \
		$(addprefix crates/sluice-,units laws sim lab linux live demo testbed cli) -- tools/test_linux.sh command

test-report: debug
	SLUICE=$(TARGET)/debug/sluice $(ONCE) report $(SOURCES) tools/browser.py tools/test_report.py -- \
		$(PYTHON) tools/test_report.py

test-python: python ## run the tests of the Python package, its examples among them
	$(ONCE) stubs Cargo.toml Cargo.lock crates/sluice-py python/sluice -- $(PY) -m mypy.stubtest sluice._core
	$(ONCE) python $(SOURCES) python pyproject.toml README.md docs -- $(PY) -m pytest --quiet python

# Random tests that read the number of cases draw it here, and so do those that are ignored elsewhere.
test-rust-long:
	PROPTEST_CASES=2000 $(CARGO) test --locked --no-fail-fast $(MEMBERS) --tests -- --include-ignored

test-linux-long:
	CARGO=$(CARGO) tools/test_linux.sh long

test-python-long: python-release
	$(PY) -m pytest --quiet -m long python

test-long: ## check what takes hours, before a release, and record it in docs/test-long.md
	$(PYTHON) tools/test_long.py

# The command and the Python module as tests use them. With a test beside them, dependencies get the
# features that tests need, and are compiled once for all.
debug:
	$(CARGO) build --locked $(MEMBERS) --lib --bins --test no_heap

python: $(VENV)/ready debug ## build the Python package's module, with its checks, for .venv
	cp $(TARGET)/debug/$(MODULE) $(IN_PLACE)

python-release: $(VENV)/ready ## the same with all optimisations and without checks, as pip builds it
	$(CARGO) build --release --locked -p sluice-py
	cp $(TARGET)/release/$(MODULE) $(IN_PLACE)

$(VENV)/ready: python/requirements.txt
	$(PYTHON) -m venv --clear $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check --requirement $<
	@# The package is used where it lies.
	$(PY) -c 'import site; open(site.getsitepackages()[0] + "/sluice.pth", "w").write("$(CURDIR)/python\n")'
	touch $@

# What is handed out, for the processor that builds it. 2.17 is the oldest glibc that Rust supports.
DIST := $(TARGET)/dist
ARCH := $(shell uname -m)
GNU := $(ARCH)-unknown-linux-gnu
MUSL := $(ARCH)-unknown-linux-musl
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
LICENCES := python/sluice/THIRD-PARTY.txt

dist: $(VENV)/dist-ready ## build sdist, wheel and static command into target/dist (needs Linux, musl-gcc and its Rust target)
	rm -rf $(DIST)
	$(PY) tools/dist/licences.py sluice-py $(GNU) $(LICENCES)
	@# The wheel is built from the sdist, which is thus complete.
	@# All files of an sdist have one date, so cargo takes crates that it built from an earlier sdist for fresh.
	rm -rf $(TARGET)/$(GNU)/stripped/.fingerprint/sluice-*
	PATH="$(abspath $(VENV))/bin:$$PATH" CARGO_TARGET_DIR=$(abspath $(TARGET)) \
		$(PY) -m maturin build --sdist --profile stripped --zig --target $(GNU) --compatibility manylinux_2_17 --out $(DIST)
	$(CARGO) build --locked --profile stripped -p sluice-cli --target $(MUSL)
	$(PYTHON) tools/dist/archive.py $(TARGET)/$(MUSL)/stripped/sluice $(LICENCES) $(DIST)/sluice-$(VERSION)-$(ARCH)-linux.tar.gz
	@ls -l $(DIST)

test-dist: dist ## install and run each file of target/dist in an empty environment
	$(PYTHON) tools/test_dist.py $(DIST)

check-platforms: ## compile command and package for macOS and Windows, without linking or running them
	CARGO=$(CARGO) tools/check_platforms.sh

$(VENV)/dist-ready: tools/dist/requirements.txt $(VENV)/ready
	$(PY) -m pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

docs: python $(VENV)/docs-ready ## build the documentation site into target/docs; its snippets and notebook are run
	$(PY) docs/site/try_slurm.py
	$(PY) -m sphinx --fail-on-warning --keep-going --quiet docs $(TARGET)/docs
	@echo "$(TARGET)/docs/index.html is written"

$(VENV)/docs-ready: docs/requirements.txt $(VENV)/ready
	$(PY) -m pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

gallery: draw-gallery ## draw the papers' figures at full scale into docs/gallery (an hour)
	cp $(TARGET)/gallery/*.md $(TARGET)/gallery/*.svg docs/gallery/

check-gallery: draw-gallery ## draw them, and check that no verdict differs from docs/gallery
	$(PYTHON) tools/gallery.py $(TARGET)/gallery docs/gallery

draw-gallery: python-release
	$(PY) -m sluice reproduce all --scale full --out $(TARGET)/gallery

lint: ## check the format, the lints and the documentation; any warning is an error
	$(CARGO) fmt --all --check
	$(CARGO) fmt $(OWN_LAW) --check
	$(CARGO) clippy --locked $(MEMBERS) --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked $(MEMBERS) --no-deps

lint-python: $(VENV)/ready ## check the Python package's format and types
	$(PY) -m ruff format --check
	$(PY) -m ruff check
	$(PY) -m mypy

# Half of the time for scenarios, half for laws, on one core; FUZZ_FROM goes on where an earlier call ended.
FUZZ_SECONDS ?= 600
FUZZ_JOBS ?= 1
FUZZ_FROM ?= 0
FUZZ = $(TARGET)/fuzz/sluice-fuzz $(1) --seconds $$(($(FUZZ_SECONDS) / 2)) --jobs $(FUZZ_JOBS) --from $(FUZZ_FROM)

fuzz: ## random scenarios and laws for FUZZ_SECONDS=600 (docs/reliability.md)
	$(CARGO) build --locked --profile fuzz -p sluice-fuzz
	$(call FUZZ,scenarios)
	$(call FUZZ,laws)

bench: ## measure simulated packets a second on one core (see docs/performance.md)
	$(CARGO) bench --locked -p sluice-sim --bench engine

instructions: ## count the benchmarks' instructions a packet, and record them (needs valgrind)
	CARGO=$(CARGO) $(PYTHON) tools/instructions.py --write

check-instructions: ## check that they are within 2% of those recorded
	CARGO=$(CARGO) $(PYTHON) tools/instructions.py

bench-linux: ## measure the kernel's time a packet, as root on Linux
	$(CARGO) bench --locked -p sluice-linux --bench fast_path

validate: build ## compare with ns-2.35 (its package: ns2); without it, nothing is compared
	SLUICE=$(SLUICE) $(PYTHON) validation/compare.py --check

validate-kernel: build ## compare Reno, CUBIC and BBR with this kernel's, as root on Linux; elsewhere it is skipped
	SLUICE=$(SLUICE) $(PYTHON) validation/kernel/compare.py

measure-linux: live python ## measure RCP on this machine's kernel, as root, for docs/linux.md (half an hour)
	$(PY) validation/linux/measure.py $(TARGET)/release/sluice

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
