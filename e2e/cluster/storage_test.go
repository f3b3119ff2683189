//go:build e2e

package cluster_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/fetch/fetchtest"
)

// TestStorageRefused: a crawl whose storage the nodes do not reach is refused before it begins, by an error that names the key, the node, the location, and the variables of keys that are missing.
func TestStorageRefused(t *testing.T) {
	c := newCluster(t, fetchtest.Generate(fetchtest.Plan{Seed: 1, Hosts: 1, Pages: 1, Plain: true}))
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SHARED_CREDENTIALS_FILE"} {
		t.Setenv(name, "")
	}
	file := filepath.Join(c.folder, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	c.begin("a")
	cl := c.dial()
	there(t, cl, 1)
	refused := func(location string, want ...string) {
		t.Helper()
		_, err := cl.Run(t.Context(), c.file("live", "focus: {breadth_first: {}}\ncluster: {storage: \""+location+"\"}", []string{"http://h000.test/"}))
		if !errors.Is(err, orbweaver.ErrInput) {
			t.Fatalf("%s: %v", location, err)
		}
		for _, part := range append(want, "cluster.storage: node a: ") {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("no %q in: %v", part, err)
			}
		}
	}
	refused(filepath.Join(file, "storage"), file, "not a directory")
	const bucket = "s3://crawls/mine?endpoint=127.0.0.1:1&tls=off"
	refused(bucket, "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", bucket)
	if all, err := cl.Crawls(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("crawls %v, %v", all, err)
	}
	if os.Getenv("ORBWEAVER_EFFECT") == "all" { // it is tried for ten seconds
		t.Setenv("AWS_ACCESS_KEY_ID", "key")
		t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
		refused(bucket, bucket, "127.0.0.1:1", "connection refused")
	}
}
