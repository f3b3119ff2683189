package search

import (
	"context"
	"fmt"
	"math"
)

// Parameters of BM25: saturation of term frequency, and length normalization.
const (
	k1 = 1.2
	b  = 0.75
)

// Options configure a search.
type Options struct {
	Limit   int                  // maximal number of hits; 0: 10
	Weights map[string]float64   // by field, 0 or above; default 1; 0 excludes the field
	Only    func(id uint64) bool // filter of documents; nil: all
}

// Results are the best hits.
type Results struct {
	Hits  []Hit // best first, equals by ID
	Total int   // number of matching documents
	Cut   bool  // a prefix of the query has more words or documents than were examined
}

// A Hit is a matching document.
type Hit struct {
	ID     uint64
	Score  float64
	Fields []string // fields with a match, in order of their first use in the index
}

// Search returns the documents that match a query, ranked by BM25F: the sum over its clauses of
//
//	idf · t / (k1 + t) · (k1 + 1),   t the sum over fields of weight · times / (1 - b + b · length / mean),
//
// with k1 = 1.2 and b = 0.75, idf = ln(1 + (N - n + ½) / (n + ½)), N documents, n of them with the word in any
// field, and the mean length over documents with the field. A phrase has the sum of its words' idf; if a word
// has several stems, n is that of the most frequent one, and their frequencies are added; a prefix counts at
// most once per field. A query of only forbidden words has no results.
//
// It reads the complete lists of all words. The error wraps ErrQuery for a query that Parse cannot make, and is
// the context's if that is done.
func (r Reader) Search(ctx context.Context, q Query, o Options) (Results, error) {
	if err := q.check(); err != nil {
		return Results{}, err
	}
	v, err := r.visit(ctx)
	if err != nil {
		return Results{}, err
	}
	k := ranking{visit: v, options: o, part: bm25}
	k.weigh()
	for _, c := range q.Clauses {
		k.add(c)
	}
	k.run()
	if err := v.close(); err != nil {
		return Results{}, err
	}
	return k.results(), nil
}

func (q Query) check() error {
	stems := 0
	for _, c := range q.Clauses {
		if len(c.Words) > maxPhrase {
			return fmt.Errorf("phrase of %d words, more than %d: %w", len(c.Words), maxPhrase, ErrQuery)
		}
		for _, w := range c.Words {
			stems += len(w.Stems)
			if w.Prefix && len(c.Words) > 1 {
				return fmt.Errorf("a phrase with the prefix %.80q: %w", w.Text, ErrQuery)
			}
		}
	}
	if len(q.Clauses) > maxClauses || stems > maxStems {
		return fmt.Errorf("query of %d words and phrases, %d stems, more than %d or %d: %w", len(q.Clauses), stems, maxClauses, maxStems, ErrQuery)
	}
	return nil
}

// A ranking collects the best documents of a query.
type ranking struct {
	*visit
	options Options
	part    func(k *ranking, l *leaf, entries []entry, number uint64, t *table) float64
	length  float64 // length of the query vector; 0: the score is no cosine

	weights [maxFields]float64
	norms   [maxFields]float64 // b / mean length
	leaves  []*leaf
	total   int
	best    top
}

// A leaf is a clause with its cursor.
type leaf struct {
	cursor
	need   Need
	fields uint32 // a bit for each field with a weight
	weight float64
	at     uint64
}

func (k *ranking) weigh() {
	for i, f := range k.totals.fields {
		w, ok := k.options.Weights[f.name]
		if !ok {
			w = 1
		}
		k.weights[i] = w
		if f.words > 0 {
			k.norms[i] = b * float64(f.docs) / float64(f.words)
		}
	}
	if k.options.Limit == 0 {
		k.options.Limit = 10
	}
	k.best.most = max(k.options.Limit, 0)
}

// add adds a clause.
func (k *ranking) add(c Clause) {
	l := &leaf{need: c.Need}
	for i, f := range k.totals.fields {
		if (c.Field == "" || c.Field == f.name) && k.weights[i] > 0 {
			l.fields |= 1 << i
		}
	}
	if len(c.Words) == 1 && c.Words[0].Prefix {
		l.cursor, l.weight = k.startsWith(c.Words[0].Text)
		k.leaves = append(k.leaves, l)
		return
	}
	var words []placed
	for _, w := range c.Words {
		p, idf := k.word(w.Stems)
		words = append(words, p)
		l.weight += idf
	}
	switch len(words) {
	case 0:
		return
	case 1:
		l.cursor = words[0]
	default:
		l.cursor = &phrase{words: words}
	}
	k.leaves = append(k.leaves, l)
}

// seek moves to the first document, from a number on, that has the clause in a weighted field.
func (l *leaf) seek(to uint64) uint64 {
	for l.at < to {
		l.at = l.cursor.seek(to)
		if l.at != none && l.in(l.cursor.found()) == 0 {
			to = l.at + 1
		}
	}
	return l.at
}

// in returns the weighted fields.
func (l *leaf) in(entries []entry) (fields uint32) {
	for _, e := range entries {
		fields |= 1 << e.field
	}
	return fields & l.fields
}

// run ranks all documents.
func (k *ranking) run() {
	var required, optional, forbidden []*leaf
	for _, l := range k.leaves {
		switch l.need {
		case Required:
			required = append(required, l)
		case Forbidden:
			forbidden = append(forbidden, l)
		default:
			optional = append(optional, l)
		}
	}
	for number, n := uint64(1), 0; k.err == nil; number, n = number+1, n+1 {
		if number = candidate(required, optional, number); number == none {
			return
		}
		if n%1024 == 0 && k.ctx.Err() != nil {
			k.fail(context.Cause(k.ctx))
			return
		}
		if !k.dead.has(number) && !hasAny(forbidden, number) {
			k.look(number)
		}
	}
}

// candidate returns the first document from a number on that has all required clauses or, without required
// clauses, an optional one.
func candidate(required, optional []*leaf, from uint64) uint64 {
	if len(required) > 0 {
		return together(required, from)
	}
	first := uint64(none)
	for _, l := range optional {
		first = min(first, l.seek(from))
	}
	return first
}

func hasAny(leaves []*leaf, number uint64) bool {
	for _, l := range leaves {
		if l.seek(number) == number {
			return true
		}
	}
	return false
}

// look ranks a document.
func (k *ranking) look(number uint64) {
	t := k.tableOf(number)
	if t == nil {
		return
	}
	id := t.id(number)
	if k.options.Only != nil && !k.options.Only(id) {
		return
	}
	k.total++
	score, fields := 0.0, uint32(0)
	for _, l := range k.leaves {
		if l.need != Forbidden && l.seek(number) == number {
			entries := l.cursor.found()
			score += l.weight * k.part(k, l, entries, number, t)
			fields |= l.in(entries)
		}
	}
	if k.length > 0 {
		score /= k.length * t.norm(number)
	}
	k.best.add(ranked{id, score, fields})
}

// bm25 is the score of a clause, before its weight.
func bm25(k *ranking, l *leaf, entries []entry, number uint64, t *table) float64 {
	sum := 0.0
	for _, e := range entries {
		if l.fields>>e.field&1 != 0 {
			sum += k.weights[e.field] * float64(e.times) / (1 - b + k.norms[e.field]*float64(t.length(number, e.field)))
		}
	}
	return sum / (k1 + sum) * (k1 + 1)
}

func (k *ranking) results() Results {
	r := Results{Total: k.total, Cut: k.cut}
	for _, d := range k.best.sorted() {
		h := Hit{ID: d.id, Score: d.score}
		for i, f := range k.totals.fields {
			if d.fields>>i&1 != 0 {
				h.Fields = append(h.Fields, f.name)
			}
		}
		r.Hits = append(r.Hits, h)
	}
	return r
}

// isWeight reports whether a number is a valid weight.
func isWeight(w float64) bool { return w > 0 && w < math.MaxFloat32 }
