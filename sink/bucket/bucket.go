// Package bucket delivers the archives of a crawl to a bucket of an S3 server, or to a folder that stands for one.
//
// It looks at no item but for its place in the archive: WARC files before that place are full and never change, and are put when the place is
// delivered; the last one is put when the crawl is over, and again whenever it has changed. A WACZ file is made and put when the crawl is
// over. What was put is noted in a file, so that it is put once; what a kill interrupts is put again, under the same name.
//
// This package is not part of the stable API.
package bucket

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"orbweaver/internal/atomicfile"
	"orbweaver/internal/cluster/storage"
	"orbweaver/sink"
)

// Options are what is put where.
type Options struct {
	To      string // as storage.Open wants it
	Archive string // folder of the WARC files; empty: none are put
	Put     string // file in which it is noted what was put
	// Away removes a WARC file that the bucket has, with the size and SHA-256 that it has there; nil: files stay.
	Away func(name, at string, size int64, sha256 string) error
	// Pack writes a WACZ file of the crawl; nil: none is put.
	Pack func(ctx context.Context, path string) error
	Name string // of the WACZ file
	Temp string // folder in which it is made
}

// A Bucket is the sink.
type Bucket struct {
	o     Options
	store storage.Store // nil: not opened
}

// New returns the sink.
func New(o Options) *Bucket { return &Bucket{o: o} }

// A noted file was put as it was then.
type noted struct {
	Size    int64     `json:"size"`
	Changed time.Time `json:"changed"`
	SHA256  string    `json:"sha256"`
}

func (b *Bucket) open(ctx context.Context) error {
	if b.store != nil {
		return nil
	}
	store, err := storage.Open(ctx, b.o.To)
	if err == nil {
		b.store = store
	}
	return err
}

// Check implements [sink.Sink]. It writes, reads, lists and deletes a small object.
func (b *Bucket) Check(ctx context.Context) error { return b.open(ctx) }

// Close implements [sink.Sink].
func (b *Bucket) Close() error {
	if b.store == nil {
		return nil
	}
	store := b.store
	b.store = nil
	return store.Close()
}

// Deliver implements [sink.Sink].
func (b *Bucket) Deliver(ctx context.Context, items []sink.Item) error {
	before, over, pages := "", false, int64(0)
	for _, i := range items {
		if i.Page != nil {
			before = max(before, i.Page.Record.File)
		}
		over, pages = over || i.Kind == sink.End, pages+i.Total
	}
	if b.o.Archive != "" {
		if err := b.archives(ctx, before, over); err != nil {
			return err
		}
	}
	if over && pages > 0 && b.o.Pack != nil {
		return b.pack(ctx)
	}
	return nil
}

// suffix is that of WARC files.
const suffix = ".warc.gz"

// archives puts the WARC files before one, or all, that are not there as they are.
func (b *Bucket) archives(ctx context.Context, before string, all bool) error {
	entries, err := os.ReadDir(b.o.Archive)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var put map[string]noted
	for _, e := range entries { // by name
		if !strings.HasSuffix(e.Name(), suffix) || !all && e.Name() >= before {
			continue
		}
		if put == nil {
			if put, err = b.noted(); err != nil {
				return err
			}
		}
		if err := b.archive(ctx, e.Name(), put); err != nil {
			return err
		}
	}
	return nil
}

// archive puts one WARC file, unless it is there.
func (b *Bucket) archive(ctx context.Context, name string, put map[string]noted) error {
	path := filepath.Join(b.o.Archive, name)
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	was, is := put[name]
	if is && was.Size == info.Size() && was.Changed.Equal(info.ModTime()) {
		return nil
	}
	now := noted{info.Size(), info.ModTime(), ""}
	if now.SHA256, err = digest(path); err != nil {
		return err
	}
	if !is || now.SHA256 != was.SHA256 {
		if err := b.open(ctx); err != nil {
			return err
		}
		if err := b.store.PutFile(ctx, name, path); err != nil {
			return err
		}
	}
	put[name] = now
	return b.note(put)
}

func digest(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	sum, _, err := digestOf(file)
	return sum, err
}

// digestOf reads to the end, and closes.
func digestOf(in io.ReadCloser) (string, int64, error) {
	sum := sha256.New()
	n, err := io.Copy(sum, in)
	return hex.EncodeToString(sum.Sum(nil)), n, errors.Join(err, in.Close())
}

// Settle implements [sink.Settler]: of WARC files that are in the bucket as they are here, which it reads again there, all but the last are removed
// here. The last one is that to which a later session adds.
func (b *Bucket) Settle(ctx context.Context) error {
	if b.o.Away == nil {
		return nil
	}
	entries, err := os.ReadDir(b.o.Archive)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var names []string
	for _, e := range entries { // by name
		if strings.HasSuffix(e.Name(), suffix) {
			names = append(names, e.Name())
		}
	}
	if err != nil || len(names) < 2 {
		return err
	}
	put, err := b.noted()
	if err != nil {
		return err
	}
	for _, name := range names[:len(names)-1] {
		if err := b.away(ctx, name, put); err != nil {
			return err
		}
	}
	return nil
}

// away removes one WARC file here.
func (b *Bucket) away(ctx context.Context, name string, put map[string]noted) error {
	if err := b.archive(ctx, name, put); err != nil {
		return err
	}
	if err := b.open(ctx); err != nil {
		return err
	}
	there, err := b.store.Get(ctx, name)
	if err != nil {
		return err
	}
	sum, size, err := digestOf(there)
	if err != nil {
		return fmt.Errorf("%s: %w", b.at(name), err)
	}
	if now := put[name]; sum != now.SHA256 || size != now.Size {
		delete(put, name) // put again by the next delivery
		return errors.Join(fmt.Errorf("%s is not what was put: the file here stays, and is put again", b.at(name)), b.note(put))
	}
	return b.o.Away(name, b.at(name), size, sum)
}

// at is the place of an object, for people.
func (b *Bucket) at(name string) string {
	to, _, _ := strings.Cut(b.o.To, "?")
	return strings.TrimSuffix(to, "/") + "/" + name
}

// noted returns what was put.
func (b *Bucket) noted() (put map[string]noted, err error) {
	text, err := os.ReadFile(b.o.Put)
	if err == nil {
		err = json.Unmarshal(text, &put)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if put == nil {
		put = map[string]noted{}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; remove the file to put all again", b.o.Put, err)
	}
	return put, nil
}

func (b *Bucket) note(put map[string]noted) error {
	text, err := json.MarshalIndent(put, "", " ")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(b.o.Put), 0o777)
	}
	if err == nil {
		err = atomicfile.WriteFile(b.o.Put, append(text, '\n'), 0o666)
	}
	return err
}

// pack makes a WACZ file and puts it.
func (b *Bucket) pack(ctx context.Context) (err error) {
	folder, err := os.MkdirTemp(b.o.Temp, ".wacz-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	path := filepath.Join(folder, b.o.Name)
	if err := b.o.Pack(ctx, path); err != nil {
		return fmt.Errorf("pack %s: %w", b.o.Name, err)
	}
	if err := b.open(ctx); err != nil {
		return err
	}
	return b.store.PutFile(ctx, b.o.Name, path)
}
