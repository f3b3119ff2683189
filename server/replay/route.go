package replay

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"orbweaver/server/door"
)

// webPath is the path of rewritten pages.
const webPath = "/web/"

// ServeHTTP answers one request, of any of the three ways.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.enter() {
		http.Error(w, "the server is ending", http.StatusServiceUnavailable)
		return
	}
	defer s.active.Done()
	switch {
	case r.Method == http.MethodConnect:
		s.tunnel(w, r)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "an archive is read with GET and HEAD; "+r.Method+" would change something", http.StatusMethodNotAllowed)
	case !strings.HasPrefix(r.RequestURI, "/"):
		s.proxy(w, r, r.RequestURI)
	case !own(r):
		s.proxy(w, r, "http://"+r.Host+r.RequestURI)
	default:
		s.site(w, r)
	}
}

// own reports whether a request in origin form is for the server itself: its Host is the local address of the
// connection, or localhost. Any other name is an archived host, so that a page of the live Web whose name
// was made to point here sees only what is archived under that name.
func own(r *http.Request) bool {
	name := strings.ToLower(hostname(r.Host))
	if _, port, err := net.SplitHostPort(r.Host); err == nil && strings.Trim(port, "0123456789") != "" {
		return false
	}
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	if err != nil {
		return name == ""
	}
	if ip.IsLoopback() {
		return true
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return false
	}
	at, err := netip.ParseAddrPort(local.String())
	return err == nil && at.Addr().Unmap().WithZone("") == ip.Unmap()
}

// hostname is an authority without its port and brackets.
func hostname(authority string) string {
	if name, _, err := net.SplitHostPort(authority); err == nil {
		return name
	}
	return strings.Trim(authority, "[]")
}

// site answers a request for the server itself. An archived page has an origin of its own, so that what it embeds counts as another
// site's; that it is archived says the Referer, which no page can forge and which confine lets pages here send.
func (s *Server) site(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Service-Worker") != "" || r.Header.Get("Sec-Fetch-Dest") == "serviceworker" {
		http.Error(w, "an archived page has no service worker here: it would answer for all others", http.StatusForbidden)
		return
	}
	if (door.Options{}).Foreign(r) && !strings.HasPrefix(r.Referer(), "http://"+r.Host+webPath) {
		http.Error(w, "pages of other sites may link to archived pages, and embed none", http.StatusForbidden)
		return
	}
	if strings.HasPrefix(r.RequestURI, webPath) {
		s.web(w, r)
		return
	}
	if to, ok := strayed(r); ok {
		w.Header().Set("Location", to) // http.Redirect would remove a slash of "//"
		w.WriteHeader(http.StatusTemporaryRedirect)
		return
	}
	if r.URL.Path == "/" {
		s.front(w, r)
		return
	}
	http.Error(w, "not here: the list of what the archive has is at /, its pages are at "+webPath+"URL", http.StatusNotFound)
}

// strayed returns the path under webPath for a request that a page there made to a path of its own host, as
// scripts do.
func strayed(r *http.Request) (to string, ok bool) {
	from, ok := strings.CutPrefix(r.Referer(), "http://"+r.Host+webPath)
	if !ok || r.RequestURI == "/" {
		return "", false
	}
	prefix, page := splitTimestamp(from)
	l, err := newLinker(prefix, page)
	if err != nil {
		return "", false
	}
	to, ok = l.link(r.RequestURI)
	return to, ok && to != nowhere
}

// splitTimestamp splits a path below webPath into the prefix for links and the URL.
func splitTimestamp(rest string) (prefix, url string) {
	digits := 0
	for digits < len(rest) && digits < 14 && '0' <= rest[digits] && rest[digits] <= '9' {
		digits++
	}
	if digits > 0 && digits < len(rest) && rest[digits] == '/' {
		return webPath + rest[:digits+1], rest[digits+1:]
	}
	return webPath, rest
}
