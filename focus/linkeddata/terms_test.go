package linkeddata

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"orbweaver"
)

// learning returns a focus that learns terms.
func learning(t testing.TB) *Focus {
	t.Helper()
	return newFocus(t, func(o *Options) { o.Beyond.LearnTerms = true })
}

// listing returns a page in a language with links: "URL anchor".
func listing(lang string, links ...string) *orbweaver.Page {
	p := page("http://a.test/list")
	p.Lang = lang
	for _, l := range links {
		to, anchor, _ := strings.Cut(l, " ")
		p.Links = append(p.Links, orbweaver.Link{To: "http://a.test/" + to, Anchor: anchor, Origin: orbweaver.FromAnchor})
	}
	return p
}

// led teaches that a link of a page led to a document of a media type.
func led(t testing.TB, f *Focus, p *orbweaver.Page, url, mediaType string) []string {
	t.Helper()
	return learn(t, f, answer(follow(t, f, p, url).Request, mediaType))
}

// TestLearnedChance by hand: of the texts of three German links two led to RDF, so their share is (2 + ½)/(3 + 4) = 5/14.
// "daten" led there both times: (2 + 2·5/14)/(2 + 2) = 19/28. "kontakt" did not: (0 + 2·5/14)/(1 + 2) = 5/21.
func TestLearnedChance(t *testing.T) {
	l := newLearned()
	l.add([]string{"de:daten", "de:alle"}, true)
	l.add([]string{"de:daten"}, true)
	l.add([]string{"de:kontakt"}, false)
	for key, want := range map[string]float64{"de:daten": 19.0 / 28, "de:kontakt": 5.0 / 21} {
		if got := l.chance(&l.list[l.index[key]]); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", key, got, want)
		}
	}
	best, chance := l.best([]string{"de:kontakt", "de:daten", "de:unknown"})
	if best == nil || math.Abs(chance-19.0/28) > 1e-12 || best.why() != "daten (de): 2 of 2 links with it led to RDF" {
		t.Errorf("%+v, %v", best, chance)
	}
	if best, _ := l.best([]string{"de:alle", "fr:daten"}); best != nil {
		t.Errorf("%s: one link, or one of another language, is no evidence", best.key)
	}
}

// TestLearnedTerms: two links of German pages with „Daten“ led to RDF. A third link becomes R, with the score
// 2/3 + 1/3 of its chance, by reasons that add up; a link on a French page, and one whose pattern failed, do not.
func TestLearnedTerms(t *testing.T) {
	f := learning(t)
	p := listing("de", "1 Daten", "2 Daten", "3 Kontakt", "4 Daten", "5 Daten")
	waits := follow(t, f, p, "http://a.test/4")
	if waits.Class != ClassH || !slices.Contains(waits.Keys, "term:de:daten") {
		t.Fatalf("%+v", waits)
	}
	led(t, f, p, "http://a.test/3", "text/html")
	led(t, f, p, "http://a.test/1", "text/turtle")
	if stale := led(t, f, p, "http://a.test/2", "text/turtle"); !slices.Contains(stale, "term:de:daten") {
		t.Errorf("stale %v", stale)
	}
	j := f.Rerank(nil, waits)
	last := j.Reasons[len(j.Reasons)-1]
	if want := 2.0/3 + 19.0/28/3; j.Class != ClassR || math.Abs(j.Score-want) > 1e-12 || math.Abs(weight(j.Reasons)-j.Score) > 1e-12 {
		t.Errorf("%+v, want the score %v", j, want)
	}
	if last.Rule != RuleLearnedTerm || last.Evidence != "daten (de): 2 of 2 links with it led to RDF" {
		t.Errorf("%+v", last)
	}
	if q := follow(t, f, listing("fr", "6 Daten"), "http://a.test/6"); q.Class == ClassR {
		t.Errorf("%+v", q)
	}
	if q := follow(t, newFocus(t, nil), listing("de", "6 Daten"), "http://a.test/6"); strings.Contains(fmt.Sprint(q.Keys), termKey) {
		t.Errorf("without learn_terms: %v", q.Keys)
	}
}

// TestMisleadingTerms by hand: a listed term begins with the chance 0.57 of two links. After three that led to pages
// it is 1.14/5 = 0.228, but three links are too few; after four it is 1.14/6 = 0.19, and the term gives no class.
// A link that has an extension of RDF beside it stays R.
func TestMisleadingTerms(t *testing.T) {
	f := learning(t)
	p := listing("en", "1 about RDF", "2 about RDF", "3 about RDF", "4 about RDF", "5 about RDF", "6.rdf about RDF")
	for i := range 4 {
		if q := follow(t, f, p, "http://a.test/5"); q.Class != ClassR {
			t.Errorf("after %d: %+v", i, q)
		}
		led(t, f, p, fmt.Sprint("http://a.test/", i+1), "text/html")
	}
	q := follow(t, f, p, "http://a.test/5")
	if q.Class != ClassH || q.Score != scoreH || q.Reasons[0].Evidence != "rdf (anchor-term): 0 of 4 links with it led to RDF" {
		t.Errorf("%+v", q)
	}
	if q := follow(t, f, p, "http://a.test/6.rdf"); q.Class != ClassR {
		t.Errorf("%+v", q)
	}
}

// TestKeysOf: words of text by language, words of the address without one; no digits, no stop words, no repetitions.
func TestKeysOf(t *testing.T) {
	f := learning(t)
	r := f.reader()
	link := &orbweaver.Link{To: "http://a.test/daten/2024/x9/liste-der-orte.html", Anchor: "Alle Daten, alle 2024", Title: "the Daten"}
	want := []string{"de:alle", "de:daten", "de:the", "url:daten", "url:liste", "url:der", "url:orte"}
	if got := r.keysOf(link, "de-AT"); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	link.Origin = orbweaver.FromTriple
	if got := r.keysOf(link, "de"); got != nil {
		t.Errorf("a triple has the words %v", got)
	}
}

// TestLearnedBounds: a full vocabulary replaces what never led to RDF, and keeps the rest; languages beyond the
// bound have no words.
func TestLearnedBounds(t *testing.T) {
	l := newLearned()
	l.add([]string{"de:daten"}, true)
	for i := range maxLearned + 1000 {
		l.add([]string{fmt.Sprintf("de:junk%c%x", 'a'+i%26, i)}, false)
	}
	if len(l.list) != maxLearned || len(l.index) != maxLearned {
		t.Errorf("%d words, %d of them indexed", len(l.list), len(l.index))
	}
	if i, known := l.index["de:daten"]; !known || l.list[i].rdf != 1 {
		t.Error("a word that led to RDF is gone")
	}
	for i := range 100 {
		l.add([]string{fmt.Sprintf("%02d:word", i)}, true)
	}
	if len(l.langs) != maxLanguages {
		t.Errorf("%d languages", len(l.langs))
	}
}

// TestLearnedSnapshot: learned terms survive a snapshot to the byte, and one of the version before has none.
func TestLearnedSnapshot(t *testing.T) {
	f := learning(t)
	p := listing("de", "1 Daten", "2 Kontakt")
	led(t, f, p, "http://a.test/1", "text/turtle")
	led(t, f, p, "http://a.test/2", "text/html")
	var first, second bytes.Buffer
	if err := f.Snapshot(&first); err != nil {
		t.Fatal(err)
	}
	g := learning(t)
	if err := g.Restore(bytes.NewReader(first.Bytes())); err != nil {
		t.Fatal(err)
	}
	if err := g.Snapshot(&second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) || len(g.learned.list) == 0 {
		t.Fatalf("%d bytes, then %d, %d words: %v", first.Len(), second.Len(), len(g.learned.list), err)
	}
	var empty bytes.Buffer
	if err := newFocus(t, nil).Snapshot(&empty); err != nil {
		t.Fatal(err)
	}
	before := append([]byte{withoutTerms}, empty.Bytes()[1:empty.Len()-8]...) // eight counts of zero are new
	if err := g.Restore(bytes.NewReader(before)); err != nil || len(g.learned.list) != 0 {
		t.Errorf("a snapshot of the version before: %v, %d words", err, len(g.learned.list))
	}
}

// FuzzNoteLanguage: a Note of any bytes is refused or read as it was written.
func FuzzNoteLanguage(f *testing.F) {
	f.Add(note{fromHTML: true, lang: "de"}.bytes())
	f.Add([]byte{8, 0, 9, 'd'})
	f.Fuzz(func(t *testing.T, b []byte) {
		n, ok := readNote(b)
		if !ok || len(n.features) > 0 {
			return
		}
		if again, ok := readNote(n.bytes()); !ok || again.lang != n.lang || again.allowance != n.allowance {
			t.Errorf("%q: %+v, then %+v", b, n, again)
		}
	})
}
