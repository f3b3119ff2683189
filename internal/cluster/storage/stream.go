package storage

import (
	"context"
	"errors"
	"io"
	"time"
)

// A stream reads an object of a bucket. When its connection fails it asks for the rest of the same version.
type stream struct {
	bucket *bucket
	ctx    context.Context
	name   string

	etag     string
	at, size int64 // bytes read, and of the whole
	body     io.ReadCloser
	stop     context.CancelFunc
	failing  trial
}

// errReplaced says that there is another object than the one whose beginning was read.
var errReplaced = errors.New("replaced while it was read")

// open asks for what is not read yet.
func (s *stream) open() error {
	ctx, stop := context.WithCancel(s.ctx)
	late := time.AfterFunc(connectTime+answerTime, stop)
	body, is, err := s.bucket.client.ask(ctx, s.bucket.key(s.name), s.at, 0, s.etag)
	late.Stop()
	if err != nil {
		stop()
		if codeOf(err) == "PreconditionFailed" {
			return errReplaced
		}
		return s.bucket.failure(s.ctx, err)
	}
	if s.etag == "" {
		s.etag, s.size = is.etag, is.size
	}
	s.body, s.stop = body, stop
	return nil
}

// Read reads on, and over again what did not arrive.
func (s *stream) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for s.at < s.size {
		err := s.ctx.Err()
		if err == nil && s.body == nil {
			err = s.open()
		}
		n := 0
		if err == nil {
			n, err = s.some(p[:min(int64(len(p)), s.size-s.at)])
		}
		if n > 0 {
			s.at += int64(n)
			s.failing = trial{}
			return n, nil
		}
		if err == nil {
			continue
		}
		s.failing.patience = patience
		if err := s.failing.wait(s.ctx, err); err != nil {
			return 0, err
		}
	}
	return 0, io.EOF
}

// some reads from the connection, and drops it if it fails or stays quiet.
func (s *stream) some(p []byte) (int, error) {
	quiet := time.AfterFunc(quietTime, s.stop)
	n, err := s.body.Read(p)
	quiet.Stop()
	if err == nil {
		return n, nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF // unless these bytes are the last, which nobody looks at then
	}
	s.drop()
	return n, s.bucket.failure(s.ctx, err)
}

// drop ends the connection.
func (s *stream) drop() {
	if s.body != nil {
		s.stop()
		_ = s.body.Close() // what it says is of bytes that nobody waits for
		s.body = nil
	}
}

// Close ends the stream.
func (s *stream) Close() error {
	s.drop()
	s.at = s.size
	return nil
}
