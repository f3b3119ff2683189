package link

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/realdata"
	"orbweaver/text"
)

// An article is a page of the silver standard: what it links to are the entities it mentions, and where
// the anchors stand the mentions. Each entity is linked once or so.
type article struct {
	iri    string
	title  string
	doc    Document
	truths []Truth
	links  map[string]bool // all targets, also those of lists below the text
	held   bool            // out of what is learned: to measure on
}

// wikispeedia reads one of so many articles, and the others as titles alone.
func wikispeedia(tb testing.TB, one uint64) []article {
	tb.Helper()
	web, err := archive.OpenWeb([]string{realdata.File(tb, "wikispeedia.warc.gz")}, archive.WebOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	defer web.Close()
	var all []article
	for entry := range web.All() {
		a := article{iri: entry.URL}
		if chosen := mix(uint64(len(all))); chosen%one == 0 {
			answer, err := web.Fetch(context.Background(), orbweaver.Request{URL: entry.URL})
			if err != nil {
				tb.Fatal(err)
			}
			body, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			if err != nil {
				tb.Fatal(err)
			}
			a = read(entry.URL, body)
			a.held = chosen/one%5 == 0
		}
		a.title = title(tb, entry.URL)
		all = append(all, a)
	}
	return all
}

// title is that of an article by its address.
func title(tb testing.TB, address string) string {
	tb.Helper()
	_, name, _ := strings.Cut(address, "/wiki/")
	name, err := url.PathUnescape(strings.TrimSuffix(name, ".html"))
	if err != nil {
		tb.Fatal(err)
	}
	return strings.ReplaceAll(name, "_", " ")
}

// read takes an article apart: paragraphs are text, lists are links alone.
func read(address string, body []byte) article {
	a := article{iri: address, links: map[string]bool{}}
	base := address[:strings.LastIndexByte(address, '/')+1]
	z := html.NewTokenizer(bytes.NewReader(body))
	paragraph := false
	first, target := 0, ""
	for {
		switch z.Next() {
		case html.ErrorToken:
			return a
		case html.StartTagToken:
			t := z.Token()
			switch t.Data {
			case "p":
				paragraph = true
				a.doc.Sentences = append(a.doc.Sentences, len(a.doc.Words))
			case "a":
				target, first = base+t.Attr[0].Val, len(a.doc.Words)
				a.links[target] = true
			}
		case html.EndTagToken:
			switch t := z.Token(); {
			case t.Data == "p":
				paragraph = false
			case t.Data == "a" && paragraph && len(a.doc.Words) > first && target != address:
				a.truths = append(a.truths, Truth{first, len(a.doc.Words) - 1, target})
			}
		case html.TextToken:
			if s := string(z.Text()); paragraph {
				a.doc = cut(a.doc, html.UnescapeString(s))
			}
		}
	}
}

// cut is a plain tokenizer: words with hyphens and points within, signs alone, sentences where a point is
// followed by a capital.
func cut(doc Document, s string) Document {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if unicode.IsSpace(r) {
			i += n
			continue
		}
		end := i + n
		if letter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }; letter(r) {
			for end < len(s) {
				r, n := utf8.DecodeRuneInString(s[end:])
				next, _ := utf8.DecodeRuneInString(s[end+n:])
				if !letter(r) && !(strings.ContainsRune(".'-", r) && letter(next)) {
					break
				}
				end += n
			}
			if w := doc.Words; len(w) > 0 && w[len(w)-1] == "." && unicode.IsUpper(r) {
				doc.Sentences = append(doc.Sentences, len(w))
			}
		}
		doc.Words = append(doc.Words, s[i:end])
		i = end
	}
	return doc
}

func stopWord(word string) bool { return text.StopWord("en", []byte(word)) }

// titles is the gazetteer of all titles, and of the anchors of articles to learn from.
func titles(tb testing.TB, all []article, anchors bool) *Gazetteer {
	tb.Helper()
	b := Builder{Stop: stopWord}
	for _, a := range all {
		if err := b.Add(Label{Text: a.title, IRI: a.iri}); err != nil {
			tb.Error(err)
		}
		if !anchors || a.held { // those not read have no anchors
			continue
		}
		for _, t := range a.truths {
			_ = b.Add(Label{Text: strings.Join(a.doc.Words[t.First:t.Last+1], " "), IRI: t.IRI, Kind: Alternative})
		}
	}
	g, err := b.Build()
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// trained is a gazetteer with what articles tell that are not held out.
func trained(tb testing.TB, g *Gazetteer, all []article) *Gazetteer {
	tb.Helper()
	trainer := NewTrainer(g)
	for _, a := range all {
		if !a.held && a.links != nil {
			trainer.Describe(a.iri, a.doc)
			trainer.Learn(a.doc, a.truths)
		}
	}
	g, err := trainer.Gazetteer()
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// A tally is how right a linker was.
type tally struct {
	pairs, rightPairs, truePairs, foundPairs int // page and entity; found: of those in the text
	strict, rightStrict                      int // mentions that overlap an anchor, and are of its entity
	anchors, foundAnchors                    int // anchors linked to their entity, at their place
	tokens                                   int
}

func (t tally) String() string {
	return fmt.Sprintf("pairs P %.3f R %.3f; on anchors P %.3f R %.3f (%d pairs, %d anchors)", t.precision(), t.recall(),
		float64(t.rightStrict)/float64(t.strict), float64(t.foundAnchors)/float64(t.anchors), t.pairs, t.anchors)
}

func measure(g *Gazetteer, all []article, confidence float64) (t tally) {
	l := NewLinker(g, Options{Confidence: confidence})
	for _, a := range all {
		if a.held {
			t.add(a, l.Link(a.doc))
			t.tokens += len(a.doc.Words)
		}
	}
	return t
}

func (t *tally) add(a article, mentions []Mention) {
	seen := map[string]bool{}
	for _, m := range mentions {
		if m.IRI != a.iri && !seen[m.IRI] { // an article does not link to itself
			seen[m.IRI] = true
			t.pairs++
			if a.links[m.IRI] {
				t.rightPairs++
			}
		}
		for _, truth := range a.truths {
			if m.First <= truth.Last && truth.First <= m.Last {
				t.strict++
				if m.IRI == truth.IRI {
					t.rightStrict++
				}
			}
		}
	}
	var inText []string
	for _, truth := range a.truths {
		t.anchors++
		if slices.ContainsFunc(mentions, func(m Mention) bool {
			return m.IRI == truth.IRI && m.First <= truth.Last && truth.First <= m.Last
		}) {
			t.foundAnchors++
		}
		inText = append(inText, truth.IRI)
	}
	slices.Sort(inText)
	for _, iri := range slices.Compact(inText) {
		t.truePairs++
		if seen[iri] {
			t.foundPairs++
		}
	}
}

func (t tally) precision() float64 { return float64(t.rightPairs) / float64(t.pairs) }
func (t tally) recall() float64    { return float64(t.foundPairs) / float64(t.truePairs) }

// A setting is a gazetteer to measure, and the least precision and recall by pairs of it at confidence
// 0.5, an eighth of the articles being known.
type setting struct {
	name              string
	gazetteer         *Gazetteer
	precision, recall float64
}

func settings(tb testing.TB, all []article) []setting {
	tb.Helper()
	plain := titles(tb, all, false)
	return []setting{
		{"titles", plain, 0.58, 0.60},
		{"titles, trained", trained(tb, plain, all), 0.71, 0.58},
	}
}

// TestSilver measures on a part of the articles; BenchmarkSilver on all of them.
func TestSilver(t *testing.T) {
	all := wikispeedia(t, 8)
	for _, s := range settings(t, all) {
		for _, confidence := range []float64{0.3, 0.5, 0.8} {
			m := measure(s.gazetteer, all, confidence)
			t.Logf("%-28s confidence %.1f: %v", s.name, confidence, m)
			if confidence == 0.5 && (m.precision() < s.precision || m.recall() < s.recall) {
				t.Errorf("%s: precision %.3f and recall %.3f, at least %.3f and %.3f are wanted", s.name,
					m.precision(), m.recall(), s.precision, s.recall)
			}
		}
	}
}

func BenchmarkSilver(b *testing.B) {
	all := wikispeedia(b, 1)
	anchors := setting{name: "titles and anchors, trained", gazetteer: trained(b, titles(b, all, true), all)}
	for _, s := range append(settings(b, all), anchors) {
		for _, confidence := range []float64{0.3, 0.5, 0.8} {
			b.Run(fmt.Sprintf("%s/%.1f", strings.ReplaceAll(s.name, ", ", "+"), confidence), func(b *testing.B) {
				var m tally
				for b.Loop() {
					m = measure(s.gazetteer, all, confidence)
				}
				b.Log(m)
				b.ReportMetric(float64(m.tokens)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtokens/s")
			})
		}
	}
}
