package krs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"orbweaver/fetch/client"
	"orbweaver/fetch/guard"
	"orbweaver/fetch/spotlight"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/services/wire"
	"orbweaver/kb/krs"
	"orbweaver/text/link"
	"orbweaver/text/pipeline"
	"orbweaver/text/segment"
)

// How nouns are linked. By both, the gazetteer goes first and Spotlight is taken for what it does not
// link: so a text that Spotlight had no answer for lacks links, and has no other ones.
const (
	byGazetteer = "gazetteer"
	bySpotlight = "spotlight"
	byBoth      = "both"
)

// spotlightTime is how long a server of Spotlight may take for one block of a text.
const spotlightTime = 30 * time.Second

// A linker asks a server of Spotlight what texts speak of, and counts the texts that it has no answer
// for. Any number of goroutines may use it.
type linker struct {
	asked  *spotlight.Client
	client *client.Client
	kept   *keptAnswers // nil: nothing is kept

	mu    sync.Mutex
	left  map[spotlight.Class]int // texts without an answer, or with some of them, by why the first failed
	first error                   // of those
	long  int                     // texts of which the end was not asked about
}

// newLinker returns a linker by settings. Of private addresses it reaches those allowed, and the one that
// stands in the server's URL. It owns what is kept. The error wraps ErrInput.
func newLinker(s settings, via wire.Wire, private crawlfile.Private, kept ...*spotlight.Store) (*linker, error) {
	opts := via.Options
	opts.UserAgent, opts.Timeout = wire.Agent, spotlightTime
	opts.Guard = guard.New(private.All, append(wire.NamedNetworks(s.Spotlight), private.Networks...))
	l := &linker{client: client.New(opts), left: map[spotlight.Class]int{}}
	o := spotlight.Options{Base: s.Spotlight, Parameters: spotlight.Parameters{Confidence: s.SpotlightConfidence}, Poster: l.client}
	if len(kept) > 0 {
		l.kept = &keptAnswers{stores: kept}
		o.Kept = l.kept
	}
	var err error
	if l.asked, err = spotlight.New(o); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// Close closes what is kept, and connections.
func (l *linker) Close() error {
	if l == nil {
		return nil
	}
	err := l.client.Close()
	if l.kept != nil {
		err = errors.Join(err, l.kept.Close())
	}
	return err
}

// reach makes sure that the server answers, or did, before many texts are read. The error wraps a
// spotlight.Class.
func (l *linker) reach(ctx context.Context) error {
	_, _, err := l.asked.Annotate(ctx, "Berlin is a city.")
	return err
}

// link adds to a document what Spotlight finds where nothing is linked yet, and returns the types of the
// entities that are plain. Where the server has no answer, there is less; the error is the context's, or
// that of keeping answers.
func (l *linker) link(ctx context.Context, d *pipeline.Document) (types map[string]string, err error) {
	found, tally, err := l.asked.Annotate(ctx, d.Text)
	var failed *spotlight.Error
	if err != nil && !errors.As(err, &failed) {
		return nil, err
	}
	l.note(failed, tally)
	types = map[string]string{}
	var mentions []link.Mention
	at := 0
	for _, r := range found {
		var m link.Mention
		if m, at = mentionOf(d, r, at); m.IRI == "" {
			continue
		}
		mentions = append(mentions, m)
		if kind := entityType(r.Types); kind != "" {
			types[m.IRI] = kind
		}
	}
	d.Mentions = filled(d.Mentions, mentions)
	return types, nil
}

// note counts a text.
func (l *linker) note(failed *spotlight.Error, tally spotlight.Tally) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if failed != nil {
		l.left[failed.Class]++
		if l.first == nil {
			l.first = failed
		}
	}
	if tally.Beyond > 0 {
		l.long++
	}
}

// missed tells for how many texts, called what, Spotlight was left out.
func (l *linker) missed(what string) (all []string) {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	n, classes := 0, slices.Sorted(maps.Keys(l.left))
	for i, class := range classes {
		n += l.left[class]
		classes[i] = spotlight.Class(fmt.Sprintf("%d %s", l.left[class], class))
	}
	if n > 0 {
		all = append(all, fmt.Sprintf("Spotlight was left out for %d %s, in whole or in part: %v; first: %v", n, what, classes, l.first))
	}
	if l.long > 0 {
		all = append(all, fmt.Sprintf("%d %s were too long to ask Spotlight about all of each", l.long, what))
	}
	return all
}

// mentionOf is where in a document a resource is mentioned: the tokens that it touches, if they are of
// one sentence. Resources come in order: at is the token to look from, and the one to look from next.
func mentionOf(d *pipeline.Document, r spotlight.Resource, at int) (link.Mention, int) {
	for at < len(d.Tokens) && int(d.Tokens[at].End) <= r.Start {
		at++
	}
	last := at
	for last+1 < len(d.Tokens) && int(d.Tokens[last+1].Start) < r.End {
		last++
	}
	if at == len(d.Tokens) || int(d.Tokens[at].Start) >= r.End {
		return link.Mention{}, at
	}
	i, _ := slices.BinarySearchFunc(d.Sentences, at, func(s segment.Sentence, at int) int {
		if int(s.End) <= at {
			return -1
		}
		return 1
	})
	if i == len(d.Sentences) || int(d.Sentences[i].First) > at || int(d.Sentences[i].End) <= last {
		return link.Mention{}, at
	}
	return link.Mention{First: at, Last: last, IRI: r.URI, Support: r.Support, Similarity: r.Similarity, Second: r.Second}, at
}

// filled is mentions with others between them: those whose tokens none has that comes before in either.
// Both are in order.
func filled(mentions, others []link.Mention) []link.Mention {
	all := make([]link.Mention, 0, len(mentions)+len(others))
	for _, m := range others {
		for len(mentions) > 0 && mentions[0].Last < m.First {
			all, mentions = append(all, mentions[0]), mentions[1:]
		}
		taken := len(all) > 0 && all[len(all)-1].Last >= m.First || len(mentions) > 0 && mentions[0].First <= m.Last
		if !taken {
			all = append(all, m)
		}
	}
	return append(all, mentions...)
}

// entityType is what an entity is by its types, in the words of a pipeline; empty: they do not tell.
func entityType(types []string) string {
	for _, kind := range [...]struct{ is, names string }{
		{"PERSON", "Person"}, {"ORGANIZATION", "Organization Organisation"}, {"LOCATION", "Place Location"},
	} {
		for _, t := range types {
			if name := typeName(t); name != "" && slices.Contains(strings.Fields(kind.names), name) {
				return kind.is
			}
		}
	}
	return ""
}

// typeName is a type of schema.org, DBpedia or FOAF without its namespace; empty: it is of another.
func typeName(t string) string {
	at := strings.LastIndexAny(t, ":/")
	switch strings.ToLower(t[:at+1]) {
	case "dbpedia:", "schema:", "dbo:", "http://xmlns.com/foaf/0.1/", "http://schema.org/", "https://schema.org/", "http://dbpedia.org/ontology/":
		return t[at+1:]
	}
	return ""
}

// typed gives nouns the types of what they are linked to.
func typed(nouns []krs.Noun, types map[string]string) {
	for i := range nouns {
		if kind := types[nouns[i].IRI]; kind != "" {
			nouns[i].Type = kind
		}
	}
}
