// Package door is what stands before every HTTP listener of Orbweaver: a check of who asks, and a limit of connections that
// slow clients cannot use up.
//
// A browser on this machine is also a browser of pages that strangers wrote. Check refuses what such pages send: requests
// under a name that was made to point here (DNS rebinding), of a foreign Origin, or, by Sec-Fetch-Site, from another site
// though without an Origin, as images and frames are.
//
// Listen limits the connections of a listener. When all are taken, the one that has made no progress for longest gives way: a
// thousand clients that send a byte now and then delay an honest one by no more than the time to close a connection.
//
// This package is not part of the stable API.
package door

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Options say who may ask.
type Options struct {
	Hosts   []string // names of the server besides localhost and IP addresses
	Origins []string // origins of pages that may ask, such as https://example.org, besides this machine's; "*": all
}

// A Refusal is an error with the status of its answer.
type Refusal struct {
	Status int // 403 or 421
	Why    string
}

// Error returns the reason.
func (r *Refusal) Error() string { return r.Why }

// Check returns nil for a request that may be answered, and else why not. cross is the Origin of a page that may read the
// answer; empty if the request has none.
func (o Options) Check(r *http.Request) (cross string, refusal *Refusal) {
	if !o.mayHost(r.Host) {
		return "", &Refusal{http.StatusMisdirectedRequest, fmt.Sprintf("this server does not answer to the name %q", r.Host)}
	}
	origin := r.Header.Get("Origin")
	switch {
	case origin != "" && !o.mayOrigin(origin, r.Host):
		return "", &Refusal{http.StatusForbidden, fmt.Sprintf("pages of %q may not ask this server", origin)}
	case origin == "" && o.Foreign(r):
		return "", &Refusal{http.StatusForbidden, "pages of other sites may not ask this server"}
	}
	return origin, nil
}

// Handler returns a handler that answers refusals itself, and hands all else to next.
func (o Options) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, refusal := o.Check(r); refusal != nil {
			http.Error(w, refusal.Why, refusal.Status)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Foreign reports whether a page of another site caused a request without an Origin. Following a link is no such request: its
// answer is shown, and the page cannot read it.
func (o Options) Foreign(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	if site == "" || site == "same-origin" || site == "none" || slices.Contains(o.Origins, "*") {
		return false
	}
	top := r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
	return !top
}

// mayHost reports whether a Host header names this server. An IP address always does: no DNS name was rebound.
func (o Options) mayHost(host string) bool {
	name := hostname(host)
	if _, err := netip.ParseAddr(name); err == nil || name == "localhost" {
		return true
	}
	return slices.ContainsFunc(o.Hosts, func(known string) bool { return strings.EqualFold(known, name) })
}

// mayOrigin reports whether a page may ask: one of this server, of this machine, or of Origins.
func (o Options) mayOrigin(origin, host string) bool {
	if slices.Contains(o.Origins, "*") || slices.Contains(o.Origins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return false
	}
	addr, err := netip.ParseAddr(hostname(u.Host))
	return u.Host == host || hostname(u.Host) == "localhost" || err == nil && addr.IsLoopback()
}

// hostname is a host without its port, in lower case.
func hostname(host string) string {
	u := url.URL{Host: host}
	return strings.ToLower(u.Hostname())
}
