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

// Methods of linking nouns. With both, the gazetteer goes first and Spotlight links the rest, so that a text for which
// Spotlight failed has fewer links, and none that differ.
const (
	byGazetteer = "gazetteer"
	bySpotlight = "spotlight"
	byBoth      = "both"
)

// spotlightTime is how long a server of Spotlight may take for one block of a text.
const spotlightTime = 30 * time.Second

// A linker finds entities in texts through a Spotlight server, and counts the texts for which the server failed. It is safe
// for concurrent use.
type linker struct {
	asked  *spotlight.Client
	client *client.Client
	kept   *keptAnswers // nil: nothing is kept

	mu    sync.Mutex
	left  map[spotlight.Class]int // texts without an answer, or with some of them, by why the first failed
	first error                   // of those
	long  int                     // texts of which the end was not asked about
}

// newLinker returns a linker with the given settings. It may connect to the permitted private addresses and to the one in the
// server's URL. It takes ownership of kept. The error wraps ErrInput.
func newLinker(s settings, via wire.Wire, private crawlfile.Private, kept ...*spotlight.Store) (*linker, error) {
	opts := via.Options
	opts.UserAgent, opts.Timeout = wire.Agent, spotlightTime
	opts.Guard = guard.New(private.All, append(wire.NamedNetworks(s.Spotlight), private.Networks...), wire.NamedPorts(s.Spotlight)...)
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

// reach checks that the server answers, or has answered before, so that a job fails before it reads many texts. The error
// wraps a spotlight.Class.
func (l *linker) reach(ctx context.Context) error {
	_, _, err := l.asked.Annotate(ctx, "Berlin is a city.")
	return err
}

// link adds Spotlight's entities to a document where it has no links yet, and returns the types of those with a known type.
// It adds fewer if the server fails; the error is the context's, or one of the cache.
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

// missed reports the number of texts, named by what, annotated without Spotlight.
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

// mentionOf returns the mention of a resource in a document: the tokens it overlaps, if they are in one sentence. Resources
// are in order: at is the first token to consider, and the int result that for the next resource.
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

// filled merges others into mentions, dropping those that overlap an earlier mention in either list. Both are in order.
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

// entityType maps the classes that Spotlight names to a type; empty: none. Only vocabularies whose classes are those of
// entities count, since Spotlight names many more.
func entityType(types []string) string {
	kind := ""
	for _, t := range types {
		space := strings.ToLower(t[:strings.LastIndexAny(t, ":/")+1])
		switch space {
		case "dbpedia:", "schema:", "dbo:", "wikidata:", "http://xmlns.com/foaf/0.1/", "http://schema.org/", "https://schema.org/", "http://dbpedia.org/ontology/":
			kind = stronger(kind, typeOfClass(t))
		}
	}
	return kind
}

// typed gives nouns the types of what they are linked to.
func typed(nouns []krs.Noun, types map[string]string) {
	for i := range nouns {
		if kind := types[nouns[i].IRI]; kind != "" {
			nouns[i].Type = kind
		}
	}
}
