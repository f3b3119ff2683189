package storage

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"orbweaver"
)

// A folder keeps an object as a file of its name. Links within it are no objects, and none is followed out of it.
type folder struct {
	root  *os.Root
	fault func(step string) error // nil but in tests

	mu   sync.Mutex
	made map[string]bool // folders known to be there, and on disk
}

func openFolder(location string, o options) (backend, error) {
	if location == "" {
		return nil, &failure{reason: orbweaver.ErrInput, text: "no location: name a folder, or s3://BUCKET/PREFIX"}
	}
	whole, err := filepath.Abs(location)
	if err == nil {
		err = makeFolder(whole)
	}
	var root *os.Root
	if err == nil {
		root, err = os.OpenRoot(whole)
	}
	if err != nil {
		f := folderFailure(err)
		if f.reason == nil {
			f.reason, f.text = orbweaver.ErrInput, "there can be no folder"
		}
		return nil, f
	}
	return &folder{root: root, fault: o.fault, made: map[string]bool{".": true}}, nil
}

// makeFolder makes a folder and those above it, on disk.
func makeFolder(whole string) error {
	info, err := os.Stat(whole)
	if err == nil && !info.IsDir() {
		return &os.PathError{Op: "open", Path: whole, Err: syscall.ENOTDIR}
	}
	above := filepath.Dir(whole)
	if !errors.Is(err, fs.ErrNotExist) || above == whole {
		return err
	}
	if err := makeFolder(above); err != nil {
		return err
	}
	if err := os.Mkdir(whole, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return synced(os.Open(above))
}

// synced syncs an opened folder, and closes it. File systems that cannot sync folders need not.
func synced(dir *os.File, err error) error {
	if err != nil {
		return err
	}
	err = dir.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, dir.Close())
}

// folderFailure says what an error of the file system means.
func folderFailure(err error) *failure {
	var f *failure
	if errors.As(err, &f) {
		return f
	}
	is := func(codes ...error) bool {
		return slices.ContainsFunc(codes, func(code error) bool { return errors.Is(err, code) })
	}
	switch {
	case is(syscall.ENOSPC, syscall.EDQUOT):
		return &failure{reason: ErrFull, err: err, text: "make room there"}
	case is(syscall.EROFS):
		return &failure{reason: orbweaver.ErrInput, err: err, text: "its file system is read-only"}
	case is(fs.ErrPermission):
		return &failure{reason: orbweaver.ErrInput, err: err, text: "its permissions do not allow it"}
	case is(syscall.EINTR, syscall.EAGAIN, syscall.ESTALE, syscall.ETIMEDOUT):
		return &failure{err: err, passes: true}
	}
	return &failure{err: err}
}

// step is a place where tests let a write fail.
func (f *folder) step(name string) error {
	if f.fault == nil {
		return nil
	}
	return f.fault(name)
}

func (f *folder) put(ctx context.Context, name string, body []byte) error {
	return f.place(ctx, name, func(file *os.File) error {
		_, err := file.Write(body)
		return err
	})
}

func (f *folder) putFile(ctx context.Context, name string, from *os.File, size int64) error {
	return f.place(ctx, name, func(file *os.File) error {
		n, err := io.Copy(file, &stoppable{ctx, io.NewSectionReader(from, 0, size)})
		if err == nil && n < size {
			err = fmt.Errorf("%s became shorter: %d bytes of %d", from.Name(), n, size)
		}
		return err
	})
}

// A stoppable reader ends with its context.
type stoppable struct {
	ctx  context.Context
	from io.Reader
}

func (s *stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.from.Read(p)
}

// place writes a file beside the place of an object, and puts it there.
func (f *folder) place(ctx context.Context, name string, fill func(*os.File) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	beside, err := f.write(path.Dir(name), fill)
	if err == nil {
		err = f.settle(beside, name)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.EISDIR), errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		return &failure{reason: orbweaver.ErrInput, err: err, text: "an object's name is that of a folder of others"}
	}
	return folderFailure(err)
}

// write writes and syncs a new file in a folder, which it makes, and returns its name.
func (f *folder) write(dir string, fill func(*os.File) error) (beside string, err error) {
	if err := f.makeFolders(dir); err != nil {
		return "", err
	}
	beside = path.Join(dir, putMark+rand.Text())
	file, err := f.root.OpenFile(beside, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if errors.Is(err, fs.ErrNotExist) { // somebody removed the folder
		f.forget()
		return "", &failure{err: err, passes: true}
	}
	if err != nil {
		return "", err
	}
	if err = f.step("write"); err == nil {
		err = fill(file)
	}
	if err == nil {
		err = f.step("sync")
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return "", errors.Join(err, f.root.Remove(beside))
	}
	return beside, nil
}

// settle makes a written file the object of a name.
func (f *folder) settle(beside, name string) error {
	err := f.step("rename")
	if err == nil {
		err = f.root.Rename(beside, name)
	}
	if err != nil {
		return errors.Join(err, f.root.Remove(beside))
	}
	if err := f.step("sync folder"); err != nil {
		return err
	}
	return synced(f.root.Open(path.Dir(name)))
}

// makeFolders makes a folder and those above it, on disk.
func (f *folder) makeFolders(dir string) error {
	f.mu.Lock()
	known := f.made[dir]
	f.mu.Unlock()
	if known {
		return nil
	}
	above := path.Dir(dir)
	if err := f.makeFolders(above); err != nil {
		return err
	}
	err := f.root.Mkdir(dir, 0o755)
	if errors.Is(err, fs.ErrExist) {
		info, gone := f.root.Stat(dir)
		if err = gone; err == nil && !info.IsDir() {
			err = syscall.ENOTDIR
		}
	}
	if err != nil {
		return err
	}
	if err := synced(f.root.Open(above)); err != nil { // though another process made it, which may not have synced it yet
		return err
	}
	f.mu.Lock()
	f.made[dir] = true
	f.mu.Unlock()
	return nil
}

// forget forgets which folders are there.
func (f *folder) forget() {
	f.mu.Lock()
	f.made = map[string]bool{".": true}
	f.mu.Unlock()
}

// object opens an object. What is no file is none.
func (f *folder) object(ctx context.Context, name string) (*os.File, int64, error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	info, err := f.root.Lstat(name) // before it is opened: that of a pipe would wait
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrNotExist
	}
	var file *os.File
	if err == nil {
		file, err = f.root.Open(name)
	}
	if err == nil {
		info, err = file.Stat()
	}
	switch {
	case err == nil:
		return file, info.Size(), nil
	case absent(err):
		return nil, 0, &failure{reason: ErrAbsent}
	}
	return nil, 0, folderFailure(err)
}

// absent reports whether an error says that there is no such file.
func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }

func (f *folder) get(ctx context.Context, name string) (io.ReadCloser, error) {
	file, size, err := f.object(ctx, name)
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{&stoppable{ctx, io.NewSectionReader(file, 0, size)}, file}, nil
}

func (f *folder) span(ctx context.Context, name string, from, length int64) ([]byte, error) {
	file, size, err := f.object(ctx, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	body := make([]byte, max(min(length, size-from), 0))
	if len(body) == 0 {
		return body, nil
	}
	if n, err := file.ReadAt(body, from); n < len(body) {
		return nil, folderFailure(err)
	}
	return body, nil
}

func (f *folder) list(ctx context.Context, prefix, after string) iter.Seq2[listed, error] {
	return func(yield func(listed, error) bool) {
		w := walk{folder: f, ctx: ctx, prefix: prefix, after: after, yield: yield}
		w.into("")
	}
}

// A walk lists a folder in the order of names.
type walk struct {
	*folder
	ctx           context.Context
	prefix, after string
	yield         func(listed, error) bool
}

// into lists what is in a folder, "" or a name that ends at a slash, and reports whether to go on.
func (w *walk) into(dir string) bool {
	names, err := w.names(dir)
	if absent(err) && dir != "" { // it has gone since
		return true
	}
	if err != nil {
		w.yield(listed{}, folderFailure(err))
		return false
	}
	for _, name := range names {
		if err := w.ctx.Err(); err != nil {
			w.yield(listed{}, err)
			return false
		}
		if whole := dir + name; !w.one(whole) {
			return false
		}
	}
	return true
}

// names returns what is in a folder in the order of names: that of a folder ends at a slash.
func (w *walk) names(dir string) ([]string, error) {
	opened, err := w.root.Open(path.Clean(dir))
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	entries, err := opened.ReadDir(-1)
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		switch name := e.Name(); {
		case strings.HasPrefix(name, putMark):
			w.discard(dir + name)
		case e.IsDir():
			names = append(names, name+"/")
		case e.Type().IsRegular():
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// one lists an object, or what is in a folder, unless it is asked for neither.
func (w *walk) one(name string) bool {
	if strings.HasSuffix(name, "/") {
		within := strings.HasPrefix(name, w.prefix) || strings.HasPrefix(w.prefix, name)
		behind := name > w.after || strings.HasPrefix(w.after, name)
		return !within || !behind || w.into(name)
	}
	if !strings.HasPrefix(name, w.prefix) || name <= w.after {
		return true
	}
	info, err := w.root.Lstat(name)
	switch {
	case absent(err):
		return true
	case err != nil:
		w.yield(listed{}, folderFailure(err))
		return false
	}
	return w.yield(listed{Object{name, info.Size()}, info.ModTime()}, nil)
}

// discard removes a file that a killed process began to write.
func (f *folder) discard(name string) {
	if info, err := f.root.Lstat(name); err == nil && time.Since(info.ModTime()) > leftover {
		_ = f.root.Remove(name) // the next list tries again
	}
}

func (f *folder) remove(ctx context.Context, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	info, err := f.root.Lstat(name)
	if err == nil && info.Mode().IsRegular() {
		err = f.root.Remove(name)
	}
	if err == nil || absent(err) {
		return nil
	}
	return folderFailure(err)
}

// sweep does nothing: lists find what is left over.
func (f *folder) sweep(context.Context) {}

func (f *folder) close() error { return f.root.Close() }
