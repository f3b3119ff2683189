package rdffile

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"

	"orbweaver"
)

// sniffed is the number of bytes examined to detect a document's notation.
const sniffed = 4 << 10

// File is a document to be read, decompressed.
type File struct {
	Name  string // as the user wrote it
	Inner string // name of the document itself: without the extension of compression, or within a ZIP file
	Base  string // file: URL; empty for standard input
	Text  *bufio.Reader
	File  *os.File // nil: standard input
	Entry io.Closer
}

// Close closes the opened files.
func (in *File) Close() error {
	var errs []error
	if in.Entry != nil {
		errs = append(errs, in.Entry.Close())
	}
	if in.File != nil {
		errs = append(errs, in.File.Close())
	}
	return errors.Join(errs...)
}

// Head returns the first bytes. A read error is returned again by the next read.
func (in *File) Head() []byte {
	head, _ := in.Text.Peek(sniffed)
	return head
}

// Open opens a file, or standard input for "-", and decompresses gzip, bzip2 and ZIP, but no DOCX, ODT and EPUB. Errors name the file
// and wrap ErrInput. Reading ends when ctx does.
func Open(ctx context.Context, name string, standard io.Reader) (*File, error) {
	in := &File{Name: name, Inner: name}
	if name == "-" {
		in.Name, in.Inner = "standard input", ""
		if standard == nil {
			standard = bytes.NewReader(nil)
		}
	} else {
		file, err := os.Open(name)
		if err == nil {
			in.File, standard = file, file
			err = notAFolder(file)
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%w (%w)", err, orbweaver.ErrInput), in.Close())
		}
	}
	if err := in.Unpack(ctx, standard); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w (%w)", in.Name, err, orbweaver.ErrInput), in.Close())
	}
	if in.File != nil {
		in.Base = URL(TrimPacked(name))
	}
	return in, nil
}

// notAFolder rejects a folder before it is read.
func notAFolder(file *os.File) error {
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s: is a folder", file.Name())
	}
	return err
}

// Unpack detects the compression by the first bytes.
func (in *File) Unpack(ctx context.Context, r io.Reader) error {
	buffered := bufio.NewReaderSize(whileWanted{ctx, r}, 64<<10)
	magic, _ := buffered.Peek(4)
	var unpacked io.Reader = buffered
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(buffered)
		if err != nil {
			return err
		}
		unpacked = z
	case bytes.HasPrefix(magic, []byte("BZh")):
		unpacked = bzip2.NewReader(buffered)
	case bytes.HasPrefix(magic, []byte("PK\x03\x04")) && !isDocument(in.Name):
		entry, err := in.zipped()
		if err != nil {
			return err
		}
		in.Entry, unpacked = entry, whileWanted{ctx, entry}
	default:
		in.Text = buffered
		return nil
	}
	if in.Inner == in.Name {
		in.Inner = TrimPacked(in.Name)
	}
	in.Text = bufio.NewReaderSize(unpacked, 64<<10)
	return nil
}

// isDocument reports whether a file is one document by its name although it is a ZIP file.
func isDocument(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".docx", ".odt", ".epub":
		return true
	}
	return false
}

// zipped opens the single document of a ZIP file.
func (in *File) zipped() (io.ReadCloser, error) {
	if in.File == nil {
		return nil, errors.New("a ZIP file needs random access: name it as a file, not standard input")
	}
	info, err := in.File.Stat()
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(in.File, info.Size())
	if err != nil {
		return nil, err
	}
	var document *zip.File
	documents := 0
	for _, f := range z.File {
		if f.Mode().IsRegular() {
			document = f
			documents++
		}
	}
	if documents != 1 {
		return nil, fmt.Errorf("has %d documents, not one: unpack it first", documents)
	}
	in.Inner = document.Name
	return document.Open()
}

// TrimPacked removes the extension of compression from a name.
func TrimPacked(name string) string {
	for _, extension := range []string{".gz", ".bz2", ".zip"} {
		if len(name) > len(extension) && strings.EqualFold(name[len(name)-len(extension):], extension) {
			return name[:len(name)-len(extension)]
		}
	}
	return name
}

// URL returns the file: IRI of a file.
func URL(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		name = abs
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(name)}).String()
}

// whileWanted is a reader that fails after its context ends.
type whileWanted struct {
	ctx context.Context
	r   io.Reader
}

// Read reads, or returns the context's error.
func (w whileWanted) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.r.Read(p)
}
