package wacz

import (
	"fmt"
	"slices"
	"strings"
)

// SURT is the key by which replay tools look up a URL: "http://www.Example.org:8080/A?c&b" is
// "org,example:8080)/a?b&c". It follows warcio.js, which replayweb.page uses: lower case, without "www." and
// its digits, host labels reversed, parameters sorted. URLs must be canonical; one that is neither http nor
// https is its own key. Spaces and controls, which no canonical URL has, are percent-encoded.
func SURT(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok || scheme != "http" && scheme != "https" {
		return withoutSpace(url)
	}
	rest, _, _ = strings.Cut(strings.ToLower(rest), "#")
	rest = withoutWWW(rest)
	authority, path := rest, "/"
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		authority, path = rest[:i], rest[i:]
	}
	if path[0] == '?' {
		path = "/" + path
	}
	path, query, _ := strings.Cut(path, "?")
	authority = authority[strings.LastIndexByte(authority, '@')+1:]
	host, port := authority, ""
	if i := strings.LastIndexByte(authority, ':'); i > strings.LastIndexByte(authority, ']') {
		host, port = authority[:i], authority[i:]
	}
	labels := strings.Split(host, ".")
	slices.Reverse(labels)
	key := strings.Join(labels, ",") + port + ")" + path
	if query != "" {
		parameters := strings.Split(query, "&")
		slices.Sort(parameters)
		key += "?" + strings.Join(parameters, "&")
	}
	return withoutSpace(key)
}

// withoutWWW cuts "www.", "www2." and the like off.
func withoutWWW(host string) string {
	rest, ok := strings.CutPrefix(host, "www")
	if rest = strings.TrimLeft(rest, "0123456789"); ok && strings.HasPrefix(rest, ".") {
		return rest[1:]
	}
	return host
}

// withoutSpace encodes characters that would split a line of an index.
func withoutSpace(key string) string {
	divides := func(c byte) bool { return c <= ' ' || c == 0x7f }
	for i := range len(key) {
		if divides(key[i]) {
			var b strings.Builder
			for _, c := range []byte(key) {
				if divides(c) {
					fmt.Fprintf(&b, "%%%02X", c)
				} else {
					b.WriteByte(c)
				}
			}
			return b.String()
		}
	}
	return key
}
