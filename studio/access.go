package studio

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"orbweaver/studio/api"
)

// A role is what a client may do.
type role int

// The roles.
const (
	nobody role = iota
	reader      // all that changes nothing
	owner       // all
)

// Bounds of sessions and of tries to log in.
const (
	sessionTime = 12 * time.Hour
	maxSessions = 1000
	tryEvery    = time.Second // a further try to log in, from one address
	tryBurst    = 10          // tries before that holds
	maxTriers   = 10_000
	cookieName  = "orbweaver"
	csrfField   = "csrf"
	csrfHeader  = "X-CSRF-Token"
)

// A visit is a browser's session, in memory alone.
type visit struct {
	role  role
	until time.Time
}

// A gate knows who may do what. Without tokens everybody who reaches it is an owner: then it must stand on this machine's own addresses.
type gate struct {
	all, read string // tokens; both empty: none is asked for
	key       []byte // of CSRF tokens
	secure    bool   // cookies for TLS alone

	mu     sync.Mutex
	visits map[string]visit
	tries  map[string]time.Time // by address: when its tries are used up no more
}

func newGate(all, read string, secure bool) *gate {
	g := &gate{all: all, read: read, secure: secure, key: make([]byte, 32), visits: map[string]visit{}, tries: map[string]time.Time{}}
	rand.Read(g.key) //nolint:errcheck // never fails
	return g
}

// asks reports whether a token is asked for.
func (g *gate) asks() bool { return g.all != "" || g.read != "" }

// roleOf is the role that a token gives. It takes the same time for all wrong tokens.
func (g *gate) roleOf(token string) role {
	sum := sha256.Sum256([]byte(token))
	for _, known := range []struct {
		token string
		role  role
	}{{g.all, owner}, {g.read, reader}} {
		own := sha256.Sum256([]byte(known.token))
		if known.token != "" && subtle.ConstantTimeCompare(sum[:], own[:]) == 1 {
			return known.role
		}
	}
	return nobody
}

// role returns what the client of a request may do, and its session if it is a browser with one.
func (g *gate) role(r *http.Request) (may role, session string) {
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return g.roleOf(token), ""
	}
	if c, err := r.Cookie(cookieName); err == nil {
		g.mu.Lock()
		v, ok := g.visits[c.Value]
		g.mu.Unlock()
		if ok && time.Now().Before(v.until) {
			return v.role, c.Value
		}
	}
	if !g.asks() {
		return owner, ""
	}
	return nobody, ""
}

// begin begins a browser's session.
func (g *gate) begin(w http.ResponseWriter, may role) (session string) {
	now := time.Now()
	session = rand.Text()
	g.mu.Lock()
	oldest := ""
	for id, v := range g.visits {
		if now.After(v.until) {
			delete(g.visits, id)
		} else if oldest == "" || v.until.Before(g.visits[oldest].until) {
			oldest = id
		}
	}
	if len(g.visits) >= maxSessions {
		delete(g.visits, oldest)
	}
	g.visits[session] = visit{may, now.Add(sessionTime)}
	g.mu.Unlock()
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: session, Path: "/", HttpOnly: true, Secure: g.secure, SameSite: http.SameSiteStrictMode, MaxAge: int(sessionTime.Seconds()),
	})
	return session
}

// end ends a browser's session.
func (g *gate) end(session string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.visits, session)
}

// token is the CSRF token of a session.
func (g *gate) token(session string) string {
	h := hmac.New(sha256.New, g.key)
	h.Write([]byte(session))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// forged reports whether a request that changes something may come from another site's page in a browser that has a session here: a
// request of a browser without the token of its session. Programs send neither cookies nor Origin.
func (g *gate) forged(r *http.Request, session string) bool {
	browser := session != "" || r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != ""
	if !browser || !changes(r) || r.Header.Get("Authorization") != "" {
		return false
	}
	sent := r.Header.Get(csrfHeader)
	if kind := r.Header.Get("Content-Type"); sent == "" && (strings.HasPrefix(kind, "application/x-www-form-urlencoded") || strings.HasPrefix(kind, "multipart/form-data")) {
		sent = r.PostFormValue(csrfField)
	}
	return session == "" || subtle.ConstantTimeCompare([]byte(sent), []byte(g.token(session))) != 1
}

// changes reports whether a request changes something.
func changes(r *http.Request) bool {
	if strings.HasPrefix(r.URL.Path, api.Base+"/") {
		return api.Changes(r)
	}
	return r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodOptions
}

// may reports whether an address may try to log in once more, and counts the try.
func (g *gate) may(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	now := time.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	used := g.tries[host] // the time at which all its tries are free again
	if used.Before(now) {
		used = now
	}
	if used.Sub(now) > tryBurst*tryEvery {
		return false
	}
	if len(g.tries) >= maxTriers {
		clear(g.tries)
	}
	g.tries[host] = used.Add(tryEvery)
	return true
}
