# One door. Every target prepares what it needs; a second run finds it done.

PYTHON ?= python3
VENV   := .venv
ORACLE ?= .oracle
PEERS  ?= .peers
DIR    ?= ../shared/data/photos
TESTS  ?= tests
SANITIZE := build/sanitize

PY := $(VENV)/bin/python
PIP := $(PY) -m pip --quiet --disable-pip-version-check
# Python compiles what it imports; to compile all of every package first takes as long as to unpack it.
INSTALL := install --no-compile
NATIVE := CMakeLists.txt $(shell find native cmake -type f)

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help build demo test check hooks format gen docs docs-test gallery bench bench-video bench-gpu bench-ops bench-peers bench-readers bench-arm parity \
  soak sanitize fuzz wheels cross-wheels wheel-test test-oldest test-libjpeg test-older-cpus test-arm test-arm-kernel test-musl test-windows test-free-threaded check-clang check-windows reproducible release clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: $(VENV)/.built ## Build the native core and install penstock into .venv

demo: $(VENV)/.built ## Load a few pictures, show the speed, write demo/contact_sheet.png
	@$(VENV)/bin/penstock demo

test: $(VENV)/.built $(VENV)/.test ## Run the tests; TESTS=tests/ops for some of them
	$(PY) -m pytest -n auto --maxprocesses 4 --dist worksteal $(TESTS)

check: $(VENV)/.built $(VENV)/.test $(VENV)/.check ## Lint, types, C++ format, generated files, workflows
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(PY) -m mypy
	@find native -name '*.cc' -o -name '*.h' | xargs $(VENV)/bin/clang-format --dry-run --Werror
	$(PY) tools/gen.py --check
	$(VENV)/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(VENV)/bin/check-jsonschema --builtin-schema vendor.github-issue-forms \
	  $(filter-out %/config.yml, $(wildcard .github/ISSUE_TEMPLATE/*.yml))

hooks: $(VENV)/.built $(VENV)/.test $(VENV)/.check ## Check every commit before it is made
	$(VENV)/bin/pre-commit install

format: $(VENV)/.check ## Rewrite sources the way `make check` wants them
	$(VENV)/bin/ruff check --fix --quiet .
	$(VENV)/bin/ruff format --quiet .
	@find native -name '*.cc' -o -name '*.h' | xargs $(VENV)/bin/clang-format -i

gen: $(VENV)/.built ## Rewrite what is drawn from the operators
	$(PY) tools/gen.py

docs: $(VENV)/.built $(VENV)/.docs ## Build the documentation site, build/site/index.html
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs --quiet build --strict

docs-test: docs ## Open every page of the site in Chromium, whose driver apt has as chromium-driver; SHOTS=folder
	$(PY) tools/site/browse.py build/site $(if $(SHOTS),--screenshots $(SHOTS))

gallery: $(VENV)/.built $(VENV)/.test ## Redraw docs/gallery, what every image operator does to a picture
	$(VENV)/bin/penstock gallery --out docs/gallery
	$(VENV)/bin/python tools/draw_transforms.py

bench: $(VENV)/.built $(VENV)/.test $(ORACLE)/.oracle ## Time both libraries on DIR=..., write docs/benchmarks.md; QUICK=1
	$(PY) benchmarks/compare.py --oracle $(ORACLE)/bin/python --images $(DIR) $(if $(QUICK),--quick)

bench-video: $(VENV)/.built $(VENV)/.test $(ORACLE)/.oracle ## Time readers of videos beside DALI and PyAV; QUICK=1
	$(PY) benchmarks/video.py --oracle $(ORACLE)/bin/python $(if $(QUICK),--quick)

bench-gpu: $(VENV)/.built $(VENV)/.test ## Time loops on the CPU and on the GPU, or on what PENSTOCK_GPU names; QUICK=1
	$(PY) benchmarks/gpu.py $(if $(QUICK),--quick)

bench-ops: $(VENV)/.built $(VENV)/.test $(ORACLE)/.oracle ## Time every operator in both libraries, write docs/op_speed.md; ONLY=name
	$(PY) benchmarks/ops.py --oracle $(ORACLE)/bin/python $(if $(ONLY),--only $(ONLY))

bench-readers: $(VENV)/.built $(VENV)/.test $(ORACLE)/.oracle ## Time first epochs of readers in both libraries, write them into docs/benchmarks.md
	$(PY) benchmarks/first_epoch.py --oracle $(ORACLE)/bin/python --write

bench-peers: $(VENV)/.built $(VENV)/.test $(PEERS)/.peers ## Time a training loop beside other loaders on DIR=..., write docs/peers.md
	$(PY) benchmarks/peers.py --peers $(PEERS)/bin/python --images $(DIR)

bench-arm: $(VENV)/.built $(VENV)/.test $(VENV)/.release ## Count instructions of calls on ARM and x86 under QEMU, write them into docs/platforms.md; needs root
	$(PY) benchmarks/arm_instructions.py

parity: $(VENV)/.built $(VENV)/.test $(ORACLE)/.oracle ## Compare results of both libraries, write docs/parity.md
	$(PY) tests/parity/compare.py --oracle $(ORACLE)/bin/python

soak: $(VENV)/.built $(VENV)/.test ## Kill, leak and race for MINUTES=15, before a release; ONLY=leaks for some
	$(PY) tests/soak/run.py --minutes $(or $(MINUTES),15) $(ONLY)

# libstdc++ comes along because ASan looks for its exceptions before Python has loaded it. A report goes past pytest.
SANITIZED_PY = LD_PRELOAD="$$(c++ -print-file-name=libasan.so) $$(c++ -print-file-name=libstdc++.so)" \
  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 $(SANITIZE)/venv/bin/python

sanitize: $(SANITIZE)/.built ## Run the tests with the native core under ASan and UBSan
	$(SANITIZED_PY) -m pytest --capture=sys -m "not memory" $(TESTS)

fuzz: $(if $(SANITIZED),$(SANITIZE)/.built,$(VENV)/.built $(VENV)/.test) ## Feed damaged files to every parser; MINUTES=1 each, TARGET=jpeg, SANITIZED=1
	$(if $(SANITIZED),$(SANITIZED_PY),$(PY)) tests/fuzz/run.py --minutes $(or $(MINUTES),1) $(addprefix --target ,$(TARGET))

wheels: $(VENV)/.release ## Build the source archive and self-contained wheels for the Pythons found here into dist/
	$(PY) packaging/build_wheels.py

cross-wheels: $(VENV)/.release ## Build wheels for other systems and processors into dist/cross/; PLATFORM=win_amd64, MINOR=12 for Python 3.12 and later only
	$(PY) packaging/cross_wheels.py $(PLATFORM) $(addprefix --python ,$(MINOR))

wheel-test: ## Install the wheels of dist/ into bare environments of all Pythons found, and try them; TESTS=tests/engine too
	$(PYTHON) packaging/test_wheels.py $(if $(filter-out tests,$(TESTS)),--tests $(TESTS))

test-oldest: build/oldest/.built ## Run tests with the oldest NumPy, OpenCV and build tools allowed; TESTS=...
	build/oldest/venv/bin/python -m pytest -n auto --maxprocesses 4 --dist worksteal \
	  $(if $(filter tests,$(TESTS)),tests/ops tests/engine tests/capture tests/auto_aug tests/schema,$(TESTS))

test-libjpeg: $(VENV)/.built $(VENV)/.test ## Run the JPEG tests with other libjpeg-turbos: Debian's, or ARCHIVES="3.0.3.tar.gz ..."
	$(PY) packaging/test_libjpeg.py $(ARCHIVES)

# The variable would name a processor for NumPy's BLAS, whichever QEMU stands for.
QEMU_X86 = qemu-x86_64 -U OPENBLAS_CORETYPE

test-older-cpus: $(VENV)/.built $(VENV)/.test ## Compare results with those of x86 processors without AVX-512, and without AVX, under QEMU
	tools/apt_install.sh qemu-user
	$(PY) tests/parity/architectures.py / -- $(QEMU_X86) -cpu max $(PY)
	$(PY) tests/parity/architectures.py / -- $(QEMU_X86) -cpu Nehalem $(PY)

test-arm: $(VENV)/.built $(VENV)/.test $(VENV)/.release ## Build for 64-bit ARM, run tests there under QEMU, compare results; needs root; TESTS=...
	$(PY) packaging/test_arm.py $(filter-out tests,$(TESTS))

test-arm-kernel: $(VENV)/.built $(VENV)/.test $(VENV)/.release ## Start a Linux for 64-bit ARM with pages of 16 KB, test memory and files there; needs root; TESTS=...
	$(PY) packaging/test_arm_kernel.py $(filter-out tests,$(TESTS))

test-musl: $(VENV)/.built $(VENV)/.test $(VENV)/.release ## Build a Python with musl and try the wheel for it there; MACHINE=aarch64 under QEMU, TESTS=...
	$(PY) packaging/test_musl.py $(filter-out tests,$(TESTS))

test-windows: $(VENV)/.release ## Build the wheel for Windows and try it under Wine; TESTS=...
	$(PY) packaging/test_windows.py $(filter-out tests,$(TESTS))

test-free-threaded: $(VENV)/.built $(VENV)/.test $(VENV)/.release ## Build a Python without a GIL and the wheel for it, and test that with the GIL off; TESTS=...
	$(PY) packaging/test_free_threaded.py $(filter-out tests,$(TESTS))

check-clang: $(VENV)/.built $(VENV)/.test ## Let Clang look at all native code, with both standard libraries; RUN=1 builds and tests it
	$(PY) tools/check_clang.py $(if $(RUN),--run)

check-windows: $(VENV)/.built ## Compile the core for Windows and try it under Wine
	$(PY) tools/check_windows.py

reproducible: $(VENV)/.release ## Build a wheel twice, in two folders, and compare the bytes
	$(PY) packaging/check_reproducible.py

release: $(VENV)/.release ## Build and check what a release uploads, and stop there
	$(PY) packaging/release.py

clean: ## Remove everything the targets made
	rm -rf $(VENV) .oracle .peers build dist demo

$(VENV)/.venv:
	tools/system_packages.sh $(PYTHON)
	tools/make_venv.sh $(PYTHON) $(VENV)
	@touch $@

$(VENV)/.built: $(VENV)/.venv pyproject.toml $(NATIVE)
	$(PIP) $(INSTALL) --group build
	$(PIP) $(INSTALL) --no-build-isolation --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.venv pyproject.toml
	$(PIP) $(INSTALL) --group test
	@touch $@

$(VENV)/.check: $(VENV)/.venv pyproject.toml
	$(PIP) $(INSTALL) --group check
	@touch $@

$(VENV)/.docs: $(VENV)/.venv pyproject.toml
	$(PIP) $(INSTALL) --group docs
	@touch $@

$(VENV)/.release: $(VENV)/.venv pyproject.toml
	tools/nasm.sh
	$(PIP) $(INSTALL) --group build --group release
	@touch $@

build/oldest/.built: pyproject.toml packaging/oldest.txt $(NATIVE)
	tools/make_venv.sh $(PYTHON) build/oldest/venv
	build/oldest/venv/bin/python -m pip --quiet --disable-pip-version-check $(INSTALL) --constraint packaging/oldest.txt \
	  --group build --group oldest
	PATH=$(CURDIR)/build/oldest/venv/bin:$$PATH build/oldest/venv/bin/python -m pip --quiet --disable-pip-version-check \
	  $(INSTALL) --constraint packaging/oldest.txt --no-build-isolation --config-settings build-dir=build/oldest-cmake .
	@touch $@

$(ORACLE)/.oracle: pyproject.toml
	tools/make_venv.sh $(PYTHON) $(ORACLE)
	$(ORACLE)/bin/python -m pip --quiet --disable-pip-version-check $(INSTALL) --group oracle
	@touch $@

$(PEERS)/.peers: pyproject.toml
	tools/make_venv.sh $(PYTHON) $(PEERS)
	$(PEERS)/bin/python -m pip --quiet --disable-pip-version-check $(INSTALL) --group peers
	@touch $@

# A venv of its own beside .venv, whose packages it borrows: a .pth line does not start the editable install there.
$(SANITIZE)/.built: $(VENV)/.built $(VENV)/.test
	$(PY) -m venv --without-pip $(SANITIZE)/venv
	$(PY) -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
	  > $$(echo $(SANITIZE)/venv/lib/python3*/site-packages)/borrowed.pth
	$(PIP) --python $(SANITIZE)/venv/bin/python $(INSTALL) --no-build-isolation --no-deps --editable . \
	  --config-settings build-dir=$(SANITIZE)/cmake --config-settings cmake.define.PENSTOCK_SANITIZE=ON
	@touch $@
