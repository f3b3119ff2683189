package page

import (
	"golang.org/x/text/unicode/norm"

	"orbweaver"
	"orbweaver/page/pdf"
	"orbweaver/weburl"
)

// readPDF fills a page from a PDF file. A file without text says why; that is no error.
func readPDF(page *orbweaver.Page, base *weburl.Base, body []byte, opts Options) {
	document := pdf.Read(body, pdf.Limits{Text: opts.MaxText, Links: opts.MaxLinks, Decoded: 2 * opts.MaxBody})
	page.Title = oneLine(document.Title)
	page.Lang = primary(document.Lang)
	page.Text = norm.NFC.String(plainText([]byte(document.Text), opts.MaxText))
	page.Textless = document.Reason
	known := map[string]int{}
	for _, ref := range document.Links {
		if len(page.Links) >= opts.MaxLinks {
			return
		}
		if to, err := base.Resolve(ref); err == nil && to != page.URL {
			known[to] = len(page.Links)
			page.Links = append(page.Links, orbweaver.Link{To: to, Origin: orbweaver.FromAnchor})
		}
	}
	t := textLinks{page: page, base: base, limit: opts.MaxLinks, known: known}
	t.readLinks()
}
