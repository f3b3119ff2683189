// Package live runs real SPARQL servers for tests, on loopback, until the test ends: Virtuoso, Oxigraph
// and this project's own. A client must get the same answers from each.
package live

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"orbweaver/rdf/quads"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/nquads"
	"orbweaver/server/sparql"
)

// Kind is a server implementation.
type Kind string

// The kinds of servers.
const (
	Virtuoso Kind = "virtuoso" // virtuoso-t and isql-vt on PATH
	Oxigraph Kind = "oxigraph" // node on PATH, and the module oxigraph: see OxigraphFolder
	Own      Kind = "own"      // server/sparql over a store in memory
)

// OxigraphFolder is the environment variable that names the folder with node_modules/oxigraph. Without it
// node searches NODE_PATH.
const OxigraphFolder = "ORBWEAVER_OXIGRAPH"

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{Own, Virtuoso, Oxigraph} }

// patience bounds the time that a server takes to start and load its data. It is long because test
// machines are shared.
const patience = 90 * time.Second

// Endpoint is a running server.
type Endpoint struct {
	Kind Kind
	URL  string
	Stop func() // ends the server before the test's end; may be called repeatedly
}

// Start starts a server with N-Triples as its default graph, and returns when it answers queries. It skips
// the test if the server is not installed, and fails it if the server does not start.
func Start(t testing.TB, kind Kind, data []byte) Endpoint {
	t.Helper()
	switch kind {
	case Virtuoso:
		return startVirtuoso(t, data)
	case Oxigraph:
		return startOxigraph(t, data)
	case Own:
		return startOwn(t, data)
	}
	t.Fatalf("no kind of server: %q", kind)
	return Endpoint{}
}

// startOwn starts this project's server.
func startOwn(t testing.TB, data []byte) Endpoint {
	t.Helper()
	m := quads.NewMemory()
	if _, err := m.Load(nquads.Read(bytes.NewReader(data), syntax.Options{Name: "data"}), "data"); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := sparql.New(sparql.NewMemory(m), sparql.Options{}).Serve(ctx, l); err != nil {
			t.Error(err)
		}
	})
	stop := func() {
		cancel()
		running.Wait()
	}
	t.Cleanup(stop)
	return Endpoint{Kind: Own, URL: "http://" + l.Addr().String() + "/sparql", Stop: stop}
}

// look returns the path of a program, or skips the test.
func look(t testing.TB, name, what string) string {
	t.Helper()
	found, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed: no %s on PATH", what, name)
	}
	return found
}

// process is a server process.
type process struct {
	ctx  context.Context // ends with the process; its cause includes the output
	stop func()          // kills the process and waits for its end
}

// run runs a server until the test ends. out receives its output.
func run(t testing.TB, cmd *exec.Cmd, out *said) *process {
	t.Helper()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ctx, ended := context.WithCancelCause(context.Background())
	go func() {
		err := cmd.Wait()
		ended(fmt.Errorf("%s ended: %v\n%s", filepath.Base(cmd.Path), err, out))
	}()
	p := &process{ctx: ctx, stop: func() {
		_ = cmd.Process.Kill() // it may have ended already
		<-ctx.Done()
	}}
	t.Cleanup(func() {
		p.stop()
		if t.Failed() {
			t.Log(context.Cause(ctx))
		}
	})
	return p
}

// await polls ready until it returns true. It returns an error when the process ends or patience is over.
func (p *process) await(ready func(ctx context.Context) bool) error {
	ctx, cancel := context.WithTimeoutCause(p.ctx, patience, fmt.Errorf("not ready after %v", patience))
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for !ready(ctx) {
		select {
		case <-again.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// maxSaid bounds the kept output of a process, in bytes.
const maxSaid = 64 << 10

// said is the beginning of a process's output.
type said struct {
	mu   sync.Mutex
	text []byte
}

// Write appends up to maxSaid bytes.
func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = append(s.text, p[:min(len(p), maxSaid-len(s.text))]...)
	return len(p), nil
}

// String returns the output so far.
func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.text)
}

func writeFile(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
