# make           builds ./orbweaver: one static binary that runs on any Linux of its architecture
# make test      runs the plain suite
# make nightly   runs all under the race detector, soaks, and each fuzz target for FUZZTIME (30s): hours

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
COMMIT ?= $(shell git rev-parse HEAD 2>/dev/null)

.PHONY: build test nightly

build:
	CGO_ENABLED=0 go build -trimpath -ldflags "-X main.version=$(VERSION) -X main.commit=$(COMMIT)" -o orbweaver ./cmd/orbweaver

test:
	go test -timeout 1h ./...

nightly:
	.ci/nightly
