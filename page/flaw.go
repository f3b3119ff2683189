package page

import (
	"bytes"

	"orbweaver"
	"orbweaver/internal/coding/charset"
)

// The kinds of flaws: Page.Flaws.
const (
	flawHeader   = "header lines that are none"
	flawCoding   = "content coding damaged"
	flawEncoding = "bytes that are no text"
	flawMarkup   = "markup that is no XML"
	flawAddress  = "entries without a valid address"
	flawJSON     = "JSON that is none"
	flawRDF      = "mistakes in RDF"
	flawData     = "mistakes in embedded data"
)

// flawed counts flaws of a kind.
func flawed(page *orbweaver.Page, kind string, n int) {
	if n <= 0 {
		return
	}
	if page.Flaws == nil {
		page.Flaws = map[string]int{}
	}
	page.Flaws[kind] += n
}

// textOf is unicodeText of a page's body, in which it counts what is no text.
func textOf(page *orbweaver.Page, body []byte, contentType string) []byte {
	text, _ := charset.Text(body, contentType)
	flawed(page, flawEncoding, replaced(text, body))
	return text
}

// replaced returns how many U+FFFD stand in a text for bytes of its body.
func replaced(text, body []byte) int {
	if n := len(text); n == 0 || &text[n-1] == &body[len(body)-1] {
		return 0 // it is the body
	}
	return max(bytes.Count(text, []byte("\uFFFD"))-bytes.Count(body, []byte("\uFFFD")), 0)
}

// xmlText returns an XML document as UTF-8, with blanks for the controls that XML has no place for.
func xmlText(page *orbweaver.Page, body []byte, contentType string) []byte {
	return withoutControls(textOf(page, body, contentType))
}
