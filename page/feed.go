package page

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mmcdole/gofeed"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/rdf/jsontext"
	"orbweaver/weburl"
)

// readFeed fills a page from a feed: title, language, title and description of each item as text, and a link
// per item, newest first. An unreadable feed gives an empty page.
func (r *Reader) readFeed(page *orbweaver.Page, base *weburl.Base, body []byte, contentType string) {
	var others []feedPage
	if page.MediaType == typeJSONFeed {
		if body = unicodeText(body, contentType); bytes.Count(body, []byte("{")) > feedElements {
			return // decoding would take a hundred times its size
		}
		body = jsontext.Mended(body)
		others = nextOfJSON(body)
	} else {
		var own string
		if body, own, others = guarded(xmlText(body, contentType)); own != "" {
			base = within(base, own)
		}
	}
	feed, err := gofeed.NewParser().Parse(bytes.NewReader(body))
	if err != nil || feed == nil {
		return
	}
	w := feedWriter{page: page, base: base, opts: r.opts, reader: r}
	page.Title = w.plain(feed.Title)
	page.Lang = primary(feed.Language)
	for _, p := range others { // first: a long feed leaves no room for them
		if w.link(p.href, page.Title, "") {
			page.Links[len(page.Links)-1].Rel = p.rel
		}
	}
	items := slices.DeleteFunc(feed.Items, func(i *gofeed.Item) bool { return i == nil })
	order.Stably(items, func(a, b *gofeed.Item) int { return cmp.Compare(itemTime(b), itemTime(a)) })
	for _, item := range items[:min(len(items), feedItems)] {
		w.item(item)
	}
	w.link(feed.Link, page.Title, "")
	page.Text = string(composed(bytes.TrimRight(cut(w.text, r.opts.MaxText), " \n")))
}

// nextOfJSON returns the next page of a JSON Feed.
func nextOfJSON(body []byte) []feedPage {
	var feed struct {
		Next string `json:"next_url"`
	}
	if !bytes.Contains(body, []byte(`"next_url"`)) || json.Unmarshal(body, &feed) != nil || feed.Next == "" {
		return nil
	}
	return []feedPage{{"next", feed.Next}}
}

// within returns the base that a reference names within another.
func within(base *weburl.Base, ref string) *weburl.Base {
	to, err := base.Resolve(ref)
	if err != nil {
		return base
	}
	inner, err := weburl.NewBase(to)
	if err != nil {
		return base
	}
	return inner
}

// itemTime is the publication time of an item, or its update time, in seconds since 1970.
func itemTime(item *gofeed.Item) int64 {
	switch {
	case item.PublishedParsed != nil:
		return item.PublishedParsed.Unix()
	case item.UpdatedParsed != nil:
		return item.UpdatedParsed.Unix()
	}
	return undated
}

// itemChange is the time of the last change of an item, in seconds since 1970: its update, or its publication; 0: it has neither.
func itemChange(item *gofeed.Item) int64 {
	switch {
	case item.UpdatedParsed != nil:
		return max(item.UpdatedParsed.Unix(), 0)
	case item.PublishedParsed != nil:
		return max(item.PublishedParsed.Unix(), 0)
	}
	return 0
}

// A feedWriter writes the items of a feed into a page.
type feedWriter struct {
	page   *orbweaver.Page
	base   *weburl.Base
	opts   Options
	reader *Reader
	text   []byte
	failed int
}

// item writes one item: its title, then the longer of its summary and its content.
func (w *feedWriter) item(item *gofeed.Item) {
	title := w.plain(item.Title)
	said := item.Description
	if len(item.Content) > len(said) {
		said = item.Content
	}
	start := len(w.text)
	if start < w.opts.MaxText {
		w.paragraph(title)
		start = len(w.text)
		w.paragraph(w.markup(said))
	}
	context := oneLine(string(w.text[start:min(len(w.text), start+2*maxContext)]))
	to := item.Link
	if to == "" && strings.HasPrefix(item.GUID, "http") {
		to = item.GUID
	}
	context = string(firstWords([]byte(context)))
	if w.link(to, title, context) {
		w.page.Links[len(w.page.Links)-1].Modified = itemChange(item)
	}
	if w.page.MediaType != typeJSONFeed {
		return
	}
	for _, other := range item.Links { // url and external_url: what the item is about (JSON Feed 1.1)
		if other != to {
			w.link(other, title, context)
		}
	}
}

// paragraph appends text after a blank line.
func (w *feedWriter) paragraph(text string) {
	if text == "" || len(w.text) >= w.opts.MaxText {
		return
	}
	if len(w.text) > 0 {
		w.text = append(w.text, "\n\n"...)
	}
	w.text = append(w.text, text...)
}

// link keeps a link and returns true, unless it is invalid or targets the feed itself.
func (w *feedWriter) link(ref, anchor, context string) bool {
	if ref = strings.TrimSpace(ref); ref == "" || len(w.page.Links) >= w.opts.MaxLinks || w.failed >= w.opts.MaxLinks {
		return false
	}
	to, err := w.base.Resolve(ref)
	if err != nil {
		w.failed++
		return false
	}
	if to == w.page.URL {
		return false
	}
	w.page.Links = append(w.page.Links, orbweaver.Link{To: to, Anchor: anchor, Context: context, Origin: orbweaver.FromFeed})
	return true
}

// plain returns a title, which may be HTML, as one line of text.
func (w *feedWriter) plain(title string) string {
	if strings.IndexByte(title, '<') >= 0 || strings.IndexByte(title, '&') >= 0 {
		title = w.markup(title[:min(len(title), 4*maxValue)])
	}
	return oneLine(title)
}

// markup returns all text of an HTML fragment, boilerplate included, in blocks.
func (w *feedWriter) markup(html string) string {
	if strings.IndexByte(html, '<') < 0 && strings.IndexByte(html, '&') < 0 {
		return plainText(bytes.ToValidUTF8([]byte(html), nil), w.opts.MaxText)
	}
	d := w.reader.document()
	d.page, d.base, d.opts = new(orbweaver.Page), w.base, Options{MaxText: w.opts.MaxText}
	d.source = []byte(strings.ReplaceAll(strings.ToValidUTF8(html, ""), "\x00", " "))
	d.run()
	d.closeLink()
	shown := selection{d.blocks, hidden, 0, bad}
	var out strings.Builder
	out.Grow(shown.size())
	d.writeBlocks(&out, shown)
	w.reader.release(d)
	return strings.TrimRight(cut(out.String(), w.opts.MaxText), " \n")
}
