// Package live runs real SPARQL servers for tests, on loopback, until the test ends: Virtuoso, Oxigraph
// and our own. What a client asks must have the same answer from each.
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

// A Kind is a make of server.
type Kind string

// The kinds.
const (
	Virtuoso Kind = "virtuoso" // virtuoso-t and isql-vt on PATH
	Oxigraph Kind = "oxigraph" // node on PATH, the module oxigraph as OxigraphFolder has it
	Own      Kind = "own"      // server/sparql over a store in memory
)

// OxigraphFolder is the variable of the environment that names the folder with node_modules/oxigraph in it;
// without it node looks where NODE_PATH says.
const OxigraphFolder = "ORBWEAVER_OXIGRAPH"

// Kinds are all kinds.
func Kinds() []Kind { return []Kind{Own, Virtuoso, Oxigraph} }

// patience is how long a server may take to start, and to load what it serves: machines are shared.
const patience = 90 * time.Second

// An Endpoint is a server that runs.
type Endpoint struct {
	Kind Kind
	URL  string
	Stop func() // ends the server, before the test's end; it may be called again
}

// Start starts a server over N-Triples, which are its default graph, and returns when it answers
// queries. The test is skipped where the server is not installed, and ended where it does not start.
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

// startOwn starts our own server.
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

// A process is a server's.
type process struct {
	ctx  context.Context // ends with it; the cause is what it said
	stop func()          // kills it, and returns when it has ended
}

// run runs a server until the test ends. Output goes to out, besides.
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
		_ = cmd.Process.Kill() // it may have ended
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

// await calls ready again and again until it returns true, the process ends or patience is over; then
// its error says why not.
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

// maxSaid is how many bytes of a process's output are kept.
const maxSaid = 64 << 10

// A said is the output of a process.
type said struct {
	mu   sync.Mutex
	text []byte
}

// Write keeps the beginning.
func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = append(s.text, p[:min(len(p), maxSaid-len(s.text))]...)
	return len(p), nil
}

// String returns what was said so far.
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
