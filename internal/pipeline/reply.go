package pipeline

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// ReplyTo is what an exchange that ended tells about its host: by the response and the size of its
// payload, or by the error.
func ReplyTo(response *step.Response, size int64, err error, ended time.Time) step.Reply {
	r := step.Reply{Ended: ended, Bytes: size}
	r.Started = r.Ended // the latest possible time, for an error that does not say
	var exchange interface{ Started() time.Time }
	switch {
	case response != nil:
		r.Started = response.Started
	case errors.As(err, &exchange):
		r.Started = exchange.Started()
	}
	switch {
	case err != nil:
		r.Failure = orbweaver.FailureOf(err)
		r.Trouble = Transient(r.Failure) || r.Failure == orbweaver.ErrTLS
	case response.Status/100 >= 4:
		r.Failure = orbweaver.ErrStatus
		r.Trouble = Overloaded(response.Status)
		r.RetryAfter = retryAfter(response, r.Ended)
	}
	return r
}

// Transient reports whether a failure may be over soon.
func Transient(f orbweaver.Failure) bool {
	switch f {
	case orbweaver.ErrConnect, orbweaver.ErrTimeout, orbweaver.ErrCut, orbweaver.ErrLookup:
		return true
	}
	return false
}

// Overloaded reports whether a status means that the host has too much to do.
func Overloaded(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// maxRetryAfter bounds the pause that a host may ask for: a longer one is a mistake.
const maxRetryAfter = 30 * 24 * time.Hour

// retryAfter reads how long a host asks for a pause: seconds or a date (RFC 9110, section 10.2.3). It
// counts with the statuses of overload alone.
func retryAfter(response *step.Response, now time.Time) time.Duration {
	if !Overloaded(response.Status) {
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
		now = sent // the host's clock against itself
	}
	return min(max(at.Sub(now), 0), maxRetryAfter)
}
