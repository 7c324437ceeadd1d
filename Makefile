# Everyday commands. `make run` and `make test` are all a new machine needs.
.DEFAULT_GOAL := help
.PHONY: help setup setup-run setup-bench configure build run test bench validate format format-check lint alone python fuzz asan tsan debug install uninstall dist deb deb-test wheel site clean

JOBS ?= $(shell nproc)
PRESET ?= release
PREFIX ?= /usr/local
# More for cmake, such as -DHEDDLE_WERROR=ON.
CMAKE_FLAGS ?=
FUZZ_SECONDS ?= 30
TSAN_TESTS ?= *

help: ## list the commands
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

setup: ## install what is missing (silent when nothing is)
	@scripts/setup

configure:
	@mkdir -p build
	@cmake --preset $(PRESET) $(CMAKE_FLAGS) > build/configure.log 2>&1 || { cat build/configure.log; exit 1; }

build: setup configure ## build everything, tests included
	@cmake --build --preset $(PRESET) -j $(JOBS)

setup-run setup-bench: setup-%:
	@scripts/setup --$*

run: setup-run configure ## build the program, then run an MPI program on a simulated 64-node fat tree
	@[ -x build/$(PRESET)/heddle ] || echo "building heddle: about 8 minutes of processor time, so less than 5 minutes on 2 cores"
	@cmake --build --preset $(PRESET) -j $(JOBS) --target heddle
	@build/$(PRESET)/heddlecc -O2 examples/mpi/stencil.c -o build/stencil
	@page=; [ ! -s build/$(PRESET)/report-page/dist/page.html ] || page="--report build/stencil.html"; \
	  echo "heddle run -n 64 --platform fat-tree-64 $$page build/stencil"; \
	  build/$(PRESET)/heddle run -n 64 --platform fat-tree-64 $$page build/stencil && \
	  if [ -n "$$page" ]; then echo; echo "where the time went: open $(CURDIR)/build/stencil.html in a browser"; fi
	@[ -e build/$(PRESET)/processes/libportals.so ] || echo "building what ranks that are processes need, too: some seconds"
	@cmake --build --preset $(PRESET) -j $(JOBS) --target heddle_all > build/rest.log 2>&1 || { cat build/rest.log; exit 1; }

test: build ## build, then run every test
	@ctest --preset $(PRESET) -j $(JOBS)

debug: ## the tests, without optimisation and with assertions
	@$(MAKE) --no-print-directory test PRESET=debug

asan: ## the unit tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@scripts/setup --fuzz
	@$(MAKE) --no-print-directory setup configure PRESET=asan
	@cmake --build --preset asan -j $(JOBS) --target unit_tests
	@ctest --preset asan -j $(JOBS) -L unit

# Its shadow memory wants addresses where they are without randomisation.
tsan: ## the tests of replays, traffic and fibers, which several threads share, under ThreadSanitizer; TSAN_TESTS=PATTERN: some of them
	@scripts/setup --fuzz
	@$(MAKE) --no-print-directory setup configure PRESET=tsan
	@cmake --build --preset tsan -j $(JOBS) --target shared_by_threads_tests
	@setarch -R build/tsan/tests/shared_by_threads_tests --gtest_brief=1 --gtest_filter='$(TSAN_TESTS)'

# What is measured and installed is optimised across layers, which takes longer to build.
bench install uninstall: PRESET = fast
bench: setup-bench configure ## compare speed with SimGrid in the same run
	@cmake --build --preset $(PRESET) -j $(JOBS) --target heddle_bench
	@build/$(PRESET)/bench/heddle_bench

validate: build ## reproduce published and peer results; writes docs/validation.md
	@scripts/validate

format: setup ## format the sources
	@scripts/format

format-check: setup ## fail if a source is not formatted
	@scripts/format --check

lint: setup ## clang-tidy and the rules of layers and style; CHANGED=COMMIT: over what has changed since
	@scripts/setup --lint
	@scripts/lint $(if $(CHANGED),--changed $(CHANGED))

alone: setup configure ## check that every file compiles alone; CHANGED=COMMIT: those that have changed since
	@cmake --build --preset $(PRESET) -j $(JOBS) --target heddle
	@scripts/check-alone $(if $(CHANGED),--changed $(CHANGED))

fuzz: ## run every fuzzer for FUZZ_SECONDS
	@scripts/setup --fuzz
	@scripts/fuzz $(FUZZ_SECONDS)

python: setup ## the module that drives messages from Python, and the package with it, in build/python
	@scripts/setup --packages
	@cmake --preset release -B build/module -DHEDDLE_PYTHON_MODULE=ON -DBUILD_TESTING=OFF $(CMAKE_FLAGS) > build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
	@cmake --build build/module -j $(JOBS) --target heddle_python_module
	@mkdir -p build/python && cp -r python/heddle build/module/python/_core*.so -t build/python && mv build/python/_core*.so build/python/heddle/
	@echo "PYTHONPATH=$(CURDIR)/build/python"

install: build ## install heddle under PREFIX
	@cmake --install build/$(PRESET) --prefix $(PREFIX)

uninstall: ## remove what install put there
	@[ -f build/$(PRESET)/install_manifest.txt ] || { echo "error: nothing was installed from here"; exit 1; }
	@scripts/uninstall build/$(PRESET)/install_manifest.txt

dist: setup-run configure ## a release tarball that builds offline, in build/packages
	@page=build/$(PRESET)/report-page/dist/page.html; [ -s report-page/page.html ] && page=report-page/page.html || \
	  cmake --build --preset $(PRESET) --target report-page/dist/page.html > build/page.log 2>&1 || { cat build/page.log; exit 1; }; \
	  scripts/dist $$page build/packages

deb wheel: PRESET = fast
deb: setup-run ## packages of Debian: heddle, libheddle-dev, python3-heddle, in build/packages
	@scripts/setup --packages
	@$(MAKE) --no-print-directory configure PRESET=$(PRESET) CMAKE_FLAGS="$(CMAKE_FLAGS) -DHEDDLE_PYTHON_FOLDER=lib/python3/dist-packages -DHEDDLE_PYTHON_MODULE=ON"
	@cmake --build --preset $(PRESET) -j $(JOBS)
	@cpack -B build/packages --config build/$(PRESET)/CPackConfig.cmake > build/cpack.log || { cat build/cpack.log; exit 1; }
	@ls build/packages/*.deb

deb-test: ## install the packages in a clean Debian and use them (as root)
	@scripts/check-deb build/packages

wheel: setup-run ## a wheel with the package, the program and the module, in build/packages
	@scripts/setup --packages
	@$(MAKE) --no-print-directory configure PRESET=$(PRESET) CMAKE_FLAGS="$(CMAKE_FLAGS) -DHEDDLE_PYTHON_MODULE=ON"
	@cmake --build --preset $(PRESET) -j $(JOBS)
	@scripts/wheel build/$(PRESET) build/packages

site: setup-run configure ## the documentation as a site with search, in build/site
	@scripts/setup --packages
	@cmake --build --preset $(PRESET) -j $(JOBS) --target heddle
	@scripts/site build/$(PRESET)/heddle build/site && echo build/site/index.html

clean: ## remove everything built
	@rm -rf build
