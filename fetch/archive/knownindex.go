package archive

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// unpacked opens a file, and what is in it if it is compressed by gzip.
func unpacked(path string) (in *bufio.Reader, closeIn func() error, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	in = bufio.NewReaderSize(file, maxIndexLine)
	if start, _ := in.Peek(2); len(start) == 2 && start[0] == 0x1f && start[1] == 0x8b {
		unzip, err := gzip.NewReader(in)
		if err != nil {
			file.Close()
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		in = bufio.NewReaderSize(unzip, maxIndexLine)
	}
	return in, file.Close, nil
}

// An indexReader reads the lines of a CDX or CDXJ index.
type indexReader struct {
	*knownReader
	path    string
	legend  []string       // letters of the columns; nil: not said
	missing map[string]int // files that are not there: -1, and the numbers of the others
	long    int            // lines over maxIndexLine
	foreign int            // lines without a SHA-1
	absent  int            // lines of files that are not there
}

// index reads an index of either kind.
func (r *knownReader) index(path string) error {
	in, closeIn, err := unpacked(path)
	if err != nil {
		r.warn("%v: it is left out", err)
		return nil
	}
	defer closeIn()
	x := &indexReader{knownReader: r, path: path, missing: map[string]int{}}
	info, _ := os.Stat(path)
	for read := int64(0); ; {
		text, err := in.ReadSlice('\n')
		read += int64(len(text))
		switch {
		case r.ctx.Err() != nil:
			return r.ctx.Err()
		case err == bufio.ErrBufferFull:
			x.long++
			for err == bufio.ErrBufferFull {
				_, err = in.ReadSlice('\n')
			}
		case err == nil || err == io.EOF:
			if err := x.line(text); err != nil {
				return err
			}
		}
		if err == nil {
			if info != nil {
				r.progress(path, min(read, info.Size()), info.Size())
			}
			continue
		}
		if err != io.EOF {
			r.warn("%s: %v: the rest is left out", path, err)
		}
		break
	}
	x.tell()
	return nil
}

// tell warns of lines that were left out.
func (x *indexReader) tell() {
	for _, left := range []struct {
		n   int
		why string
	}{
		{x.long, fmt.Sprintf("are longer than %d bytes", maxIndexLine)},
		{x.foreign, "have no SHA-1 of their payload"},
		{x.absent, "name WARC files that are not in the folder of the index"},
	} {
		if left.n > 0 {
			x.warn("%s: %d lines %s, and are left out", x.path, left.n, left.why)
		}
	}
}

// isLegend reports whether a line names the columns of a CDX index.
func isLegend(line []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte("CDX "))
}

// An indexed is what a line says.
type indexed struct{ Digest, Mime, Offset, Length, Filename any }

// line notes the payload of a line.
func (x *indexReader) line(text []byte) error {
	text = bytes.TrimSpace(text)
	if len(text) == 0 || text[0] == '!' {
		return nil
	}
	if isLegend(text) {
		x.legend = strings.Fields(string(text))[1:]
		return nil
	}
	line, ok := x.parse(text)
	if !ok || line.Mime == mimeRevisit {
		return nil
	}
	sum, ok := anyDigest(said(line.Digest))
	if !ok {
		x.foreign++
		return nil
	}
	offset, err := strconv.ParseInt(said(line.Offset), 10, 64)
	if err != nil {
		return nil
	}
	length, err := strconv.ParseInt(said(line.Length), 10, 64)
	if err != nil {
		length = 0 // not known
	}
	n, ok := x.fileOf(said(line.Filename))
	if !ok {
		x.absent++
		return nil
	}
	return x.put(sum, place{offset: offset, length: length, seq: int32(n)})
}

// said is a value as text.
func said(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// parse reads a line of either kind.
func (x *indexReader) parse(text []byte) (line indexed, ok bool) {
	if at := bytes.Index(text, []byte(" {")); at >= 0 && x.legend == nil {
		in := json.NewDecoder(bytes.NewReader(text[at:]))
		in.UseNumber()
		return line, in.Decode(&line) == nil
	}
	fields := strings.Fields(string(text))
	legend := x.legend
	switch {
	case legend != nil:
	case len(fields) == 11:
		legend = strings.Fields("N b a m s k r M S V g")
	case len(fields) == 9:
		legend = strings.Fields("N b a m s k r V g")
	}
	for i := range min(len(legend), len(fields)) {
		switch legend[i] {
		case "m":
			line.Mime = fields[i]
		case "k":
			line.Digest = fields[i]
		case "S":
			line.Length = fields[i]
		case "V", "v":
			line.Offset = fields[i]
		case "g":
			line.Filename = fields[i]
		}
	}
	return line, line.Filename != nil
}

// anyDigest reads a SHA-1 in base32 or hexadecimal, with its name or without.
func anyDigest(text string) (sum [sha1.Size]byte, ok bool) {
	if name, rest, named := strings.Cut(text, ":"); named {
		if name = strings.ToLower(name); name != "sha1" && name != "sha-1" {
			return sum, false
		}
		text = rest
	}
	var err error
	switch len(text) {
	case 32:
		_, err = base32.StdEncoding.Decode(sum[:], []byte(strings.ToUpper(text)))
	case 40:
		_, err = hex.Decode(sum[:], []byte(text))
	default:
		return sum, false
	}
	return sum, err == nil
}

// fileOf returns the number of a file in the folder of the index, or of its own folders.
func (x *indexReader) fileOf(name string) (int, bool) {
	n, seen := x.missing[name]
	if !seen {
		n = -1
		local := filepath.FromSlash(name)
		if filepath.IsLocal(local) {
			path := filepath.Join(filepath.Dir(x.path), local)
			if number, ok := x.number(path); isRegular(path) && ok {
				n = number
			}
		}
		if len(x.missing) < maxKnownNames {
			x.missing[strings.Clone(name)] = n
		}
	}
	return n, n >= 0
}

// maxKnownNames bounds the names of files that are kept of an index.
const maxKnownNames = 1 << 16
