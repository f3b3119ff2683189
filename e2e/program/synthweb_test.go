//go:build e2e

package program_test

import (
	"bytes"
	"compress/gzip"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"orbweaver/eval/synth"
)

// asWeb is the variable that makes the test binary serve a generated web until its input ends: a shape, in JSON.
const asWeb = "ORBWEAVER_TEST_AS_WEB"

// A shape is how a web is served.
type shape struct {
	Hosts   int           `json:"hosts"`
	Pages   int64         `json:"pages"`
	Gzip    bool          `json:"gzip,omitempty"`    // answers are compressed
	TLS     string        `json:"tls,omitempty"`     // the file to write the certificate to; empty: there is none. With HTTP/2
	Latency time.Duration `json:"latency,omitempty"` // before each answer
}

// params are those of a web on loopback addresses: hosts of one size, none of which fails.
func (s shape) params(port int) synth.Params {
	scheme := "http"
	if s.TLS != "" {
		scheme = "https"
	}
	p := synth.Defaults(s.Pages)
	p.Hosts, p.Exponent, p.Failing, p.Wishes = s.Hosts, 0, 0, nil
	p.Origin = func(host int) string { return scheme + "://" + servedAddress(host, port) }
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
	shape
	web    *synth.Web
	bodies [][]byte // of all pages, as they are sent

	mu    sync.Mutex
	seen  map[int64]bool
	tally Served
}

// beWeb serves a web: it writes its port, and when its input ends, what it was asked.
func beWeb() int {
	s := &served{seen: map[int64]bool{}}
	err := json.Unmarshal([]byte(os.Getenv(asWeb)), &s.shape)
	if err == nil {
		err = s.listen()
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
func (s *served) listen() error {
	first, err := net.Listen("tcp", servedAddress(0, 0))
	if err != nil {
		return err
	}
	port := first.Addr().(*net.TCPAddr).Port
	if s.web, err = synth.New(s.params(port)); err != nil {
		return err
	}
	s.render()
	server := &http.Server{TLSConfig: &tls.Config{}}
	if s.TLS != "" {
		certificate, err := certify(s.TLS, s.Hosts)
		if err != nil {
			return err
		}
		server.TLSConfig.Certificates = []tls.Certificate{certificate}
	}
	for host := range s.Hosts {
		listener := first
		if host > 0 {
			if listener, err = net.Listen("tcp", servedAddress(host, port)); err != nil {
				return err
			}
		}
		here := &http.Server{TLSConfig: server.TLSConfig.Clone(), Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.answer(w, r, host) })}
		if s.TLS != "" {
			go here.ServeTLS(listener, "", "")
		} else {
			go here.Serve(listener)
		}
	}
	_, err = fmt.Println(port)
	return err
}

// render makes all bodies, so that serving them costs little.
func (s *served) render() {
	s.bodies = make([][]byte, s.web.Pages)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for page := next.Add(1) - 1; page < s.web.Pages; page = next.Add(1) - 1 {
				body := s.web.HTML(nil, page)
				if s.Gzip {
					var b bytes.Buffer
					z := gzip.NewWriter(&b)
					_, _ = z.Write(body)
					_ = z.Close()
					body = b.Bytes()
				}
				s.bodies[page] = body
			}
		})
	}
	workers.Wait()
}

// certify makes a certificate for the addresses of hosts, and writes it to a file.
func certify(path string, hosts int) (c tls.Certificate, err error) {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return c, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	for host := range hosts {
		template.IPAddresses = append(template.IPAddresses, net.IPv4(127, 0, 1, byte(host+1)))
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, public, private)
	if err != nil {
		return c, err
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: private}, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o666)
}

// answer answers for a host.
func (s *served) answer(w http.ResponseWriter, r *http.Request, host int) {
	if s.Latency > 0 {
		select { // a wait of the web itself, not of a test
		case <-time.After(s.Latency):
		case <-r.Context().Done():
			return
		}
	}
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
		body := s.bodies[place.Page]
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		if s.Gzip {
			w.Header().Set("Content-Encoding", "gzip")
		}
		w.Write(body)
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
func startWeb(t testing.TB, as shape) (web *synth.Web, finish func() Served) {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	told, err := json.Marshal(as)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), binary)
	c.Env = append(os.Environ(), asWeb+"="+string(told))
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
	if web, err = synth.New(as.params(port)); err != nil {
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
