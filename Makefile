# Everything runs from .venv; every target makes it first. Needs Python 3.11 to 3.13, make and git.
PYTHON ?= python3
GAME ?= suds
UV := $(shell command -v uv 2>/dev/null || echo .uv/bin/uv)
BIN := .venv/bin
# On a Raspberry Pi picamera2 comes with the system, so its packages must be seen.
ON_PI := $(shell grep -qs "Raspberry Pi" /proc/device-tree/model && echo yes)
SITE := $(if $(ON_PI),--system-site-packages,)

# Bytecode is kept whatever the environment says: else each process compiles pytest's plugins anew.
unexport PYTHONDONTWRITEBYTECODE
PYTEST := $(BIN)/pytest $(if $(CI),--no-skips,)
# One process more than cores, for many tests wait; at most four. A file's tests stay in one process
# and share what they set up; long files first.
PROCESSES ?= $(shell cores=$$(getconf _NPROCESSORS_ONLN); echo $$((cores < 3 ? cores + 1 : 4)))
IN_PARALLEL := -n $(PROCESSES) --dist loadfile --no-loadscope-reorder

.PHONY: setup setup-dev setup-train demo test test-pages test-train test-wheel test-slow \
	test-shuffled test-ten test-tools page-sizes check check-page check-shared bench firmware-test \
	browser broker clean deb appliance-bookworm appliance-trixie arm64-bookworm arm64-trixie

setup: .venv/.runtime
setup-dev: .venv/.dev
setup-train: .venv/.train

demo: .venv/.runtime
	$(BIN)/fairdeal demo $(GAME) --open

test: .venv/.dev
	$(PYTEST) $(IN_PARALLEL)

# What trains needs torch, ultralytics and NCNN: 1.8 GB, or 6 GB with a GPU's torch (TORCH=auto).
test-train: .venv/.train
	$(PYTEST) -m train

# The wheel in an environment of its own, with its packages from the registry.
test-wheel: .venv/.dev
	UV=$(abspath $(UV)) $(PYTEST) -m wheel

# Page and board in a real browser, every view at four sizes; needs what `make test-tools` brings.
test-pages: .venv/.dev
	$(PYTEST) $(IN_PARALLEL) -m "pages and not slow"

test-slow: .venv/.dev
	$(PYTEST) -m "slow and not shared and not train"

check-shared: .venv/.dev
	$(PYTEST) -m shared

# In random order; the printed command repeats the run.
SEED := $(or $(SEED),$(shell od -An -N3 -tu4 /dev/urandom | tr -d ' '))
test-shuffled: .venv/.dev
	@echo "make test-shuffled SEED=$(SEED)"
	@$(PYTEST) $(IN_PARALLEL) -p randomly --randomly-seed=$(SEED)

# Ten times in a row in a fresh clone, a line each. ORDER=random: shuffled. TIMES=3: fewer.
test-ten:
	@.ci/ten

check: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/vulture
	@$(MAKE) --no-print-directory check-page
	$(BIN)/pytest tests/test_sizes.py tests/test_circles.py tests/docs

# The types of the page's JavaScript, written as JSDoc.
TSC := .npm/node_modules/.bin/tsc
check-page:
	@if ! command -v npm >/dev/null; then \
		echo "NOT CHECKED: the page's JavaScript; make test-tools"; test -z "$$CI"; \
	else test -x $(TSC) || $(NPM_INSTALL); $(TSC) -p kiosk/web && $(TSC) -p kiosk/club/board; fi

bench: .venv/.runtime
	$(BIN)/fairdeal bench

# $(call debs,NAMES): installs those of Debian's packages that are missing.
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
APT := $(SUDO) apt-get -qq -o DPkg::Lock::Timeout=300
debs = dpkg -s $(1) >/dev/null 2>&1 || { $(APT) update && $(APT) install -y $(1) >/dev/null; } || \
	{ echo "expected Debian's packages $(1), found none; install what is like them here"; exit 2; }

# All that the tests use besides Python.
test-tools: browser broker
	@$(call debs,espeak-ng poppler-utils systemd e2fsprogs)
	@$(call debs,gcc libc6-dev gcc-avr avr-libc arduino-core-avr libsimavr-dev libelf-dev)

# The page is tested in a real browser, by axe-core for accessibility and by tsc for its types.
NPM_INSTALL = npm install --silent --no-audit --no-fund --prefix .npm axe-core@4.14.1 typescript@5.9.3
browser:
	@$(call debs,chromium chromium-driver)
	@command -v npm >/dev/null || $(call debs,nodejs npm)
	@test -f .npm/node_modules/axe-core/axe.min.js -a -x $(TSC) || $(NPM_INSTALL) || \
		{ echo "expected npm with its registry, found no answer; try again later"; exit 2; }

# Every view of page and board at four sizes, in both languages, as pictures in runs/page-sizes.
page-sizes: .venv/.dev
	PAGE_SIZES=runs/page-sizes $(BIN)/pytest -n 0 -m '' tests/kiosk/web/test_page_sizes.py

# The club is tested with a real broker: Eclipse Mosquitto, and openssl for its certificates.
broker:
	@$(call debs,mosquitto openssl)

# Needs what `make test-tools` brings.
firmware-test: .venv/.dev
	$(MAKE) -C device/firmware all simulator
	$(PYTEST) tests/device/serial/test_firmware.py

# The .deb for a Raspberry Pi (arm64) and for a PC (amd64), Debian 12 and 13; in dist/.
deb: | $(UV)
	@for suite in bookworm trixie; do for arch in arm64 amd64; do \
		UV=$(UV) packaging/deb.sh $$suite $$arch || exit 2; done; done

# As root: boots a Debian system with the .deb in a container; tries failures, update, rollback.
appliance-bookworm: .venv/.runtime
	UV=$(UV) packaging/boot.sh bookworm
appliance-trixie: .venv/.runtime
	UV=$(UV) packaging/boot.sh trixie

# As root: tries set-up, games, pictures and the .deb on an emulated Debian arm64 system; half an hour.
arm64-bookworm: .venv/.runtime
	UV=$(UV) packaging/deb.sh bookworm arm64
	packaging/arm64.sh bookworm
arm64-trixie: .venv/.runtime
	UV=$(UV) packaging/deb.sh trixie arm64
	packaging/arm64.sh trixie

clean:
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

# uv brings every package as uv.lock says; --inexact leaves what another target has put there.
SYNC = $(UV) sync --locked --inexact --no-progress --python $(BIN)/python

.venv/.runtime: pyproject.toml uv.lock | $(UV) .venv/bin/python
	$(SYNC)
	@$(BIN)/python -m calibration.system
	@touch $@

.venv/.dev: pyproject.toml uv.lock | $(UV) .venv/bin/python
	$(SYNC) --extra dev
	@$(BIN)/python -m calibration.system
	@touch $@ .venv/.runtime

# uv.lock has no torch, whose build depends on the machine. TORCH: cpu, or auto to train on a GPU.
# Where uv cannot reach the index of those builds, pip takes the one that it finds. uv runs in /,
# away from [tool.uv], which leaves torch out.
TORCH ?= cpu
TORCH_PACKAGES := torch==2.13.0 torchvision==0.28.0
TO_VENV := --directory / pip install --quiet --python $(abspath $(BIN)/python)
.venv/.train: pyproject.toml uv.lock Makefile | $(UV) .venv/bin/python
	$(SYNC) --extra dev --extra train
	@$(abspath $(UV)) $(TO_VENV) --torch-backend $(TORCH) $(TORCH_PACKAGES) 2>/dev/null || \
		{ echo "uv reaches no index of torch's builds: pip takes the one it finds"; $(abspath $(UV)) $(TO_VENV) pip && $(BIN)/python -m pip install --quiet $(TORCH_PACKAGES); }
	@$(BIN)/python -m calibration.system
	@touch $@ .venv/.runtime .venv/.dev

.venv/bin/python: | $(UV)
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
		{ echo "expected Python 3.11 to 3.13, found $$($(PYTHON) -V); make PYTHON=python3.11 …"; exit 2; }
	$(UV) venv --no-progress $(SITE) --python "$$(command -v $(PYTHON))" .venv

.uv/bin/uv:
	@$(PYTHON) -m venv .uv || { echo "expected the venv module; sudo apt install python3-venv"; exit 2; }
	.uv/bin/pip install --quiet --disable-pip-version-check uv
