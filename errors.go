package orbweaver

import "errors"

// A Failure is a reason for not doing something: one word, used alike as value of `error` in
// pages.jsonl, as metric label, in logs and in messages. Errors wrap it with the noun.
type Failure string

// Error returns the word itself.
func (f Failure) Error() string { return string(f) }

// The failures.
const (
	ErrAbsent     Failure = "absent"         // the archive has no such URL
	ErrStatus     Failure = "status"         // answered, but neither 2xx nor a redirect
	ErrNoHost     Failure = "no-such-host"   // the name has no address
	ErrLookup     Failure = "lookup"         // the name could not be looked up now
	ErrPrivate    Failure = "private"        // an address that a crawl must not reach: see allow_private
	ErrConnect    Failure = "connect"        // no connection
	ErrTLS        Failure = "tls"            // no secure connection: certificate or handshake
	ErrTimeout    Failure = "timeout"        // no answer in time, or not all of it
	ErrCut        Failure = "cut-short"      // the connection ended before the answer did
	ErrGaveUp     Failure = "host-down"      // its host failed too often to be asked again now
	ErrRedirects  Failure = "redirects"      // too many redirects, or a loop
	ErrBadTarget  Failure = "bad-redirect"   // a redirect to nowhere a crawler can go
	ErrTooLarge   Failure = "too-large"      // body above the limit, compressed or not
	ErrMalformed  Failure = "malformed"      // the answer is no HTTP, or its coding is broken
	ErrUnreadable Failure = "unreadable"     // the page reader gave up, or crashed
	ErrQuery      Failure = "query-refused"  // the endpoint cannot read or evaluate such a query
	ErrForbidden  Failure = "forbidden"      // the endpoint is not for us, or for those who log in
	ErrNoEndpoint Failure = "no-endpoint"    // something else is at the endpoint's address: a form, a page
	ErrEndpoint   Failure = "endpoint-error" // the endpoint failed: overloaded, under maintenance, or it does not say why
	ErrAnswer     Failure = "broken-answer"  // the endpoint's answer ends early, or nobody can read it
	ErrRemoved    Failure = "removed"        // a person had it removed from the crawl
	ErrScope      Failure = "out-of-scope"   // the crawl file's scope excludes it
	ErrTrap       Failure = "trap"           // one of URLs without end, by its look
	ErrRobots     Failure = "robots"         // robots.txt forbids it
	ErrBadURL     Failure = "bad-url"        // not an address on the Web
	ErrUnknown    Failure = "unknown"        // the crawl never saw it
	ErrInput      Failure = "bad-input"      // a file of the user's has problems: exit status 2
	ErrBusy       Failure = "folder-in-use"  // another process owns the crawl folder
	ErrForeign    Failure = "other-crawl"    // the folder belongs to a different crawl file
	ErrDamaged    Failure = "damaged"        // the crawl folder lost bytes it had committed
)

// FailureOf returns the failure an error wraps, or "error" for one without, or "" for nil.
func FailureOf(err error) (f Failure) {
	if err == nil || errors.As(err, &f) {
		return f
	}
	return "error"
}
