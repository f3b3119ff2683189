package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"time"

	"orbweaver"
)

// Why a store does not do what it is asked to, beside [orbweaver.ErrInput].
var (
	ErrAbsent   = errors.New("no such object")
	ErrFull     = errors.New("no space left") // on the disk, or within a quota
	ErrTooLarge = errors.New("too large")     // a body or a range beyond MaxBody, a file beyond MaxFile
)

// Sizes.
const (
	// MaxBody is the largest body that Put takes and the longest range that Range returns, in bytes.
	MaxBody = 64 << 20
	// MaxFile is the largest file that PutFile takes, in bytes, as S3 has it.
	MaxFile = 5 << 40
	// MaxName is the length of the longest name, in bytes.
	MaxName = 512
)

// An Object is what List says of one.
type Object struct {
	Name string
	Size int64 // bytes
}

// A Store keeps objects. It is safe for concurrent use, and any number of processes may open stores of one location. What one has put,
// deleted or replaced, the next call of any other sees.
type Store interface {
	// Put makes body the object of a name, in place of one that is there. It is on disk when Put returns. After an error, the
	// name has its former object or the new one.
	Put(ctx context.Context, name string, body []byte) error
	// PutFile is Put for the content of a file, which is streamed. Nobody may write to the file meanwhile.
	PutFile(ctx context.Context, name, path string) error
	// Get returns an object from its beginning; the caller closes it. The context is that of its reads too. If the object is replaced
	// while it is read, a read may fail, but bytes of two objects are never mixed. Without an object the error wraps ErrAbsent.
	Get(ctx context.Context, name string) (io.ReadCloser, error)
	// Range returns length bytes of an object from an offset on, or fewer if it ends before. From its end on there are none.
	Range(ctx context.Context, name string, from, length int64) ([]byte, error)
	// List yields the objects whose names begin with prefix, which need not end at a slash, ascending by the bytes of their names.
	// An error is the last that it yields. Of objects that come and go meanwhile it yields some.
	List(ctx context.Context, prefix string) iter.Seq2[Object, error]
	// Delete removes an object. It returns nil if there is none. A folder may have it back after a loss of power.
	Delete(ctx context.Context, name string) error
	// Close releases what the store holds. What Get returned may still be read.
	Close() error
}

// Open returns the store of a location: a folder, which is made if it is absent, or
//
//	s3://BUCKET/PREFIX?endpoint=HOST:PORT&region=REGION&tls=off
//
// of which the bucket alone is needed: it must exist, at s3.amazonaws.com unless there is an endpoint. Without a region the server is asked
// for it. Open writes, reads, lists and deletes a small object, so that what is wrong is found at once.
func Open(ctx context.Context, location string) (Store, error) {
	return open(ctx, location, options{})
}

// options are what tests change.
type options struct {
	transport transport
	partSize  int64                   // of uploads in parts
	fault     func(step string) error // before a step of a write into a folder
}

func open(ctx context.Context, location string, o options) (*store, error) {
	s := &store{patience: openPatience}
	var err error
	if isURL(location) {
		var at address
		if at, err = parseAddress(location); err != nil {
			return nil, err
		}
		s.location = at.String()
		s.to, err = openBucket(at, o)
	} else {
		s.location = location
		s.to, err = openFolder(location, o)
	}
	if err != nil {
		return nil, fmt.Errorf("storage %s: %w", s.location, err)
	}
	if err := s.check(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("storage %s: %w", s.location, err), s.to.close())
	}
	s.patience = patience
	return s, nil
}

// A backend is a folder or a bucket. Its methods make one attempt each, but for what they say.
type backend interface {
	put(ctx context.Context, name string, body []byte) error
	putFile(ctx context.Context, name string, file *os.File, size int64) error // retries parts by itself
	get(ctx context.Context, name string) (io.ReadCloser, error)               // whose reads are retried
	span(ctx context.Context, name string, from, length int64) ([]byte, error)
	list(ctx context.Context, prefix, after string) iter.Seq2[listed, error] // ascending; names that nobody may give too
	remove(ctx context.Context, name string) error
	sweep(ctx context.Context) // removes leftovers as far as it may
	close() error
}

// A listed object has the time of its last change.
type listed struct {
	Object
	changed time.Time
}

// A store is a backend with names checked, sizes bounded, failures retried and errors that say where.
type store struct {
	location string // without secrets
	to       backend
	patience time.Duration
}

// wrap says of an error where it happened.
func (s *store) wrap(verb, name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("storage %s: %s %s: %w", s.location, verb, name, err)
}

// do checks a name and makes an attempt until it succeeds or fails for good.
func (s *store) do(ctx context.Context, verb, name string, attempt func() error) error {
	err := checkName(name)
	if err == nil {
		err = retry(ctx, s.patience, attempt)
	}
	return s.wrap(verb, name, err)
}

func (s *store) Put(ctx context.Context, name string, body []byte) error {
	if len(body) > MaxBody {
		return s.wrap("put", name, fmt.Errorf("%w: %d bytes of %d at most", ErrTooLarge, len(body), MaxBody))
	}
	return s.do(ctx, "put", name, func() error { return s.to.put(ctx, name, body) })
}

func (s *store) PutFile(ctx context.Context, name, path string) error {
	file, size, err := source(path)
	if err != nil {
		return s.wrap("put", name, err)
	}
	defer file.Close()
	return s.do(ctx, "put", name, func() error { return s.to.putFile(ctx, name, file, size) })
}

// source opens a file that is to be put.
func source(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, 0, err
	case !info.Mode().IsRegular():
		return nil, 0, fmt.Errorf("%s is no file (%w)", path, orbweaver.ErrInput)
	case info.Size() > MaxFile:
		return nil, 0, fmt.Errorf("%s: %w: %d bytes of %d at most", path, ErrTooLarge, info.Size(), int64(MaxFile))
	}
	file, err := os.Open(path)
	return file, info.Size(), err
}

func (s *store) Get(ctx context.Context, name string) (body io.ReadCloser, err error) {
	err = s.do(ctx, "get", name, func() (err error) {
		body, err = s.to.get(ctx, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &reading{body, s, name}, nil
}

// A reading is an object being read, whose errors say which.
type reading struct {
	io.ReadCloser
	of   *store
	name string
}

func (r *reading) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = r.of.wrap("get", r.name, err)
	}
	return n, err
}

func (s *store) Range(ctx context.Context, name string, from, length int64) (body []byte, err error) {
	switch {
	case from < 0 || length < 0:
		return nil, s.wrap("range", name, fmt.Errorf("%d bytes from %d (%w)", length, from, orbweaver.ErrInput))
	case length > MaxBody:
		return nil, s.wrap("range", name, fmt.Errorf("%w: %d bytes of %d at most", ErrTooLarge, length, MaxBody))
	}
	err = s.do(ctx, "range", name, func() (err error) {
		body, err = s.to.span(ctx, name, from, length)
		return err
	})
	return body, err
}

func (s *store) List(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		if err := checkPrefix(prefix); err != nil {
			yield(Object{}, s.wrap("list", prefix, err))
			return
		}
		for o, err := range s.listed(ctx, prefix) {
			if err != nil {
				yield(Object{}, s.wrap("list", prefix, err))
				return
			}
			if checkName(o.Name) == nil && !yield(o.Object, nil) { // others put what has no such name
				return
			}
		}
	}
}

// listed yields what a backend lists, and goes on behind the last after a failure that may pass.
func (s *store) listed(ctx context.Context, prefix string) iter.Seq2[listed, error] {
	return func(yield func(listed, error) bool) {
		failing := trial{patience: s.patience}
		for after, done := "", false; !done; {
			done = true
			for o, err := range s.to.list(ctx, prefix, after) {
				if err == nil && o.Name <= after && after != "" {
					err = fmt.Errorf("%s is listed after %s: the server does not list in the order of names", o.Name, after)
				}
				if err != nil {
					if err = failing.wait(ctx, err); err != nil {
						yield(listed{}, err)
						return
					}
					done = false
					break
				}
				if !yield(o, nil) {
					return
				}
				after, failing = o.Name, trial{patience: s.patience}
			}
		}
	}
}

func (s *store) Delete(ctx context.Context, name string) error {
	return s.do(ctx, "delete", name, func() error { return s.to.remove(ctx, name) })
}

func (s *store) Close() error { return s.to.close() }
