package engine

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// maxRetryAfter bounds what a host may ask for: more is a mistake.
const maxRetryAfter = 30 * 24 * time.Hour

// retryAfter reads how long a host asks to be left alone: seconds, or a date (RFC 9110, section
// 10.2.3). It is heeded with the statuses that mean trouble.
func retryAfter(response *step.Response, now time.Time) time.Duration {
	if !overloaded(response.Status) {
		return 0
	}
	value := strings.TrimSpace(response.Header.Get("Retry-After"))
	if seconds, err := strconv.ParseUint(value, 10, 63); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(seconds, uint64(maxRetryAfter/time.Second))) * time.Second
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if sent, err := http.ParseTime(response.Header.Get("Date")); err == nil {
		now = sent // their clock against itself
	}
	return min(max(at.Sub(now), 0), maxRetryAfter)
}

// hopeful reports whether a failure may be over soon. An error that knows says so itself, as those of
// endpoints do: whose query takes too long, or is wrong, has the same answer tomorrow, whatever its status.
func hopeful(r reading) bool {
	var told interface{ Again() bool }
	if errors.As(r.err, &told) {
		return told.Again()
	}
	return r.err != nil && passing(orbweaver.FailureOf(r.err)) || overloaded(r.status)
}

// unheard reports whether an endpoint took a query and did not answer it, and the focus has other words: they are
// the next try, after the same pause.
func (l *live) unheard(waiting step.Waiting, r reading) bool {
	return waiting.Query != "" && l.c.focus.rephraser != nil && !r.reply.Started.IsZero() &&
		orbweaver.FailureOf(r.err) != orbweaver.ErrConnect && l.c.focus.rephraser.Rephrases(waiting.Request)
}

// again reports whether a request is worth another try: asking twice for a page is always safe, so
// what matters is whether the failure may be over soon, and that robots.txt has not come to forbid it
// meanwhile.
func (l *live) again(waiting step.Waiting, r reading) bool {
	id := waiting.ID
	if !hopeful(r) || l.unheard(waiting, r) || !l.c.inScope(waiting.URL) || l.tries[id] >= l.c.cfg.Live.Retries {
		delete(l.tries, id)
		return false
	}
	l.tries[id]++
	return true
}
