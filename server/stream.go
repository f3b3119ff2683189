package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

// failureTrailer has the error that ended an answer of which a part was sent.
const failureTrailer = "Orbweaver-Failure"

// Stream writes an answer as it comes. An error ends it, which the client's reader returns at the end of
// what was sent. It is for the handlers of routes that Post asks.
func Stream(w http.ResponseWriter, write func(io.Writer) error) {
	w.Header().Set("Trailer", failureTrailer)
	w.Header().Set("Content-Type", "application/octet-stream")
	s := &stream{w: w}
	err := write(s)
	switch {
	case err == nil:
	case !s.begun:
		w.Header().Del("Trailer")
		Fail(w, err)
	default:
		text, problem := json.Marshal(failed(err))
		if problem == nil {
			w.Header().Set(failureTrailer, string(text))
		}
	}
}

// A stream knows whether something was sent.
type stream struct {
	w     io.Writer
	begun bool
}

func (s *stream) Write(p []byte) (int, error) {
	s.begun = true
	return s.w.Write(p)
}

// Post sends a value as JSON to a route that was added: what it answers is to be read and closed. Reading
// returns the error that ended the answer, if one did.
func (c *Client) Post(ctx context.Context, path string, in any) (io.ReadCloser, error) {
	text, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	r, err := c.send(ctx, http.MethodPost, path, nil, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	return &streamed{r}, nil
}

// A streamed is an answer whose end may be an error.
type streamed struct{ *http.Response }

func (s *streamed) Read(p []byte) (int, error) {
	n, err := s.Body.Read(p)
	if errors.Is(err, io.EOF) {
		if told := s.Trailer.Get(failureTrailer); told != "" {
			var f failure
			if json.Unmarshal([]byte(told), &f) == nil {
				return n, f.err()
			}
		}
	}
	return n, err
}

// Close ends reading.
func (s *streamed) Close() error { return s.Body.Close() }
