package markup

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html/charset"

	"orbweaver/rdf/syntax"
)

// decode returns the document in UTF-8: its encoding follows from a byte order mark, else by its XML
// declaration, else it is UTF-8. In lenient mode an unknown encoding is read as UTF-8.
func decode(r io.Reader, opts syntax.Options) (io.Reader, error) {
	in := bufio.NewReaderSize(r, 4096)
	head, _ := in.Peek(256) // an error comes again when the document is read
	label := encodingOf(head)
	if label == "" {
		return in, nil
	}
	decoded, err := charset.NewReaderLabel(label, in)
	if err == nil {
		return decoded, nil
	}
	err = &syntax.Error{Name: opts.Name, Line: 1, Column: 1, Msg: fmt.Sprintf("encoding %q is not known", label)}
	if !opts.Lenient {
		return nil, err
	}
	opts.Report(err)
	return in, nil
}

// encodingOf returns the name of a document's encoding, empty for UTF-8.
func encodingOf(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		return ""
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("<\x00")):
		return "utf-16le"
	case bytes.HasPrefix(head, []byte("\xfe\xff")), bytes.HasPrefix(head, []byte("\x00<")):
		return "utf-16be"
	case !bytes.HasPrefix(head, []byte("<?xml")):
		return ""
	}
	declaration, _, _ := bytes.Cut(head, []byte("?>"))
	_, rest, found := bytes.Cut(declaration, []byte("encoding"))
	rest = bytes.TrimLeft(rest, " \t\r\n=")
	if !found || len(rest) < 2 {
		return ""
	}
	name, _, _ := bytes.Cut(rest[1:], rest[:1])
	switch label := strings.ToLower(string(name)); label {
	case "utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be":
		return "" // bytes that can be read so far are not UTF-16
	default:
		return label
	}
}
