package node

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"time"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/server"
	"orbweaver/server/door"
)

// say says something of a node on its standard error.
func (n *Node) say(format string, args ...any) {
	console.Say(n.j.Err, "node %s: "+format, append([]any{n.o.Name}, args...)...)
}

// serve answers GET /status and GET /metrics at the node's address for them.
func (n *Node) serve() (hangUp func(), err error) {
	if n.o.Status == "" {
		return func() {}, nil
	}
	listener, err := net.Listen("tcp", n.o.Status)
	if err != nil {
		return nil, fmt.Errorf("--status %s: %w (%w)", n.o.Status, err, orbweaver.ErrInput)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) {
		f := n.figures()
		if f.Present {
			server.Answer(w, f)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusServiceUnavailable)
		_ = json.NewEncoder(w).Encode(f) // it fails if who asked is gone
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		n.mu.Lock()
		why := n.absent()
		n.mu.Unlock()
		if why != "" {
			http.Error(w, why, http.StatusServiceUnavailable)
		}
	})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) { n.metrics(w) })
	s := &http.Server{Handler: mux, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, MaxHeaderBytes: 16 << 10}
	go func() { _ = s.Serve(door.Listen(listener, 32, 50*time.Millisecond)) }()
	console.Say(n.j.Err, "status at http://%s/status", listener.Addr())
	return func() { _ = s.Close() }, nil
}

// metrics writes the node's figures for Prometheus.
func (n *Node) metrics(w http.ResponseWriter) {
	f := n.figures()
	present := 0
	if f.Present {
		present = 1
	}
	fmt.Fprintf(w, "# HELP orbweaver_node_present Whether the node reaches the bus.\n# TYPE orbweaver_node_present gauge\norbweaver_node_present{node=%q} %d\n", f.Node, present)
	for _, g := range []struct {
		name, help string
		of         func(CrawlFigures) int
	}{
		{"orbweaver_cluster_partitions", "Partitions of a crawl that the node has.", func(c CrawlFigures) int { return len(c.Partitions) }},
		{"orbweaver_cluster_moving", "Partitions of a crawl that come to the node or go.", func(c CrawlFigures) int { return c.Moving }},
		{"orbweaver_cluster_lag", "Partitions of a crawl to which messages of the node are on their way.", func(c CrawlFigures) int { return c.Outbox }},
	} {
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s gauge\n", g.name, g.help, g.name)
		for _, c := range f.Crawls {
			fmt.Fprintf(w, "%s{node=%q,crawl=%q} %d\n", g.name, f.Node, c.Crawl, g.of(c))
		}
	}
}
