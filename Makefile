# `make demo` audits three small real models; `make test` runs every check; both set up .venv first.
# On a machine with a GPU the same commands take the CUDA builds of torch.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# Without a GPU: the torch release that the tests run on. With one: the newest that the extras allow.
TORCH := $(shell command -v nvidia-smi >/dev/null 2>&1 && echo torch || echo torch==2.13.0)
STAMP := $(VENV)/.installed
# What the tests check pages and files with: axe-core, and the schema of SARIF.
NPM_STAMP := .npm/.installed
VLLM_STAMP := $(VENV)-vllm/.installed
SEED := 11
DEMO_SET := synth:$(SEED):200:slogan

.PHONY: demo test quick lint bench setup clean

setup: $(STAMP)

$(STAMP): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet "$(TORCH)"
	$(PIP) install --quiet -e ".[transformers,fix,dev]"
	touch $(STAMP)

$(NPM_STAMP): Makefile
	mkdir -p .npm
	npm install --prefix .npm --no-audit --no-fund --silent axe-core@4 @microsoft/jest-sarif@1.0.0-beta.0
	touch $(NPM_STAMP)

# vLLM lives apart from the packages of `fix`, which it does not get on with.
$(VLLM_STAMP): pyproject.toml tests/make_vllm_env.py
	$(PYTHON) tests/make_vllm_env.py $(VENV)-vllm
	touch $(VLLM_STAMP)

demo: $(STAMP)
	rm -rf demo/grounded demo/praising demo/scoring
	$(BIN)/rmaudit scan examples/tiny_genrm/grounded --set $(DEMO_SET) --batch-size 64 --out demo/grounded
	$(BIN)/rmaudit scan examples/tiny_genrm/praising --set $(DEMO_SET) --batch-size 64 --out demo/praising
	# It knows nothing but slogans, and the probe asks about other things.
	$(BIN)/rmaudit scan examples/tiny_genrm/scoring --set $(DEMO_SET) --batch-size 64 --no-probe --out demo/scoring
	$(BIN)/rmaudit gate demo/praising --policy pr --baseline demo/grounded || test $$? -eq 3
	$(BIN)/rmaudit report demo/praising --baseline demo/grounded --html --out demo/praising.html
	$(BIN)/rmaudit report demo/scoring --html --out demo/scoring.html
	$(BIN)/rmaudit report demo/grounded demo/praising --html --out demo/report.html

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# A developer's loop, under a minute on two cores: no model, no browser, nothing marked slow.
# What was compiled is kept: rewriting all assertions anew takes five seconds in each process.
quick: lint $(NPM_STAMP)
	PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 $(BIN)/pytest -q -n 2 --dist loadfile --durations=5 \
		-m "not slow and not model and not browser and not vllm"

test: $(STAMP) $(VLLM_STAMP) $(NPM_STAMP)
	$(BIN)/python tests/stages.py

bench: $(STAMP)
	$(BIN)/python benchmarks/metrics_scale.py

clean:
	rm -rf $(VENV) $(VENV)-vllm .npm demo runs
