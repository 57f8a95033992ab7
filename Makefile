PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint format clean
.DEFAULT_GOAL := help

help:
	@echo "make demo    install, play the demo experiment, write runs/demo/report.html"
	@echo "make test    install, check style, run all tests"
	@echo "make format  put the source in the house's style"
	@echo "make clean   remove .venv and what the demo made"

# Installed again whenever what is installed changes.
.venv/installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info[:2] <= (3, 13) else "Golden Spike needs Python 3.11, 3.12 or 3.13; say which with: make PYTHON=/path/to/python3.13 ...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

demo: .venv/installed
	$(BIN)/spike run experiments/demo.toml --out runs/demo
	$(BIN)/spike report runs/demo

test: .venv/installed lint
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile

lint: .venv/installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

format: .venv/installed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf .venv runs/demo
