package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"orbweaver/eval/synth"
)

// asWeb is the variable that makes the test binary serve a generated web until its input ends: hosts
// and pages, as in 200x20000.
const asWeb = "ORBWEAVER_TEST_AS_WEB"

// servedParams are those of a web on loopback addresses: hosts of one size, none of which fails.
func servedParams(hosts int, pages int64, port int) synth.Params {
	p := synth.Defaults(pages)
	p.Hosts, p.Exponent, p.Failing, p.Wishes = hosts, 0, 0, nil
	p.Origin = func(host int) string { return "http://" + servedAddress(host, port) }
	return p
}

// servedAddress is that of a host, 0 to 253.
func servedAddress(host, port int) string { return fmt.Sprintf("127.0.1.%d:%d", host+1, port) }

// Served is what a web was asked.
type Served struct {
	Pages     int `json:"pages"`     // distinct, that answered 200
	Moved     int `json:"moved"`     // answers that redirect
	Missing   int `json:"missing"`   // answers 404
	Robots    int `json:"robots"`    // robots.txt
	Forbidden int `json:"forbidden"` // pages that robots.txt forbids
	Again     int `json:"again"`     // pages asked for before
}

// A served web answers on all its addresses.
type served struct {
	web *synth.Web

	mu    sync.Mutex
	seen  map[int64]bool
	tally Served
}

// beWeb serves a web: it writes its port, and when its input ends, what it was asked.
func beWeb() int {
	var hosts int
	var pages int64
	_, err := fmt.Sscanf(os.Getenv(asWeb), "%dx%d", &hosts, &pages)
	s := &served{seen: map[int64]bool{}}
	if err == nil {
		err = s.listen(hosts, pages)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitFailed
	}
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return exitFailed
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if json.NewEncoder(os.Stdout).Encode(s.tally) != nil {
		return exitFailed
	}
	return exitDone
}

// listen takes the first address at any port and the others at the same one.
func (s *served) listen(hosts int, pages int64) error {
	first, err := net.Listen("tcp", servedAddress(0, 0))
	if err != nil {
		return err
	}
	port := first.Addr().(*net.TCPAddr).Port
	if s.web, err = synth.New(servedParams(hosts, pages, port)); err != nil {
		return err
	}
	for host := range hosts {
		listener := first
		if host > 0 {
			if listener, err = net.Listen("tcp", servedAddress(host, port)); err != nil {
				return err
			}
		}
		go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.answer(w, r, host) }))
	}
	_, err = fmt.Println(port)
	return err
}

// answer answers for a host.
func (s *served) answer(w http.ResponseWriter, r *http.Request, host int) {
	place := s.web.At(host, r.URL.Path)
	fate := synth.Plain
	if place.Kind == synth.Document {
		fate = s.web.Fate(place.Page)
	}
	s.note(place, fate)
	switch {
	case place.Kind == synth.Robots:
		io.WriteString(w, s.web.RobotsTxt(host))
	case place.Kind == synth.Old:
		http.Redirect(w, r, s.web.URL(place.Page), http.StatusMovedPermanently)
	case place.Kind == synth.Nothing || fate == synth.Missing:
		http.NotFound(w, r)
	default:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		html := s.web.HTML(nil, place.Page)
		w.Header().Set("Content-Length", strconv.Itoa(len(html)))
		w.Write(html)
	}
}

// note counts a request.
func (s *served) note(place synth.Place, fate synth.Fate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case place.Kind == synth.Robots:
		s.tally.Robots++
	case place.Kind == synth.Old:
		s.tally.Moved++
	case place.Kind == synth.Nothing || fate == synth.Missing:
		s.tally.Missing++
	case fate == synth.Forbidden:
		s.tally.Forbidden++
	case s.seen[place.Page]:
		s.tally.Again++
	default:
		s.seen[place.Page] = true
		s.tally.Pages++
	}
}

// startWeb starts the process that serves a web. finish ends it and returns what it was asked.
func startWeb(t testing.TB, hosts int, pages int64) (web *synth.Web, finish func() Served) {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), binary)
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%dx%d", asWeb, hosts, pages))
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var port int
	if _, err := fmt.Fscanln(out, &port); err != nil {
		t.Fatalf("the web does not start: %v", err)
	}
	if web, err = synth.New(servedParams(hosts, pages, port)); err != nil {
		t.Fatal(err)
	}
	return web, func() (s Served) {
		in.Close()
		if err := json.NewDecoder(out).Decode(&s); err != nil {
			t.Error(err)
		}
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
		return s
	}
}

// expected is what a crawl asks that misses nothing of a web and does nothing twice.
func expected(web *synth.Web) (s Served) {
	s.Robots = web.Hosts
	for page := range web.Pages {
		if fate := web.Fate(page); fate != synth.Forbidden {
			place := web.At(web.Host(page), strings.Replace(path(web, page), "/p/", "/r/", 1))
			if place.Kind == synth.Old {
				s.Moved++
			}
			if fate == synth.Missing {
				s.Missing++
			} else {
				s.Pages++
			}
		}
	}
	return s
}

// path is that of a page on its host.
func path(web *synth.Web, page int64) string {
	return strings.TrimPrefix(web.URL(page), web.Origin(web.Host(page)))
}
