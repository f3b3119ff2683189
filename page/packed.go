package page

import (
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/klauspost/compress/gzip"

	"orbweaver"
	"orbweaver/internal/coding"
	"orbweaver/page/office"
	"orbweaver/rdf/syntax"
)

// unpacked decompresses gzip, bzip2 or ZIP if the content is RDF, such as "dump.nt.gz", and gzip if it is a
// sitemap or a feed. It returns everything else unchanged: other archives, a tar of anything. The declared type
// of the content is set only for RDF.
func unpacked(body []byte, contentType string, request orbweaver.Request, limit int64) ([]byte, string, error) {
	var r io.Reader
	called := "" // by its gzip header
	switch {
	case bytes.HasPrefix(body, []byte{0x1f, 0x8b, 8}):
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return body, contentType, nil
		}
		r, called = z, z.Name
	case bytes.HasPrefix(body, []byte("BZh")):
		r = bzip2.NewReader(bytes.NewReader(body))
	case bytes.HasPrefix(body, []byte("PK\x03\x04")) && general(body, "") == "application/zip" && office.TypeOf(body) == "":
		return unzipped(body, contentType, limit)
	default:
		return body, contentType, nil
	}
	name := documentName(request.URL)
	inner := trimPacked(name)
	if inner == name && called != "" {
		inner = trimPacked(called)
	}
	head := headOf(r, limit)
	declared, ok := rdfInside(head, inner, contentType)
	switch {
	case ok:
		return whole(head, r, declared, limit)
	case body[0] == 0x1f && isDiscovery(head, request.Purpose):
		return whole(head, r, "", limit)
	}
	return body, contentType, nil
}

// Limits on a ZIP file: names, and the number of files whose first bytes are read, for RDF names and for
// others.
const maxNames, maxTried = 1000, 8

// unzipped returns the first RDF document in a ZIP file, files with an RDF name before those recognized by
// their first bytes. Without one the file is returned unchanged.
func unzipped(body []byte, contentType string, limit int64) ([]byte, string, error) {
	z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return body, contentType, nil
	}
	files := z.File[:min(len(z.File), maxNames)]
	for _, named := range []bool{true, false} {
		tried := 0
		for _, f := range files {
			if !f.Mode().IsRegular() || (nameType(f.Name) != "") != named || tried == maxTried {
				continue
			}
			tried++
			r, err := f.Open()
			if err != nil {
				continue
			}
			head := headOf(r, limit)
			if declared, ok := rdfInside(head, f.Name, ""); ok {
				return whole(head, r, declared, limit)
			}
		}
	}
	return body, contentType, nil
}

// documentName is the last part of a URL's path.
func documentName(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return path.Base(u.Path)
}

// trimPacked removes the extension of a packed file from a name.
func trimPacked(name string) string {
	extension := path.Ext(name)
	switch strings.ToLower(extension) {
	case ".gz", ".bz2", ".zip", ".xz", ".zst":
		return strings.TrimSuffix(name, extension)
	}
	return name
}

// nameType is the media type of RDF implied by a file's name; empty: none.
func nameType(name string) string {
	if strings.EqualFold(path.Ext(name), ".jsonld") {
		return typeLDJSON
	}
	return syntax.Detect(name, "", nil).MediaType()
}

// headOf reads the first bytes that decide the media type, or fewer if the content is broken.
func headOf(r io.Reader, limit int64) []byte {
	head := make([]byte, min(sniffed, limit))
	n, _ := io.ReadFull(r, head)
	return head[:n]
}

// rdfInside reports whether a document is RDF, and its media type, from its first bytes and the type declared
// by its name or, without one, by its Content-Type.
func rdfInside(head []byte, name, contentType string) (declared string, ok bool) {
	if declared = nameType(name); declared == "" && isRDF(declaredType(contentType)) {
		declared = declaredType(contentType)
	}
	text := len(head) > 0 && !isBinary(head)
	return declared, text && isRDF(mediaType(head, declared))
}

// isRDF reports whether a media type is one of RDF.
func isRDF(mediaType string) bool {
	return mediaType == typeLDJSON || formatOf(mediaType) != syntax.Unknown
}

// whole reads the rest after the first bytes. A truncated stream counts as a truncated document.
func whole(head []byte, r io.Reader, contentType string, limit int64) ([]byte, string, error) {
	var out bytes.Buffer
	out.Write(head)
	if _, _ = io.Copy(&out, io.LimitReader(r, limit-int64(len(head))+1)); int64(out.Len()) > limit {
		return nil, "", coding.TooLarge(limit)
	}
	return out.Bytes(), contentType, nil
}

// isDiscovery reports whether a document starts like a sitemap or a feed.
func isDiscovery(head []byte, purpose orbweaver.Purpose) bool {
	if isMarked(head) {
		head = unicodeText(head, "")
	}
	switch root := string(localRoot(head)); {
	case root == "rss" || root == "feed" || isSitemap([]byte(root)):
		return true
	case root != "":
		return false
	}
	head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff")))
	return purpose == orbweaver.ForSitemap && (hasPrefixFold(head, "http://") || hasPrefixFold(head, "https://"))
}

// isMarked reports whether text starts with a byte order mark.
func isMarked(b []byte) bool {
	return bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) || bytes.HasPrefix(b, []byte{0xfe, 0xff}) || bytes.HasPrefix(b, []byte{0xff, 0xfe})
}

// withoutControls returns text with blanks for its controls, but for tabs and line ends.
func withoutControls(text []byte) []byte {
	control := func(c rune) bool { return c < ' ' && c != '\t' && c != '\n' && c != '\r' }
	if bytes.IndexFunc(text, control) < 0 {
		return text
	}
	return bytes.Map(func(c rune) rune {
		if control(c) {
			return ' '
		}
		return c
	}, text)
}
