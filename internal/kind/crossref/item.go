package crossref

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver"
	focus "orbweaver/focus/crossref"
	"orbweaver/internal/kind"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/step"
	"orbweaver/kb/labels"
	"orbweaver/page"
)

// newFocus builds a focus on pages similar to items; it reports changes of the label model to changed. With start, the
// crawl starts from the items' links.
func newFocus(f section, items []*orbweaver.Page, start bool, changed func([]labels.Change) error) (*focus.Focus, error) {
	opts := f.options()
	opts.Item, opts.More, opts.Start, opts.Changed = items[0], items[1:], start, changed
	var err error
	if opts.Model, err = beginningModel(f); err != nil {
		return nil, err
	}
	built, err := focus.New(opts)
	if _, several := err.(interface{ Unwrap() []error }); several {
		return nil, kind.Below("focus.crossref.", err)
	}
	if err != nil {
		return nil, f.ofItem(err)
	}
	return built, nil
}

// options returns the options of a section, without items and model.
func (f *section) options() focus.Options {
	opts := focus.DefaultOptions()
	opts.Round, opts.Layers, opts.Theta, opts.Accept = f.Round, f.Layers, f.Theta, f.Accept
	if f.Order != "worth" {
		opts.Order = focus.Order(f.Order)
	}
	opts.FixedRounds, opts.ThetaLayer, opts.BestInlink = f.Rounds == "fixed", f.ThetaOf == "layer", f.Inlinks == "best"
	without := func(part string) bool { return slices.Contains(f.Without, part) }
	opts.NoLabels, opts.NoLayers, opts.NoExtraLabel = without("labels"), without("layers"), without("extra_label")
	opts.NoRerank, opts.NoLinkText, opts.NoFeedback = without("rerank"), without("link_text"), without("feedback")
	return opts
}

// ofItem names the key of the item that an error is about.
func (f *section) ofItem(err error) error {
	var at *focus.ItemError
	if !errors.As(err, &at) {
		return fmt.Errorf("focus.crossref: %w", err)
	}
	for _, name := range f.Items {
		if at.URL == name || at.URL == ofFile+filepath.Base(name) {
			return fmt.Errorf("focus.crossref.items: %s: %w", name, err)
		}
	}
	if f.Entity != "" {
		return fmt.Errorf("focus.crossref.entity: <%s>: %w", f.Entity, err)
	}
	name := at.URL
	if strings.HasPrefix(name, ofFile) {
		name = f.Item
	}
	return fmt.Errorf("focus.crossref.item: %s: %w", name, err)
}

// ofFileAlone builds the focus without network access, as in a comparison: its items are files.
func ofFileAlone(ctx context.Context, f section) (*focus.Focus, error) {
	var items []*orbweaver.Page
	for _, s := range f.sources() {
		if isURL(s.name) {
			return nil, fmt.Errorf("focus.crossref.%s: %s: here the item is a file of HTML, an entity or, with each, the item drawn (%w)", s.key, s.name, orbweaver.ErrInput)
		}
		err := s.load(ctx)
		if err == nil {
			var item *orbweaver.Page
			if item, err = readItem(s.url, s.payload); err == nil {
				items = append(items, item)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("focus.crossref.%s: %w", s.key, err)
		}
	}
	return newFocus(f, items, false, nil)
}

func isURL(source string) bool {
	return strings.HasPrefix(source, "http://") || strings.HasPrefix(source, "https://")
}

// ofFile is the prefix of the URL of an item that is a file; no page on the Web has it.
const ofFile = "https://item.invalid/"

// A source is where an item comes from.
type source struct {
	key     string // of the section
	name    string // path, URL or IRI
	in      string // knowledge base of an entity
	url     string // of the item
	payload []byte // its HTML
}

// sources returns the sources of a section's items, not loaded.
func (f *section) sources() []source {
	all := []source{{key: "item", name: f.Item}}
	if f.Entity != "" {
		all[0] = source{key: "entity", name: f.Entity, in: f.EntityIn}
	}
	for _, name := range f.Items {
		all = append(all, source{key: "items", name: name})
	}
	return all
}

// load reads a file or an entity. A file's relative links lead nowhere.
func (s *source) load(ctx context.Context) (err error) {
	if s.in != "" {
		s.url = entityURL(s.name)
		s.payload, err = entityPage(ctx, s.name, s.in)
		return err
	}
	s.url = ofFile + filepath.Base(s.name)
	if s.payload, err = os.ReadFile(s.name); err != nil {
		return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	return nil
}

// readItem makes a page of an item's HTML.
func readItem(url string, payload []byte) (*orbweaver.Page, error) {
	response := &step.Response{
		Request: orbweaver.Request{URL: url}, Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/html"}},
	}
	item, err := page.NewReader(page.Options{}).Read(context.Background(), response, payload)
	if err != nil {
		return nil, fmt.Errorf("%s: %w (%w)", url, err, orbweaver.ErrInput)
	}
	item.Links = slices.DeleteFunc(item.Links, func(l orbweaver.Link) bool { return strings.HasPrefix(l.To, ofFile) })
	return item, nil
}

// itemFile is the name of the n-th item of a crawl, within its folder: its URL on a line, and its HTML.
func itemFile(n int) string {
	if n == 0 {
		return "item.html"
	}
	return fmt.Sprintf("item-%d.html", n+1)
}

// keptItems reads the items of a crawl from its folder; none: the crawl has not begun.
func keptItems(folder string, n int) (items []*orbweaver.Page, err error) {
	for i := range n {
		kept, err := os.ReadFile(filepath.Join(folder, itemFile(i)))
		if errors.Is(err, os.ErrNotExist) && i == 0 {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the crawl began with other items: %w (%w)", err, orbweaver.ErrForeign)
		}
		url, payload, _ := strings.Cut(string(kept), "\n")
		item, err := readItem(url, []byte(payload))
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

// loadItems loads the items of a crawl: from its folder if the crawl has begun, else from their sources.
func (c *instance) loadItems(ctx context.Context, f section) ([]*orbweaver.Page, error) {
	sources := f.sources()
	items, err := keptItems(c.env.File.Output, len(sources))
	if err != nil || len(items) > 0 {
		return items, err
	}
	for _, s := range sources {
		var item *orbweaver.Page
		err := c.loadItem(ctx, &s)
		if err == nil {
			item, err = readItem(s.url, s.payload)
		}
		if err != nil {
			return nil, fmt.Errorf("focus.crossref.%s: %w", s.key, err)
		}
		items = append(items, item)
		c.items = append(c.items, s)
	}
	return items, nil
}

func (c *instance) loadItem(ctx context.Context, s *source) (err error) {
	if s.in != "" || !isURL(s.name) {
		return s.load(ctx)
	}
	s.url = s.name
	s.payload, err = c.fetchItem(ctx, s.name)
	return err
}

// fetchItem fetches an item from the archive or the live Web.
func (c *instance) fetchItem(ctx context.Context, url string) ([]byte, error) {
	if c.env.Web != nil {
		return c.env.Get(ctx, url)
	}
	g := wire.NewGetter(c.env.Wire, c.env.File.AllowPrivate, c.env.File.Politeness.Contact)
	response, payload, err := g.Get(ctx, url, "text/html")
	if err == nil && response.Status/100 != 2 {
		err = fmt.Errorf("%s answered %d", url, response.Status)
	}
	return payload, errors.Join(err, g.Close())
}

// keepItems saves the items in the crawl folder, the first last, so that a resumed crawl uses the same.
func (c *instance) keepItems() error {
	for i := len(c.items) - 1; i >= 0; i-- {
		s := &c.items[i]
		if err := os.WriteFile(filepath.Join(c.env.File.Output, itemFile(i)), append([]byte(s.url+"\n"), s.payload...), 0o666); err != nil {
			return err
		}
	}
	return nil
}
