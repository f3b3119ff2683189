package storage

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"iter"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// Times and sizes of requests.
const (
	connectTime = 10 * time.Second
	answerTime  = 5 * time.Minute // until an answer begins: a server may copy all parts of an upload first
	quietTime   = time.Minute     // without a byte of a body, after which a connection is dead
	slowest     = 64 << 10        // bytes a second, below which a request is made anew
	maxListing  = 16 << 20        // bytes of a listing of 1 000 names
	partSize    = 16 << 20        // bytes of a part of a large file
	maxParts    = 10000
)

// transport is what makes requests.
type transport = http.RoundTripper

// A bucket keeps objects in a bucket of an S3 server, under a prefix.
type bucket struct {
	at     address
	client *client
	wire   transport
	part   int64
}

func openBucket(at address, o options) (backend, error) {
	b := &bucket{at: at, wire: o.transport, part: cmp.Or(o.partSize, partSize)}
	if b.wire == nil {
		b.wire = &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: connectTime}).DialContext,
			TLSHandshakeTimeout:   connectTime,
			ResponseHeaderTimeout: answerTime,
			IdleConnTimeout:       time.Minute,
			MaxIdleConnsPerHost:   16,
			DisableCompression:    true, // objects are as they were put
		}
	}
	var err error
	b.client, err = connect(at, b.wire)
	return b, err
}

// key returns the key of an object, or of a prefix of names.
func (b *bucket) key(name string) string {
	if b.at.prefix == "" {
		return name
	}
	return b.at.prefix + "/" + name
}

// attempt gives a request as much time as a slow connection needs for its body.
func attempt(ctx context.Context, size int64) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, connectTime+answerTime+time.Duration(size/slowest)*time.Second)
}

func (b *bucket) put(ctx context.Context, name string, body []byte) error {
	return b.send(ctx, name, bytes.NewReader(body))
}

// A piece is bytes that can be read again.
type piece interface {
	io.ReadSeeker
	Size() int64
}

// digest returns the SHA-256 of a piece, whose bytes are then read from the beginning again.
func digest(p piece) (string, error) {
	sum := sha256.New()
	n, err := io.Copy(sum, p)
	if err == nil && n < p.Size() {
		err = io.ErrUnexpectedEOF
	}
	if err == nil {
		_, err = p.Seek(0, io.SeekStart)
	}
	return hex.EncodeToString(sum.Sum(nil)), err
}

// send makes an object of one request.
func (b *bucket) send(ctx context.Context, name string, body piece) error {
	sum, err := digest(body)
	if err != nil {
		return err
	}
	within, cancel := attempt(ctx, body.Size())
	defer cancel()
	return b.failure(ctx, b.client.send(within, b.key(name), body, sum))
}

func (b *bucket) putFile(ctx context.Context, name string, file *os.File, size int64) error {
	if size <= b.part {
		return b.send(ctx, name, io.NewSectionReader(file, 0, size))
	}
	err := b.upload(ctx, name, file, size)
	if codeOf(err) == "NoSuchUpload" { // another aborted it, or it was completed and the answer lost
		err = b.upload(ctx, name, file, size)
	}
	return err
}

// upload makes an object of parts.
func (b *bucket) upload(ctx context.Context, name string, file *os.File, size int64) (err error) {
	var id string
	err = retry(ctx, patience, func() (err error) {
		within, cancel := attempt(ctx, 0)
		defer cancel()
		id, err = b.client.begin(within, b.key(name))
		return b.failure(ctx, err)
	})
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			b.abort(ctx, b.key(name), id)
		}
	}()
	length := max(b.part, (size+maxParts-1)/maxParts)
	var etags []string
	for from := int64(0); from < size; from += length {
		etag, err := b.sendPart(ctx, name, id, len(etags)+1, io.NewSectionReader(file, from, min(length, size-from)))
		if err != nil {
			return err
		}
		etags = append(etags, etag)
	}
	return retry(ctx, patience, func() error {
		within, cancel := attempt(ctx, 0)
		defer cancel()
		return b.failure(ctx, b.client.complete(within, b.key(name), id, etags))
	})
}

// sendPart sends one part of an upload.
func (b *bucket) sendPart(ctx context.Context, name, id string, number int, body piece) (etag string, err error) {
	sum, err := digest(body)
	if err != nil {
		return "", err
	}
	err = retry(ctx, patience, func() (err error) {
		within, cancel := attempt(ctx, body.Size())
		defer cancel()
		if _, err := body.Seek(0, io.SeekStart); err != nil {
			return err
		}
		etag, err = b.client.sendPart(within, b.key(name), id, number, body, sum)
		return b.failure(ctx, err)
	})
	return etag, err
}

// abort removes the parts of an upload, though the context is done. What stays is swept later.
func (b *bucket) abort(ctx context.Context, key, id string) {
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), connectTime)
	defer cancel()
	_ = b.client.abort(within, key, id)
}

// sweep aborts uploads that nobody completed. Keys that may not list them leave them.
func (b *bucket) sweep(ctx context.Context) {
	within, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	for u := range b.client.begun(within, b.key("")) {
		if time.Since(u.begun) > leftover {
			b.abort(within, u.key, u.id)
		}
	}
}

func (b *bucket) get(ctx context.Context, name string) (io.ReadCloser, error) {
	s := &stream{bucket: b, ctx: ctx, name: name}
	if err := s.open(); err != nil {
		return nil, err
	}
	return s, nil
}

func (b *bucket) span(ctx context.Context, name string, from, length int64) ([]byte, error) {
	within, cancel := attempt(ctx, length)
	defer cancel()
	body, _, err := b.client.ask(within, b.key(name), from, max(length, 1), "") // of no bytes, whether there is such an object
	if codeOf(err) == "InvalidRange" {
		return []byte{}, nil
	}
	if err != nil {
		return nil, b.failure(ctx, err)
	}
	defer body.Close()
	got, err := io.ReadAll(io.LimitReader(body, length))
	if err != nil {
		return nil, b.failure(ctx, err)
	}
	return got, nil
}

func (b *bucket) list(ctx context.Context, prefix, after string) iter.Seq2[listed, error] {
	return func(yield func(listed, error) bool) {
		if after != "" {
			after = b.key(after)
		}
		for o, err := range b.client.list(ctx, b.key(prefix), after) {
			if err != nil {
				yield(listed{}, b.failure(ctx, err))
				return
			}
			name, ok := strings.CutPrefix(o.Name, b.key(""))
			if o.Name = name; ok && !yield(o, nil) {
				return
			}
		}
	}
}

func (b *bucket) remove(ctx context.Context, name string) error {
	within, cancel := attempt(ctx, 0)
	defer cancel()
	err := b.failure(ctx, b.client.remove(within, b.key(name)))
	if errors.Is(err, ErrAbsent) {
		return nil
	}
	return err
}

func (b *bucket) close() error {
	if idle, ok := b.wire.(interface{ CloseIdleConnections() }); ok {
		idle.CloseIdleConnections()
	}
	return nil
}
