# Everything that is done with this repository. `make` alone lists it.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.SILENT:
.DEFAULT_GOAL := help

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
# How many seeds of each scenario the clean client must survive.
MUTANT_CLEAN_SEEDS ?= 10000

LINTED := Sources Tests Benchmarks Package.swift
LIBRARIES := ClientCore LCFeatureControl Palbase PalbaseAnalytics PalbaseFlags Simulation
export SWIFT MUTANT_CLEAN_SEEDS

# What a build has to say: its errors, each once, and that it is complete.
BUILD_NEWS := '/^[^ |].*(error|warning): / && !seen[$$0]++ || /^Build .*complete/'
# What a test run has to say: everything but that a test has started, which its end repeats.
TEST_NEWS := '!/^(◇|􀟈) / { print; fflush() }'

define heading
printf '\n== %s\n' "$(1)"
endef

.PHONY: help test unit lint smoke mutants-quick tsan mutants bench install docs format clean

help: ## List what can be made.
	awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

test: unit lint smoke mutants-quick ## Run everything that must be green: tests, lint, launcher, mutants (quick).
	$(call heading,all green)

unit: ## Build and run the Swift tests.
	$(call heading,tests)
	flags=$$(.ci/packages)
	$(SWIFT) build --build-tests $$flags 2>&1 | awk $(BUILD_NEWS)
	$(SWIFT) test --skip-build $$flags 2>&1 | awk $(TEST_NEWS)

lint: ## Check the format and the documentation comments.
	$(call heading,lint)
	$(SWIFT) format lint --strict --recursive --parallel $(LINTED)
	echo "format and documentation comments are clean"

smoke: ## Run the launcher twice on cold-cache and compare the digests, then every scenario.
	$(call heading,launcher)
	folder=.build/smoke
	rm -rf $$folder
	for run in 1 2; do
	  ./simulate Scenarios/cold-cache.json --no-progress --reports $$folder/$$run >$$folder.txt
	done
	cat $$folder.txt
	digests=$$(grep -ho '"digest": *"[0-9a-f]*"' $$folder/*/cold-cache/result.json)
	if [ "$$(sort -u <<<"$$digests" | wc -l)" != 1 ] || [ "$$(wc -l <<<"$$digests")" != 2 ]; then
	  printf 'two runs of one seed differ:\n%s\n' "$$digests" >&2
	  exit 1
	fi
	echo "two processes, one digest: $$(sort -u <<<"$$digests" | grep -o "[0-9a-f]\{16\}")"
	./simulate Scenarios/*.json --quiet --no-progress --reports $$folder/all
	echo "all $$(ls Scenarios/*.json | wc -l) scenarios passed"

mutants-quick: ## Catch every mutant, with a short control of the clean client.
	$(call heading,mutants)
	python3 -B Tests/Mutants/mutants.py --clean-seeds 300

mutants: ## Catch every mutant, with the full control; writes Reports/mutants/table.md.
	python3 -B Tests/Mutants/mutants.py

tsan: ## Run the Swift tests under the thread sanitizer (without jemalloc, which it does not bear).
	$(call heading,tests under the thread sanitizer)
	$(SWIFT) build --build-tests --disable-default-traits --scratch-path .build/tsan --sanitize=thread 2>&1 \
	  | awk $(BUILD_NEWS)
	$(SWIFT) test --skip-build --disable-default-traits --scratch-path .build/tsan --sanitize=thread 2>&1 \
	  | awk $(TEST_NEWS)

bench: ## Compare the engine with SimPy, measure reads, refreshes, devices, kills; writes Reports/bench/.
	python3 -B Benchmarks/bench.py

install: ## Install the command and its scenarios below PREFIX (DESTDIR is honoured).
	flags=$$(.ci/packages)
	$(SWIFT) build -c release --product simulate $$flags 2>&1 | awk $(BUILD_NEWS)
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/stampede/Scenarios"
	install -m 755 .build/release/simulate "$(DESTDIR)$(PREFIX)/bin/simulate"
	install -m 644 Scenarios/*.json "$(DESTDIR)$(PREFIX)/share/stampede/Scenarios"
	echo "installed $(DESTDIR)$(PREFIX)/bin/simulate; it uses the Swift runtime of $$(dirname "$$(command -v swift)")"

docs: ## Build the documentation of the libraries into .build/docs.
	$(call heading,documentation)
	swiftc=$$(readlink -f "$$(command -v swift)")
	docc=$$(command -v docc || echo "$${swiftc%/*}/docc")
	rm -rf .build/docs
	mkdir -p .build/docs .build/docs-build/graphs
	for library in $(LIBRARIES); do
	  $(SWIFT) build --product $$library --disable-default-traits --scratch-path .build/docs-build \
	    -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc .build/docs-build/graphs \
	    2>&1 | awk $(BUILD_NEWS)
	  mkdir -p .build/docs-build/$$library
	  rm -f .build/docs-build/$$library/*
	  # With the extensions of other modules' types, named Library@Module.
	  find .build/docs-build/graphs -name "$$library.symbols.json" -o -name "$$library@*.symbols.json" \
	    | xargs -I '{}' cp '{}' .build/docs-build/$$library/
	  if [ -x "$$docc" ]; then
	    "$$docc" convert --additional-symbol-graph-dir .build/docs-build/$$library --fallback-display-name $$library \
	      --fallback-bundle-identifier stampede.$$library --output-path .build/docs/$$library.doccarchive
	    echo "$$library: .build/docs/$$library.doccarchive"
	  else
	    cp .build/docs-build/$$library/* .build/docs/
	    echo "$$library: symbol graph only, there is no docc beside the compiler"
	  fi
	done

format: ## Format all sources in place.
	$(SWIFT) format --in-place --recursive --parallel $(LINTED)

clean: ## Remove everything that was built.
	rm -rf .build Benchmarks/.build
