# SPDX-License-Identifier: BSD-3-Clause
# A thin front of meson, with the usual words.
PREFIX ?= /usr/local
NPES ?= 4

RELEASE = build/release
TEST = build/test

.DEFAULT_GOAL = build
.PHONY: build run test test-slow install clean help

help:
	@echo "make            build the release in $(RELEASE)"
	@echo "make run        install missing Debian packages, build, rank pages on $(NPES) PEs"
	@echo "make test       install missing Debian packages, build in $(TEST), run the tests"
	@echo "make test-slow  the same with the tests that take long, and only these"
	@echo "make install    install the release; PREFIX=$(PREFIX), DESTDIR respected"
	@echo "make clean      remove the folder build"

packages = dev/install_packages.sh
build_release = { [ -e $(RELEASE)/build.ninja ] || \
    meson setup $(RELEASE) --buildtype=release -Dlibdir=lib -Dtests=false; } && ninja -C $(RELEASE)
build_test = { [ -e $(TEST)/build.ninja ] || \
    meson setup $(TEST) --buildtype=debugoptimized -Dlibdir=lib; } && ninja -C $(TEST)
run_tests = python3 dev/run_tests.py $(TEST) --no-rebuild

build:
	@$(build_release)

run:
	@$(packages)
	@$(build_release)
	$(RELEASE)/tools/shmemrun/shmemrun -n $(NPES) $(RELEASE)/examples/pagerank

test:
	@$(packages)
	@$(build_test)
	@$(run_tests) --no-suite slow

test-slow:
	@$(packages)
	@$(build_test)
	@$(run_tests) --suite slow

install: build
	meson configure $(RELEASE) -Dprefix="$$(realpath -m '$(PREFIX)')"
	DESTDIR="$(if $(DESTDIR),$$(realpath -m '$(DESTDIR)'))" meson install -C $(RELEASE)

clean:
	rm -rf build
