//go:build e2e

package cluster_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/cluster/node"
)

// A lines is what a node says.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lines) has(text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(l.text.String(), text)
}

// TestStatusWithoutMajority: a node whose server is one of three answers for itself while it waits for another, and says why; with all three, of which none has begun before, it works.
func TestStatusWithoutMajority(t *testing.T) {
	c := newCluster(t, fetchtest.Generate(fetchtest.Plan{Seed: 1, Hosts: 1, Pages: 1, Plain: true}))
	addresses := free(t, 9)
	said := &lines{}
	begin := func(i int) (end func()) {
		ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
		name := fmt.Sprint("n", i)
		server := bus.ServerOptions{Name: name, Folder: filepath.Join(c.folder, name, "nats"), Listen: addresses[i], Token: "secret",
			Cluster: bus.Cluster{Name: "test", Listen: addresses[3+i], Routes: addresses[3:6]}}
		j := c.job()
		j.Err = io.MultiWriter(said, t.Output())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = node.Run(ctx, j, node.Options{Name: name, Folder: filepath.Join(c.folder, name), Access: node.Access{Token: "secret"}, Server: &server, Status: addresses[6+i]})
		}()
		return func() {
			cancel()
			<-ended
		}
	}
	defer begin(0)()
	get := func(path string) (status int, text string) {
		answer, err := http.Get("http://" + addresses[6] + path)
		if err != nil {
			return 0, err.Error()
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Error(err)
		}
		return answer.StatusCode, string(body)
	}
	const why = "waits for a majority: 1 of 3 servers"
	until(t, "an answer", func() bool {
		status, text := get("/healthz")
		return status == http.StatusServiceUnavailable && strings.Contains(text, why)
	})
	if status, text := get("/status"); status != http.StatusServiceUnavailable || !strings.Contains(text, why) {
		t.Errorf("status %d: %s", status, text)
	}
	if os.Getenv("ORBWEAVER_EFFECT") != "all" {
		return
	}
	until(t, "a word", func() bool { return said.has("node n0: " + why) })
	defer begin(1)()
	defer begin(2)()
	until(t, "it works", func() bool {
		status, _ := get("/healthz")
		return status == http.StatusOK
	})
}

// free returns addresses that nobody has right now.
func free(t *testing.T, n int) (all []string) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		all = append(all, l.Addr().String())
	}
	return all
}
