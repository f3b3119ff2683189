package linkeddata

import (
	"net/url"
	"strings"

	"orbweaver"
)

// properties are the features by which a link is judged, the paper's Π_L, section III.C.1. For an RDF link
// (an IRI of a triple) type, title, anchor and context are empty, as in the paper: only HTML has them.
type properties struct {
	protocol   string // "http"
	path       string // the directories, as in the URL: "/a/b/"
	name       string // the file name without its extension, with its query string
	extension  string // with its dot, in lower case; the one before .gz or .bz2 if there is one; empty if none
	typ, title string // attributes
	anchor     string
	context    string
	triple     bool // an IRI of a triple
}

// propertiesOf returns the properties of a link to a canonical URL. They share its memory.
func (l *lists) propertiesOf(link *orbweaver.Link) properties {
	protocol, _, _ := strings.Cut(link.To, ":")
	at := locate(link.To)
	p := properties{protocol: protocol, triple: link.Origin == orbweaver.FromTriple}
	p.path = at.folders[strings.IndexByte(at.folders, '/'):]
	file, query := at.file, ""
	if i := strings.IndexByte(file, '?'); i >= 0 {
		file, query = file[:i], file[i:]
	}
	if i := strings.IndexByte(file, ';'); i >= 0 { // parameters of the path: a.html;session=1
		file = file[:i]
	}
	p.name, p.extension = l.extension(file)
	p.name += query
	if !p.triple {
		p.typ, p.title, p.anchor, p.context = link.Type, link.Title, link.Anchor, link.Context
	}
	return p
}

// extension splits a file name. "dump.nt.gz" has the extension ".nt", "dump.gz" ".gz", and "v1.2", "vnd.dwf" and "owl.Thing"
// none: an extension is one that is listed. With anySuffix it is what follows the last dot, whatever it looks like, as the
// paper's step 4 needs it, and packed files have that of the archive.
func (l *lists) extension(file string) (name, ext string) {
	dot := strings.LastIndexByte(file, '.')
	if l.anySuffix {
		if dot < 0 || dot == len(file)-1 {
			return file, ""
		}
		return file[:dot], strings.ToLower(file[dot:])
	}
	if dot < 1 || len(file)-dot > maxExtension+1 {
		return file, ""
	}
	ext = strings.ToLower(file[dot:])
	if _, known := l.extensions[ext]; !known && !l.packed[ext] && !(l.packs && unpacks(ext)) {
		return file, ""
	}
	if name = file[:dot]; ext == ".gz" || ext == ".bz2" || l.packs && unpacks(ext) {
		if inner, packed := l.extension(name); packed != "" {
			return inner, packed
		}
	}
	return name, ext
}

// unpacks reports whether a dump is unpacked where a file name has an extension.
func unpacks(ext string) bool {
	switch ext {
	case ".gz", ".bz2", ".xz", ".zst", ".zip", ".tar", ".tgz", ".tbz2", ".txz":
		return true
	}
	return false
}

// unescaped decodes percent-escapes in a part of a URL; an invalid part is returned unchanged.
func unescaped(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	plain, err := url.PathUnescape(s)
	if err != nil {
		return s
	}
	return plain
}

// A location is the position of a URL on its site: the paper's host, path and filename. It shares the URL's
// memory.
type location struct {
	folders string // host with port, and all directories: "a.test/staff/anna/"
	above   string // the same without the last directory: "a.test/staff/"; empty if there is none
	last    string // the last directory: "anna"
	file    string // file name and query string
}

// locate splits a canonical URL. Scheme and user name are dropped.
func locate(url string) location {
	_, rest, ok := strings.Cut(url, "://")
	path := rest
	if query := strings.IndexByte(path, '?'); query >= 0 {
		path = path[:query]
	}
	slash := strings.IndexByte(path, '/')
	if !ok || slash < 0 {
		return location{folders: "/"}
	}
	if user := strings.LastIndexByte(path[:slash], '@'); user >= 0 {
		rest, path, slash = rest[user+1:], path[user+1:], slash-user-1
	}
	end := strings.LastIndexByte(path, '/') + 1
	at := location{folders: rest[:end], file: rest[end:]}
	if end-1 > slash {
		begin := strings.LastIndexByte(rest[:end-1], '/') + 1
		at.above, at.last = rest[:begin], rest[begin:end-1]
	}
	return at
}
