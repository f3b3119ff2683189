package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"path/filepath"
	"slices"
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

// SearchJob describes a search in the pages of a crawl.
type SearchJob struct {
	Words  string           `json:"words,omitempty"`
	Like   string           `json:"like,omitempty"` // URL of a page of the crawl: find similar pages
	Text   *labelmodel.Text `json:"text,omitempty"` // a text: find similar pages
	Label  string           `json:"label,omitempty"`
	Entity string           `json:"entity,omitempty"` // IRI or name of an entity that pages must mention
	Top    int              `json:"top"`
	Rank   string           `json:"rank"` // one of Ranks

	Accepted bool `json:"accepted,omitempty"` // only accepted pages, by the current threshold; Found.Total counts those examined

	Partial bool `json:"partial,omitempty"` // search what is indexed, and a little more, instead of indexing all pages first
}

// Ranks returns the ways of ranking pages by words.
func Ranks() []string { return []string{"bm25", "cosine"} }

// Found is the result of a search.
type Found struct {
	Total  int         `json:"total"` // matching pages; with a label, an entity or Accepted, among those examined
	Label  string      `json:"label,omitempty"`
	Entity string      `json:"entity,omitempty"`
	Hits   []FoundPage `json:"hits"` // best first

	// Examined is the number of best matches that were looked at, with SearchJob.Accepted; 0 without.
	Examined int `json:"examined,omitempty"`

	Unindexed int64 `json:"unindexed,omitempty"` // fetched requests that the search did not look at, as they are not indexed yet
	Of        int64 `json:"of,omitempty"`        // all fetched requests, if some are not indexed
}

// FoundPage is one hit.
type FoundPage struct {
	URL     string   `json:"url"`
	Title   string   `json:"title"`
	Score   float64  `json:"score"`
	Labels  []string `json:"labels,omitempty"` // the strongest ones, if the crawl has a model
	Snippet snippet  `json:"snippet"`
}

// Limits and weights of a search.
const (
	similarTerms = 64  // terms of the page or text that hits resemble
	relabelled   = 200 // best hits whose labels and entities may move them up
	shownLabels  = 5
	labelWeight  = 0.5 // bonus of a page with a label named in the query, at strength 1

	partly = 256 // fetched requests that a partial search indexes at most
)

// Find searches pages of a crawl by words, by similarity to a page or a text, by label or by entity,
// through the process that uses the folder if there is one. The error wraps ErrInput if the folder is not
// a crawl's, and if the search needs a model and there is none.
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
	l, err := openBase(ctx, a, dir, job.most())
	if err != nil {
		return nil, err
	}
	snapshot := l.Committed()
	x, err := IndexBase(ctx, a, dir, l, nil, job.most())
	if err == nil {
		find := func(_ context.Context, urls []string) (map[string]orbweaver.Outcome, error) {
			return OutcomesIn(l, urls)
		}
		found, err = searchPages(ctx, a, dir, snapshot, x, find, job)
		err = errors.Join(err, x.Close())
	}
	return found, errors.Join(err, snapshot.Close(), l.Close())
}

// most is the number of outcomes that the search describes and indexes; 0: all.
func (job SearchJob) most() int64 {
	if job.Partial {
		return partly
	}
	return 0
}

// SearchRoute answers POST /search, each request from its own snapshot, with the kinds of focus that a job
// knows.
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
	snapshot, err := from.Statements(ctx, job.most())
	if err != nil {
		return nil, err
	}
	x, err := from.Index(ctx, job.most())
	if err != nil {
		return nil, errors.Join(err, snapshot.Close())
	}
	silent := NewSilent()
	silent.Kinds = kinds
	found, err := searchPages(ctx, silent, dir, snapshot, x, from.Outcomes, job)
	return found, errors.Join(err, x.Close(), snapshot.Close())
}

// searching is the state of one search.
type searching struct {
	job    SearchJob
	in     search.Reader
	names  search.Reader
	query  search.Query // terms to highlight
	model  *stream.Model
	label  string             // key of the label that pages must have; empty: any
	asked  map[string]bool    // keys of labels named in the query
	score  map[string]float64 // nodes of matching pages; nil: all match
	entity *mentions          // entity that pages must mention; nil: any
	named  *mentions          // entities named in the query; nil: none
	times  map[string]int     // node → number of mentions of the entity
	total  int
}

// searchPages finds the numbers of pages in the index, then reads their texts from the archive.
func searchPages(ctx context.Context, a *job.Job, dir string, store quads.Reader, x *Index, find outcomes, job SearchJob) (*Found, error) {
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
	found, matched := &Found{Total: s.total, Label: job.Label, Entity: job.Entity, Hits: []FoundPage{}}, 0
	if x.wordless > 0 {
		found.Unindexed, found.Of = x.wordless, x.of
	}
	if err := s.texts(ctx, a, dir, find, func(p ledger.PageText) {
		if hit, ok := s.read(p); ok {
			matched++
			if found.Hits = append(found.Hits, hit); len(found.Hits) == 2*maxMatches {
				found.rank(maxMatches)
			}
		}
	}); err != nil {
		return nil, err
	}
	if s.label != "" || s.entity != nil {
		found.Total = matched
	}
	if job.Accepted {
		if err := found.accepted(ctx, dir, find); err != nil {
			return nil, err
		}
	}
	found.rank(min(cmp.Or(job.Top, maxMatches), maxMatches))
	return found, nil
}

// texts reads the texts of the matching pages: a few at their places, many by going through the archive.
func (s *searching) texts(ctx context.Context, a *job.Job, dir string, find outcomes, yield func(ledger.PageText)) error {
	if s.score != nil && len(s.score) <= relabelled && s.entity == nil {
		var some []ledger.PageText
		err := atPlaces(ctx, dir, slices.Sorted(maps.Keys(s.score)), find, func(p ledger.PageText) { some = append(some, p) })
		if !errors.Is(err, errElsewhere) {
			for _, p := range some {
				yield(p)
			}
			return err
		}
	}
	journal, err := journalNow(dir)
	if err != nil {
		return err
	}
	return eachText(ctx, a, dir, journal, s.wants, func(p ledger.PageText) bool {
		yield(p)
		return true
	})
}

// open reads the crawl's model, which only a search by label requires.
func (s *searching) open(dir string) (err error) {
	s.model, _, err = labelmodel.Open(dir, "")
	if s.job.Label == "" {
		return nil // an unreadable model counts as none
	}
	if err == nil {
		s.label, err = labelmodel.Find(s.model, s.job.Label)
	}
	return err
}

// match finds the matching pages in the index.
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
		o.Limit++ // the page itself is among the hits
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

// options bounds the hits examined: all if they are filtered, more than shown if some may move up.
func (s *searching) options() search.Options {
	o := search.Options{Limit: max(s.job.Top, 1), Weights: map[string]float64{ledger.FieldTitle: titleWeight}}
	if s.model != nil || s.named != nil && len(s.named.pages) > 0 {
		o.Limit = max(o.Limit, relabelled)
	}
	if s.job.Accepted {
		o.Limit = max(4*o.Limit, relabelled)
	}
	if s.label != "" || s.entity != nil || s.job.Top == 0 {
		o.Limit = maxMatches
	}
	return o
}

// accepted removes the pages that are not accepted.
func (f *Found) accepted(ctx context.Context, dir string, find outcomes) error {
	threshold, err := ledger.Threshold(filepath.Join(dir, ledger.JournalFile), math.MaxInt64)
	if err != nil {
		return err
	}
	urls := make([]string, len(f.Hits))
	for i, hit := range f.Hits {
		urls[i] = hit.URL
	}
	of, err := find(ctx, urls)
	if err != nil {
		return err
	}
	f.Examined = len(f.Hits)
	f.Hits = slices.DeleteFunc(f.Hits, func(hit FoundPage) bool {
		o, known := of[hit.URL]
		return !known || o.Page == nil || !ledger.LineOf(o).Under(threshold).Accepted
	})
	f.Total = len(f.Hits)
	return nil
}

// similar finds pages similar to a text, by the cosine of their terms.
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

// matched records the pages of hits by their nodes.
func (s *searching) matched(store quads.Reader, res search.Results) error {
	s.score, s.total = map[string]float64{}, res.Total
	itself := ""
	if s.job.Like != "" && s.job.Text != nil {
		itself = describe.Node(orbweaver.Request{URL: s.job.Text.ID}).Value
	}
	for _, hit := range res.Hits {
		node, err := store.Term(quads.ID(hit.ID))
		switch {
		case errors.Is(err, quads.ErrUnknown): // added after the search's snapshot
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

// wants reports whether the search reads a page's text.
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

// read turns a page into a hit; false: it lacks the label.
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
	hit.Snippet = s.snippet(p)
	return hit, true
}

// snippet returns the snippet of a page: of its article, unless what is asked for is beside that.
func (s *searching) snippet(p ledger.PageText) snippet {
	marks := func(text string) []search.Span {
		return s.in.Highlights(s.query, search.Text{Field: ledger.FieldText, Lang: p.Lang, Text: text})
	}
	found := marks(p.Article)
	if len(found) == 0 && len(p.Article) < len(p.Text) {
		if beside := marks(p.Text); len(beside) > 0 {
			return snippetOf(p.Text, beside)
		}
	}
	return snippetOf(p.Article, found)
}

// NewSilent returns a job that prints nothing.
func NewSilent() *job.Job {
	return &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}
}

// Order compares two pages for sorting, the better first.
func (p FoundPage) Order(q FoundPage) int {
	return cmp.Or(cmp.Compare(q.Score, p.Score), strings.Compare(p.URL, q.URL))
}
