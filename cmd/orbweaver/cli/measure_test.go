package cli

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/built"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
)

// TestWhatCannotBeMeasured: addresses that are none, or taken, and flags that are not for each other.
func TestWhatCannotBeMeasured(t *testing.T) {
	badFolder(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	write(t, "f.yaml", crawlFile("limits: {requests: 5}"))
	for _, tc := range []struct {
		name string
		args []string // after crawl f.yaml
		want []string // as in TestBadInput
	}{
		{"no address", []string{"--metrics", ""}, []string{"crawl: --metrics wants an address, as in 127.0.0.1:9100", "See `orbweaver crawl --help`."}},
		{"a port alone", []string{"--metrics", "9100"}, []string{"--metrics 9100: want HOST:PORT, as in 127.0.0.1:9100: missing port in address"}},
		{"an impossible port", []string{"--metrics", ":66000"}, []string{"--metrics :66000: … invalid port"}},
		{"an address that is taken", []string{"--metrics", taken.Addr().String()}, []string{"--metrics " + taken.Addr().String() + ": bind: address already in use"}},
		{"profiles nowhere", []string{"--pprof"}, []string{"crawl: --pprof uses the address of --metrics: add --metrics 127.0.0.1:9100", "See `orbweaver crawl --help`."}},
		{"a profile nowhere", []string{"--profile", ""}, []string{"crawl: --profile wants a folder", "See `orbweaver crawl --help`."}},
		{"a profile in a file", []string{"--profile", "f.yaml"}, []string{"--profile: mkdir f.yaml: not a directory"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			refused(t, append([]string{"crawl", "f.yaml"}, tc.args...), tc.want)
		})
	}
}

// TestProfiles: both files are whole when a verb ends, also when it was stopped or failed.
func TestProfiles(t *testing.T) {
	project(t)
	write(t, "f.yaml", "seeds: [http://skylines.example/]\nweb: {archive: examples/demo.warc.gz}\nfocus: {breadth_first: {}}\nlimits: {requests: 20}\n")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, tc := range []struct {
		name string
		ctx  context.Context
		args string
		want int
	}{
		{"crawl", t.Context(), "crawl f.yaml --metrics :0", exitDone},
		{"judge", t.Context(), "judge f.yaml http://skylines.example/", exitDone},
		{"failed", t.Context(), "judge f.yaml http://nowhere.example/", exitInput},
		{"wrong", t.Context(), "crawl none.yaml", exitInput},
		{"stopped", stopped, "compare examples/comparison.yaml", exitInterrupted},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := filepath.Join("profiles", tc.name)
			var stderr bytes.Buffer
			status := Run(tc.ctx, &job.Job{Console: console.Console{Out: io.Discard, Err: &stderr}}, built.Build{}, append(strings.Fields(tc.args), "--profile", dir))
			if status != tc.want {
				t.Errorf("exit status %d, want %d: %s", status, tc.want, &stderr)
			}
			for _, name := range []string{"cpu.pprof", "heap.pprof"} {
				z, err := gzip.NewReader(bytes.NewReader(read(t, filepath.Join(dir, name))))
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if n, err := io.Copy(io.Discard, z); n == 0 || err != nil {
					t.Errorf("%s: %d bytes, %v", name, n, err)
				}
			}
		})
	}
}
