package robots

import (
	"errors"
	"fmt"
	"time"

	"orbweaver"
)

// MaxHops is how many redirects of a robots.txt are followed: RFC 9309, section 2.3.1.2.
const MaxHops = 5

// longestDelay is the longest Crawl-delay that is waited for: a longer one counts as a refusal.
const longestDelay = time.Hour

// An Answer is what came of asking for a robots.txt.
type Answer struct {
	Status   int    // of HTTP; 0 when nothing answered
	Body     []byte // decoded; MaxSize bytes are enough
	Redirect string // canonical target of a 3xx; empty when there is none, or none to go to
	Err      error  // no answer in good order, or its body could not be read
	Hops     int    // redirects before this answer
}

// A Verdict is what follows from an Answer.
type Verdict struct {
	Rules   *Rules // in force when Next is empty; nil: everything is allowed
	Next    string // ask here next, on behalf of the same host; empty: the verdict is final
	Passing bool   // that nothing is allowed is for want of an answer: worth asking again later
	Why     string // one phrase for people: "200, 14 rules", "404: everything is allowed"
}

// Judge says what an answer means to a crawler, named as for Parse. As RFC 9309, section 2.3.1, has
// it, 2xx is parsed; redirects are followed to any host, and what is redirected more than MaxHops
// times, or to nowhere, counts as not there; what is not there (4xx) allows everything; a host in
// trouble (5xx, no answer) nothing.
//
// Where the RFC leaves room: 429 is taken as trouble, because a host that asks for less is not to
// be asked for all it has, and so is any status that says neither yes nor no, 304 among them, since
// nothing was asked under a condition. What an archive does not have is not there. A body that
// came but cannot be decoded forbids everything for good: rules may be in it. One that is larger
// than the fetcher's limit is read as far as it came, if that is MaxSize. One whose Crawl-delay is
// above an hour forbids everything: a crawl would never end there.
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

// broken reports whether a body failed for what it is, and not on its way.
func broken(f orbweaver.Failure) bool {
	return f == orbweaver.ErrMalformed || f == orbweaver.ErrTooLarge || f == orbweaver.ErrUnreadable
}

// unanswered is the verdict on no answer.
func (a Answer) unanswered() Verdict {
	failure := orbweaver.FailureOf(a.Err)
	switch failure {
	case "":
		return forbidden("no answer", true)
	case orbweaver.ErrAbsent:
		return allowed(string(failure))
	case orbweaver.ErrPrivate: // our own refusal: asking again changes nothing
		return forbidden(string(failure), false)
	}
	return forbidden(string(failure), true)
}

// allowed is the verdict on a robots.txt that is not there.
func allowed(what string) Verdict {
	return Verdict{Why: what + ": everything is allowed"}
}

// forbidden is the verdict on a robots.txt that may be there and cannot be had.
func forbidden(what string, passing bool) Verdict {
	return Verdict{Rules: Disallowed("robots.txt: " + what), Passing: passing, Why: what + ": nothing is allowed"}
}
