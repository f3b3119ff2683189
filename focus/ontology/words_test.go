package ontology

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/focus/inlinks"
	kb "orbweaver/kb/ontology"
)

// stemList encodes stems.
func stemList(list ...string) (s stems) {
	for _, stem := range list {
		s = s.add(0, []byte(stem))
	}
	return s
}

// strings decodes stems.
func (s stems) strings() (list []string) {
	for stem := range s.all() {
		list = append(list, string(stem))
	}
	return list
}

// noted returns a waiting request with one page's link and words to it.
func noted(rank float64, list ...string) orbweaver.Proposal {
	one := inlinks.One(rank)
	return orbweaver.Proposal{
		Request: orbweaver.Request{URL: "http://p.test/x", Note: append(one.Append(nil), stemList(list...)...)},
		Judgement: orbweaver.Judgement{Score: one.Score(), Reasons: []orbweaver.Reason{
			{Rule: RulePage, Weight: rank}, one.Reason(),
		}},
	}
}

// TestLift checks (S + 2μ)/(N + 2) − μ against numbers computed by hand.
func TestLift(t *testing.T) {
	for _, tc := range []struct {
		name  string
		pages int64
		sum   float64
		mean  float64
		want  float64
	}{
		{"one good page is drawn two thirds of the way back", 1, 1, 0.25, 0.25},
		{"six count for three quarters", 6, 6, 0.2, 0.6},
		{"no better than the mean", 4, 1, 0.25, 0},
		{"worse than the mean is not punished", 4, 0, 0.5, 0},
	} {
		w := word{pages: tc.pages, sum: tc.sum}
		if got := w.lift(tc.mean); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestBestWord(t *testing.T) {
	ws := newWords()
	ws.learn(stemList("battl", "of", "hast"), 0.9)
	ws.learn(stemList("histori", "of", "chess"), 0.1)
	ws.learn(stemList("battl"), 0.8)
	for _, tc := range []struct{ anchor, want string }{
		{"", ""},
		{"unheard", ""},
		{"chess histori", ""},
		{"chess battl", "battl: 2 pages score 0.85"},
		{"of hast", "hast: 1 page scores 0.90"},
		{"of battl hast", "battl: 2 pages score 0.85"},
	} {
		best, lift := ws.best(stemList(strings.Fields(tc.anchor)...))
		got := ""
		if best != nil {
			got = best.why()
		}
		if got != tc.want || (lift > 0) != (best != nil) {
			t.Errorf("%q: %q, lift %v; want %q", tc.anchor, got, lift, tc.want)
		}
	}
	ws.learn(stemList("war", "peac"), 1)
	if best, _ := ws.best(stemList("peac", "war")); best.stem() != "peac" {
		t.Errorf("of equal words %q, not the first", best.stem())
	}
}

// TestSettled: from settled pages on, a page changes a word by less than a step, and somewhat earlier some
// change it by more.
func TestSettled(t *testing.T) {
	const mean = 0.0
	for _, tc := range []struct {
		pages int64
		moves bool
	}{{settled - 2, true}, {settled, false}, {10 * settled, false}} {
		before, after := word{pages: tc.pages}, word{pages: tc.pages + 1, sum: 1}
		if by := after.lift(mean) - before.lift(mean); (by > step) != tc.moves {
			t.Errorf("after %d pages one moves the word by %v", tc.pages, by)
		}
	}
}

func TestStale(t *testing.T) {
	ws := newWords()
	for i, tc := range []struct {
		words string
		score float64
		want  string
	}{
		{"the war", 0, ""},                // nothing is better than nothing
		{"the war", 1, ""},                // both are the mean
		{"the peac", 0, ""},               // peac is worse than the mean, the is the mean
		{"the battl", 1, "battl"},         // 2/3 − 1/2
		{"the battl war", 1, "battl war"}, // 0.2, by a thirtieth more; 0.04
		{"battl", 0.9, ""},                // 0.19
		{"battl", 0, "battl"},
	} {
		if got := strings.ReplaceAll(strings.Join(ws.learn(stemList(strings.Fields(tc.words)...), tc.score), " "), keyPrefix, ""); got != tc.want {
			t.Errorf("%d: %q is stale, want %q; %+v", i, got, tc.want, ws.list)
		}
	}
}

func TestKeys(t *testing.T) {
	ws := newWords()
	for range settled {
		ws.learn(stemList("the"), 0.5)
	}
	ws.learn(stemList("a", "b", "c", "d", "e"), 0.5)
	for _, tc := range []struct{ words, want string }{
		{"", ""},
		{"unheard", ""},
		{"the a", "word:a"},
		{"a b c d e", "word:a word:b word:c word:d"},
	} {
		if got := strings.Join(ws.appendKeys(nil, stemList(strings.Fields(tc.words)...)), " "); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.words, got, tc.want)
		}
	}
}

// TestWordsAreBounded: a full table learns no new words and continues to learn known ones.
func TestWordsAreBounded(t *testing.T) {
	ws := newWords()
	for i := range maxWords + 10 {
		ws.learn(stemList(fmt.Sprint("w", i)), 1)
	}
	last := []byte(fmt.Sprint("w", maxWords-1))
	if len(ws.list) != maxWords || len(ws.index) != maxWords || ws.find(last) == nil || ws.find([]byte(fmt.Sprint("w", maxWords))) != nil {
		t.Errorf("%d words are known", len(ws.list))
	}
	if ws.learn(stemList(string(last)), 1); ws.find(last).pages != 2 || ws.pages != maxWords+11 {
		t.Errorf("%+v of %d pages", ws.find(last), ws.pages)
	}
}

// TestMergeWords: the words of all links count, the score is their lift above the shrunk mean, and Merge does
// not modify its arguments.
func TestMergeWords(t *testing.T) {
	f := focus(t, options(t, kb.Total, "Airplane"))
	f.words.learn(stemList("battl"), 0.8)
	f.words.learn(stemList("chess"), 0)
	waiting, again := noted(0.3, "hast"), noted(0.6, "battl", "hast")
	waiting.Keys, again.Keys = []string{"word:hast"}, []string{"word:battl"}
	before := fmt.Sprint(waiting, again)
	merged := mergedBy(f, waiting, again)
	if after := fmt.Sprint(waiting, again); after != before {
		t.Errorf("Merge changed %s\ninto %s", before, after)
	}
	const mean, lift = 0.9 / 3, (0.8+2*0.4)/3 - 0.4
	if math.Abs(merged.Score-mean-lift) > 1e-12 || math.Abs(sum(merged.Reasons)-merged.Score) > 1e-12 {
		t.Errorf("score %v, want %v; reasons %v", merged.Score, mean+lift, merged.Reasons)
	}
	if last := merged.Reasons[len(merged.Reasons)-1]; last.Rule != RuleWords || last.Evidence != "battl: 1 page scores 0.80" {
		t.Errorf("reasons %v", merged.Reasons)
	}
	l, ok := parseNote(merged.Note)
	if !ok || l.Pages != 2 || !slices.Equal(l.stems.strings(), []string{"hast", "battl"}) {
		t.Errorf("noted %+v, %v", l, l.stems.strings())
	}
	if !slices.Equal(merged.Keys, waiting.Keys) {
		t.Errorf("waits under %v: the frontier knows it by %v", merged.Keys, waiting.Keys)
	}
	seed := orbweaver.Proposal{Judgement: orbweaver.Judgement{Score: 1}}
	if got := mergedBy(f, seed, again); got.Score != 1 || got.Note != nil {
		t.Errorf("a seed became %+v", got)
	}
	if got := f.Rerank(nil, seed); got.Score != 1 {
		t.Errorf("a seed ranked again scores %v", got.Score)
	}
}

func TestRerank(t *testing.T) {
	f := focus(t, options(t, kb.Total, "Airplane"))
	p := noted(0.4, "battl")
	for i, tc := range []struct {
		words string
		score float64
		want  float64 // 0.2 and the lift
	}{
		{"chess", 0, 0.2},
		{"battl", 1, 0.2 + (1+2*0.5)/3 - 0.5},
		{"battl", 0, 0.2 + (1+2*1./3)/4 - 1./3},
		{"chess", 1, 0.2},
	} {
		f.words.learn(stemList(tc.words), tc.score)
		p.Judgement = f.Rerank(nil, p)
		if math.Abs(p.Score-tc.want) > 1e-12 || math.Abs(sum(p.Reasons)-p.Score) > 1e-12 {
			t.Errorf("%d: score %v, want %v; reasons %v", i, p.Score, tc.want, p.Reasons)
		}
	}
}

// TestScoresStayInRange: for random words, ranks and outcomes a score is in 0..1 and the reasons add up to
// it.
func TestScoresStayInRange(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	f := focus(t, options(t, kb.Total, "Airplane"))
	draw := func() []string { return strings.Fields(randomText(rng, rng.IntN(6))) }
	for range 2000 {
		f.words.learn(stemList(draw()...), float64(rng.IntN(2)))
		p := mergedBy(f, noted(rng.Float64(), draw()...), noted(rng.Float64(), draw()...))
		if p.Score < 0 || p.Score > 1 || math.Abs(sum(p.Reasons)-p.Score) > 1e-12 {
			t.Fatalf("score %v, reasons %v", p.Score, p.Reasons)
		}
		if low := f.again(p.Judgement, note{Links: inlinks.Links{Pages: 1000, Sum: 999, Best: 1}, stems: stemList("jet")}); low.Score > 1 {
			t.Fatalf("score %v", low.Score)
		}
	}
}

func TestStems(t *testing.T) {
	many := strings.Fields("aa bb cc dd ee ff gg hh ii jj kk ll mm nn oo pp")
	for _, tc := range []struct {
		name, lang string
		anchors    []string
		want       []string
	}{
		{"none", "en", []string{""}, nil},
		{"stems, each once", "en", []string{"Battles of the battle"}, []string{"battl", "of", "the"}},
		{"of all links to the target", "en", []string{"Hastings", "battle of Hastings"}, []string{"hast", "battl", "of"}},
		{"in the page's language", "de", []string{"Die Schlachten"}, []string{"die", "schlacht"}},
		{"the possessive is no word", "en", []string{"Hobson's 's"}, []string{"hobson"}},
		{"sixteen", "en", []string{strings.Join(many, " ") + " qq"}, many},
		{"sixteen of all", "en", []string{strings.Join(many[:15], " "), "pp qq"}, many},
		{"no endless ones", "xx", []string{strings.Repeat("a", maxStem+1) + " " + strings.Repeat("b", maxStem)}, []string{strings.Repeat("b", maxStem)}},
	} {
		p := page("")
		p.Lang = tc.lang
		for _, anchor := range tc.anchors {
			p.Links = append(p.Links, orbweaver.Link{To: "http://p.test/x", Anchor: anchor},
				orbweaver.Link{To: "http://p.test/y", Anchor: "other"})
		}
		found := focus(t, options(t, kb.Total, "Airplane")).prepare(p)
		if got := found.stemsOf(0).strings(); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
		if got := found.stemsOf(1).strings(); !slices.Equal(got, []string{"other"}) && tc.lang == "en" {
			t.Errorf("%s: the other target has %q", tc.name, got)
		}
	}
}

func TestForeignNotes(t *testing.T) {
	ours := noted(0.5, "battl").Note
	for _, tc := range []struct {
		name string
		note []byte
		want bool
	}{
		{"none", nil, false},
		{"ours", ours, true},
		{"without words", ours[:inlinks.Size], true},
		{"too short", ours[:inlinks.Size-1], false},
		{"cut off", ours[:len(ours)-1], false},
		{"an empty word", append(slices.Clone(ours), 0), false},
		{"a long word", append(append(slices.Clone(ours), maxStem+1), make([]byte, maxStem+1)...), false},
		{"too many words", append(slices.Clone(ours), bytes.Repeat([]byte{1, 'a'}, maxStems)...), false},
	} {
		if _, ok := parseNote(tc.note); ok != tc.want {
			t.Errorf("%s: %v", tc.name, ok)
		}
	}
}

func snapshotOf(tb testing.TB, f *Focus) string {
	tb.Helper()
	var b bytes.Buffer
	if err := f.Snapshot(&b); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

func FuzzNote(f *testing.F) {
	f.Add(noted(0.5, "battl").Note, "the Battle of Hastings")
	f.Add(noted(0.5).Note, "d\xe9j\xe0 vu")
	opts := options(f, kb.Total, "Airplane")
	f.Fuzz(func(t *testing.T, note []byte, anchor string) {
		focus := focus(t, opts)
		p := page("")
		p.Links = []orbweaver.Link{{To: "http://p.test/x", Anchor: anchor}}
		words := focus.prepare(p).stemsOf(0)
		if !words.valid() {
			t.Fatalf("%q: stems %q", anchor, words)
		}
		focus.words.learn(words, 1)
		focus.words.learn(nil, 0)
		again := noted(0.25, words.strings()...)
		waiting := noted(0.5)
		waiting.Note = note
		merged := mergedBy(focus, waiting, again)
		if _, ok := parseNote(note); ok {
			if l, ok := parseNote(merged.Note); !ok || !l.stems.valid() {
				t.Fatalf("merged into %+v", l)
			}
		}
		want := snapshotOf(t, focus)
		if err := focus.Restore(strings.NewReader(want)); err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		if got := snapshotOf(t, focus); got != want {
			t.Fatalf("restored %s, want %s", got, want)
		}
	})
}

func FuzzRestore(f *testing.F) {
	f.Add(wordsOnly(2, 1, word{key: "word:war", pages: 1, sum: 1, reported: 0.1}) + noGaps)
	f.Add(snapshotOf(f, taught(f, options(f, kb.Total, "Airplane"), "plane wings", "plane wings")))
	opts := options(f, kb.Total, "Airplane")
	f.Fuzz(func(t *testing.T, snapshot string) {
		focus := focus(t, opts)
		if focus.Restore(strings.NewReader(snapshot)) != nil {
			return
		}
		if err := focus.Restore(strings.NewReader(snapshotOf(t, focus))); err != nil {
			t.Fatalf("%s is not taken back: %v", snapshot, err)
		}
		if p := mergedBy(focus, noted(0.5, "war"), noted(0.5, "battl")); p.Score < 0 || p.Score > 1 {
			t.Fatalf("score %v", p.Score)
		}
	})
}

// BenchmarkSnapshot encodes the maximum number of words.
func BenchmarkSnapshot(b *testing.B) {
	f := focus(b, options(b, kb.Total, "Airplane"))
	for i := range maxWords {
		f.words.learn(stemList(fmt.Sprint("word", i)), 1/float64(i+1))
	}
	b.SetBytes(int64(len(snapshotOf(b, f))))
	for b.Loop() {
		if err := f.Snapshot(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
