# The commands of everyday work; the build itself is CMake's (CMakeLists.txt, CMakePresets.json).
# What is missing on a Debian machine is installed first, see tools/setup.sh.

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60

.PHONY: build run page pictures python python-docs python-manylinux test test-deep bench fuzz format install clean help
.DEFAULT_GOAL := build

build: ## build the program at build/release/shoal (the default)
	@tools/setup.sh build
	@tools/build.sh release

run: build ## anonymize a generated example and show what became of it
	@tools/run_example.sh build/release/shoal build/example

page: ## build the page of `shoal serve` (needs Node) and the program with it
	@tools/setup.sh page
	@tools/build_page.sh
	@$(MAKE) --no-print-directory build

pictures: build ## draw the pictures of README and docs anew, in a browser
	@tools/setup.sh web
	@tools/make_pictures.sh build/release/shoal

python: ## build the wheel of the Python package into build/python
	@tools/setup.sh python
	@tools/build_python.sh

python-docs: python ## build the reference of the Python package into build/docs
	@tools/build_python_docs.sh

python-manylinux: python ## make the wheel run on other Linux systems, and check it: build/manylinux
	@tools/build_manylinux.sh

test: ## run the tests that belong before every commit: minutes
	@tools/setup.sh test
	@tools/run_tests.sh

test-deep: ## run the rest: long tests, other builds, a browser, Spark
	@tools/setup.sh test
	@tools/setup.sh web || echo "Pages of reports will not be tested in a browser."
	@tools/run_tests.sh deep

bench: build ## measure speed, memory and loss: the tables of docs/performance.md and docs/attacks.md
	@tools/setup.sh test
	@bench/run.sh

fuzz: ## run every fuzz target for FUZZ_SECONDS (60)
	@tools/setup.sh fuzz
	@tools/run_fuzz.sh $(FUZZ_SECONDS)

format: ## format all sources
	@tools/setup.sh test
	@git ls-files '*.c' '*.h' | xargs clang-format -i

install: build ## install under PREFIX (/usr/local), below DESTDIR if that is set
	@cmake --install build/release --prefix $(PREFIX)

clean: ## remove all that was built
	@rm -rf build

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 18
