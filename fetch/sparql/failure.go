package sparql

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"orbweaver"
)

// A Class is why a query has no answer: one word. Each wraps the orbweaver.Failure that it is; what
// did not reach the endpoint at all wraps that of the network.
type Class string

// The classes.
const (
	ErrParse       Class = "query-refused"  // the endpoint cannot read or evaluate such a query
	ErrTimedOut    Class = "query-timeout"  // no answer in time: by the endpoint, on the way, or by our own clock
	ErrForbidden   Class = "forbidden"      // not for us, or for those who log in
	ErrUnavailable Class = "unavailable"    // overloaded, under maintenance, or without its database
	ErrNoEndpoint  Class = "no-endpoint"    // something else is there: a form, a page, nothing
	ErrMoved       Class = "moved"          // a redirect: see Error.To
	ErrTooMuch     Class = "too-much"       // the query is too long or too costly for the endpoint
	ErrInternal    Class = "endpoint-error" // it failed and does not say why
	ErrFormat      Class = "no-format"      // an answer in no format that is read here
	ErrShape       Class = "other-shape"    // a boolean where rows were wanted, and the like
	ErrBroken      Class = "broken-answer"  // a truncated or unreadable answer
	ErrPartial     Class = "partial-answer" // it left rows out, as if there were none; what came before was delivered
	ErrAboveLimit  Class = "above-limit"    // an answer beyond Limits; what came before was delivered
	ErrUnreached   Class = "unreached"      // nothing answered: the failure says why
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

// An Error is a query without an answer, or with half of one. It wraps its class, with the class's
// failure, and what it was caused by.
type Error struct {
	Endpoint string // its URL
	Class    Class
	Status   int    // HTTP status; 0 when nothing answered
	Message  string // what the endpoint says, as plain text of a few hundred bytes; or what is wrong with its answer
	To       string // of ErrMoved: where to, without the query if it was carried along; canonical, may be empty

	stated bool  // the endpoint itself says that this query takes too long
	cause  error // what reading or the network failed with; may be nil
	seen   seen
}

// Error names the endpoint, the class and what was said.
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

// Again reports whether the same query may have an answer when it is asked later. It is safe always,
// as queries change nothing.
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

// unreached returns what it means that a request, or reading its answer, failed with err.
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

// ofStatus returns what an HTTP status means where the text of the answer says nothing.
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
