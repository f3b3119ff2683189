package storage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"orbweaver"
)

// A client makes the requests of a bucket, one attempt each; errors are the library's.
//
// It holds functions, and none of their types is the library's: were its client within a value that is an interface somewhere, the linker
// would keep all methods that it has, a megabyte of them, as a program that looks methods up by name might call each.
type client struct {
	send     func(ctx context.Context, key string, body piece, sum string) error
	begin    func(ctx context.Context, key string) (id string, err error)
	sendPart func(ctx context.Context, key, id string, number int, body piece, sum string) (etag string, err error)
	complete func(ctx context.Context, key, id string, etags []string) error
	abort    func(ctx context.Context, key, id string) error
	begun    func(ctx context.Context, prefix string) iter.Seq[upload] // those that are not complete, as far as they may be listed
	ask      func(ctx context.Context, key string, from, length int64, etag string) (io.ReadCloser, version, error)
	list     func(ctx context.Context, prefix, after string) iter.Seq2[listed, error] // whose names are keys
	remove   func(ctx context.Context, key string) error
	expire   func() // has the keys read again
}

// An upload is one whose parts are being sent, or were.
type upload struct {
	key, id string
	begun   time.Time
}

// A version is an object as it was when it was asked for.
type version struct {
	etag string
	size int64 // of what is sent
}

// connect makes a client, and no connection yet.
func connect(at address, wire transport) (client, error) {
	creds := credentials.New(keys{})
	if _, err := creds.GetWithContext(nil); err != nil {
		return client{}, err
	}
	core, err := minio.NewCore(cmp.Or(at.endpoint, "s3.amazonaws.com"), &minio.Options{
		Creds: creds, Secure: !at.plain, Region: at.region, Transport: bounded{wire},
		MaxRetries: 1, // retries are ours: the library's are bounded in number, and not in time
	})
	if err != nil {
		return client{}, &failure{reason: orbweaver.ErrInput, err: err}
	}
	c := client{expire: creds.Expire}
	c.writes(core, at.bucket)
	c.uploads(core, at.bucket)
	c.reads(core, at.bucket)
	return c, nil
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

func (c *client) writes(core *minio.Core, bucket string) {
	c.send = func(ctx context.Context, key string, body piece, sum string) error {
		_, err := core.PutObject(ctx, bucket, key, body, body.Size(), "", sum, minio.PutObjectOptions{DisableContentSha256: true})
		return err
	}
	c.remove = func(ctx context.Context, key string) error {
		return core.RemoveObject(ctx, bucket, key, minio.RemoveObjectOptions{})
	}
}

func (c *client) uploads(core *minio.Core, bucket string) {
	c.begin = func(ctx context.Context, key string) (string, error) {
		return core.NewMultipartUpload(ctx, bucket, key, minio.PutObjectOptions{})
	}
	c.sendPart = func(ctx context.Context, key, id string, number int, body piece, sum string) (string, error) {
		sent, err := core.PutObjectPart(ctx, bucket, key, id, number, body, body.Size(),
			minio.PutObjectPartOptions{Sha256Hex: sum, DisableContentSha256: true})
		return sent.ETag, err
	}
	c.complete = func(ctx context.Context, key, id string, etags []string) error {
		parts := make([]minio.CompletePart, len(etags))
		for i, etag := range etags {
			parts[i] = minio.CompletePart{PartNumber: i + 1, ETag: etag}
		}
		_, err := core.CompleteMultipartUpload(ctx, bucket, key, id, parts, minio.PutObjectOptions{})
		return err
	}
	c.abort = func(ctx context.Context, key, id string) error {
		return core.AbortMultipartUpload(ctx, bucket, key, id)
	}
	c.begun = func(ctx context.Context, prefix string) iter.Seq[upload] {
		return func(yield func(upload) bool) {
			ctx, stop := context.WithCancel(ctx)
			defer stop() // ends the library's goroutine
			for u := range core.ListIncompleteUploads(ctx, bucket, prefix, true) {
				if u.Err != nil || !yield(upload{u.Key, u.UploadID, u.Initiated}) {
					return
				}
			}
		}
	}
}

func (c *client) reads(core *minio.Core, bucket string) {
	c.ask = func(ctx context.Context, key string, from, length int64, etag string) (io.ReadCloser, version, error) {
		o, err := asking(from, length, etag)
		if err != nil {
			return nil, version{}, err
		}
		body, info, header, err := core.GetObject(ctx, bucket, key, o)
		if err == nil && from > 0 && !strings.HasPrefix(header.Get("Content-Range"), fmt.Sprintf("bytes %d-", from)) {
			err = errors.Join(&failure{text: "the server does not send ranges"}, body.Close())
		}
		return body, version{info.ETag, info.Size}, err
	}
	c.list = func(ctx context.Context, prefix, after string) iter.Seq2[listed, error] {
		o := minio.ListObjectsOptions{Prefix: prefix, StartAfter: after, Recursive: true, FetchOwner: new(bool)}
		return func(yield func(listed, error) bool) {
			for got := range core.ListObjectsIter(ctx, bucket, o) {
				if !yield(listed{Object{got.Key, got.Size}, got.LastModified}, got.Err) || got.Err != nil {
					return
				}
			}
		}
	}
}

// asking says which bytes of an object are asked for: length of them, 0: all, from an offset on; of one version alone if etag names it.
func asking(from, length int64, etag string) (o minio.GetObjectOptions, err error) {
	if etag != "" {
		err = o.SetMatchETag(etag)
	}
	last := from + length - 1
	switch {
	case err != nil || from == 0 && length == 0:
	case last == 0: // which the library takes for the whole
		o.Set("Range", "bytes=0-0")
	case length == 0: // to the end, as the library has it
		err = o.SetRange(from, 0)
	default:
		err = o.SetRange(from, last)
	}
	return o, err
}
