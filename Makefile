# make           builds ./orbweaver: one static binary that runs on any Linux of its architecture
# make release   writes to dist: archives for Linux, macOS and Windows, with licences, a CycloneDX list, SHA256SUMS; PLATFORMS=linux/amd64 picks some
# make test      runs the tests for everybody
# make check     runs all that CI tests
# make cost      prints the ten costliest packages of the build and of the tests, from empty caches: half an hour; COST='-build' the build alone
# make race      runs, under the race detector, what CI runs under it
# make pgo       crawls served webs and writes orbweaver.pgo, a profile by which make then builds a faster program, in twice the time
# make bench     runs the benchmarks, once each: BENCH='Read|Write' some, PKG=./rdf/... those of some packages
# make lint      gofmt, go vet, staticcheck, steps that are taken after failed ones, and functions that nothing calls
# make docs      writes anew what is generated: docs/reference/crawl-file.md, api.txt, golden files
# make web       builds the studio's scripts anew from npm packages (needs Node.js): studio/assets/files
# make ci        what CI runs
# make nightly   all under the race detector, soaks, and each fuzz target for FUZZTIME (1m): hours
# make data      says where the webs and suites come from that tests look for, and fetches what has a stable address
# make module PATH=example.org/someone/orbweaver   renames the module, for whoever publishes it

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
COMMIT ?= $(shell git rev-parse HEAD 2>/dev/null)
BENCH ?= .
PKG ?= ./...

# PATH as an argument is the new module path: the commands below look for programs in the usual folders then.
ifeq ($(origin PATH),command line)
MODULE := $(PATH)
unexport PATH
MAKEOVERRIDES =
endif

.PHONY: build release test check cost race pgo bench lint docs web ci nightly data module

# A profile is made where the program is built and is no part of the sources: it is worth a few per cent, and building by it takes twice as long.
PGO := $(if $(wildcard orbweaver.pgo),-pgo=$(abspath orbweaver.pgo))

build:
	CGO_ENABLED=0 go build $(PGO) -trimpath -ldflags "-X main.version=$(VERSION) -X main.commit=$(COMMIT)" -o orbweaver ./cmd/orbweaver

release:
	VERSION="$(VERSION)" COMMIT="$(COMMIT)" .ci/release $(PLATFORMS)

test:
	go test ./...

check:
	go run ./.ci/tests -tags e2e -timeout 1h ./...

race:
	.ci/race

pgo:
	rm -rf orbweaver.profiles orbweaver.pgo && mkdir orbweaver.profiles
	ORBWEAVER_PROFILE=$(CURDIR)/orbweaver.profiles go test -run '^$$' -bench '^BenchmarkCrawl' -benchtime 1x -tags e2e -timeout 1h ./e2e/program
	go tool pprof -proto orbweaver.profiles/*/cpu.pprof > orbweaver.pgo
	rm -r orbweaver.profiles

bench:
	go test -run '^$$' -bench '$(BENCH)' -benchtime 1x -timeout 4h $(PKG)

cost:
	go run ./.ci/cost $(COST)

lint:
	@test -z "$$(gofmt -l .)" || { echo "gofmt would change:"; gofmt -l .; exit 1; }
	go vet ./...
	.ci/lint

docs:
	go test ./internal/crawlfile -update
	go test ./internal/arch -run TestPublicAPI -update
	go test ./eval -update
	go test ./cmd/orbweaver/cli -run TestReferenceOfTheCommandLine -update
	go test ./studio/api -run TestReference -update
	go test ./studio/help -run TestPacked -update

web:
	npm --prefix studio/assets/web ci --ignore-scripts --no-audit --no-fund
	npm --prefix studio/assets/web run build

ci:
	.ci/run

nightly:
	.ci/nightly

data:
	.ci/data fetch

module:
	@.ci/module '$(MODULE)'
