package rendering

import (
	"bytes"
	"hash/fnv"
	"mime"
	"strings"

	"golang.org/x/net/html"
)

// Bounds of what is read of a page's scripts.
const (
	maxScripts = 200 // of a page
	inlineHead = 32  // bytes of a script in the page that tell it from others; what follows is often the page's own data
)

// Scripts tells pages of other scripts apart: it hashes the addresses of a page's scripts, without queries, and the starts of those in the page. The page
// is HTML in any encoding that has ASCII's tags. 0: it has no scripts.
func Scripts(page []byte) uint64 {
	found := fnv.New64a()
	z := html.NewTokenizer(bytes.NewReader(page))
	for n := 0; n < maxScripts; {
		switch z.Next() {
		case html.ErrorToken:
			return hashed(found.Sum64(), n)
		case html.StartTagToken:
			name, more := z.TagName()
			switch {
			case string(name) == "script":
				source, runs := script(z, more)
				if !runs {
					continue
				}
				n++
				if source == "" && z.Next() == html.TextToken {
					source = start(z.Text())
				}
				_, _ = found.Write([]byte(source + "\n")) // a hash never fails
			case more && string(name) == "body" && loads(z):
				n++
				_, _ = found.Write([]byte("onload\n"))
			}
		}
	}
	return hashed(found.Sum64(), maxScripts)
}

// hashed is a hash of n scripts.
func hashed(sum uint64, n int) uint64 {
	if n == 0 {
		return 0
	}
	return max(sum, 1)
}

// script returns the address of a script, empty for one in the page, and whether it runs at all.
func script(z *html.Tokenizer, more bool) (source string, runs bool) {
	runs = true
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "src":
			source, _, _ = strings.Cut(string(value), "?")
		case "type":
			runs = isScript(string(value))
		}
	}
	return source, runs
}

// isScript reports whether a script of a type is run by a browser.
func isScript(kind string) bool {
	media, _, err := mime.ParseMediaType(kind)
	if err != nil || media == "" {
		return strings.TrimSpace(kind) == ""
	}
	return media == "module" || strings.HasSuffix(media, "javascript") || strings.HasSuffix(media, "ecmascript")
}

// loads reports whether a body has a script that runs when it is loaded.
func loads(z *html.Tokenizer) bool {
	for {
		key, _, more := z.TagAttr()
		if string(key) == "onload" {
			return true
		}
		if !more {
			return false
		}
	}
}

// start is the start of a script in the page, without its spaces and digits.
func start(text []byte) string {
	b := make([]byte, 0, inlineHead)
	for _, c := range text {
		if len(b) == inlineHead {
			break
		}
		if c > ' ' && (c < '0' || c > '9') {
			b = append(b, c)
		}
	}
	return string(b)
}
