package app

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
	"orbweaver/focus/crossref"
	"orbweaver/internal/app/console"
	"orbweaver/internal/app/crawlfile"
	"orbweaver/internal/app/crawlfolder"
	"orbweaver/internal/app/wire"
	"orbweaver/page"
)

// newCrossref makes a focus on pages like an item. With start the crawl begins with the item's links.
func newCrossref(f crawlfile.Crossref, item *orbweaver.Page, start bool) (orbweaver.Focus, error) {
	opts := crossref.DefaultOptions()
	opts.Item, opts.Start = item, start
	opts.Round, opts.Layers, opts.Theta, opts.Accept, opts.TermsPerItem = f.Round, f.Layers, f.Theta, f.Accept, f.TermsPerItem
	opts.Strict = f.Order == "layers"
	without := func(part string) bool { return slices.Contains(f.Without, part) }
	opts.NoLabels, opts.NoLayers = without("labels"), without("layers")
	opts.NoRerank, opts.NoLinkText, opts.NoFeedback = without("rerank"), without("link_text"), without("feedback")
	if f.Model != "" {
		model, err := readModel(f.Model)
		if err != nil {
			return nil, err
		}
		opts.Model = model
	}
	focus, err := crossref.New(opts)
	if err != nil {
		return nil, below("focus.crossref.", err)
	}
	return focus, nil
}

// readModel reads what an earlier crawl learned.
func readModel(path string) (*crossref.Model, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("focus.crossref.model: %w (%w)", err, orbweaver.ErrInput)
	}
	defer file.Close()
	model, err := crossref.ReadModel(file)
	if err != nil {
		return nil, fmt.Errorf("focus.crossref.model: %s: %w (%w)", path, err, orbweaver.ErrInput)
	}
	return model, nil
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
	return newCrossref(f, item, false)
}

func isURL(source string) bool {
	return strings.HasPrefix(source, "http://") || strings.HasPrefix(source, "https://")
}

// itemOfFile reads a file of HTML. Its links lead where they say they do: relative ones nowhere.
func itemOfFile(path string) (*orbweaver.Page, error) {
	payload, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("focus.crossref.item: %w (%w)", err, orbweaver.ErrInput)
	}
	return readItem("https://item.invalid/"+filepath.Base(path), payload)
}

// readItem makes a page of an item's HTML.
func readItem(url string, payload []byte) (*orbweaver.Page, error) {
	response := &orbweaver.Response{
		Request: orbweaver.Request{URL: url}, Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/html"}},
	}
	item, err := page.NewReader(page.Options{}).Read(context.Background(), response, payload)
	if err != nil {
		return nil, fmt.Errorf("focus.crossref.item: %s: %w (%w)", url, err, orbweaver.ErrInput)
	}
	item.Links = slices.DeleteFunc(item.Links, func(l orbweaver.Link) bool { return strings.HasPrefix(l.To, "https://item.invalid/") })
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
		c.itemURL = "https://item.invalid/" + filepath.Base(f.Item)
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

// What a cross-reference crawl learned, within its folder: terms and labels, and the figures of its rounds.
const (
	modelFile  = "model.crossref"
	roundsFile = "rounds.json"
)

// keepLearned writes what was learned, for other crawls to begin with and for people.
func (c *crawl) keepLearned() error {
	focus, ok := c.focus.(*crossref.Focus)
	if !ok {
		return nil
	}
	return errors.Join(
		crawlfolder.ReplaceWith(filepath.Join(c.file.Output, modelFile), func(f *os.File) error { return focus.Model().Snapshot(f) }),
		crawlfolder.ReplaceWith(filepath.Join(c.file.Output, roundsFile), func(f *os.File) error { return console.WriteJSON(f, focus.Rounds()) }),
	)
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
