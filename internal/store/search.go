package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/kb/stream"
	"orbweaver/ledger"
	"orbweaver/ledger/describe"
	"orbweaver/rdf/quads"
	"orbweaver/search"
	"orbweaver/server"
)

// A SearchJob says what pages of a crawl are looked for.
type SearchJob struct {
	Words  string           `json:"words,omitempty"`
	Like   string           `json:"like,omitempty"` // URL of a page of the crawl that others should be like
	Text   *labelmodel.Text `json:"text,omitempty"` // or a text
	Label  string           `json:"label,omitempty"`
	Entity string           `json:"entity,omitempty"` // IRI or name of what pages must have
	Top    int              `json:"top"`
	Rank   string           `json:"rank"` // of Ranks
}

// Ranks are the ways of ranking pages by words.
func Ranks() []string { return []string{"bm25", "cosine"} }

// Found are the pages that were found.
type Found struct {
	Total  int         `json:"total"` // pages that match; with a label or an entity, of those looked at
	Label  string      `json:"label,omitempty"`
	Entity string      `json:"entity,omitempty"`
	Hits   []FoundPage `json:"hits"` // the best first
}

// A FoundPage is one of them.
type FoundPage struct {
	URL     string   `json:"url"`
	Title   string   `json:"title"`
	Score   float64  `json:"score"`
	Labels  []string `json:"labels,omitempty"` // the strongest, where the crawl has a model
	Snippet snippet  `json:"snippet"`
}

// What a search looks at.
const (
	similarTerms = 64  // of a page that others should be like
	relabelled   = 200 // best hits whose labels and entities may move them up
	shownLabels  = 5
	labelWeight  = 0.5 // that a page with a label asked for by name is worth more, at strength 1
)

// Find finds pages of a crawl that match words, are like a page or a text, or have a label or an entity; through the
// process that uses the folder if one does. The error wraps ErrInput where the folder is of no crawl, and where there is
// no model and one is needed.
func Find(ctx context.Context, a *job.Job, dir string, job SearchJob) (*Found, error) {
	if err := crawlfolder.CheckCrawl(dir); err != nil {
		return nil, err
	}
	found := &Found{}
	c, err := reachBase(dir)
	if err == nil {
		defer c.Close()
		err = c.Ask(ctx, http.MethodPost, "/search", job, found)
	}
	if !errors.Is(err, server.ErrNoCrawl) {
		return found, err
	}
	l, err := openBase(ctx, a, dir)
	if err != nil {
		return nil, err
	}
	snapshot := l.Committed()
	x, err := IndexBase(ctx, a, dir, l, alone)
	if err == nil {
		found, err = searchPages(ctx, a, dir, snapshot, x, job)
		err = errors.Join(err, x.close())
	}
	return found, errors.Join(err, snapshot.Close(), l.Close())
}

// SearchRoute answers POST /search from a snapshot of its own each time, by the kinds of focus that a job knows.
func SearchRoute(a *job.Job, dir string, from Source) server.Route {
	return server.Route{Pattern: "POST /search", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var job SearchJob
		err := server.Decode(r, &job)
		var found *Found
		if err == nil {
			found, err = job.answer(r.Context(), a.Kinds, dir, from)
		}
		if err != nil {
			server.Fail(w, err)
			return
		}
		server.Answer(w, found)
	})}
}

func (job SearchJob) answer(ctx context.Context, kinds kind.Registry, dir string, from Source) (*Found, error) {
	snapshot, err := from.Statements(ctx)
	if err != nil {
		return nil, err
	}
	x, err := from.Index(ctx)
	if err != nil {
		return nil, errors.Join(err, snapshot.Close())
	}
	silent := NewSilent()
	silent.Kinds = kinds
	found, err := searchPages(ctx, silent, dir, snapshot, x, job)
	return found, errors.Join(err, x.close(), snapshot.Close())
}

// A searching is one search under way.
type searching struct {
	job    SearchJob
	in     search.Reader
	names  search.Reader
	query  search.Query // what is highlighted
	model  *stream.Model
	label  string             // key that pages must have; empty: any
	asked  map[string]bool    // keys of labels that the words name
	score  map[string]float64 // nodes of pages that match; nil: all do
	entity *mentions          // pages must have it; nil: any
	named  *mentions          // what the words name; nil: nothing
	times  map[string]int     // node → how often the page has the entity
	total  int
}

// searchPages finds pages: their numbers in the index, then their texts in the archive.
func searchPages(ctx context.Context, a *job.Job, dir string, store quads.Reader, x *Index, job SearchJob) (*Found, error) {
	s := &searching{job: job, in: *x.pages, names: *x.names}
	err := s.open(dir)
	if err == nil && job.Like != "" {
		var t labelmodel.Text
		if t, err = TextOf(ctx, a, dir, job.Like); err == nil {
			s.job.Text = &t
		}
	}
	if err == nil && job.Entity != "" {
		s.times = map[string]int{}
		s.entity, err = mentionsOf(ctx, a.KindsOrAll(), store, s.names, job.Entity)
	}
	if err == nil {
		err = s.match(ctx, store)
	}
	if err != nil {
		return nil, err
	}
	journal, err := journalNow(dir)
	if err != nil {
		return nil, err
	}
	found, matched := &Found{Total: s.total, Label: job.Label, Entity: job.Entity, Hits: []FoundPage{}}, 0
	err = eachText(ctx, a, dir, journal, s.wants, func(p ledger.PageText) bool {
		if hit, ok := s.read(p); ok {
			matched++
			if found.Hits = append(found.Hits, hit); len(found.Hits) == 2*maxMatches {
				found.rank(maxMatches)
			}
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	if s.label != "" || s.entity != nil {
		found.Total = matched
	}
	found.rank(min(cmp.Or(job.Top, maxMatches), maxMatches))
	return found, nil
}

// open reads the crawl's model, which only a search by label needs.
func (s *searching) open(dir string) (err error) {
	s.model, _, err = labelmodel.Open(dir, "")
	if s.job.Label == "" {
		return nil // a model that cannot be read is none
	}
	if err == nil {
		s.label, err = labelmodel.Find(s.model, s.job.Label)
	}
	return err
}

// match finds what matches in the index.
func (s *searching) match(ctx context.Context, store quads.Reader) (err error) {
	if s.job.Words == "" && s.job.Text == nil {
		return nil
	}
	byWords := s.job.Text == nil && s.job.Rank != "cosine"
	if byWords {
		s.asked = labelmodel.Named(s.model, s.job.Words)
		if s.named, err = mentionsIn(ctx, store, s.names, s.job.Words); err != nil {
			return err
		}
	}
	o := s.options()
	var res search.Results
	switch {
	case s.job.Text != nil:
		o.Limit++ // the page itself
		text := search.Text{Lang: s.job.Text.Lang, Text: s.job.Text.Title + "\n\n" + s.job.Text.Text}
		res, err = s.similar(ctx, text, o)
	case !byWords:
		res, err = s.similar(ctx, search.Text{Text: s.job.Words}, o)
	default:
		if s.query, err = s.in.Parse(s.job.Words); err == nil {
			res, err = s.in.Search(ctx, s.query, o)
		}
	}
	if err != nil {
		if errors.Is(err, search.ErrQuery) {
			err = fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
		}
		return err
	}
	return s.matched(store, res)
}

// options say how many hits are looked at: all where they are filtered, more than are shown where some may move up.
func (s *searching) options() search.Options {
	o := search.Options{Limit: max(s.job.Top, 1), Weights: map[string]float64{ledger.FieldTitle: titleWeight}}
	if s.model != nil || s.named != nil && len(s.named.pages) > 0 {
		o.Limit = max(o.Limit, relabelled)
	}
	if s.label != "" || s.entity != nil || s.job.Top == 0 {
		o.Limit = maxMatches
	}
	return o
}

// similar finds what is like a text, by the cosine of terms.
func (s *searching) similar(ctx context.Context, t search.Text, o search.Options) (search.Results, error) {
	terms, err := s.in.Vector(ctx, t, similarTerms)
	if err != nil {
		return search.Results{}, err
	}
	for _, t := range terms[:min(len(terms), 16)] {
		s.query.Clauses = append(s.query.Clauses, search.Clause{Words: []search.Word{{Text: t.Stem, Stems: []string{t.Stem}}}})
	}
	return s.in.Similar(ctx, terms, o)
}

// matched notes the pages of hits by their nodes.
func (s *searching) matched(store quads.Reader, res search.Results) error {
	s.score, s.total = map[string]float64{}, res.Total
	itself := ""
	if s.job.Like != "" && s.job.Text != nil {
		itself = describe.Node(orbweaver.Request{URL: s.job.Text.ID}).Value
	}
	for _, hit := range res.Hits {
		node, err := store.Term(quads.ID(hit.ID))
		switch {
		case errors.Is(err, quads.ErrUnknown): // it came after the search began
		case err != nil:
			return err
		case node.Value == itself:
			s.total--
		default:
			s.score[node.Value] = hit.Score
		}
	}
	return nil
}

// wants reports whether a page's text is looked at.
func (s *searching) wants(l ledger.Line) bool {
	node := describe.Node(orbweaver.Request{URL: l.URL, Query: l.Query}).Value
	if _, ok := s.score[node]; s.score != nil && !ok {
		return false
	}
	if s.entity == nil {
		return true
	}
	s.times[node] = s.entity.times(node, l.Reasons)
	return s.times[node] > 0
}

// read is a page as it was found; false: it lacks the label.
func (s *searching) read(p ledger.PageText) (FoundPage, bool) {
	node := describe.Node(p.Request)
	hit := FoundPage{URL: node.Value, Title: p.Title, Score: s.score[node.Value]}
	if s.entity != nil && s.score == nil {
		hit.Score = float64(s.times[node.Value])
	}
	raised := 0.0
	if s.named != nil && s.named.pages[node.Value] > 0 {
		raised = EntityWeight
	}
	if s.model != nil {
		has := s.label == ""
		for i, h := range labelmodel.Held(s.model, labelmodel.Text{ID: node.Value, Title: p.Title, Lang: p.Lang, Text: p.Text}) {
			if i < shownLabels {
				hit.Labels = append(hit.Labels, s.model.Show(h.Label))
			}
			if s.asked[h.Label] {
				raised = max(raised, labelWeight*h.Strength)
			}
			if h.Label == s.label {
				if has = true; s.score == nil {
					hit.Score = h.Strength
				}
			}
		}
		if !has {
			return FoundPage{}, false
		}
	}
	hit.Score *= 1 + raised
	hit.Snippet = snippetOf(p.Text, s.in.Highlights(s.query, search.Text{Field: ledger.FieldText, Lang: p.Lang, Text: p.Text}))
	return hit, true
}

// NewSilent is an App that tells nothing.
func NewSilent() *job.Job {
	return &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}
}

// Order is which of two pages stands first.
func (p FoundPage) Order(q FoundPage) int {
	return cmp.Or(cmp.Compare(q.Score, p.Score), strings.Compare(p.URL, q.URL))
}
