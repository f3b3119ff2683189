package fetchtest

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"testing"
)

// maxLoopback is the number of loopback addresses for hosts.
const maxLoopback = 20

// ListenLoopback serves a web on 127.0.0.1 to 127.0.0.20, each with its own port, until the test ends, and
// returns the base URLs of its hosts in the order described ("http://127.0.0.3:41234"). Each Host.At has its
// own address, in the order of first use; if two hosts share the first address, the second one is called
// localhost. Host.Latency has no effect. References "//name/…" to missing hosts resolve to a loopback port that
// refuses connections.
//
// It skips the test if 127.0.0.2 is no address of the machine, and fails it if there are more addresses, or
// hosts per address, than names.
func ListenLoopback(t testing.TB, w *Web) (bases []string) {
	t.Helper()
	listeners := map[int]net.Listener{}
	guests := map[int]int{}
	for _, h := range w.hosts {
		l := listeners[h.At]
		if l == nil {
			if len(listeners) == maxLoopback {
				t.Fatalf("fetchtest: more than %d addresses", maxLoopback)
			}
			l = listen(t, fmt.Sprintf("127.0.0.%d:0", len(listeners)+1))
			listeners[h.At] = l
		}
		authority := l.Addr().String()
		if guests[h.At]++; guests[h.At] > 1 {
			if guests[h.At] > 2 || h.At != w.hosts[0].At {
				t.Fatalf("fetchtest: no name left for %s on loopback", h.Name)
			}
			authority = fmt.Sprintf("localhost:%d", l.Addr().(*net.TCPAddr).Port)
		}
		w.answer(h, authority)
		bases = append(bases, "http://"+authority)
	}
	w.unknown = refusing(t)
	for _, l := range listeners {
		start(t, w, l)
	}
	return bases
}

func listen(t testing.TB, addr string) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp4", addr)
	if err != nil {
		t.Skipf("no loopback address %s: %v", addr, err)
	}
	return l
}

// refusing returns the base of a port that was free.
func refusing(t testing.TB) string {
	l := listen(t, "127.0.0.1:0")
	defer l.Close()
	return "http://" + l.Addr().String()
}

// start serves a web at a listener until the test ends.
func start(t testing.TB, w *Web, l net.Listener) {
	server := &http.Server{Handler: w, IdleTimeout: idleTimeout}
	var running sync.WaitGroup
	running.Go(func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("serve %s: %v", l.Addr(), err)
		}
	})
	t.Cleanup(func() {
		server.Close()
		running.Wait()
	})
}
