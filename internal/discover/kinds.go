package discover

import (
	"strconv"
	"strings"

	"orbweaver/weburl"
)

// The kinds of requests.
const (
	Pagination = "pagination" // the next page of a list
	Index      = "index"      // a link that says that it leads to a list
	Tag        = "tag"        // a link to the list of a tag or category
	Place      = "place"      // a directory of a host: probed if most of its pages are lists
	Search     = "search"     // the search of a site
	Engine     = "engine"     // a search engine
	Endpoint   = "sparql"     // a SPARQL endpoint
	Backlink   = "backlink"   // a page that links to an accepted one
)

// lastPage is the largest number of a page of a list that is probed.
const lastPage = 50

// keyed returns the key of a kind at a host or directory.
func keyed(kind, at string) string { return "probe:" + kind + " " + at }

// kindOfKey returns the kind of a key.
func kindOfKey(key string) string {
	kind, _, _ := strings.Cut(strings.TrimPrefix(key, "probe:"), " ")
	return kind
}

// kindOf returns the kind of a link by its relation, its address and its text; empty: none that these tell.
func kindOf(url, rel, anchor string) string {
	path, query := pathOf(url)
	switch n := pageNumber(path, query); {
	case n > lastPage:
		return ""
	case n > 1 || hasWord(rel, "next"):
		return Pagination
	case hasWord(rel, "tag"):
		return Tag
	}
	segments := strings.Split(strings.Trim(path, "/"), "/")
	for i, s := range segments {
		if word := plain(s); tags[word] && (i < len(segments)-1 || query != "") {
			return Tag
		}
	}
	last := plain(segments[len(segments)-1])
	if lists[last] || tags[last] || isLetter(last) || isLetter(strings.TrimSpace(anchor)) || lists[strings.ToLower(strings.TrimSpace(anchor))] {
		return Index
	}
	return ""
}

// tags are names of directories with lists by tag; lists are names of pages that are lists.
var (
	tags = map[string]bool{"tag": true, "tags": true, "category": true, "categories": true, "kategorie": true, "categorie": true, "categoria": true,
		"topic": true, "topics": true, "thema": true, "themen": true, "label": true, "labels": true, "subject": true, "subjects": true}
	lists = map[string]bool{"index": true, "a-z": true, "list": true, "lists": true, "contents": true, "toc": true, "archive": true, "archives": true,
		"archiv": true, "sitemap": true, "directory": true, "catalog": true, "catalogue": true, "browse": true, "all": true, "glossary": true,
		"inhalt": true, "sommaire": true, "indice": true, "genindex": true, "bookindex": true, "overview": true, "table of contents": true}
)

// plain returns a segment of a path in lower case, without an extension.
func plain(segment string) string {
	if dot := strings.LastIndexByte(segment, '.'); dot > 0 {
		segment = segment[:dot]
	}
	return strings.ToLower(segment)
}

// isLetter reports whether a text is a letter or a range of letters, as in "A", "a-c" or "A–C".
func isLetter(s string) bool {
	r := []rune(strings.ToLower(s))
	letter := func(c rune) bool { return 'a' <= c && c <= 'z' }
	switch len(r) {
	case 1:
		return letter(r[0])
	case 3:
		return letter(r[0]) && (r[1] == '-' || r[1] == '–') && letter(r[2])
	}
	return false
}

// hasWord reports whether a relation has a word.
func hasWord(rel, word string) bool {
	for w := range strings.FieldsSeq(rel) {
		if w == word {
			return true
		}
	}
	return false
}

// pageNumber returns the number of a page of a list: page=3, /page/3 or the like; 0: none.
func pageNumber(path, query string) int {
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		switch strings.ToLower(name) {
		case "page", "p", "pg", "paged", "pageno", "seite", "pagina", "page_no", "pagenum":
			return number(value)
		}
	}
	before, last := "", ""
	for s := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		before, last = last, s
	}
	switch strings.ToLower(before) {
	case "page", "p", "seite", "pagina":
		return number(last)
	}
	return 0
}

// number returns a number of at most six digits; 0 if a text is none.
func number(s string) int {
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil || len(s) > 6 {
		return 0
	}
	return int(n)
}

// pathOf returns path and query of a canonical URL.
func pathOf(url string) (path, query string) {
	rest := strings.TrimPrefix(url, weburl.Host(url))
	path, query, _ = strings.Cut(rest, "?")
	return path, query
}

// placeOf returns the host of a URL with its first two directories, digits made alike.
func placeOf(url string) string {
	path, _ := pathOf(url)
	end, seen := 0, 0
	for i := 0; i < len(path) && i < 80 && seen < 3; i++ {
		if path[i] == '/' {
			end, seen = i+1, seen+1
		}
	}
	digits := func(r rune) rune {
		if '0' <= r && r <= '9' {
			return '0'
		}
		return r
	}
	return weburl.Host(url) + strings.Map(digits, path[:end])
}
