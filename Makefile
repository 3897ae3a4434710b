# Everything sets itself up: a fresh machine needs Python 3.10-3.13 and make.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
GAMES ?= 20
# For tests that install or compile much, on a slow machine too: seconds until one of them hangs.
PATIENT := -o faulthandler_timeout=7200

.PHONY: demo coach test check lint setup browser packages examples-large clean

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	@echo "Setting up $(VENV) ..."
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 10) <= sys.version_info < (3, 14) and "Python 3.10 to 3.13 is needed, this is " + sys.version)'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --constraint constraints.txt --editable '.[coach,dev,train,examples]'
	@touch $@

# The agents against the 20 challenge cards with 1 to 5 players, and against each other in the two games of rivals.
demo: $(READY)
	$(BIN)/sammu evaluate --agent random --agent scripted --agent ppo --challenge all --players 1-5 --games $(GAMES)
	$(BIN)/sammu evaluate --game pergamemnon --agent ppo --against scripted --against random --games $(GAMES)
	$(BIN)/sammu evaluate --game xerxes --agent ppo --against scripted --against random --players 2-4 --games $(GAMES)

# For people with the real box: pages for a browser; make coach LAN=--lan opens them to phones.
coach: $(READY)
	$(BIN)/sammu coach --tables games $(LAN)

# Everything that must hold.
test: lint
	$(BIN)/pytest -n 2 --dist worksteal

# The everyday loop.
check: lint
	$(BIN)/pytest -n 2 --dist worksteal -m "not slow"

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/mypy

# For the tests of the coach's pages, which are skipped without it: Debian's chromium, and what drives it.
browser: $(READY)
	command -v chromium || apt-get install -qq -y chromium fonts-noto-cjk
	$(BIN)/python -m pip install -qq --disable-pip-version-check --constraint constraints.txt --editable '.[browser]'

# What others install, each in an empty environment: wheel and source package, as small as can be, and with everything.
packages: $(READY)
	INSTALL=1 $(BIN)/pytest $(PATIENT) tests/test_packaging.py

# The examples of libraries that are too large for the above, or need other versions of something.
examples-large:
	$(PYTHON) -m venv $(VENV)-large
	$(VENV)-large/bin/python -m pip install -qq --disable-pip-version-check --editable '.[libraries]' pytest \
		"$$(grep ^torch== constraints.txt)"
	$(VENV)-large/bin/python -m pytest tests/test_examples.py tests/test_docs.py -k "large or environment" $(PATIENT) -rs

clean:
	rm -rf $(VENV) $(VENV)-large build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
