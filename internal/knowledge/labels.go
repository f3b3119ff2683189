package knowledge

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"orbweaver/internal/console"
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/internal/store"
	"orbweaver/kb/labels"
	"orbweaver/kb/offer"
	"orbweaver/kb/stream"
)

// The bounds of reading the history of a model.
const (
	maxLine     = 1 << 20
	maxExamples = 3
)

// labelsOf returns the labels of a model, by name, with the nearest broader ones; its other terms are anchors. Items are
// those that the model counts, weighted by age where it has a half-life.
func labelsOf(m *stream.Model, examples map[string][]string) *offer.Source {
	s, keys := allLabels(m)
	s.Items = m.Labels.Weight()
	for i, key := range keys {
		s.Offers[i].Examples = examples[key]
	}
	for _, key := range m.Labels.Terms() {
		if !m.Labels.Is(key) {
			keys, s.Offers = append(keys, key), append(s.Offers, offer.Offer{Text: m.Show(key), Anchor: true})
		}
	}
	s.Together = func(i, j int) float64 { return m.Labels.Count(keys[i], keys[j]) }
	return s
}

// allLabels returns the labels of a model, and their keys.
func allLabels(m *stream.Model) (s *offer.Source, keys []string) {
	s = &offer.Source{}
	for _, l := range m.Labels.Labels() {
		o := offer.Offer{Text: m.Show(l.Text), Count: int64(l.Items + .5)}
		for _, broader := range m.Labels.Broader(l.Text) {
			o.Above = append(o.Above, offer.Ref{Text: m.Show(broader)})
		}
		keys, s.Offers = append(keys, l.Text), append(s.Offers, o)
	}
	return s, keys
}

// labelsOn returns the labels of a model of a crawl, and the pages of the crawl with those that the model gives each now.
func labelsOn(m *stream.Model, pages iter.Seq2[offer.Page, error]) *offer.Source {
	s, keys := allLabels(m)
	at := make(map[string]int, len(keys))
	for i, key := range keys {
		at[key] = i
	}
	s.Pages = func(yield func(offer.Page, error) bool) {
		for p, err := range pages {
			if err == nil {
				for _, h := range labelmodel.Held(m, labelmodel.Text{ID: p.URL, Title: p.Title, Lang: p.Lang, Text: p.Text}) {
					if i, ok := at[h.Label]; ok {
						p.Has = append(p.Has, i)
					}
				}
			}
			if !yield(p, err) {
				return
			}
		}
	}
	return s
}

// pagesOf returns the pages of a crawl, without offers.
func pagesOf(ctx context.Context, con *console.Console, dir string) iter.Seq2[offer.Page, error] {
	return func(yield func(offer.Page, error) bool) {
		more := true
		err := store.EachText(ctx, con, dir, func(t labelmodel.Text) bool {
			more = yield(offer.Page{URL: t.ID, Lang: t.Lang, Title: t.Title, Text: t.Text}, nil)
			return more
		})
		if err != nil && more {
			yield(offer.Page{}, err)
		}
	}
}

// examplesOf returns, by label, items in which it became a label or in which rules and edges about it came into force:
// the first three that the history of a model names. A model without a history has none.
func examplesOf(dir string) (map[string][]string, error) {
	path := filepath.Join(dir, stream.DriftFile)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	examples := map[string][]string{}
	in := bufio.NewScanner(f)
	in.Buffer(nil, maxLine)
	for in.Scan() {
		var c labels.Change
		if json.Unmarshal(in.Bytes(), &c) != nil || c.New == "" || c.ID == "" {
			continue // the last line of a process that was killed may be cut
		}
		switch c.Kind {
		case labels.OfLabel, labels.OfRule, labels.OfBroader:
			if of := examples[c.Subject]; len(of) < maxExamples && !slices.Contains(of, c.ID) {
				examples[c.Subject] = append(of, c.ID)
			}
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return examples, nil
}
