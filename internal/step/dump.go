package step

import (
	"net/url"
	"path"
	"strings"

	"orbweaver/rdf/syntax"
)

// Dump reports whether a response may be data in bulk, by its Content-Type and by the file name of its URL: a
// document of RDF, or a file that RDF is packed in. HTML is none, whatever its name.
func (r *Response) Dump() bool {
	declared, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	declared = strings.ToLower(strings.TrimSpace(declared))
	if declared == "text/html" || declared == "application/xhtml+xml" {
		return false
	}
	if syntax.Detect("", declared, nil) != syntax.Unknown || packedType(declared) {
		return true
	}
	name := ""
	if u, err := url.Parse(r.Request.URL); err == nil {
		name = path.Base(u.Path)
	}
	return syntax.Detect(name, "", nil) != syntax.Unknown || Packed(name)
}

// packedType reports whether a media type is one of archives or compressed files.
func packedType(mediaType string) bool {
	switch strings.TrimPrefix(strings.TrimPrefix(mediaType, "application/"), "x-") {
	case "zip", "zip-compressed", "gzip", "bzip2", "bzip", "xz", "zstd", "tar", "gtar", "ustar", "compressed-tar", "tgz":
		return true
	}
	return false
}

// Packed reports whether a file name ends like that of an archive or of a compressed file that can be read.
func Packed(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".zip", ".gz", ".bz2", ".xz", ".zst", ".tar", ".tgz", ".tbz2", ".txz":
		return true
	}
	return false
}
