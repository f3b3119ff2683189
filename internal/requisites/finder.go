package requisites

import (
	"strings"

	"orbweaver/internal/coding"
	"orbweaver/internal/step"
)

// A Finder finds what answers need to be shown. It is safe for concurrent use.
type Finder struct {
	Body int64 // most bytes of an answer, decoded
}

// OfPage returns what an HTML page needs, also as its scripts left it, and how much more than Most there is; nothing of other media types and of
// what cannot be read.
func (f Finder) OfPage(response *step.Response, payload []byte) (urls []string, left int) {
	media := mediaOf(response)
	if media != "text/html" && media != "application/xhtml+xml" && media != "" {
		return nil, 0
	}
	source, err := coding.Decode(response.Header["Content-Encoding"], payload, f.Body)
	if err != nil {
		return nil, 0
	}
	found, err := OfPage(response.Request.URL, source, response.Header.Get("Content-Type"), Most)
	if err != nil || response.Rendered == nil {
		return found.URLs, found.Left
	}
	html, err := response.Rendered()
	if err != nil {
		return found.URLs, found.Left
	}
	made, _ := OfPage(response.Request.URL, html, "text/html; charset=utf-8", Most)
	return merged(found, made)
}

// merged joins what a page needs as it came and as its scripts left it.
func merged(came, made Found) (urls []string, left int) {
	known := map[string]bool{}
	urls, left = came.URLs, max(came.Left, made.Left)
	for _, url := range urls {
		known[url] = true
	}
	for _, url := range made.URLs {
		switch {
		case known[url]:
		case len(urls) < Most:
			urls = append(urls, url)
		default:
			left++
		}
	}
	return urls, left
}

// OfSheet returns what a style sheet needs, and how much more than Most there is; nothing if the answer is no style sheet.
func (f Finder) OfSheet(response *step.Response, payload []byte) (urls []string, left int) {
	if mediaOf(response) != "text/css" {
		return nil, 0
	}
	sheet, err := coding.Decode(response.Header["Content-Encoding"], payload, f.Body)
	if err != nil {
		return nil, 0
	}
	found, _ := OfStyles(response.Request.URL, sheet, Most)
	return found.URLs, found.Left
}

// mediaOf returns the media type of an answer in lower case, without parameters.
func mediaOf(response *step.Response) string {
	media, _, _ := strings.Cut(response.Header.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(media))
}
