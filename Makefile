# Everything a developer does, one word each. Needs only Python 3.11+ and make.
PYTHON ?= python3
ARGS ?=
MINUTES ?= 5
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Tests start hundreds of processes: compile each file once, wherever this was switched off.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help setup browser run test sdk sdk-typescript check fix openapi guides bench bench-details bench-peers baselines fuzz every-store chaos obey soak failovers mutants simulate-faults cover docker-steps lock upgrade audit clean

help: ## Show this list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMP) ## Make .venv with everything, from the lock, hashes checked

$(STAMP): requirements-dev.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Abraxas needs Python 3.11 or newer: make setup PYTHON=python3.11")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements-dev.lock
	@# That it is installed as the folder it lies in is the point, and no reason for a warning.
	PYTHONWARNINGS="ignore:Editable installation" $(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

browser: ## Install Debian's Chromium and its driver, which test the replay page (needs root)
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium chromium-driver

run: setup ## Start everything on the embedded store (ARGS="--port 9000")
	$(BIN)/abraxas serve $(ARGS)

# Many tests wait for processes: two workers a core keep the cores busy.
JOBS = $(shell $(PYTHON) -c 'import os; print(2 * os.cpu_count())')

test: check ## Check, then run the whole test suite (benchmarks aside)
	$(BIN)/pytest -n $(JOBS) --dist loadfile -m "not bench" $(ARGS)

sdk: setup ## Test the clients in sdk/ against real servers (what needs Node is skipped without it)
	$(BIN)/pytest sdk
	@if command -v npm > /dev/null; then $(MAKE) sdk-typescript; \
	else echo "Skipped the TypeScript client: there is no Node (20 or newer) with npm here."; fi

sdk-typescript: setup sdk/typescript/node_modules/.package-lock.json
	cd sdk/typescript && npm test --silent

sdk/typescript/node_modules/.package-lock.json: sdk/typescript/package-lock.json
	cd sdk/typescript && npm ci --silent --no-fund --no-audit
	@touch $@

check: setup ## Formatting, lint, types, the OpenAPI document, the Dockerfile
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	@if test -f openapi.yaml; then \
		echo "$(BIN)/abraxas openapi | diff openapi.yaml -"; \
		$(BIN)/abraxas openapi | diff openapi.yaml - || { echo "openapi.yaml is stale: make openapi"; exit 1; }; \
	fi
	$(BIN)/hadolint Dockerfile

fix: setup ## Format, and mend what the linter can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

openapi: setup ## Write openapi.yaml anew from the routes
	@$(BIN)/abraxas openapi > openapi.yaml.new && mv openapi.yaml.new openapi.yaml \
		|| { rm -f openapi.yaml.new; exit 1; }

guides: setup ## Draw the pages of docs/ anew for the server
	$(BIN)/python -m tests.service.write_guides

bench: setup ## Measure everything, beside something bare and its target (ten minutes; ARGS="--quick")
	$(BIN)/python -m tests.benchmarks --json bench.json $(ARGS)

bench-details: setup ## Measure records, histories, streams and the store one by one
	$(BIN)/pytest -m bench -s --timeout=600 $(ARGS)

PEERS := tests/benchmarks/peers

bench-peers: setup $(PEERS)/.venv/.installed $(PEERS)/boardgame/node_modules/.package-lock.json ## Measure beside boardgame.io and eventsourcing (needs Node)
	$(BIN)/python -m tests.benchmarks.peers --json bench-peers.json $(ARGS)

$(PEERS)/.venv/.installed: $(PEERS)/requirements.lock
	$(BIN)/python -m venv $(PEERS)/.venv
	$(PEERS)/.venv/bin/python -m pip install --quiet --require-hashes -r $<
	@touch $@

$(PEERS)/boardgame/node_modules/.package-lock.json: $(PEERS)/boardgame/package-lock.json
	cd $(PEERS)/boardgame && npm ci --silent --no-fund --no-audit --ignore-scripts
	@touch $@

baselines: setup ## Agree to what the hot paths cost now: make test fails when one gets 30% dearer
	$(BIN)/python -m tests.benchmarks.gate

fuzz: setup ## Ask everything as everybody, at length
	FUZZ_EXAMPLES=100 FUZZ_WALKS=20 FUZZ_RUNS=500 $(BIN)/pytest tests/service/roles --timeout=1800 $(ARGS)
	FUZZ_EXAMPLES=10 $(BIN)/pytest tests/e2e/test_api.py $(ARGS)

every-store: setup ## Follow and rebuild on fakeredis, too, and with more tables
	EVERY_STORE=1 REBUILT_TABLES=24 REBUILDS=2 $(BIN)/pytest tests/workers $(ARGS)

chaos: setup ## Break everything at length, kill KILLS=1000 times under COMMANDS=1000000
	CHAOS_TABLES=200 CHAOS_CLIENTS=1000 CHAOS_COMMANDS=20000 $(BIN)/pytest -m chaos $(ARGS)
	PYTHONPATH=sdk/python/src $(BIN)/python -m tests.chaos.kills \
		--kills $(or $(KILLS),1000) --commands $(or $(COMMANDS),1000000)

obey: setup ## Ask for everything as fast as the limits allow, and be refused nothing (MINUTES=5)
	SOAK_MINUTES=$(MINUTES) $(BIN)/pytest -s tests/chaos/test_obedient_clients.py $(ARGS)

failovers: setup ## Fail a cluster over 50 times under load, move slots, and lose on purpose once
	$(BIN)/python -m tests.cluster.failovers --count 50
	$(BIN)/python -m tests.cluster.failovers --count 10 --replicas 0 --fault "SIGKILL with a replica behind"
	CLUSTER_MOVES=40 CLUSTER_TABLES=12 $(BIN)/pytest tests/cluster -k "moves or whole" $(ARGS)
	$(BIN)/python -m tests.cluster.rates

mutants: setup ## Change the product in small ways and see that a test notices (SAMPLE=200, ARGS="append")
	nice -n 10 $(BIN)/python -m tests.mutation $(if $(SAMPLE),--sample $(SAMPLE)) $(ARGS)

simulate-faults: setup ## Simulate installations with new faults for SECONDS=600, print the seeds that failed
	$(BIN)/python -m tests.simulation --seconds $(or $(SECONDS),600)

soak: setup ## Open and close 2,000 streams again and again, and look for what grows
	SOAK_STREAMS=2000 SOAK_CYCLES=20 $(BIN)/pytest -s tests/e2e/test_soak.py $(ARGS)

cover: setup ## Coverage of domain/ and events/ by branch, at least 95%, as HTML in htmlcov/ too
	$(BIN)/pytest -n auto -m "not bench" tests/domain tests/events tests/workers/test_archive.py \
		--cov --cov-report=term --cov-report=html --cov-fail-under=95

docker-steps: setup ## Carry out the Dockerfile's steps in an empty folder, without Docker
	$(BIN)/python tests/image/carry_out.py Dockerfile

COMPILE := $(BIN)/uv pip compile pyproject.toml --no-config --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-emit-find-links --no-header --extra build

lock: setup ## Bring the lock files in line with pyproject.toml
	$(COMPILE) --output-file requirements.lock $(ARGS)
	$(COMPILE) --extra dev --extra mcp --extra otel --extra rl --constraint requirements.lock --output-file requirements-dev.lock $(ARGS)

upgrade: ## Move every locked package to its newest version
	$(MAKE) lock ARGS=--upgrade

audit: setup ## Look the locked packages up among known vulnerabilities
	$(BIN)/pip-audit --strict --require-hashes --disable-pip -r requirements-dev.lock

clean: ## Remove what the tools made; data in var/ stays
	rm -rf $(VENV) build dist *.egg-info .coverage .coverage.* htmlcov .hypothesis .mypy_cache .pytest_cache .ruff_cache .schemathesis
