# Every command of the project. Each sets up what it needs by itself; `make` alone lists them.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed
READY := $(VENV)/ready
LOCK := $(BIN)/uv pip compile --quiet --no-config --universal --generate-hashes --upgrade --custom-compile-command "make lock"
STACK := eval "$$(tests/e2e/stack.sh)"

.DEFAULT_GOAL := help
.PHONY: help demo test lint format unit e2e golden bench lock

help: ## list the commands
	@sed -nE 's/^([a-z0-9]+):.*## (.*)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

demo: $(INSTALLED) ## check the example contract and show its report
	@$(BIN)/agenttest test examples/refund-agent/refund-agent.yml

test: lint ## run everything that CI runs; ends in pytest's closing line
	@$(STACK); $(BIN)/pytest --cov -n auto --dist loadfile

lint: $(READY) ## check style, types, the action, the workflows and the image
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@for system in linux darwin win32; do $(BIN)/mypy --platform $$system || exit; done
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-actions action.yml composite/action.yml
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.dependabot .github/dependabot.yml
	@$(BIN)/actionlint -shellcheck $(BIN)/shellcheck
	@$(BIN)/zizmor --offline --quiet --persona auditor .
	@$(BIN)/hadolint Dockerfile

format: $(READY) ## put the code in order
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format

unit: $(READY) ## run the tests that need no Docker
	@$(BIN)/pytest -m "not e2e" -n auto --dist loadfile

e2e: $(READY) ## build the image and run it as GitHub's runner would
	@$(STACK); AGENTTEST_E2E=require $(BIN)/pytest -m e2e

golden: $(READY) ## write the golden files anew; read the diff before you commit it
	@AGENTTEST_RENEW=1 $(BIN)/pytest tests/cases tests/reporters/test_golden.py tests/test_docs.py tests/plugin/test_docs.py tests/test_readme.py

bench: $(READY) ## measure what has to stay fast
	@$(BIN)/python benchmarks/run.py
	@$(BIN)/python benchmarks/live.py
	@$(BIN)/python benchmarks/scenarios.py
	@$(BIN)/python benchmarks/pytest_plugin.py
	@$(STACK); $(BIN)/python benchmarks/container.py

lock: $(READY) ## renew what the image, the action without Docker and a release are made of
	@$(BIN)/pip install --quiet uv
	@$(LOCK) --python-version 3.11 --output-file requirements.lock pyproject.toml
	@$(LOCK) --python-version 3.13 --output-file .github/release/requirements.txt .github/release/requirements.in

$(INSTALLED): pyproject.toml
	@$(PYTHON) -c "import ensurepip" 2>/dev/null || { apt-get update && apt-get install -y python3-venv; } >/dev/null
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --upgrade pip
	@$(BIN)/pip install --quiet --editable .
	@$(BIN)/python -m compileall -q agenttest # as pip does for all that it copies
	@touch $@

$(READY): $(INSTALLED)
	@$(BIN)/pip install --quiet --editable . --group dev
	@touch $@
