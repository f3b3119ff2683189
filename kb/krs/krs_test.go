package krs

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/rdf"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/rdf/sparql/syntax"
	rdfsyntax "orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/nquads"
)

const prefixes = `PREFIX sfwc: <http://sfwcrawler.com/core#>
PREFIX nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#>
PREFIX itsrdf: <http://www.w3.org/2005/11/its/rdf#>
PREFIX dct: <http://purl.org/dc/terms/>
`

// say returns a document of words: "algol*2" is mentioned twice, "*algol" is not linked.
func say(id, words string) Document {
	d := Document{ID: id, Title: "About " + id}
	for word := range strings.FieldsSeq(words) {
		name, linked := strings.CutPrefix(word, "-")
		name, times, _ := strings.Cut(name, "*")
		n := Noun{Lemma: name, Tag: "NN"}
		if !linked {
			n.IRI = "http://kb.test/" + name
		}
		k, _ := strconv.Atoi(times)
		for range max(k, 1) {
			d.Nouns = append(d.Nouns, n)
		}
	}
	return d
}

func each(docs []Document) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// built returns a KRS of documents.
func built(tb testing.TB, docs, background []Document) *Store {
	tb.Helper()
	return build(tb, Plan{Topic: "topic", Documents: each(docs), Background: each(background)})
}

// build builds a KRS and opens it.
func build(tb testing.TB, p Plan) *Store {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "x.krs")
	db, err := openDatabase(dir, nil)
	if err != nil {
		tb.Fatal(err)
	}
	if err := Build(tb.Context(), db, dir, p); err != nil {
		tb.Fatal(err)
	}
	s, err := open(dir, p.Topic, nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	return s
}

// inMemory returns a KRS of documents in memory.
func inMemory(tb testing.TB, docs, background []Document) *Store {
	tb.Helper()
	s, err := open("x.krs", "topic", vfs.NewMem())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	for _, d := range docs {
		if err := s.Add(d); err != nil {
			tb.Fatal(err)
		}
	}
	for _, d := range background {
		if err := s.AddBackground(d); err != nil {
			tb.Fatal(err)
		}
	}
	return s
}

// empty returns a KRS without documents.
func empty(tb testing.TB) *Store {
	tb.Helper()
	s, err := open(filepath.Join(tb.TempDir(), "x.krs"), "topic", nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	return s
}

func compiled(tb testing.TB, s *Store, opts Options) *Snapshot {
	tb.Helper()
	c, err := s.Snapshot(opts)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// ask evaluates a SELECT query over a KRS and returns one line per row.
func ask(tb testing.TB, s *Store, query string) []string {
	tb.Helper()
	v, err := s.View()
	if err != nil {
		tb.Fatal(err)
	}
	defer v.Close()
	parsed, err := syntax.ParseQuery(prefixes+query, syntax.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	q, err := algebra.TranslateQuery(parsed)
	if err != nil {
		tb.Fatal(err)
	}
	res, err := eval.Query(tb.Context(), v, q, eval.Options{Magic: v.Magic()})
	if err != nil {
		tb.Fatal(err)
	}
	var lines []string
	for row, err := range res.Rows() {
		if err != nil {
			tb.Fatal(err)
		}
		var cells []string
		for _, t := range row {
			cells = append(cells, t.Value)
		}
		lines = append(lines, strings.Join(cells, " "))
	}
	slices.Sort(lines)
	return lines
}

// TestListings checks the paper's listings and its equation 6: "algol" is in 14 of 1151 documents.
func TestListings(t *testing.T) {
	var docs []Document
	for i := range 1151 {
		words := "-science machine"
		if i%80 == 3 && i < 80*14 {
			words += " algol*3"
		}
		docs = append(docs, say(fmt.Sprintf("http://en.wikipedia.test/wiki/%d", i), words))
	}
	s := built(t, docs, nil)
	for _, tc := range []struct{ name, query, want string }{
		{"listing 1", `SELECT (COUNT(DISTINCT ?doc) AS ?total) WHERE { ?s a sfwc:Entity . ?s nif:anchorOf "algol" . ?s sfwc:inDocument ?doc . }`, "14"},
		{"listing 1 with the URL that the text requires", `SELECT (COUNT(DISTINCT ?doc) AS ?total) WHERE { ?s a sfwc:Entity ; nif:anchorOf "algol" ; itsrdf:taIdentRef <http://kb.test/algol> ; sfwc:inDocument ?doc }`, "14"},
		{"listing 2", `SELECT (COUNT(DISTINCT ?doc) AS ?total) WHERE { ?doc a sfwc:Document . }`, "1151"},
		{"equation 6", `SELECT DISTINCT ?idf WHERE { ?s nif:anchorOf "algol" ; sfwc:idfValue ?i BIND(ROUND(?i * 100) AS ?idf) }`, "6.36E2"},
		{"a noun of every document", `SELECT DISTINCT ?idf WHERE { ?s nif:anchorOf "machine" ; sfwc:idfValue ?idf }`, "0"},
		{"entities by IDF", `SELECT (COUNT(*) AS ?n) WHERE { ?s sfwc:idfValue ?i FILTER(?i > 6) }`, "14"},
		{"what an entity is", `SELECT ?tag ?doc WHERE { ?s nif:anchorOf "algol" ; a nif:Word ; nif:posTag ?tag ; sfwc:inDocument ?doc . ?doc dct:title "About http://en.wikipedia.test/wiki/83" }`, "NN http://en.wikipedia.test/wiki/83"},
		{"the topic", `SELECT ?name (COUNT(*) AS ?n) WHERE { ?d sfwc:hasTopic ?t . ?t a sfwc:Topic ; dct:title ?name } GROUP BY ?name`, "topic 1151"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := strings.Join(ask(t, s, tc.query), "; "); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
	c := compiled(t, s, Options{})
	if got, ok := c.IDF(Key{"algol", "http://kb.test/algol"}); !ok || math.Abs(got-6.36) > 0.005 {
		t.Errorf("IDF %v, %v", got, ok)
	}
	if _, ok := c.IDF(Key{"algol", ""}); ok {
		t.Error("a noun of the same lemma without the IRI is another one")
	}
}

// TestSchema checks every property of Fig. 2 literally.
func TestSchema(t *testing.T) {
	s := empty(t)
	err := s.Add(Document{ID: "Atkins diet.txt", Title: "Atkins diet", Nouns: []Noun{
		{Lemma: "robert atkins", Tag: "NNP", Type: "PERSON", IRI: "http://kb.test/Atkins", Phrase: true},
		{Lemma: "appetite", Tag: "NN"}, {Lemma: "appetite", Tag: "NNS"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Add(say("http://d.test/a#b", "meal")); err != nil {
		t.Fatal(err)
	}
	want := `
<urn:krs:topic:topic> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://sfwcrawler.com/core#Topic> .
<urn:krs:topic:topic> <http://purl.org/dc/terms/title> "topic" .
<D> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://sfwcrawler.com/core#Document> .
<D> <http://purl.org/dc/terms/title> "Atkins diet" .
<D> <http://sfwcrawler.com/core#hasTopic> <urn:krs:topic:topic> .
<D#appetite> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://sfwcrawler.com/core#Entity> .
<D#appetite> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#Word> .
<D#appetite> <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#anchorOf> "appetite" .
<D#appetite> <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#posTag> "NN" .
<D#appetite> <http://sfwcrawler.com/core#inDocument> <D> .
<D#appetite> <http://sfwcrawler.com/core#idfValue> "1"^^<http://www.w3.org/2001/XMLSchema#double> .
<A> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://sfwcrawler.com/core#Entity> .
<A> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#Phrase> .
<A> <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#anchorOf> "robert atkins" .
<A> <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#posTag> "NNP" .
<A> <http://sfwcrawler.com/core#neTag> "PERSON" .
<A> <http://www.w3.org/2005/11/its/rdf#taIdentRef> <http://kb.test/Atkins> .
<A> <http://sfwcrawler.com/core#inDocument> <D> .
<A> <http://sfwcrawler.com/core#idfValue> "1"^^<http://www.w3.org/2001/XMLSchema#double> .
`
	const document = "urn:krs:document:Atkins%20diet.txt"
	want = strings.ReplaceAll(want, "<D", "<"+document)
	want = strings.ReplaceAll(want, "<A>", "<"+entityIRI(document, Key{"robert atkins", "http://kb.test/Atkins"})+">")
	got := exported(t, s)
	for line := range strings.Lines(strings.TrimSpace(want) + "\n") {
		at := slices.Index(got, strings.TrimSpace(line))
		if at < 0 {
			t.Errorf("lacks %s", line)
			continue
		}
		got = slices.Delete(got, at, at+1)
	}
	for _, line := range got {
		if !strings.Contains(line, "http://d.test/a#b") {
			t.Errorf("has %s", line)
		}
	}
}

// exported returns the quads of a KRS in N-Quads, sorted, including idfValue.
func exported(tb testing.TB, s *Store) (lines []string) {
	tb.Helper()
	v, err := s.View()
	if err != nil {
		tb.Fatal(err)
	}
	defer v.Close()
	for q, err := range v.Export() {
		if err != nil {
			tb.Fatal(err)
		}
		line := string(nquads.AppendQuad(nil, q))
		if _, err := readBack(line); err != nil {
			tb.Fatalf("%s: %v", line, err)
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	slices.Sort(lines)
	if len(slices.Compact(slices.Clone(lines))) != len(lines) {
		tb.Fatal("a quad comes twice")
	}
	return lines
}

// randomDocument returns a document of up to 30 mentions of about 60 nouns, with low numbers frequent.
func randomDocument(r *rand.Rand, id int) Document {
	d := Document{ID: fmt.Sprintf("http://d.test/%d", id), Title: fmt.Sprintf("title %d", r.IntN(5))}
	for range r.IntN(30) {
		n := r.IntN(1 + r.IntN(40))
		noun := Noun{Lemma: fmt.Sprintf("n%d", n), Tag: "NN", Phrase: n%5 == 0}
		if n%3 != 0 {
			noun.IRI = fmt.Sprintf("http://kb.test/%d", n+r.IntN(2)*100)
		}
		d.Nouns = append(d.Nouns, noun)
	}
	return d
}

// TestGrown: after any additions, replacements and removals, a KRS equals one built from its documents,
// exactly.
func TestGrown(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 8))
		s := empty(t)
		docs, back := map[int]Document{}, map[int]Document{}
		for range 60 {
			id := r.IntN(20)
			d := randomDocument(r, id)
			var err error
			switch _, has := docs[id]; {
			case r.IntN(4) == 0 && has:
				err = s.Remove(d.ID)
				delete(docs, id)
			case r.IntN(4) == 0:
				err = s.AddBackground(d)
				back[id] = d
			default:
				err = s.Add(d)
				docs[id] = d
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		other := built(t, values(docs), values(back))
		if got, want := exported(t, s), exported(t, other); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %d quads, a rebuild has %d", seed, len(got), len(want))
		}
		same(t, compiled(t, s, Options{}), compiled(t, other, Options{}))
		if got, want := s.state.Count, other.state.Count; got != want {
			t.Errorf("counts %+v, a rebuild has %+v", got, want)
		}
		reopened := reopen(t, s)
		same(t, compiled(t, reopened, Options{}), compiled(t, other, Options{}))
	}
}

func values(m map[int]Document) (all []Document) {
	for id := range 20 {
		if d, ok := m[id]; ok {
			all = append(all, d)
		}
	}
	return all
}

func reopen(t *testing.T, s *Store) *Store {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := open(s.dir, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	*s = *again
	return s
}

// same compares snapshots exactly.
func same(t *testing.T, a, b *Snapshot) {
	t.Helper()
	if a.documents != b.documents || a.background != b.background || len(a.keys) != len(b.keys) {
		t.Fatalf("N %d and %d, background %d and %d, nouns %d and %d", a.documents, b.documents, a.background, b.background, len(a.keys), len(b.keys))
	}
	for i, k := range a.keys {
		at, ok := b.index[k]
		if !ok || a.n[i] != b.n[at] || a.b[i] != b.b[at] || a.idf[i] != b.idf[at] || a.share[i] != b.share[at] {
			t.Errorf("noun %v differs", k)
		}
	}
	am, as := a.Moments(ByDocument)
	bm, bs := b.Moments(ByDocument)
	if am != bm || as != bs || math.Abs(a.calibration.Threshold-b.calibration.Threshold) > 1e-12 {
		t.Errorf("μ %v and %v, σ %v and %v, threshold %v and %v", am, bm, as, bs, a.calibration, b.calibration)
	}
	if a.digest != b.digest {
		// Numbers of nouns depend on the order of additions: only N and n have to agree.
		if len(a.corpus) != len(b.corpus) || len(a.others) != len(b.others) {
			t.Error("texts differ")
		}
	}
}

// TestMoments compares μ_C and σ with their definition, and the IDF of all entities with SPARQL's.
func TestMoments(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var docs []Document
	for i := range 40 {
		docs = append(docs, randomDocument(r, i))
	}
	s := built(t, docs, nil)
	c := compiled(t, s, Options{})
	var all []float64
	for _, line := range ask(t, s, `SELECT ?s ?i ?lemma ?ref WHERE { ?s a sfwc:Entity ; nif:anchorOf ?lemma ; sfwc:idfValue ?i OPTIONAL { ?s itsrdf:taIdentRef ?ref } }`) {
		cells := strings.Split(line, " ")
		value, err := strconv.ParseFloat(cells[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		k := Key{cells[2], cells[3]}
		if got, ok := c.IDF(k); !ok || got != value {
			t.Errorf("%v: %v, %v by SPARQL", k, got, value)
		}
		if k.Linked() {
			all = append(all, value)
		}
	}
	var sum, square float64
	for _, x := range all {
		sum += x
	}
	mean := sum / float64(len(all))
	for _, x := range all {
		square += (x - mean) * (x - mean)
	}
	deviation := math.Sqrt(square / float64(len(all)))
	if m, d := c.Moments(ByDocument); len(all) < 100 || math.Abs(m-mean) > 1e-9 || math.Abs(d-deviation) > 1e-9 {
		t.Errorf("μ %v σ %v, want %v %v of %d", m, d, mean, deviation, len(all))
	}
	st := c.Statistics(5)
	if st.Links != int64(len(all)) || len(st.Heaviest) != 5 || st.Documents != 40 || st.Low >= st.Mean {
		t.Errorf("%+v", st)
	}
}

// TestTouched: a document writes as many records to a KRS of 10 000 documents as to one of 100, with known
// nouns as with new ones.
func TestTouched(t *testing.T) {
	sizes := [...]int{100, 10_000}
	words := [...]string{"a b -c", "x -y z*4"}
	var written [len(sizes)][len(words)]int
	for i, documents := range sizes {
		var docs []Document
		for i := range documents {
			docs = append(docs, say(fmt.Sprintf("http://d.test/%d", i), "a b*2 -c"))
		}
		s := built(t, docs, nil)
		for j, words := range words {
			c := s.change()
			d := say("http://d.test/new", words)
			if err := errors.Join(c.add(d.ID, &d), c.seal(), s.writer.Discard()); err != nil {
				t.Fatal(err)
			}
			written[i][j] = int(c.b.Count())
			c.close()
		}
	}
	for j, words := range words {
		// The RDF store's sketches of distinct terms change less often as they grow.
		few, many := written[0][j], written[1][j]
		if t.Logf("%s: %d records of 100 documents, %d of 10 000", words, few, many); many > few || few-many > 20 {
			t.Error("they differ")
		}
	}
}

// TestHostile: the content of a document neither breaks the RDF nor merges two nouns.
func TestHostile(t *testing.T) {
	s := empty(t)
	d := Document{ID: "http://d.test/<a> b", Title: strings.Repeat("ü\xff", 5000)}
	for _, k := range []Key{
		{"", "http://kb.test/x"}, {strings.Repeat("x", 5000), ""}, {"a\x00b", ""}, {"\xff\xfe", ""}, {"a/b;c,d", ""}, {"a", ""},
		{"a", "http://kb.test/<x> \"y\""}, {"a", "no iri"}, {"a", "http://kb.test/" + strings.Repeat("y", 5000)}, {"a;0011223344556677", ""},
		{"\"\n\\", "urn:x:\\"},
	} {
		d.Nouns = append(d.Nouns, Noun{Lemma: k.Lemma, IRI: k.IRI, Tag: "\n", Type: "\x00"})
	}
	if err := s.Add(d); err != nil {
		t.Fatal(err)
	}
	exported(t, s)
	entities := ask(t, s, `SELECT ?s WHERE { ?s a sfwc:Entity ; sfwc:idfValue ?i }`)
	if int64(len(entities)) != s.state.Count.Entities || len(entities) != 7 {
		t.Errorf("%d entities, %d counted: %q", len(entities), s.state.Count.Entities, entities)
	}
	if c := compiled(t, s, Options{}); c.Judge(Mentions(d.Nouns)).Nouns != 7 {
		t.Error("a page is not read as a document is")
	}
	if err := s.Remove("http://d.test/<a> b"); err != nil {
		t.Fatal(err)
	}
	if left := exported(t, s); len(left) != 2 || s.state.Count != (counts{}) || s.state.Sums.M != 0 {
		t.Errorf("left %v, %+v", left, s.state)
	}
}

// readBack parses a line of N-Quads.
func readBack(line string) (q rdf.Quad, err error) {
	for q, err = range nquads.Read(strings.NewReader(line), rdfsyntax.Options{}) {
		if err != nil {
			return q, err
		}
	}
	return q, err
}

// Mentions is Snapshot.Mentions with lemmas as written.
func Mentions(nouns []Noun) []Mention {
	mentions, _ := gather(nouns, false)
	return mentions
}
