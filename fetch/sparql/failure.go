package sparql

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"orbweaver"
)

// A Class is one word for why a query has no answer. Each wraps an orbweaver.Failure; a query that did not
// reach the endpoint wraps that of the network.
type Class string

// The classes.
const (
	ErrParse       Class = "query-refused"  // the endpoint cannot parse or evaluate the query
	ErrTimedOut    Class = "query-timeout"  // no answer in time: by the endpoint, on the way, or by our own limit
	ErrForbidden   Class = "forbidden"      // refused, or a login is required
	ErrUnavailable Class = "unavailable"    // overloaded, under maintenance, or without its database
	ErrNoEndpoint  Class = "no-endpoint"    // something else is at the URL: a form, a page, nothing
	ErrMoved       Class = "moved"          // a redirect: see Error.To
	ErrTooMuch     Class = "too-much"       // the query is too long or too costly for the endpoint
	ErrInternal    Class = "endpoint-error" // it failed without a reason
	ErrFormat      Class = "no-format"      // an answer in an unsupported format
	ErrShape       Class = "other-shape"    // an answer of another form, such as a boolean instead of rows
	ErrBroken      Class = "broken-answer"  // a truncated or unreadable answer
	ErrPartial     Class = "partial-answer" // rows are missing; those received were delivered
	ErrAboveLimit  Class = "above-limit"    // an answer beyond Limits; the part before was delivered
	ErrUnreached   Class = "unreached"      // no response: the failure says why
)

// Error returns the word itself.
func (c Class) Error() string { return string(c) }

// Unwrap returns the failure that the class is, or nil.
func (c Class) Unwrap() error {
	switch c {
	case ErrParse:
		return orbweaver.ErrQuery
	case ErrForbidden:
		return orbweaver.ErrForbidden
	case ErrNoEndpoint:
		return orbweaver.ErrNoEndpoint
	case ErrUnavailable, ErrTooMuch, ErrInternal:
		return orbweaver.ErrEndpoint
	case ErrFormat, ErrShape, ErrBroken, ErrPartial:
		return orbweaver.ErrAnswer
	case ErrMoved:
		return orbweaver.ErrBadTarget
	case ErrTimedOut:
		return orbweaver.ErrTimeout
	case ErrAboveLimit:
		return orbweaver.ErrTooLarge
	}
	return nil
}

// An Error is a query without a complete answer. It wraps its class, with the class's failure, and the cause.
type Error struct {
	Endpoint string // its URL
	Class    Class
	Status   int    // HTTP status; 0: no response
	Message  string // the endpoint's message, as plain text of a few hundred bytes; or the problem of its answer
	To       string // of ErrMoved: the target, without the query if it was copied; canonical, may be empty

	stated bool  // the endpoint itself says that this query takes too long
	cause  error // the error of reading or of the network; may be nil
	seen   seen
}

// Error names the endpoint, the class and the message.
func (e *Error) Error() string {
	text := "sparql " + e.Endpoint + ": " + string(e.Class)
	if e.Status >= 300 {
		text += fmt.Sprintf(": %d", e.Status)
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// Unwrap returns the class and the cause.
func (e *Error) Unwrap() []error {
	if e.cause == nil {
		return []error{e.Class}
	}
	return []error{e.Class, e.cause}
}

// Again reports whether a later retry of the same query may succeed. It is always safe, as queries change
// nothing.
func (e *Error) Again() bool {
	switch e.Class {
	case ErrUnavailable:
		return true
	case ErrTimedOut:
		return !e.stated
	}
	switch orbweaver.FailureOf(e.cause) {
	case orbweaver.ErrLookup, orbweaver.ErrConnect, orbweaver.ErrCut:
		return true
	}
	return false
}

// unreached returns the error of a request, or of reading its answer, that failed with err.
func unreached(ctx context.Context, endpoint string, s seen, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("sparql %s: %w", endpoint, ctx.Err())
	}
	e := &Error{Endpoint: endpoint, Class: ErrUnreached, Message: plain([]byte(err.Error())), cause: err, seen: s}
	switch orbweaver.FailureOf(err) {
	case orbweaver.ErrTimeout:
		e.Class = ErrTimedOut
	case orbweaver.ErrCut, orbweaver.ErrMalformed:
		e.Class = ErrBroken
	default:
		if errors.Is(err, ErrTooMuch) {
			e.Class = ErrTooMuch
		}
	}
	return e
}

// ofStatus returns the class of an HTTP status, for answers whose text does not decide.
func ofStatus(status int) Class {
	switch status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return ErrParse
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden,
		http.StatusProxyAuthRequired, http.StatusUnavailableForLegalReasons:
		return ErrForbidden
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone, http.StatusNotImplemented:
		return ErrNoEndpoint
	case http.StatusNotAcceptable, http.StatusUnsupportedMediaType:
		return ErrFormat
	case http.StatusRequestTimeout, http.StatusGatewayTimeout, 524:
		return ErrTimedOut
	case http.StatusRequestEntityTooLarge, http.StatusRequestURITooLong, http.StatusRequestHeaderFieldsTooLarge:
		return ErrTooMuch
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, 509, 520, 521, 522, 523:
		return ErrUnavailable
	}
	if status/100 == 3 {
		return ErrMoved
	}
	return ErrInternal
}
