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

// Answer writes a value as JSON, with status 200. It is for the handlers of routes.
func Answer(w http.ResponseWriter, value any) { write(w, http.StatusOK, value) }

// Fail writes an error as JSON: {"error": words, "failure": reason}, with the HTTP status that fits.
// The client makes an error of it again, of the same words and wrapping the same Failure. It is for
// the handlers of routes.
func Fail(w http.ResponseWriter, err error) {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		err = fmt.Errorf("the request's body has more than %d bytes: %w", large.Limit, orbweaver.ErrTooLarge)
	}
	write(w, statusOf(err), failed(err))
}

// A failure is an error on its way.
type failure struct {
	Error   string            `json:"error"`
	Failure orbweaver.Failure `json:"failure,omitempty"`
}

// failed is an error as it is sent.
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

// write sends a value whole, so that its length is known before.
func write(w http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		status = http.StatusInternalServerError
		body, _ = json.Marshal(failed(fmt.Errorf("answer: %w", err))) // two strings always have a form
	}
	body = append(body, '\n')
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(body) // who asked may be gone
}

// Decode reads a request's body: one JSON value, without keys that out does not have. It is for the
// handlers of routes. Errors wrap ErrInput, or are for Fail to tell.
func Decode(r *http.Request, out any) error {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(out)
	if err == nil {
		if _, err = d.Token(); err == io.EOF {
			return nil
		}
		err = cmp.Or(err, errors.New("there is more than one value"))
	}
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return err
	}
	return fmt.Errorf("the request's body: %w: %w", err, orbweaver.ErrInput)
}

// maxError bounds the answer that tells an error.
const maxError = 64 << 10

// received makes an error of an answer that is none of success.
func received(r *http.Response) error {
	var f failure
	err := json.NewDecoder(io.LimitReader(r.Body, maxError)).Decode(&f)
	if err != nil || f.Error == "" {
		return fmt.Errorf("the crawl answered %s", r.Status)
	}
	return f.err()
}

// err is the error again.
func (f failure) err() error {
	if f.Failure == "" {
		return errors.New(f.Error)
	}
	return &told{words: f.Error, reason: f.Failure}
}

// told is an error that came over the socket.
type told struct {
	words  string
	reason orbweaver.Failure
}

func (e *told) Error() string { return e.words }

func (e *told) Unwrap() error { return e.reason }
