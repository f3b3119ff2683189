package replay

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// shownNear is how many similar URLs are shown for one that is absent.
const shownNear = 10

// proxy answers with the archived response of a URL's host.
func (s *Server) proxy(w http.ResponseWriter, r *http.Request, target string) {
	url, err := weburl.Canonical(target)
	if err != nil {
		http.Error(w, "no address on the Web: "+err.Error(), http.StatusBadRequest)
		return
	}
	if s.opts.Record != nil {
		w = &recorder{ResponseWriter: w, server: s, url: url, method: r.Method}
	}
	resp, err := s.fetch(r, url)
	if err != nil {
		s.proxyFailed(w, url, err)
		return
	}
	defer resp.Body.Close()
	connection := strings.ToLower(strings.Join(resp.Header["Connection"], ","))
	for key, values := range resp.Header {
		if !dropped(key) && !names(connection, key) {
			w.Header()[key] = values
		}
	}
	if links := statedLinks(resp.Header["Link"]); len(links) > 0 {
		w.Header()["Link"] = links
	} else {
		w.Header().Del("Link")
	}
	s.send(w, r, resp)
}

// A recorder reports the status of an answer to Options.Record, once.
type recorder struct {
	http.ResponseWriter
	server      *Server
	url, method string
	done        bool
}

// WriteHeader reports the status before it is sent.
func (r *recorder) WriteHeader(status int) {
	if !r.done {
		r.done = true
		r.server.records.Lock()
		r.server.opts.Record(r.url, r.method, status)
		r.server.records.Unlock()
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write reports status 200 if none was sent.
func (r *recorder) Write(b []byte) (int, error) {
	if !r.done {
		r.WriteHeader(http.StatusOK)
	}
	return r.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// statedLinks returns the fields of links without those that make a browser request something: preload and its like.
func statedLinks(fields []string) (kept []string) {
	for _, field := range fields {
		lower := strings.ToLower(field)
		if !strings.Contains(lower, "preload") && !strings.Contains(lower, "preconnect") && !strings.Contains(lower, "prefetch") && !strings.Contains(lower, "prerender") {
			kept = append(kept, field)
		}
	}
	return kept
}

// names reports whether a list in lower case contains a field name.
func names(list, key string) bool {
	for name := range strings.SplitSeq(list, ",") {
		if strings.TrimSpace(name) == strings.ToLower(key) {
			return true
		}
	}
	return false
}

// fetch reads a response from the archive. One that is incomplete by itself (1xx, 304) counts as absent.
func (s *Server) fetch(r *http.Request, url string) (*step.Response, error) {
	resp, err := s.archive.Fetch(r.Context(), orbweaver.Request{URL: url})
	if err != nil {
		return nil, err
	}
	if resp.Status < 200 || resp.Status > 999 || resp.Status == http.StatusNotModified {
		resp.Body.Close()
		return nil, fmt.Errorf("%s: %w: all it has is an answer of status %d", url, orbweaver.ErrAbsent, resp.Status)
	}
	return resp, nil
}

// proxyFailed answers a proxy's client with the reason of a failure. It names no URLs of other hosts, since
// the client may be a page.
func (s *Server) proxyFailed(w http.ResponseWriter, url string, err error) {
	if !errors.Is(err, orbweaver.ErrAbsent) {
		http.Error(w, "the archive's answer cannot be read: "+err.Error(), http.StatusBadGateway)
		return
	}
	host := weburl.Host(url)
	var text strings.Builder
	fmt.Fprintf(&text, "%s is not in the archive, and nothing is fetched from the live Web.\n", url)
	heading := "\nIt has:\n"
	for _, near := range s.list.nearest(url, shownNear) {
		if weburl.Host(near) == host {
			fmt.Fprintf(&text, "%s%s\n", heading, near)
			heading = ""
		}
	}
	status := s.opts.Absent
	if url == host+"/robots.txt" {
		status = http.StatusNotFound
	}
	http.Error(w, text.String(), status)
}

// dropped reports whether the proxy drops a field of an archived response: fields of the connection (RFC
// 9110, section 7.6.1), and fields that would take effect on the live Web later: cookies, HSTS, and other
// services to use or to report to.
func dropped(key string) bool {
	switch key {
	case "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate", "Proxy-Authentication-Info",
		"Te", "Trailer", "Transfer-Encoding", "Upgrade", "Accept-Ranges",
		"Set-Cookie", "Set-Cookie2", "Clear-Site-Data", "Service-Worker-Allowed",
		"Strict-Transport-Security", "Public-Key-Pins", "Public-Key-Pins-Report-Only", "Expect-Ct",
		"Alt-Svc", "Nel", "Report-To", "Reporting-Endpoints":
		return true
	}
	return false
}
