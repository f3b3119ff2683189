package page

import (
	"orbweaver"
	"orbweaver/page/office"
	"orbweaver/weburl"
)

// readOffice fills a page from an office document or EPUB file. All its text is the main text: a document has no navigation. With
// KeepBody the page's Body is the document as HTML. A file without text says why; that is no error.
func (r *Reader) readOffice(page *orbweaver.Page, base *weburl.Base, body []byte) {
	d := r.document()
	d.page, d.base, d.opts, d.whole = page, base, r.opts, true
	d.shapes = r.shapes
	d.source = office.HTML(body, office.Limits{Unpacked: 2 * r.opts.MaxBody, HTML: int(r.opts.MaxBody)})
	d.run()
	d.finish()
	if page.Text == "" {
		page.Textless = "it is damaged, encrypted or empty: no text of it can be read"
	}
	if r.opts.KeepBody {
		page.Body = d.source
	}
	r.release(d)
}
