package robots

import (
	"errors"
	"fmt"
	"time"

	"orbweaver"
)

// MaxHops is how many redirects of a robots.txt are followed: RFC 9309, section 2.3.1.2.
const MaxHops = 5

// longestDelay is the longest accepted Crawl-delay: a longer one counts as a refusal.
const longestDelay = time.Hour

// An Answer is the result of a robots.txt request.
type Answer struct {
	Status   int    // of HTTP; 0: no response
	Body     []byte // decoded; MaxSize bytes are enough
	Redirect string // canonical target of a 3xx; empty: none, or an invalid one
	Err      error  // no valid response, or an unreadable body
	Hops     int    // redirects before this response
}

// A Verdict is the consequence of an Answer.
type Verdict struct {
	Rules   *Rules // valid if Next is empty; nil: everything is allowed
	Next    string // request this URL next, for the same host; empty: the verdict is final
	Passing bool   // everything is forbidden only for lack of a response: worth a retry
	Why     string // a phrase for reports: "200, 14 rules", "404: everything is allowed"
}

// Judge interprets a response for a crawler, which is named as in Parse. By RFC 9309, section 2.3.1, 2xx is
// parsed; redirects are followed to any host, and more than MaxHops redirects, or an invalid one, count as a
// missing file; a missing file (4xx) allows everything; a failing host (5xx, no response) forbids everything.
//
// Where the RFC is open: 429 counts as failing, because a host that asks for fewer requests does not permit
// all, and so does any status that is neither success nor refusal, 304 among them, since the request had no
// condition. A URL missing in an archive is a missing file. A body that cannot be decoded forbids everything
// permanently, since it may have rules. A body beyond the fetcher's limit is parsed as far as it was read, if
// that is MaxSize. A Crawl-delay above an hour forbids everything, since a crawl would never end there.
func Judge(a Answer, agent string) Verdict {
	switch status := a.Status; {
	case status == 429:
		return forbidden("429", true)
	case status >= 400 && status <= 499:
		return allowed(fmt.Sprint(status))
	case status >= 300 && status <= 399 && status != 304:
		return a.redirected()
	case status >= 200 && status <= 299:
		return a.read(agent)
	case status == 0:
		return a.unanswered()
	default:
		return forbidden(fmt.Sprint(status), true)
	}
}

// redirected is the verdict on a 3xx.
func (a Answer) redirected() Verdict {
	switch {
	case a.Redirect == "":
		return allowed(fmt.Sprintf("%d to nowhere", a.Status))
	case a.Hops >= MaxHops:
		return allowed("redirected too often")
	}
	return Verdict{Next: a.Redirect, Why: fmt.Sprintf("%d to %s", a.Status, a.Redirect)}
}

// read is the verdict on a 2xx.
func (a Answer) read(agent string) Verdict {
	tooLarge := errors.Is(a.Err, orbweaver.ErrTooLarge) && len(a.Body) >= MaxSize
	if a.Err != nil && !tooLarge {
		failure := orbweaver.FailureOf(a.Err)
		return forbidden(fmt.Sprintf("%d, %s", a.Status, failure), !broken(failure))
	}
	rules := Parse(a.Body, agent)
	if rules.Delay > longestDelay {
		return forbidden(fmt.Sprintf("%d, Crawl-delay of %v", a.Status, rules.Delay), false)
	}
	verdict := Verdict{Rules: rules}
	switch n := rules.Len(); n {
	case 0:
		verdict.Why = fmt.Sprintf("%d, no rules", a.Status)
	case 1:
		verdict.Why = fmt.Sprintf("%d, 1 rule", a.Status)
	default:
		verdict.Why = fmt.Sprintf("%d, %d rules", a.Status, n)
	}
	return verdict
}

// broken reports whether a body is invalid, rather than interrupted.
func broken(f orbweaver.Failure) bool {
	return f == orbweaver.ErrMalformed || f == orbweaver.ErrTooLarge || f == orbweaver.ErrUnreadable
}

// unanswered is the verdict without a response.
func (a Answer) unanswered() Verdict {
	failure := orbweaver.FailureOf(a.Err)
	switch failure {
	case "":
		return forbidden("no answer", true)
	case orbweaver.ErrAbsent:
		return allowed(string(failure))
	case orbweaver.ErrPrivate, orbweaver.ErrBadURL: // our own refusal: a retry changes nothing
		return forbidden(string(failure), false)
	}
	return forbidden(string(failure), true)
}

// allowed is the verdict on a missing robots.txt.
func allowed(what string) Verdict {
	return Verdict{Why: what + ": everything is allowed"}
}

// forbidden is the verdict on a robots.txt that cannot be read and may have rules.
func forbidden(what string, passing bool) Verdict {
	return Verdict{Rules: Disallowed("robots.txt: " + what), Passing: passing, Why: what + ": nothing is allowed"}
}
