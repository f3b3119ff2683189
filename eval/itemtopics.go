package eval

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"orbweaver"
)

// ItemTopics makes truths by the topics of items: a page is relevant to an item if they share a topic. It is
// immutable.
type ItemTopics struct {
	byURL map[string][]string
	pages map[string][]string // by topic
}

// LoadItemTopics reads a truth file, as LoadTopics does, and keeps the topics that begin with one of those
// given, or all if none is given. Problems are those of LoadTopics.
func LoadItemTopics(path string, topics []string, canonical func(string) (string, error)) (*ItemTopics, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("truth file: %w: %w", err, orbweaver.ErrInput)
	}
	defer file.Close()
	t := &ItemTopics{byURL: map[string][]string{}, pages: map[string][]string{}}
	r := topicReader{path: path, topics: topics, canonical: canonical,
		matched: make([]bool, len(topics)), known: map[string]struct{}{},
		truth: &Topics{relevant: map[string]struct{}{}}, each: t.add(topics)}
	r.read(file)
	if len(topics) > 0 {
		r.checkTopics()
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	return t, nil
}

// add takes rows of some topics.
func (t *ItemTopics) add(topics []string) func(url, topic string) {
	return func(url, topic string) {
		wanted := func(asked string) bool { return strings.HasPrefix(topic, asked) }
		if len(topics) > 0 && !slices.ContainsFunc(topics, wanted) || slices.Contains(t.byURL[url], topic) {
			return
		}
		t.byURL[url] = append(t.byURL[url], topic)
		t.pages[topic] = append(t.pages[topic], url)
	}
}

// Has reports whether a page has a topic.
func (t *ItemTopics) Has(url string) bool { return len(t.byURL[url]) > 0 }

// Of returns the truth of one item, without the item itself.
func (t *ItemTopics) Of(item string) *Alike {
	alike := &Alike{has: map[string]struct{}{}}
	for _, topic := range t.byURL[item] {
		for _, url := range t.pages[topic] {
			if url != item {
				alike.has[url] = struct{}{}
			}
		}
	}
	return alike
}
