package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"orbweaver"
)

// Answer writes a value as JSON, with status 200. Handlers of routes call it.
func Answer(w http.ResponseWriter, value any) { write(w, http.StatusOK, value) }

// Fail writes an error as JSON, {"error": text, "failure": reason}, with its HTTP status. The client
// restores an error of the same text that wraps the same Failure. Handlers of routes call it.
func Fail(w http.ResponseWriter, err error) {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		err = fmt.Errorf("the request's body has more than %d bytes: %w", large.Limit, orbweaver.ErrTooLarge)
	}
	write(w, statusOf(err), failed(err))
}

// A failure is the JSON form of an error.
type failure struct {
	Error   string            `json:"error"`
	Failure orbweaver.Failure `json:"failure,omitempty"`
}

// failed returns the JSON form of an error.
func failed(err error) failure {
	f := failure{Error: err.Error()}
	var reason orbweaver.Failure
	if errors.As(err, &reason) {
		f.Failure = reason
	}
	return f
}

// statusOf is the HTTP status of an error.
func statusOf(err error) int {
	switch orbweaver.FailureOf(err) {
	case orbweaver.ErrInput, orbweaver.ErrBadURL:
		return http.StatusBadRequest
	case orbweaver.ErrScope, orbweaver.ErrRobots, orbweaver.ErrPrivate:
		return http.StatusForbidden
	case orbweaver.ErrUnknown, orbweaver.ErrAbsent:
		return http.StatusNotFound
	case orbweaver.ErrTooLarge:
		return http.StatusRequestEntityTooLarge
	case ErrNoCrawl:
		return http.StatusServiceUnavailable
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// write sends a value with its Content-Length.
func write(w http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		status = http.StatusInternalServerError
		body, _ = json.Marshal(failed(fmt.Errorf("answer: %w", err))) // marshaling two strings cannot fail
	}
	body = append(body, '\n')
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone
}

// Decode reads a request's body into out: one JSON value, whose keys out must have. Handlers of routes call
// it and pass its error to Fail.
func Decode(r *http.Request, out any) error {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(out)
	if err == nil {
		if _, err = d.Token(); err == io.EOF {
			return nil
		}
		err = cmp.Or(err, errors.New("more than one JSON value"))
	}
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return err
	}
	return fmt.Errorf("the request's body: %w: %w", err, orbweaver.ErrInput)
}

// maxError bounds the JSON form of an error, in bytes.
const maxError = 64 << 10

// received returns the error in a response whose status is not 2xx.
func received(r *http.Response) error {
	var f failure
	err := json.NewDecoder(io.LimitReader(r.Body, maxError)).Decode(&f)
	if err != nil || f.Error == "" {
		return fmt.Errorf("the crawl answered %s", r.Status)
	}
	return f.err()
}

// err restores the error.
func (f failure) err() error {
	if f.Failure == "" {
		return errors.New(f.Error)
	}
	return &remoteError{text: f.Error, reason: f.Failure}
}

// A remoteError is an error that came over the socket.
type remoteError struct {
	text   string
	reason orbweaver.Failure
}

func (e *remoteError) Error() string { return e.text }

func (e *remoteError) Unwrap() error { return e.reason }
