# Everything a person does with the project. `make help` lists it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LLM := .venv-llm
OTHER := .venv-$(notdir $(PYTHON))
ENGINES := .venv-engines
SOURCES := ace patent_ace_client ace_lab workers migrations tests benchmarks deploy docs
# Real claim sets to learn from (JSON lines or USPTO XML), and where what is made of them goes.
CLAIMS ?= ../shared/data/us-claim-sets.jsonl.gz
LAB ?= .lab
# The gatekeeper that `make calibrate` and `make evaluate` work on.
MODEL ?= $(LAB)/gatekeeper/int8
# The commit that `make verdict-diff` compares the working tree with.
BASE ?= HEAD
# What `make test-again` runs, and how often.
TESTS ?=
TIMES ?= 5
# The test files are shared among processes, each with a PostgreSQL and a Redis of its own, in the order of
# collection, which is slow ones first. Three processes for two cores: one of them often waits.
SIDE_BY_SIDE := --dist loadfile --no-loadscope-reorder
# Twelve hexadecimal digits are the id of a key, which is no secret. Tests are full of made-up
# passwords; what has the form of somebody's real key is found there too.
SCAN := $(BIN)/detect-secrets-hook --no-verify --exclude-secrets '^[0-9a-f]{12}$$'
FAKES := $(foreach one,BasicAuth Keyword,--disable-plugin $(one)Detector) \
  $(foreach one,Base64 Hex,--disable-plugin $(one)HighEntropyString)

# What `make lock` writes: every package of the product, for every Python and platform, with its hashes.
LOCK := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --constraint constraints.txt \
  --generate-hashes --no-annotate --custom-compile-command 'make lock'
ELSEWHERE := $(addprefix --no-emit-package ,patent-ace-client colorama httpx2-jsfetch tzdata) # ours; Windows and browsers
SBOM := build/sbom

.PHONY: help demo test test-quick test-python test-again test-llm test-engines mutants lint lock sbom format docs screenshots chaos fuzz bench gpu up data train calibrate evaluate clean
.DEFAULT_GOAL := help

help: ## Show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: $(VENV)/.demo ## Set everything up and run the sample claim sets through a real stack
	$(BIN)/ace demo

up: $(VENV)/.demo ## Set everything up and run the whole of ACE on this machine until Ctrl-C
	$(BIN)/ace up

test: $(VENV)/.dev ## Set everything up and run all tests
	$(BIN)/python -m pytest -n 3 $(SIDE_BY_SIDE)

test-quick: $(VENV)/.dev ## Run the tests that are not slow by design
	$(BIN)/python -m pytest -n 2 $(SIDE_BY_SIDE) -m 'not slow'

# Without torch, which is gigabytes for most Pythons, and so without the tests of the lab.
test-python: $(OTHER)/.dev ## Run the product's quick unit tests under another Python: make test-python PYTHON=python3.13
	$(OTHER)/bin/python -m pytest -n 2 $(SIDE_BY_SIDE) -m 'not slow' tests/unit --ignore tests/unit/lab

test-again: $(VENV)/.dev ## Run TESTS, or all tests, TIMES times in random order, every other time on busy cores
	$(BIN)/python -m tests.again --processes 3 --times $(TIMES) $(TESTS)

mutants: $(VENV)/.dev ## Put sampled faults into the code and list those that no test notices (hours; ARGS="--area claims")
	$(BIN)/python -m tests.mutation $(ARGS)

test-llm: $(VENV)/.dev $(LLM)/.built ## Build llama.cpp's servers (once, some ten minutes), run the slow queue against them, write docs/models/llm.md
	$(BIN)/python -m pytest tests/llm

test-engines: $(ENGINES)/.built ## Install Ray and Spark (once, 1.4 GB), and compare what they make of `ace score` (Spark needs Java 17)
	$(ENGINES)/bin/python -m pytest tests/engines

lint: $(VENV)/.dev ## Check style, types, complexity, imports, secrets, known vulnerabilities and missing wheels
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/mypy
	! $(BIN)/radon cc --min D --show-complexity ace patent_ace_client ace_lab workers migrations benchmarks deploy docs | grep .
	$(BIN)/lint-imports
	git ls-files -z -- . ':!tests' ':!deploy/chart' ':!ace/gatekeeper/model' ':!docs/models' | xargs -0 $(SCAN)
	git ls-files -z -- tests deploy/chart | xargs -0 $(SCAN) $(FAKES)
	$(BIN)/python -m tests.audit
	$(BIN)/python -m tests.wheels

lock: $(VENV)/.dev ## Write the files of hashes anew, after a change of dependencies or pins
	$(LOCK) $(ELSEWHERE) pyproject.toml -o requirements/product.txt
	$(LOCK) $(ELSEWHERE) pyproject.toml --extra embedded -o requirements/embedded.txt \
	  $$(sed -nE 's/^([a-z][a-z0-9-]*)==.*/--no-emit-package \1/p' requirements/product.txt)
	$(LOCK) $(ELSEWHERE) pyproject.toml --extra otel -o requirements/otel.txt \
	  $$(sed -nE 's/^([a-z][a-z0-9-]*)==.*/--no-emit-package \1/p' requirements/product.txt)
	echo cyclonedx-bom==7.5.0 | $(LOCK) - -o requirements/sbom.txt

sbom: ## Build the wheel, and list in build/ace.cdx.json every package that it needs (CycloneDX)
	rm -rf $(SBOM) build/product build/lib
	$(PYTHON) -m venv $(SBOM)
	$(SBOM)/bin/pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r requirements/sbom.txt
	$(PYTHON) -m venv --without-pip build/product
	$(SBOM)/bin/pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir build ./patent_ace_client .
	$(SBOM)/bin/pip --python build/product install --quiet --disable-pip-version-check --require-hashes -r requirements/product.txt
	$(SBOM)/bin/pip --python build/product install --quiet --disable-pip-version-check --no-deps --no-index --find-links build patent-ace-client patent-ace
	$(SBOM)/bin/cyclonedx-py environment build/product --output-reproducible -o build/ace.cdx.json

format: $(VENV)/.dev ## Format the code
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/ruff check --fix $(SOURCES)

docs: $(VENV)/.dev ## Build the docs as a site in build/docs; a broken link fails
	$(BIN)/python -m sphinx -q -W --keep-going docs build/docs

screenshots: $(VENV)/.dev ## Take every page of the desk, light and dark, into docs/desk (5 minutes; needs Chromium)
	$(BIN)/python -m docs.screenshots

chaos: $(VENV)/.dev ## Kill, freeze and cut everything under 100,000 claims, then audit; plain Celery beside it
	$(BIN)/python -m tests.chaos --claims 100000 --kills 100 --mode both --json
	$(BIN)/python -m tests.chaos --profile simulator --claims 10000 --kills 100 --json

fuzz: $(VENV)/.dev ## Thousands of cases against the API and the moves of the store
	FUZZ_EXAMPLES=200 $(BIN)/python -m pytest tests/integration/api/test_api_fuzz.py tests/integration/store/test_machine.py

verdict-diff: $(VENV)/.dev ## Print which labelled claims a change of the rules gained and lost (BASE=a commit)
	$(BIN)/python -m benchmarks.verdict_diff --base $(BASE) --data $(CLAIMS)

bench: $(VENV)/.dev ## Measure everything, the peers beside us; one JSON object each
	$(BIN)/python -m benchmarks.pipeline --json
	$(BIN)/python -m benchmarks.enqueue --json
	$(BIN)/python -m benchmarks.latency --json
	$(BIN)/python -m benchmarks.fairness --json
	$(BIN)/python -m benchmarks.growth --json
	$(BIN)/python -m benchmarks.soak --json
	$(BIN)/python -m benchmarks.memory --json
	$(BIN)/python -m benchmarks.desk --json
	$(BIN)/python -m benchmarks.claims --json
	$(BIN)/python -m benchmarks.rules --json
	$(BIN)/python -m benchmarks.verdicts --json
	$(BIN)/python -m benchmarks.gatekeeper --json
	$(BIN)/python -m benchmarks.embedded --json
	$(BIN)/python -m benchmarks.expert --json
	$(BIN)/python -m benchmarks.prompts --json
	$(BIN)/python -m benchmarks.together --json
	$(BIN)/python -m benchmarks.batch --json
	$(BIN)/python -m benchmarks.plan --json
	$(BIN)/python -m benchmarks.drift --json
	$(BIN)/python -m benchmarks.signals --json
	$(BIN)/python -m benchmarks.webhooks --json

gpu: $(VENV)/.dev ## Run all that can use a GPU, in pieces of under 10 minutes, and write docs/models/cuda.md
	$(BIN)/python -m benchmarks.cuda --claims $(CLAIMS) --data $(LAB)/data --out $(LAB)/cuda \
	  $(if $(GATEKEEPER_BASE),--gatekeeper-base $(GATEKEEPER_BASE)) $(if $(EXPERT_BASE),--expert-base $(EXPERT_BASE))

data: $(VENV)/.dev ## Build the data set that the shipped gatekeeper is trained and measured on (5 minutes)
	$(BIN)/ace data build $(CLAIMS) --out $(LAB)/data --force

train: $(VENV)/.dev ## Go on training the shipped gatekeeper on labelled claims, and calibrate what comes of it (90 minutes on two cores)
	$(BIN)/ace train gatekeeper --recipe labelled --base ace/gatekeeper/model \
	  --data $(LAB)/data --out $(LAB)/gatekeeper --max-minutes 75
	$(MAKE) calibrate MODEL=$(LAB)/gatekeeper/int8

calibrate: $(VENV)/.dev ## Make the records of the trained gatekeeper anew; after a change of the rules, with MODEL=ace/gatekeeper/model (10 minutes)
	$(BIN)/ace calibrate --model $(MODEL) --data $(LAB)/data
	$(BIN)/ace calibrate --model $(MODEL) --data $(LAB)/data --expert structural \
	  --out $(MODEL)/calibration-structural.json
	$(BIN)/ace calibrate --model $(MODEL) --data $(LAB)/data --expert recorded --policy quantile --score error \
	  --out $(MODEL)/calibration-strong.json

evaluate: $(VENV)/.dev ## Measure the trained gatekeeper, or MODEL, and put it and its report in place (30 minutes)
	$(BIN)/ace evaluate --model $(MODEL) --data $(LAB)/data --out docs/models/gatekeeper
	$(BIN)/python -m ace_lab.training.gatekeeper.card $(MODEL) \
	  --report docs/models/gatekeeper/report.json --labels docs/models/gatekeeper/labels.json
	[ $(MODEL) -ef ace/gatekeeper/model ] || cp $(MODEL)/* ace/gatekeeper/model/

clean: ## Remove the virtual environment, the data of `ace up`, and caches
	rm -rf $(VENV) .venv-python* $(LLM) $(ENGINES) .ace build .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

# The demo needs no torch; the tests do.
$(VENV)/.demo: pyproject.toml patent_ace_client/pyproject.toml requirements/product.txt requirements/embedded.txt | $(VENV)/.made
	@echo 'installing packages into $(VENV) …'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/product.txt -r requirements/embedded.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable ./patent_ace_client --editable .
	@touch $@

$(VENV)/.dev: ace_lab/pyproject.toml constraints.txt requirements/dev.txt $(VENV)/.demo
	@echo 'installing packages into $(VENV) …'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --requirement requirements/dev.txt --editable ./patent_ace_client --editable '.[batch,embedded,otel]' --editable './ace_lab[train,train-expert]'
	@touch $@

$(OTHER)/.dev: pyproject.toml patent_ace_client/pyproject.toml ace_lab/pyproject.toml constraints.txt requirements/dev.txt
	$(PYTHON) -m venv $(OTHER)
	@$(OTHER)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --requirement requirements/dev.txt --editable ./patent_ace_client --editable '.[batch,embedded,otel]' --editable ./ace_lab
	@touch $@

$(VENV)/.made:
	$(PYTHON) -m venv $(VENV)
	@touch $@

# A C++ compiler is all it asks of the machine.
$(LLM)/.built: tests/llm/requirements.txt tests/llm/build.sh
	$(PYTHON) -m venv $(LLM)
	sh tests/llm/build.sh $(LLM)
	@touch $@

$(ENGINES)/.built: tests/engines/requirements.txt pyproject.toml patent_ace_client/pyproject.toml constraints.txt
	$(PYTHON) -m venv $(ENGINES)
	$(ENGINES)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt \
	  --requirement tests/engines/requirements.txt --editable ./patent_ace_client --editable .
	@touch $@
