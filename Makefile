# Everything a developer does. What a fresh machine needs: docs/installing.md.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
PUZZLE ?= tritrigs-heart-2
SANITIZE ?= address,undefined
SECONDS ?= 60
SEED ?= 0

# Tests start Python hundreds of times: what is compiled is kept.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup run page page-build page-browser site site-tools programs test test-page test-page-all test-wheel test-bare test-all check format bench race budgets certificates fuzz check-proof schema index instances docs wheel clean

setup: $(STAMP)

$(STAMP): pyproject.toml CMakeLists.txt $(wildcard src/native/*)
	@.ci/lacking $(PYTHON)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --group dev
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable .
	touch $@

run: setup
	for b in dlx cpsat sat:cadical195; do $(BIN)/exactile solve $(PUZZLE) --backend $$b || exit; done
	$(BIN)/exactile count $(PUZZLE)

page: setup
	$(BIN)/exactile serve

page-build: src/page/node_modules
	cd src/page && npm run build

src/page/node_modules: src/page/package-lock.json
	cd src/page && npm ci && touch node_modules

# The page as files for any static host, with the engine in WebAssembly; then:
# python3 -m http.server --directory build/site
SITE := build/site
FRONT := automaton count lists parts prepare save supply unrank worker
ENGINE := web beam count count_plan cover engine excerpt finder $(FRONT:%=front_%) ground kernels kernels_portable peg_board peg_find repair scratch search similar
EMCC := emcc -O3 -std=c++20 -fno-rtti -fwasm-exceptions

site: setup $(SITE)/engine.wasm
	$(BIN)/python -m exactile.serve.site $(SITE)

site-tools:
	command -v emcc || apt-get install -qq --no-install-recommends emscripten || (apt-get update -qq && apt-get install -qq --no-install-recommends emscripten) || (echo "Install emscripten 3.1.6 or later: apt-get install emscripten." && false)

build/web/%.o: src/native/%.cpp $(wildcard src/native/*.hpp)
	@command -v emcc > /dev/null || (echo "There is no emcc, which compiles the engine for browsers: make site-tools installs it." && false)
	mkdir -p build/web && $(EMCC) -c -o $@ $<

$(SITE)/engine.wasm: $(ENGINE:%=build/web/%.o)
	mkdir -p $(SITE)
	$(EMCC) -o $@ $^ --no-entry -sSTANDALONE_WASM -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB

test: setup
	$(BIN)/python -m pytest -n auto -m "not slow"

# Shells, solvers and libraries of others that some tests drive: where one cannot be installed, its
# tests are skipped.
programs: setup
	$(BIN)/python -m pip install --quiet --group exchange || echo "The group exchange could not be installed."
	for p in cadical fish minizinc picosat zsh; do command -v $$p || apt-get install -qq --no-install-recommends $$p || (apt-get update -qq && apt-get install -qq --no-install-recommends $$p) || echo "There is no $$p, and it could not be installed."; done

# What the tests of the page need: where something cannot be installed, they are skipped.
page-browser: setup
	$(BIN)/python -m pip install --quiet --group browser
	command -v chromium || command -v chromium-browser || (apt-get update -qq && apt-get install -qq --no-install-recommends chromium) || echo "There is no Chromium, and it could not be installed."
	command -v firefox-esr || command -v firefox || apt-get install -qq --no-install-recommends firefox-esr || echo "There is no Firefox, and it could not be installed."
	command -v npm && $(MAKE) src/page/node_modules || echo "There is no npm, or it could not install what src/page needs."

test-page: page-browser
	$(BIN)/python -m pytest -n 2 tests/page -m "not long"

test-page-all: page-browser
	$(BIN)/python -m pytest --timeout 7200 tests/page

test-wheel: setup
	$(BIN)/python -m pytest tests/wheel

test-bare:
	.ci/bare

test-all: setup
	$(BIN)/python -m pytest -n auto --timeout 7200

check: setup
	$(BIN)/ruff format --check . && $(BIN)/ruff check . && $(BIN)/mypy && $(BIN)/lint-imports
	$(BIN)/clang-format --dry-run --Werror src/native/* tests/native/*.cpp

format: setup
	$(BIN)/ruff format . && $(BIN)/ruff check --fix . && $(BIN)/clang-format -i src/native/* tests/native/*.cpp

bench: setup
	$(BIN)/python benchmarks/lowering.py
	$(BIN)/python benchmarks/backends.py
	$(BIN)/python benchmarks/race/race.py --install --quick --repeat 1 --timeout 20

race: setup
	$(BIN)/python benchmarks/race/race.py --install

budgets: setup
	PYTHONPATH=tests $(BIN)/python -m support.budgets --write

certificates: setup
	$(BIN)/python benchmarks/certificates.py

fuzz:
	cmake -S . -B build/fuzz-$(SANITIZE) -DEXACTILE_FUZZ=ON -DEXACTILE_SANITIZE=$(SANITIZE)
	cmake --build build/fuzz-$(SANITIZE)
	build/fuzz-$(SANITIZE)/fuzz $(SECONDS) $(SEED)
	build/fuzz-$(SANITIZE)/fuzz_count $(SECONDS) $(SEED)
	build/fuzz-$(SANITIZE)/fuzz_peg $(SECONDS) $(SEED)
	build/fuzz-$(SANITIZE)/fuzz_proofs $(SECONDS) $(SEED)

check-proof: build/check-proof

build/check-proof: $(wildcard src/native/proof_*)
	mkdir -p build
	$(CXX) -O2 -std=c++20 -Wall -Wextra -o $@ $(filter %.cpp,$^)

schema: setup
	$(BIN)/python -m exactile.answers.schema docs/schema

index: setup
	$(BIN)/python -m exactile.files.puzzles.catalogue

instances: setup
	$(BIN)/python -m exactile.surveys.instances.library 60

docs: setup
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable ".[docs]"
	$(BIN)/exactile catalogue export --ledger docs/catalogue/ledger.json docs/catalogue
	$(BIN)/python -m sphinx -W -q -b html docs docs/_build
	$(BIN)/python -m sphinx -q -b man docs docs/_build/man

wheel:
	@.ci/lacking $(PYTHON)
	$(PYTHON) -m venv build/pip
	build/pip/bin/python -m pip wheel --quiet --no-deps --config-settings build-dir=build/wheel --wheel-dir dist .

clean:
	rm -rf $(VENV) build dist docs/_build
