package storage

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"orbweaver"
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
	client *minio.Core
	keys   *credentials.Credentials
	wire   transport
	part   int64
}

func openBucket(at address, o options) (backend, error) {
	b := &bucket{at: at, keys: credentials.New(keys{}), wire: o.transport, part: cmp.Or(o.partSize, partSize)}
	if _, err := b.keys.GetWithContext(nil); err != nil {
		return nil, err
	}
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
	client, err := minio.NewCore(cmp.Or(at.endpoint, "s3.amazonaws.com"), &minio.Options{
		Creds: b.keys, Secure: !at.plain, Region: at.region, Transport: bounded{b.wire},
		MaxRetries: 1, // retries are ours: the library's are not told of our context's pauses, and cannot be bounded in time
	})
	if err != nil {
		return nil, &failure{reason: orbweaver.ErrInput, err: err}
	}
	b.client = client
	return b, nil
}

// bounded bounds all answers that are no objects: the library reads them whole.
type bounded struct{ to transport }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.to.RoundTrip(r)
	query := r.URL.Query()
	if err == nil && (r.Method != http.MethodGet || query.Has("list-type") || query.Has("uploads") || query.Has("location")) {
		answer.Body = http.MaxBytesReader(nil, answer.Body, maxListing)
	}
	return answer, err
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
	_, err = b.client.PutObject(within, b.at.bucket, b.key(name), body, body.Size(), "", sum, minio.PutObjectOptions{DisableContentSha256: true})
	return b.failure(ctx, err)
}

func (b *bucket) putFile(ctx context.Context, name string, file *os.File, size int64) error {
	if size <= b.part {
		return b.send(ctx, name, io.NewSectionReader(file, 0, size))
	}
	err := b.upload(ctx, name, file, size)
	if minio.ToErrorResponse(reply(err)).Code == minio.NoSuchUpload { // another aborted it, or it was completed and the answer lost
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
		id, err = b.client.NewMultipartUpload(within, b.at.bucket, b.key(name), minio.PutObjectOptions{})
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
	var parts []minio.CompletePart
	for from := int64(0); from < size; from += length {
		part, err := b.sendPart(ctx, name, id, len(parts)+1, io.NewSectionReader(file, from, min(length, size-from)))
		if err != nil {
			return err
		}
		parts = append(parts, part)
	}
	return retry(ctx, patience, func() error {
		within, cancel := attempt(ctx, 0)
		defer cancel()
		_, err := b.client.CompleteMultipartUpload(within, b.at.bucket, b.key(name), id, parts, minio.PutObjectOptions{})
		return b.failure(ctx, err)
	})
}

// sendPart sends one part of an upload.
func (b *bucket) sendPart(ctx context.Context, name, id string, number int, body piece) (part minio.CompletePart, err error) {
	sum, err := digest(body)
	if err != nil {
		return part, err
	}
	err = retry(ctx, patience, func() error {
		within, cancel := attempt(ctx, body.Size())
		defer cancel()
		if _, err := body.Seek(0, io.SeekStart); err != nil {
			return err
		}
		sent, err := b.client.PutObjectPart(within, b.at.bucket, b.key(name), id, number, body, body.Size(),
			minio.PutObjectPartOptions{Sha256Hex: sum, DisableContentSha256: true})
		part = minio.CompletePart{PartNumber: number, ETag: sent.ETag}
		return b.failure(ctx, err)
	})
	return part, err
}

// abort removes the parts of an upload, though the context is done. What stays is swept later.
func (b *bucket) abort(ctx context.Context, key, id string) {
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), connectTime)
	defer cancel()
	_ = b.client.AbortMultipartUpload(within, b.at.bucket, key, id)
}

// sweep aborts uploads that nobody completed. Keys that may not list them leave them.
func (b *bucket) sweep(ctx context.Context) {
	within, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	for u := range b.client.ListIncompleteUploads(within, b.at.bucket, b.key(""), true) {
		if u.Err == nil && time.Since(u.Initiated) > leftover {
			b.abort(within, u.Key, u.UploadID)
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
	body, _, err := b.ask(within, name, from, max(length, 1), "") // of no bytes, whether there is such an object
	if minio.ToErrorResponse(err).Code == minio.InvalidRange {
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

// ask asks for length bytes of an object, 0: all, from an offset on; for those of a version alone if etag is one.
func (b *bucket) ask(ctx context.Context, name string, from, length int64, etag string) (io.ReadCloser, minio.ObjectInfo, error) {
	var o minio.GetObjectOptions
	var err error
	if etag != "" {
		err = o.SetMatchETag(etag)
	}
	if err == nil && (from > 0 || length > 0) {
		last := int64(0) // to the end, as the library has it
		if length > 0 {
			last = from + length - 1
		}
		if from == 0 && last == 0 { // which the library takes for the whole
			o.Set("Range", "bytes=0-0")
		} else {
			err = o.SetRange(from, last)
		}
	}
	if err != nil {
		return nil, minio.ObjectInfo{}, err
	}
	body, info, header, err := b.client.GetObject(ctx, b.at.bucket, b.key(name), o)
	if err == nil && from > 0 && !strings.HasPrefix(header.Get("Content-Range"), fmt.Sprintf("bytes %d-", from)) {
		err = errors.Join(errors.New("the server does not send ranges"), body.Close())
	}
	return body, info, err
}

func (b *bucket) list(ctx context.Context, prefix, after string) iter.Seq2[listed, error] {
	return func(yield func(listed, error) bool) {
		o := minio.ListObjectsOptions{Prefix: b.key(prefix), Recursive: true, FetchOwner: new(bool)}
		if after != "" {
			o.StartAfter = b.key(after)
		}
		for got := range b.client.ListObjectsIter(ctx, b.at.bucket, o) {
			if got.Err != nil {
				yield(listed{}, b.failure(ctx, got.Err))
				return
			}
			name, ok := strings.CutPrefix(got.Key, b.key(""))
			if ok && !yield(listed{Object{name, got.Size}, got.LastModified}, nil) {
				return
			}
		}
		if err := ctx.Err(); err != nil { // the library ends without a word
			yield(listed{}, err)
		}
	}
}

func (b *bucket) remove(ctx context.Context, name string) error {
	within, cancel := attempt(ctx, 0)
	defer cancel()
	err := b.failure(ctx, b.client.RemoveObject(within, b.at.bucket, b.key(name), minio.RemoveObjectOptions{}))
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
