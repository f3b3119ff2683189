package search_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/internal/database/kv"
	"orbweaver/search"
	"orbweaver/text"
)

type quiet struct{}

func (quiet) Infof(string, ...any)         {}
func (quiet) Errorf(string, ...any)        {}
func (quiet) Fatalf(f string, args ...any) { panic(fmt.Sprintf(f, args...)) }

// on opens the index on a disk.
func on(tb testing.TB, fs vfs.FS) (kv.DB, *search.Store) {
	tb.Helper()
	opened, err := pebble.Open("db", &pebble.Options{FS: fs, Logger: quiet{}, FormatMajorVersion: pebble.FormatNewest})
	if err != nil {
		tb.Fatal(err)
	}
	db := kv.Over(opened)
	store, err := search.Open(db, []byte("F"))
	if err != nil {
		tb.Fatal(err)
	}
	return db, store
}

// A model is all documents, as their words, which are searched one by one.
type model map[uint64][]token

// A token is a word of a document.
type token struct {
	field, word, stem string
	place             int
}

// tokens reads a document as the package says that it is read.
func tokens(d search.Document) (all []token) {
	place := map[string]int{}
	var scanner text.Scanner
	var stemmers text.Stemmers
	for _, t := range d.Texts {
		stemmer := stemmers.Get(t.Lang)
		first := true
		for scanner.Reset(t.Text); scanner.Next(); first = false {
			if first || scanner.NewBlock() {
				place[t.Field]++
			}
			w := string(scanner.Word())
			all = append(all, token{t.Field, w, cmp.Or(stemmer.Stem(scanner.Word()), w), place[t.Field]})
			place[t.Field]++
		}
		stemmers.Put(t.Lang, stemmer)
	}
	return all
}

// times counts a clause in the fields of a document.
func times(all []token, c search.Clause) map[string]int {
	n := map[string]int{}
	for i, first := range all {
		ok := true
		for j, w := range c.Words {
			at := slices.IndexFunc(all, func(t token) bool { return t.field == first.field && t.place == first.place+j })
			if j == 0 {
				at = i
			}
			ok = ok && at >= 0 && (w.Prefix && strings.HasPrefix(all[at].word, w.Text) || !w.Prefix && slices.Contains(w.Stems, all[at].stem))
		}
		if !ok {
			continue
		}
		if n[first.field]++; c.Words[0].Prefix {
			n[first.field] = 1
		}
	}
	return n
}

// A corpus is a model, read and counted.
type corpus struct {
	read    model
	docs    map[string]int
	words   map[string]int
	weights map[string]float64
}

func (m model) corpus(weights map[string]float64) corpus {
	c := corpus{m, map[string]int{}, map[string]int{}, weights}
	for _, all := range m {
		for f, n := range lengthsOf(all) {
			c.docs[f]++
			c.words[f] += n
		}
	}
	return c
}

func lengthsOf(all []token) map[string]int {
	n := map[string]int{}
	for _, t := range all {
		n[t.field]++
	}
	return n
}

func (c corpus) weightOf(field string) float64 {
	if w, ok := c.weights[field]; ok {
		return w
	}
	return 1
}

// frequency is how many documents have a token.
func (c corpus) frequency(matches func(t token) bool) (n float64) {
	for _, all := range c.read {
		if slices.ContainsFunc(all, matches) {
			n++
		}
	}
	return n
}

// weigh is the idf of a clause.
func (c corpus) weigh(clause search.Clause) (sum float64) {
	for _, w := range clause.Words {
		n := 0.0
		if w.Prefix {
			n = c.frequency(func(t token) bool { return strings.HasPrefix(t.word, w.Text) })
		}
		for _, stem := range w.Stems {
			n = max(n, c.frequency(func(t token) bool { return t.stem == stem }))
		}
		sum += math.Log(1 + (float64(len(c.read))-n+0.5)/(n+0.5))
	}
	return sum
}

// score is what a clause adds to a document but for its idf, 0 if it is not there, and the fields it is in.
func (c corpus) score(all []token, clause search.Clause) (sum float64, fields []string) {
	lengths, found := lengthsOf(all), times(all, clause)
	for _, f := range []string{"title", "label", "text"} { // as they came into the index
		n := float64(found[f])
		if n == 0 || clause.Field != "" && clause.Field != f || c.weightOf(f) == 0 {
			continue
		}
		fields = append(fields, f)
		sum += c.weightOf(f) * n / (1 - 0.75 + 0.75*float64(lengths[f])*float64(c.docs[f])/float64(c.words[f]))
	}
	return sum / (1.2 + sum) * 2.2, fields
}

// search is the oracle: what Search says that it does, done document by document.
func (m model) search(q search.Query, weights map[string]float64) (hits []search.Hit) {
	c := m.corpus(weights)
	var idfs []float64
	for _, clause := range q.Clauses {
		idfs = append(idfs, c.weigh(clause))
	}
	mustHave := slices.ContainsFunc(q.Clauses, func(c search.Clause) bool { return c.Need == search.Required })
	for id, all := range c.read {
		h, wanted, unwanted := search.Hit{ID: id}, mustHave, false
		for i, clause := range q.Clauses {
			score, fields := c.score(all, clause)
			there := len(fields) > 0
			switch {
			case clause.Need == search.Forbidden:
				unwanted = unwanted || there
				continue
			case clause.Need == search.Required && !there:
				unwanted = true
			case there && !mustHave:
				wanted = true
			}
			h.Score += idfs[i] * score
			h.Fields = append(h.Fields, fields...)
		}
		if wanted && !unwanted {
			hits = append(hits, h)
		}
	}
	return ranked(hits)
}

// ranked orders hits, and the fields of each.
func ranked(hits []search.Hit) []search.Hit {
	order := []string{"title", "label", "text"}
	for i, h := range hits {
		slices.SortFunc(h.Fields, func(a, b string) int { return slices.Index(order, a) - slices.Index(order, b) })
		hits[i].Fields = slices.Compact(h.Fields)
	}
	slices.SortFunc(hits, func(a, b search.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return hits
}

// similar is the oracle of Similar.
func (m model) similar(terms []search.Term) (hits []search.Hit) {
	length := 0.0
	for _, t := range terms {
		length += t.Weight * t.Weight
	}
	for id, all := range m {
		n, fields := map[string]int{}, map[string][]string{}
		for _, t := range all {
			n[t.stem]++
			fields[t.stem] = append(fields[t.stem], t.field)
		}
		norm, dot, h := 0.0, 0.0, search.Hit{ID: id}
		for _, stem := range slices.Sorted(maps.Keys(n)) {
			w := 1 + math.Log(float64(n[stem]))
			norm += w * w
		}
		for _, t := range terms {
			if n[t.Stem] > 0 {
				dot += t.Weight * (1 + math.Log(float64(n[t.Stem])))
				h.Fields = append(h.Fields, fields[t.Stem]...)
			}
		}
		if dot > 0 {
			h.Score = dot / (math.Sqrt(length) * math.Sqrt(norm))
			hits = append(hits, h)
		}
	}
	return ranked(hits)
}

// The words of random documents, of which some stem alike, some have a prefix in common, and some are
// stop words.
func vocabulary() []string {
	return strings.Fields("run running runs runner river rivers the of and who house houses housing häuser haus " +
		"happy happiness happily star stars starry state 1.5 c++ s 北京 x y z plane planes object-oriented")
}

func randomText(r *rand.Rand, most int) string {
	var b strings.Builder
	words := vocabulary()
	for range r.IntN(most + 1) {
		b.WriteString(words[int(float64(len(words))*math.Pow(r.Float64(), 2))])
		b.WriteString([]string{" ", " ", " ", " ", ". ", "\n\n"}[r.IntN(6)])
	}
	return b.String()
}

func randomDocument(r *rand.Rand, ids uint64) search.Document {
	d := search.Document{ID: r.Uint64N(ids) << 50, Texts: []search.Text{{Field: "title", Text: randomText(r, 3)}}}
	for range r.IntN(3) {
		d.Texts = append(d.Texts, search.Text{Field: "label", Lang: []string{"", "en", "de", "tlh"}[r.IntN(4)], Text: randomText(r, 4)})
	}
	return search.Document{ID: d.ID, Texts: append(d.Texts, search.Text{Field: "text", Lang: []string{"", "de-AT"}[r.IntN(2)], Text: randomText(r, 30)})}
}

func randomQuery(r *rand.Rand) string {
	var b strings.Builder
	words := vocabulary()
	for range 1 + r.IntN(4) {
		b.WriteString([]string{"", "", "", "+", "-"}[r.IntN(5)])
		b.WriteString([]string{"", "", "", "label:", "title:", "nothing:"}[r.IntN(6)])
		w := words[r.IntN(len(words))]
		switch r.IntN(4) {
		case 0:
			b.WriteString(w[:1+r.IntN(min(4, len(w)))] + "*")
		case 1:
			b.WriteString(`"` + w + " " + words[r.IntN(len(words))] + `"`)
		default:
			b.WriteString(w)
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// compare asks an index some questions, and compares the answers with those of the model.
func (m model) compare(t *testing.T, r *rand.Rand, reader search.Reader, questions int) {
	t.Helper()
	for range questions {
		query := randomQuery(r)
		q, err := reader.Parse(query)
		if err != nil {
			t.Fatal(err)
		}
		o := search.Options{Limit: 1 + r.IntN(20)}
		if r.IntN(2) == 0 {
			o.Weights = map[string]float64{"title": 3, "label": float64(r.IntN(3))}
		}
		got, err := reader.Search(t.Context(), q, o)
		same(t, query, got, err, m.search(q, o.Weights), o.Limit, 1e-12)
	}
	v, err := reader.Vector(t.Context(), search.Text{Text: randomText(r, 20)}, 8)
	if err != nil {
		t.Fatal(err)
	}
	got, err := reader.Similar(t.Context(), v, search.Options{Limit: 15})
	same(t, fmt.Sprint(v), got, err, m.similar(v), 15, 1e-6)
}

// same compares hits, whose scores may be so far apart; what is nearer than that comes in any order.
func same(t *testing.T, query string, got search.Results, err error, want []search.Hit, limit int, off float64) {
	t.Helper()
	if err != nil || got.Total != len(want) || len(got.Hits) != min(limit, len(want)) || got.Cut {
		t.Fatalf("%s: %d hits of %d, cut %v, %v; not %d", query, len(got.Hits), got.Total, got.Cut, err, len(want))
	}
	for i, h := range got.Hits {
		at := slices.IndexFunc(want, func(w search.Hit) bool { return w.ID == h.ID })
		if at < 0 || math.Abs(want[at].Score-h.Score) > off || math.Abs(want[i].Score-h.Score) > off || !slices.Equal(want[at].Fields, h.Fields) {
			t.Fatalf("%s: hit %d is %v, not %v (%d)", query, i, h, want[i], at)
		}
		if i > 0 && (got.Hits[i-1].Score < h.Score || got.Hits[i-1].Score == h.Score && got.Hits[i-1].ID > h.ID) {
			t.Fatalf("%s: %v stands behind %v", query, h, got.Hits[i-1])
		}
	}
}

// change puts, replaces or deletes a document at random.
func change(t *testing.T, r *rand.Rand, w *search.Writer, m model) {
	t.Helper()
	d := randomDocument(r, 60)
	if r.IntN(4) == 0 {
		_, there := m[d.ID]
		if ok, err := w.Delete(d.ID); ok != there || err != nil {
			t.Fatalf("delete %d: %v, %v", d.ID, ok, err)
		}
		delete(m, d.ID)
		return
	}
	if err := w.Put(d); err != nil {
		t.Fatal(err)
	}
	m[d.ID] = tokens(d)
}

// stats compares what is counted.
func (m model) stats(t *testing.T, reader search.Reader) {
	t.Helper()
	s, err := reader.Stats()
	if err != nil || s.Documents != len(m) {
		t.Fatalf("%d documents, %v; not %d", s.Documents, err, len(m))
	}
	c := m.corpus(nil)
	for _, f := range s.Fields {
		if f.Documents != c.docs[f.Name] || int(f.Words) != c.words[f.Name] {
			t.Fatalf("%+v, not %d and %d", f, c.docs[f.Name], c.words[f.Name])
		}
	}
}
