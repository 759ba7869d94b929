# make demo · make test · make check — each prepares .venv by itself; the second time that takes no time.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := 0.13.9
# An environment that forbids .pyc files would have every command compile its imports again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test check format lint types lock audit clean

demo: $(VENV)/ready
	@$(BIN)/footnote demo

test: $(VENV)/ready
	@$(BIN)/python -m pytest -q -n 3 --dist loadfile --no-loadscope-reorder $(TESTS)

check: format lint types test

format: $(VENV)/ready
	@$(BIN)/ruff format --check .

lint: $(VENV)/ready
	@$(BIN)/ruff check .

types: $(VENV)/ready
	@$(BIN)/mypy

lock: $(VENV)/ready
	@$(BIN)/uv pip compile --universal --generate-hashes --no-emit-index-url --no-header --quiet \
	  --python-version 3.11 --extra dev pyproject.toml -o requirements.lock

# Asks a public database about known faults of the locked versions. It needs the network, so CI calls it beside check.
audit: $(VENV)/ready
	@$(BIN)/python .ci/audit.py

# uv installs the locked packages in seconds; where it cannot be had, pip does the same more slowly.
$(VENV)/ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
	  { echo "Footnote needs Python 3.11, 3.12 or 3.13; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@echo "Preparing .venv (about a minute the first time) ..." >&2
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION) 2>/dev/null || true
	@if test -x $(BIN)/uv; then \
	  $(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock; \
	else \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock; \
	fi
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

clean:
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
