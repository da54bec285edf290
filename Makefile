# Two commands do everything: `make demo` and `make test`. Only Python >= 3.11 with pip and make are needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: demo test lint format docs clean help

help:
	@echo "make demo    install and answer questions on the sample contract"
	@echo "make test    run the tests"
	@echo "make lint    ruff, mypy --strict, import-linter"
	@echo "make format  put the code in the house format"
	@echo "make docs    write docs/tables.md and the JSON Schemas anew"
	@echo "make clean   remove the environment and the outputs of the demo"

$(VENV)/.core: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "Python 3.11 or newer is needed, $(PYTHON) is $$($(PYTHON) --version). Try: make PYTHON=python3.12 demo"; exit 2; }
	@echo "Making $(VENV) and installing; about a minute."
	$(PYTHON) -m venv $(VENV)
	$(PIP_INSTALL) --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.core
	$(PIP_INSTALL) --editable '.[dev]'
	@touch $@

demo: $(VENV)/.core
	@$(BIN)/python examples/demo.py

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2 --dist loadfile

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/.dev
	$(BIN)/python -m schemas.documentation docs

clean:
	rm -rf $(VENV) outputs/demo
