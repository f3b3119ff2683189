// Package studio serves a workspace to browsers and programs: the pages of package pages, the API of package api, and what stands before
// both. Every request has a Host and an Origin that may ask; without a token it is this machine's own; a browser that changes something has
// the token of its session; and nothing that crawls brought runs in its origin.
//
// This package is not part of the stable API.
package studio

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"

	"orbweaver"
	"orbweaver/server/door"
	"orbweaver/studio/api"
	"orbweaver/studio/nodes"
	"orbweaver/studio/workspace"
)

// Bounds on connections and requests.
const (
	maxConnections = 512
	patience       = 50 * time.Millisecond // with the slowest of so many
	headerTime     = 10 * time.Second
	bodyTime       = 2 * time.Minute // for a request's body
	answerTime     = 2 * time.Minute // for an answer that is not a stream; streams set their own
	idleTime       = 2 * time.Minute
	maxHeader      = 64 << 10
	maxBody        = 68 << 20        // of a request, read before it is known who sends it; pages and API have bounds of their own
	grace          = 2 * time.Second // for requests to end by themselves
)

// Options of a Server.
type Options struct {
	Workspace *workspace.Workspace
	Cluster   *nodes.Watch // of the cluster that it shows; nil: none

	Token     string   // gives all; empty: none is asked for, unless there is a ReadToken
	ReadToken string   // gives what changes nothing
	Hosts     []string // names of this server besides localhost and IP addresses
	TLS       *tls.Config
	Open      bool   // serve other addresses than this machine's own without TLS
	FramePort uint16 // of archived pages, which have an origin of their own; 0: a free one
}

// A Server serves a workspace.
type Server struct {
	opts   Options
	gate   *gate
	http   http.Handler
	busy   busy
	frames atomic.Pointer[frames] // of archived pages; nil: none are shown
}

// New returns a server.
func New(o Options) *Server {
	s := &Server{opts: o, gate: newGate(o.Token, o.ReadToken, o.TLS != nil)}
	mux := http.NewServeMux()
	mux.Handle(api.Base+"/", api.New(o.Workspace, o.Cluster))
	mux.HandleFunc("GET /login", s.loginPage)
	mux.HandleFunc("POST /login", s.login)
	mux.HandleFunc("POST /logout", s.logout)
	s.mount(mux)
	s.http = s.guard(s.busy.limit(s, mux))
	return s
}

// Check returns an error that wraps orbweaver.ErrInput if an address must not be served with these options: any but this machine's own
// without a token, or without TLS and the word for it.
func (o Options) Check(addr net.Addr) error {
	at, err := netip.ParseAddrPort(addr.String())
	switch {
	case err == nil && at.Addr().Unmap().IsLoopback():
		return nil
	case o.Token == "":
		return fmt.Errorf("%s is reached from other machines: give a token (--token), and one for reading if you like (--read-token) (%w)", addr, orbweaver.ErrInput)
	case o.TLS == nil && !o.Open:
		return fmt.Errorf("%s is reached from other machines, and without TLS who listens has the token: give --tls-cert and --tls-key, or say --without-tls (%w)", addr, orbweaver.ErrInput)
	}
	return nil
}

// Serve serves on a listener, which it closes, until ctx ends; that is no error. The error wraps orbweaver.ErrInput if Options.Check
// refuses the listener's address.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	if err := s.opts.Check(l.Addr()); err != nil {
		return errors.Join(err, l.Close())
	}
	s.frame(ctx, l.Addr())
	l = door.Listen(l, maxConnections, patience)
	if s.opts.TLS != nil {
		l = tls.NewListener(l, s.opts.TLS)
	}
	requests, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	server := &http.Server{
		Handler: s, BaseContext: func(net.Listener) context.Context { return requests },
		ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		ErrorLog: log.New(io.Discard, "", 0), // it reports clients that disconnect
	}
	stop := context.AfterFunc(ctx, func() {
		cancel() // streams have no other end
		patience, done := context.WithTimeout(context.Background(), grace)
		defer done()
		_ = server.Shutdown(patience) // what is left is closed below
		_ = server.Close()
	})
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("studio: %w", err)
	}
	return nil
}

// frame serves archived pages beside a listener, at another port. Without a port for them the studio shows none.
func (s *Server) frame(ctx context.Context, beside net.Addr) {
	at, err := netip.ParseAddrPort(beside.String())
	if err != nil {
		return
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", netip.AddrPortFrom(at.Addr(), s.opts.FramePort).String())
	if err != nil {
		return
	}
	_, port, _ := net.SplitHostPort(l.Addr().String()) // it is an address
	f := &frames{ws: s.opts.Workspace, port: port, tls: s.opts.TLS}
	s.frames.Store(f)
	go f.listen(ctx, l)
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.http.ServeHTTP(w, r) }

// The keys of what guard notes of a request.
type (
	nonceKey   struct{}
	sessionKey struct{}
	roleKey    struct{}
)

// guard refuses requests that may not be answered, and sets the headers of every answer.
func (s *Server) guard(next http.Handler) http.Handler {
	hosts := door.Options{Hosts: s.opts.Hosts}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		nonce := rand.Text()
		headers(w, nonce, r.TLS != nil, s.frames.Load().source(r))
		control := http.NewResponseController(w)
		_ = control.SetReadDeadline(time.Now().Add(bodyTime))    // not supported by a recorder
		_ = control.SetWriteDeadline(time.Now().Add(answerTime)) // likewise
		if _, refusal := hosts.Check(r); refusal != nil {
			s.refuse(w, r, refusal.Status, refusal.Why)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		may, session := s.gate.role(r)
		if session == "" && may != nobody && shows(r) {
			session = s.gate.begin(w, may) // for the token of its forms
		}
		public := r.URL.Path == "/login" || strings.HasPrefix(r.URL.Path, "/assets/")
		switch {
		case may == nobody && !public:
			s.ask(w, r)
			return
		case may == reader && changes(r) && r.URL.Path != "/logout":
			s.refuse(w, r, http.StatusForbidden, "this token is for reading")
			return
		case !public && s.gate.forged(r, session):
			s.refuse(w, r, http.StatusForbidden, "the request does not have the token of this browser's session: load the page again, then send the form")
			return
		}
		ctx := context.WithValue(r.Context(), nonceKey{}, nonce)
		ctx = context.WithValue(ctx, sessionKey{}, session)
		next.ServeHTTP(w, r.WithContext(context.WithValue(ctx, roleKey{}, may)))
	})
}

// shows reports whether a browser asks for a page that it shows.
func shows(r *http.Request) bool {
	return r.Method == http.MethodGet && r.Header.Get("Authorization") == "" && strings.Contains(r.Header.Get("Accept"), "text/html") &&
		!strings.HasPrefix(r.URL.Path, api.Base+"/") && !strings.HasPrefix(r.URL.Path, "/assets/")
}

// headers sets the headers of every answer.
func headers(w http.ResponseWriter, nonce string, secure bool, frames string) {
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'self'; style-src 'self' 'nonce-"+nonce+"'; img-src 'self' data:; frame-src "+frames+"; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin") // with no-referrer browsers send forms with the origin null
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if secure {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}

// ask tells a client without a token what to do.
func (s *Server) ask(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, api.Base+"/") || r.Method != http.MethodGet {
		w.Header().Set("WWW-Authenticate", `Bearer realm="orbweaver"`)
		s.refuse(w, r, http.StatusUnauthorized, "a token is asked for: send Authorization: Bearer TOKEN")
		return
	}
	http.Redirect(w, r, "/login", http.StatusSeeOther)
}

// refuse answers with a reason: JSON for the API, text for the rest.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, code int, why string) {
	if strings.HasPrefix(r.URL.Path, api.Base+"/") {
		api.Refuse(w, r, code, why)
		return
	}
	http.Error(w, why, code)
}
