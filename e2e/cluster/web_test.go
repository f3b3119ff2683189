//go:build e2e && linux

package cluster_test

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"orbweaver/fetch/fetchtest"
	"orbweaver/weburl"
)

// A web is the one that is crawled. It notes who asked.
type web struct {
	*fetchtest.Web
	network *fetchtest.Network
	gate    net.Listener
	hosts   map[string]string // addresses by name
	want    []string          // all pages
	seeds   []string

	mu      sync.Mutex
	callers map[string]string // workers, by the address of a connection
	asked   []request
}

// A request is one as it came to the web.
type request struct {
	worker, host, path string
	at                 time.Time
}

func newWeb(t *testing.T, p fetchtest.Plan) *web {
	t.Helper()
	w := &web{Web: fetchtest.Generate(p), network: fetchtest.NewNetwork(), hosts: map[string]string{}, callers: map[string]string{}}
	t.Cleanup(w.network.Close)
	w.Serve(w.network)
	for i := range p.Hosts {
		name, addr := fmt.Sprintf("h%03d.test", i), fetchtest.Address(i%cmp.Or(p.Addresses, p.Hosts))
		w.hosts[name] = addr.Addr().String()
		w.network.Serve(name, addr, http.HandlerFunc(w.note))
	}
	w.seeds = w.Seeds()[:1]
	w.want = w.AllowedFrom(w.seeds...)
	var err error
	if w.gate, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.gate.Close() })
	go func() {
		for {
			conn, err := w.gate.Accept()
			if err != nil {
				return
			}
			go w.admit(t, conn)
		}
	}()
	return w
}

// note notes a request.
func (w *web) note(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	w.asked = append(w.asked, request{w.callers[r.RemoteAddr], weburl.Hostname("http://" + r.Host + "/"), r.URL.Path, time.Now()})
	w.mu.Unlock()
	w.ServeHTTP(rw, r)
}

// requests are all so far.
func (w *web) requests() []request {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.asked[:len(w.asked):len(w.asked)]
}

// admit connects a worker with an address of the web.
func (w *web) admit(t *testing.T, conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	line, err := in.ReadString('\n')
	if err != nil {
		return
	}
	name, at, _ := strings.Cut(strings.TrimSpace(line), " ")
	addr, err := netip.ParseAddrPort(at)
	if err != nil {
		return
	}
	near, err := w.network.Dial(t.Context(), addr)
	if err != nil {
		return
	}
	defer near.Close()
	w.mu.Lock()
	w.callers[near.LocalAddr().String()] = name
	w.mu.Unlock()
	done := make(chan struct{}, 2)
	go func() { io.Copy(near, in); done <- struct{}{} }()
	go func() { io.Copy(conn, near); done <- struct{}{} }()
	<-done
}
