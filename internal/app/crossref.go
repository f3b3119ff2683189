package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/focus/crossref"
	"orbweaver/internal/app/crawlfile"
	"orbweaver/internal/app/wire"
	"orbweaver/internal/step"
	"orbweaver/kb/labels"
	"orbweaver/page"
	"orbweaver/rdf"
)

// newCrossref makes a focus on pages like an item, which tells changed what its labels learn. With start the crawl begins
// with the item's links.
func newCrossref(f crawlfile.Crossref, item *orbweaver.Page, start bool, changed func([]labels.Change) error) (orbweaver.Focus, error) {
	opts := crossref.DefaultOptions()
	opts.Item, opts.Start, opts.Changed = item, start, changed
	opts.Round, opts.Layers, opts.Theta, opts.Accept = f.Round, f.Layers, f.Theta, f.Accept
	opts.Strict = f.Order == "layers"
	without := func(part string) bool { return slices.Contains(f.Without, part) }
	opts.NoLabels, opts.NoLayers = without("labels"), without("layers")
	opts.NoRerank, opts.NoLinkText, opts.NoFeedback = without("rerank"), without("link_text"), without("feedback")
	var err error
	if opts.Model, err = beginningModel(f); err != nil {
		return nil, err
	}
	focus, err := crossref.New(opts)
	if _, several := err.(interface{ Unwrap() []error }); several {
		return nil, below("focus.crossref.", err)
	}
	if err != nil {
		name := item.URL
		if strings.HasPrefix(name, ofFile) {
			name = f.Item
		}
		return nil, fmt.Errorf("focus.crossref.item: %s: %w", name, err)
	}
	return focus, nil
}

// crossrefOfFile makes the focus where no Web is at hand, as in a comparison: its item is a file.
func crossrefOfFile(f crawlfile.Crossref) (orbweaver.Focus, error) {
	if isURL(f.Item) {
		return nil, fmt.Errorf("focus.crossref.item: %s: here the item is a file of HTML or, with each, the item drawn (%w)", f.Item, orbweaver.ErrInput)
	}
	item, err := itemOfFile(f.Item)
	if err != nil {
		return nil, err
	}
	return newCrossref(f, item, false, nil)
}

func isURL(source string) bool {
	return strings.HasPrefix(source, "http://") || strings.HasPrefix(source, "https://")
}

// ofFile begins the URL of an item that is a file: nothing on the Web has it.
const ofFile = "https://item.invalid/"

// itemOfFile reads a file of HTML. Its links lead where they say they do: relative ones nowhere.
func itemOfFile(path string) (*orbweaver.Page, error) {
	payload, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("focus.crossref.item: %w (%w)", err, orbweaver.ErrInput)
	}
	return readItem(ofFile+filepath.Base(path), payload)
}

// readItem makes a page of an item's HTML.
func readItem(url string, payload []byte) (*orbweaver.Page, error) {
	response := &step.Response{
		Request: orbweaver.Request{URL: url}, Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/html"}},
	}
	item, err := page.NewReader(page.Options{}).Read(context.Background(), response, payload)
	if err != nil {
		return nil, fmt.Errorf("focus.crossref.item: %s: %w (%w)", url, err, orbweaver.ErrInput)
	}
	item.Links = slices.DeleteFunc(item.Links, func(l orbweaver.Link) bool { return strings.HasPrefix(l.To, ofFile) })
	return item, nil
}

// The item of a crawl, within its folder: its URL on a line, and its HTML.
const itemFile = "item.html"

// loadItem makes the item of a crawl: that of its folder, where it has begun, else what its source has now.
func (c *crawl) loadItem(ctx context.Context, f crawlfile.Crossref) (*orbweaver.Page, error) {
	kept, err := os.ReadFile(filepath.Join(c.file.Output, itemFile))
	if err == nil {
		url, payload, _ := strings.Cut(string(kept), "\n")
		return readItem(url, []byte(payload))
	}
	if !isURL(f.Item) {
		if c.item, err = os.ReadFile(f.Item); err != nil {
			return nil, fmt.Errorf("focus.crossref.item: %w (%w)", err, orbweaver.ErrInput)
		}
		c.itemURL = ofFile + filepath.Base(f.Item)
		return readItem(c.itemURL, c.item)
	}
	c.itemURL = f.Item
	if c.item, err = c.fetchItem(ctx, f.Item); err != nil {
		return nil, fmt.Errorf("focus.crossref.item: %w", err)
	}
	return readItem(c.itemURL, c.item)
}

// fetchItem asks the archive, or the live Web, for an item.
func (c *crawl) fetchItem(ctx context.Context, url string) ([]byte, error) {
	if c.web != nil {
		lens := newLens(c.web, c.file.Documents, c.file.Limits, nil)
		response, payload, err := lens.get(ctx, url, "")
		if err == nil && response.Status/100 != 2 {
			err = fmt.Errorf("%s answered %d (%w)", url, response.Status, orbweaver.ErrInput)
		}
		if errors.Is(err, orbweaver.ErrAbsent) {
			err = fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
		}
		if err == nil {
			payload, err = page.Decode(response.Header, payload, c.file.Limits.Body)
		}
		return payload, err
	}
	g := wire.NewGetter(c.wire, c.file.AllowPrivate, c.file.Politeness.Contact)
	response, payload, err := g.Get(ctx, url, "text/html")
	if err == nil && response.Status/100 != 2 {
		err = fmt.Errorf("%s answered %d", url, response.Status)
	}
	return payload, errors.Join(err, g.Close())
}

// keepItem writes the item into the crawl folder, so that the crawl goes on with what it began with.
func (c *crawl) keepItem() error {
	if c.item == nil {
		return nil
	}
	return os.WriteFile(filepath.Join(c.file.Output, itemFile), append([]byte(c.itemURL+"\n"), c.item...), 0o666)
}

// learnedScope is that of the blank nodes of what was learned.
const learnedScope = "learned"

// tellLearned puts what a cross-reference crawl learned into the quad store, in place of what was there: with a session that
// is interrupted too, and with none that failed.
func (a *App) tellLearned(ctx context.Context, c *crawl, failed error) error {
	focus, ok := c.focus.(*crossref.Focus)
	if !ok || failed != nil {
		return nil
	}
	stop := a.AfterAWhile("writing what was learned into the quad store ...")
	defer stop()
	_, err := c.ledger.Replace(context.WithoutCancel(ctx), rdf.NewIRI(crossref.Learned), focus.Quads(), learnedScope)
	if err != nil {
		return fmt.Errorf("what was learned, in the quad store: %w", err)
	}
	return nil
}

// crossrefLine names the focus on one line.
func crossrefLine(f crawlfile.Crossref, item string) string {
	line := fmt.Sprintf("crossref: %s, rounds of %d, layers %d, theta %g", item, f.Round, f.Layers, f.Theta)
	if f.Order == "layers" {
		line += ", layers first"
	}
	if len(f.Without) > 0 {
		line += ", without " + strings.Join(f.Without, ", ")
	}
	return line
}

// maxLanguages is how many languages of pages are counted.
const maxLanguages = 100

// languages counts the pages of a session by language.
type languages map[string]int64

func (l languages) add(p *orbweaver.Page) {
	if p != nil && p.Lang != "" && (l[p.Lang] > 0 || len(l) < maxLanguages) {
		l[p.Lang]++
	}
}

// foreign says that pages were in other languages than the item, where all were; empty: they were not.
func (l languages) foreign(item string) string {
	most := ""
	for _, lang := range slices.Sorted(maps.Keys(l)) {
		if most == "" || l[lang] > l[most] {
			most = lang
		}
	}
	if item == "" || most == "" || l[item] > 0 {
		return ""
	}
	return fmt.Sprintf("no page was in the language of the item (%s), most were in another (%s): they have names in common at most", item, most)
}
