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

// ReplyTo returns what a finished exchange shows about its host, by the response and the size of its
// payload, or by the error.
func ReplyTo(response *step.Response, size int64, err error, ended time.Time) step.Reply {
	r := step.Reply{Ended: ended, Bytes: size}
	r.Started = r.Ended // an upper bound, for an error without a start time
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
		r.Fault = faultOf(r.Failure, response != nil)
	case response.Status/100 >= 4:
		r.Failure = orbweaver.ErrStatus
		if Overloaded(response.Status) {
			r.Fault = step.FaultAnswer
		}
		r.RetryAfter = retryAfter(response, r.Ended)
	}
	return r
}

// faultOf returns what a failure says about its host. answered reports whether the head of a response came.
func faultOf(f orbweaver.Failure, answered bool) step.Fault {
	switch f {
	case orbweaver.ErrConnect, orbweaver.ErrTLS, orbweaver.ErrLookup:
		return step.FaultHost
	case orbweaver.ErrTimeout:
		return step.FaultAnswer
	case orbweaver.ErrCut:
		if answered {
			return step.FaultDocument
		}
		return step.FaultAnswer
	}
	return step.FaultNone
}

// Transient reports whether a retry may succeed.
func Transient(f orbweaver.Failure) bool {
	switch f {
	case orbweaver.ErrConnect, orbweaver.ErrTimeout, orbweaver.ErrCut, orbweaver.ErrLookup:
		return true
	}
	return false
}

// Overloaded reports whether a status means that the host is overloaded.
func Overloaded(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// IsStandIn reports whether a failure is that of an answer in place of the page: it teaches nothing of the page.
func IsStandIn(f orbweaver.Failure) bool {
	switch f {
	case step.ErrSoft404, step.ErrLogin:
		return true
	}
	return Shuts(f)
}

// Shuts reports whether a failure is that of an answer in place of the page which a host gives whatever is requested.
func Shuts(f orbweaver.Failure) bool {
	switch f {
	case step.ErrWall, step.ErrConsent, step.ErrParked, step.ErrMaintenance:
		return true
	}
	return false
}

// Examined is the reply of a host whose answer turned out not to be the page.
func Examined(r step.Reply, err error) step.Reply {
	f := orbweaver.FailureOf(err)
	if !IsStandIn(f) {
		return r
	}
	r.Page, r.Failure = false, f
	if Shuts(f) {
		r.Fault = step.FaultAnswer
	}
	return r
}

// maxRetryAfter bounds the pause that a host may request; a longer one is a mistake.
const maxRetryAfter = 30 * 24 * time.Hour

// retryAfter returns the pause that a host requests, given in seconds or as a date (RFC 9110, section
// 10.2.3). It applies only to the statuses of overload.
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
		now = sent // cancels the error of the host's clock
	}
	return min(max(at.Sub(now), 0), maxRetryAfter)
}
