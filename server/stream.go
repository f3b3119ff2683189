package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

// failureTrailer carries the error that ended a response after a part of it was sent.
const failureTrailer = "Orbweaver-Failure"

// Stream writes a response as it is produced. An error ends it; the client's reader returns that error after
// the bytes sent before. Handlers of routes for Post call it.
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

// A stream records whether bytes were sent.
type stream struct {
	w     io.Writer
	begun bool
}

func (s *stream) Write(p []byte) (int, error) {
	s.begun = true
	return s.w.Write(p)
}

// Post sends a value as JSON to a route given to Serve. The caller reads and closes the body; reading returns
// the error that ended the response, if there is one.
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

// A streamed is a response body that may end with an error.
type streamed struct{ *http.Response }

func (s *streamed) Read(p []byte) (int, error) {
	n, err := s.Body.Read(p)
	if errors.Is(err, io.EOF) {
		if failed := s.Trailer.Get(failureTrailer); failed != "" {
			var f failure
			if json.Unmarshal([]byte(failed), &f) == nil {
				return n, f.err()
			}
		}
	}
	return n, err
}

// Close closes the body.
func (s *streamed) Close() error { return s.Body.Close() }
