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

// newFocus builds a focus on pages similar to an item; it reports changes of the label model to changed. With start, the
// crawl starts from the item's links.
func newFocus(f section, item *orbweaver.Page, start bool, changed func([]labels.Change) error) (*focus.Focus, error) {
	opts := focus.DefaultOptions()
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
	built, err := focus.New(opts)
	if _, several := err.(interface{ Unwrap() []error }); several {
		return nil, kind.Below("focus.crossref.", err)
	}
	if err != nil {
		name := item.URL
		if strings.HasPrefix(name, ofFile) {
			name = f.Item
		}
		return nil, fmt.Errorf("focus.crossref.item: %s: %w", name, err)
	}
	return built, nil
}

// ofFileAlone builds the focus without network access, as in a comparison: its item is a file.
func ofFileAlone(f section) (*focus.Focus, error) {
	if isURL(f.Item) {
		return nil, fmt.Errorf("focus.crossref.item: %s: here the item is a file of HTML or, with each, the item drawn (%w)", f.Item, orbweaver.ErrInput)
	}
	item, err := itemOfFile(f.Item)
	if err != nil {
		return nil, err
	}
	return newFocus(f, item, false, nil)
}

func isURL(source string) bool {
	return strings.HasPrefix(source, "http://") || strings.HasPrefix(source, "https://")
}

// ofFile is the prefix of the URL of an item that is a file; no page on the Web has it.
const ofFile = "https://item.invalid/"

// itemOfFile reads an HTML file. Its relative links lead nowhere.
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

// loadItem loads the item of a crawl: from its folder if the crawl has begun, else from its source.
func (c *instance) loadItem(ctx context.Context, f section) (*orbweaver.Page, error) {
	kept, err := os.ReadFile(filepath.Join(c.env.File.Output, itemFile))
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

// keepItem saves the item in the crawl folder, so that a resumed crawl uses the same item.
func (c *instance) keepItem() error {
	if c.item == nil {
		return nil
	}
	return os.WriteFile(filepath.Join(c.env.File.Output, itemFile), append([]byte(c.itemURL+"\n"), c.item...), 0o666)
}
