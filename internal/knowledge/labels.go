package knowledge

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

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
func labelsOf(name string, m *stream.Model, examples map[string][]string) *offer.Source {
	s := &offer.Source{Name: name, Items: m.Labels.Weight()}
	var keys []string
	for _, l := range m.Labels.Labels() {
		o := offer.Offer{Text: m.Show(l.Text), Count: int64(l.Items + .5), Examples: examples[l.Text]}
		for _, broader := range m.Labels.Broader(l.Text) {
			o.Above = append(o.Above, offer.Ref{Text: m.Show(broader)})
		}
		keys, s.Offers = append(keys, l.Text), append(s.Offers, o)
	}
	for _, key := range m.Labels.Terms() {
		if !m.Labels.Is(key) {
			keys, s.Offers = append(keys, key), append(s.Offers, offer.Offer{Text: m.Show(key), Anchor: true})
		}
	}
	s.Together = func(i, j int) float64 { return m.Labels.Count(keys[i], keys[j]) }
	return s
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
