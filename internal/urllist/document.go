package urllist

import (
	"path/filepath"
	"strconv"
	"strings"

	"orbweaver/weburl"
)

// Host is the host of lists as documents of a crawl. No such host exists on the Web: RFC 2606 reserves the domain.
const Host = "http://list.invalid"

// IsDocument reports whether a URL is that of a part of a list.
func IsDocument(url string) bool { return weburl.Host(url) == Host }

// documentURL returns the URL of a part of the n-th list, from 0.
func (l *List) documentURL(n, part int) string {
	name := strings.Map(func(r rune) rune {
		if r < '0' && r != '-' && r != '.' || r > '9' && r < 'A' || r > 'Z' && r < 'a' && r != '_' || r > 'z' {
			return '_'
		}
		return r
	}, filepath.Base(l.Path))
	return Host + "/" + strconv.Itoa(n+1) + "/" + name + "/" + strconv.Itoa(part+1)
}

// Lists are the lists of a crawl. Nil is none.
type Lists struct {
	All []*List
	at  map[string]place
}

// A place is a part of a list.
type place struct {
	list *List
	part int
}

// Of returns lists as documents; nil if there are none.
func Of(lists []*List) *Lists {
	if len(lists) == 0 {
		return nil
	}
	all := &Lists{All: lists, at: map[string]place{}}
	for n, l := range lists {
		for part := range l.Parts {
			all.at[l.documentURL(n, part)] = place{l, part}
		}
	}
	return all
}

// OpenAll opens files as lists; nil if there are none. The error is an *Error.
func OpenAll(paths []string) ([]*List, error) {
	var lists []*List
	for _, path := range paths {
		l, err := Open(path)
		if err != nil {
			return nil, err
		}
		lists = append(lists, l)
	}
	return lists, nil
}

// Documents returns the URLs of all parts, in order.
func (l *Lists) Documents() (urls []string) {
	if l == nil {
		return nil
	}
	for n, one := range l.All {
		for part := range one.Parts {
			urls = append(urls, one.documentURL(n, part))
		}
	}
	return urls
}

// Find returns the list and the number of the part at a URL; nil: there is none.
func (l *Lists) Find(url string) (*List, int) {
	if l == nil {
		return nil, 0
	}
	at := l.at[url]
	return at.list, at.part
}

// Close closes the files that are open.
func (l *Lists) Close() {
	if l == nil {
		return
	}
	for _, one := range l.All {
		one.Close()
	}
}
