package ontology

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	kb "orbweaver/kb/ontology"
	"orbweaver/rdf"
)

// pageAt returns a page with a URL of its own.
func pageAt(n int, text string) *orbweaver.Page {
	p := page(text)
	p.URL = fmt.Sprintf("http://p.test/%d", n)
	return p
}

// taught returns a focus that learned pages of texts.
func taught(t testing.TB, opts Options, texts ...string) *Focus {
	t.Helper()
	f := focus(t, opts)
	teach(t, f, 0, texts...)
	return f
}

// teach judges and learns texts, as pages numbered from first.
func teach(t testing.TB, f *Focus, first int, texts ...string) {
	t.Helper()
	for i, s := range texts {
		p := pageAt(first+i, s)
		j, _ := judged(t, f, p)
		if _, err := f.Learn(t.Context(), orbweaver.Outcome{Page: p, Actual: j}); err != nil {
			t.Fatal(err)
		}
	}
}

func suggestions(t testing.TB, f *Focus) []orbweaver.Suggestion {
	t.Helper()
	all, err := f.Suggestions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// listed formats suggestions: kind, text, local names of entities, counts.
func listed(all []orbweaver.Suggestion) string {
	var out []string
	for _, s := range all {
		entities := kb.LocalName(s.Entity)
		if s.Other != "" {
			entities += "–" + kb.LocalName(s.Other)
		}
		out = append(out, fmt.Sprintf("%s %s (%s) %d", s.Kind, s.Text, entities, s.Count))
	}
	return strings.Join(out, "; ")
}

func TestSuggestions(t *testing.T) {
	three := func(s string) []string { return []string{s, s, s} }
	far := strings.Repeat("and ", window)
	for _, tc := range []struct {
		name  string
		texts []string
		want  string
	}{
		{"a word near an entity", three("a plane with wings"), "word wings (Airplane) 3"},
		{"a page counts once", three("wings, wings, plane: wings; wings"), "word wings (Airplane) 3"},
		{"two pages are too few", []string{"plane wings", "plane wings"}, ""},
		{"no stop words, numbers, entries, letters", three("plane which 1984 3d x plane, the pilot"), ""},
		{"as most often written", []string{"plane: wing", "plane: Wings", "the plane, Wings", "plane: Wings", "plane (wings)"}, "word Wings (Airplane) 5"},
		{"the tenth word is near", three("plane " + far[4:] + "wings"), "word wings (Airplane) 3"},
		{"the eleventh is not", three("plane " + far + "wings"), ""},
		{"before as behind", three("wings " + far[4:] + "plane"), "word wings (Airplane) 3"},
		{"not in another block", three("plane\n\nwings"), ""},
		{"a phrase, and not its words", three("plane: landing gear"), "word landing gear (Airplane) 3"},
		{"of three words, and no shorter", three("plane: black box recorder"), "word black box recorder (Airplane) 3"},
		{"a phrase with an entry in it", three("of plane spotters"), "word plane spotters (Airplane) 3"},
		{"no entry over and over", three("plane: vehicle vehicle; plane planes"), ""},
		{"no word over and over", three("plane: wings wings wings"), "word wings (Airplane) 3"},
		{"a word that often stands alone too", append(three("plane: landing gear"), "plane, gear", "plane, gear", "plane, gear"), "word gear (Airplane) 6; word landing gear (Airplane) 3"},
		{"no phrase over a comma", three("plane: landing, gear"), "word gear (Airplane) 3; word landing (Airplane) 3"},
		{"the nearest entity", []string{"plane and pilot, cap", "plane and pilot, cap", "pilot and plane, cap", "pilot of the plane; pilot, cap"}, "word cap (Pilot) 4"},
		{"no target, nothing to count", three("the pilot's wings"), ""},
		{"a pair without relation", three("the jet and its jet engine"), "pair Airplane – jet engine (Airplane–JetEngine) 3"},
		{"an abbreviation is a word of its own", append(three("plane with DNA"), "plane with dna", "plane with dna"), "word DNA (Airplane) 3"},
		{"a pair too far apart in the text", three("the jet " + far + " its jet engine"), ""},
		{"a pair that is related", three("the jet is a vehicle that transports"), ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			opts := options(t, kb.Total, "Airplane", "JetEngine")
			got := strings.Split(listed(suggestions(t, taught(t, opts, tc.texts...))), "; ")
			if slices.Sort(got); strings.Join(got, "; ") != tc.want { // another test checks the order
				t.Errorf("got  %q\nwant %s", got, tc.want)
			}
		})
	}
}

func TestSuggestionsAreBestFirst(t *testing.T) {
	opts := options(t, kb.Total, "Airplane")
	long := strings.Repeat("and ", 40*window)
	var texts []string
	for range 4 {
		texts = append(texts, "plane, wings, a tail, a plane; engineers", "plane with wings; engineers", "a plane, tents and engineers "+long)
	}
	f := taught(t, opts, texts...)
	// a tail is on the pages that say most of planes, wings on them and others, engineers on all there are
	want := "word tail (Airplane) 4; word wings (Airplane) 8; word engineers (Airplane) 12" // and no tents
	all := suggestions(t, f)
	if got := listed(all); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, s := range all {
		if len(s.ID) != 8 || len(s.Examples) != 3 || s.Error != 0 || s.On < s.Off || s.Score > 0 != (s.Text != "engineers") || !strings.HasPrefix(s.Examples[0], "http://p.test/") {
			t.Errorf("%+v", s)
		}
	}
	if again := suggestions(t, taught(t, opts, texts...)); fmt.Sprint(again) != fmt.Sprint(all) {
		t.Errorf("another time %v", again)
	}
}

// TestWordsOfAnyTextAreNotSuggested: words as frequent on other pages are no evidence for the target.
func TestWordsOfAnyTextAreNotSuggested(t *testing.T) {
	f := focus(t, options(t, kb.Total, "Airplane"))
	for i := range 400 {
		teach(t, f, 2*i, "often a plane with wings", "often the sea, with waves and fish")
	}
	if got := listed(suggestions(t, f)); got != "word wings (Airplane) 400" {
		t.Errorf("got %s, with %d pages for comparison", got, f.gaps.far)
	}
}

// TestSuggestionsAgainstTheDefinition compares counts on random texts with exact ones, without a sketch.
func TestSuggestionsAgainstTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	opts := options(t, kb.Total, "Airplane")
	f, truth := focus(t, opts), map[string]int64{}
	vocabulary := strings.Fields("plane vehicle pilot the of alpha beta gamma delta epsilon zeta")
	for i := range 300 {
		var words []string
		for range 12 {
			words = append(words, vocabulary[rng.IntN(len(vocabulary))])
		}
		teach(t, f, i, strings.Join(words, " "))
		if slices.Contains(words, "plane") {
			countNear(truth, words)
		}
	}
	for _, s := range f.gaps.wordsOf {
		if s.form == "" {
			continue
		}
		key := keyOf(s.form)
		if got := f.gaps.words.slots[f.gaps.words.find(key)].count; got != truth[s.form] {
			t.Errorf("%s: %d pages, counted %d", s.form, truth[s.form], got)
		}
		delete(truth, s.form)
	}
	for _, form := range slices.Sorted(maps.Keys(truth)) {
		if truth[form] > 1 {
			t.Errorf("%s: %d pages, not counted", form, truth[form])
		}
	}
}

// countNear counts the words and phrases of a page near its places.
func countNear(truth map[string]int64, words []string) {
	place := func(w string) bool { return w == "plane" || w == "vehicle" || w == "pilot" }
	near := func(i int) bool {
		for j := max(0, i-window); j <= min(len(words)-1, i+window); j++ {
			if place(words[j]) {
				return true
			}
		}
		return false
	}
	seen := map[string]bool{}
	for i := range words {
		some := false
		for j := i; j < len(words) && j < i+3 && words[j] != "the" && words[j] != "of"; j++ {
			some = some || near(j)
			if form := strings.Join(words[i:j+1], " "); some && !(j == i && place(form)) {
				seen[form] = true
			}
		}
	}
	for form := range seen { // integers: the order does not matter
		truth[form]++
	}
}

// keyOf returns the key of an English phrase.
func keyOf(form string) (key uint64) {
	for i, word := range strings.Split(strings.ToLower(form), " ") {
		if h := hashOfWord([]byte(word), true); i == 0 {
			key = h
		} else {
			key = fold(key, h)
		}
	}
	return key
}

func TestSingular(t *testing.T) {
	for _, tc := range []struct {
		plural, singular string
		english          bool
	}{
		{"wings", "wing", true}, {"bodies", "body", true}, {"engines", "engine", true}, {"classes", "classe", true},
		{"class", "class", true}, {"virus", "virus", true}, {"gas", "gas", true}, {"heroes", "heroes", true},
		{"gees", "gees", true}, {"wing", "wing", true}, {"wings", "wings", false}, {"s", "s", true}, {"ies", "ies", true},
	} {
		if hashOfWord([]byte(tc.plural), tc.english) != hashOf(tc.singular) {
			t.Errorf("%s is not the same as %s", tc.plural, tc.singular)
		}
	}
}

// crowd learns more words and pairs than there are slots.
func crowd(t testing.TB, f *Focus, first, pages int) {
	rng := rand.New(rand.NewPCG(10, uint64(first)))
	zipf := rand.NewZipf(rng, 1.1, 3, 1_000_000)
	for i := range pages {
		var b strings.Builder
		for range 10 {
			fmt.Fprintf(&b, "plane w%d w%d, the w%d jet engine or vehicle, ", zipf.Uint64(), zipf.Uint64(), zipf.Uint64())
		}
		teach(t, f, first+i, b.String())
	}
}

// TestSuggestionsAreBounded: a full sketch yields at most two hundred suggestions, each with its error.
func TestSuggestionsAreBounded(t *testing.T) {
	f := focus(t, options(t, kb.Total, "Airplane", "JetEngine"))
	crowd(t, f, 0, 600)
	all := suggestions(t, f)
	if len(all) != maxSuggestions || len(f.gaps.words.slots) != gapWords || f.gaps.words.floor == 0 {
		t.Fatalf("%d suggestions, %d words, floor %d", len(all), len(f.gaps.words.slots), f.gaps.words.floor)
	}
	ids, wrong := map[string]bool{}, 0
	for _, s := range all {
		if ids[s.ID] || s.Count-s.Error < minSupport || s.Error < 0 {
			t.Errorf("%+v", s)
		}
		ids[s.ID] = true
		if s.Error > 0 {
			wrong++
		}
	}
	if wrong == 0 {
		t.Error("a full sketch without an error")
	}
}

// TestHostileSurroundings: no page causes much work or memory use.
func TestHostileSurroundings(t *testing.T) {
	f := focus(t, options(t, kb.Total, "Airplane", "JetEngine"))
	for name, s := range map[string]string{
		"all places":        strings.Repeat("plane jet engine ", 50_000),
		"long words":        strings.Repeat("plane "+strings.Repeat("x", 5000)+" ", 100),
		"no spaces":         strings.Repeat("plane\u4e2d\u6587", 10_000),
		"broken characters": strings.Repeat("plane \xff\xfe\xe4 ", 10_000),
		"different words": func() string {
			var b strings.Builder
			for i := range 50_000 {
				fmt.Fprintf(&b, "plane w%d ", i)
			}
			return b.String()
		}(),
	} {
		near := f.prepare(page(s)).near
		if len(near.words) > maxNear || len(near.pairs) > maxPairs {
			t.Errorf("%s: %d words, %d pairs", name, len(near.words), len(near.pairs))
		}
		for _, n := range near.words {
			if n.end-n.start > maxForm || n.start >= n.end || int(n.end) > len(s) {
				t.Fatalf("%s: a form from %d to %d", name, n.start, n.end)
			}
		}
		teach(t, f, 0, s, s)
	}
}

// TestRestoredSuggestions: a restored focus that learns the same pages has the same state, byte for byte.
func TestRestoredSuggestions(t *testing.T) {
	opts := options(t, kb.Total, "Airplane", "JetEngine")
	f, g := focus(t, opts), focus(t, opts)
	crowd(t, f, 0, 200)
	model := snapshotOf(t, f)
	crowd(t, g, 5000, 10) // replaced by Restore
	if err := g.Restore(strings.NewReader(model)); err != nil || snapshotOf(t, g) != model {
		t.Fatalf("restored it is another, %v", err)
	}
	crowd(t, f, 200, 400)
	crowd(t, g, 200, 400)
	if snapshotOf(t, f) != snapshotOf(t, g) || fmt.Sprint(suggestions(t, f)) != fmt.Sprint(suggestions(t, g)) {
		t.Error("taught again it is another")
	}
	if len(f.gaps.words.slots) != gapWords || f.gaps.far != 0 || f.gaps.near != 600 {
		t.Errorf("nothing to compare: %d words, %d and %d pages", len(f.gaps.words.slots), f.gaps.near, f.gaps.far)
	}
}

// stateOf returns the encoded gap statistics.
func stateOf(g *gaps, o *kb.Ontology) []byte {
	var w stateWriter
	w.gaps(g, o)
	return w.b
}

func readGaps(b []byte, o *kb.Ontology) (*gaps, error) {
	r := stateReader{b: b}
	g := r.gaps(o, gapForm)
	return g, r.end()
}

// TestBadState: a truncated or modified state yields an error or another valid state; an error leaves the
// focus unchanged.
func TestBadState(t *testing.T) {
	opts := options(t, kb.Total, "Airplane", "JetEngine")
	f := taught(t, opts, randomText(rand.New(rand.NewPCG(11, 1)), 40)+"jet engine plane wings", "jet plane wings", "plane: jet engine")
	o := f.Ontology()
	state, before := stateOf(f.gaps, o), snapshotOf(t, f)
	if _, err := readGaps(state, o); err != nil {
		t.Fatal(err)
	}
	for n := range state {
		if _, err := readGaps(state[:n], o); !errors.Is(err, orbweaver.ErrDamaged) && !errors.Is(err, orbweaver.ErrForeign) {
			t.Fatalf("cut at %d: %v", n, err)
		}
		for _, c := range []byte{0, 1, 0x7f, 0x80, 0xff} {
			changed := bytes.Clone(state)
			changed[n] = c
			if g, err := readGaps(changed, o); err == nil {
				crowded := &Focus{opts: opts, gaps: g, idf: f.idf, decided: map[string]bool{}}
				crowded.now.Store(f.now.Load())
				suggestions(t, crowded)
				stateOf(g, o)
			}
		}
	}
	w := stateWriter{}
	for _, n := range []int64{3, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0} { // 3 pages, no masses and hosts, 1 word
		w.number(n)
	}
	w.key(7)
	for _, n := range []int64{3, 0, 3, 0} { // met on 3 pages, nearest on 3 to entity 0
		w.number(n)
	}
	w.text("x:y")
	if _, err := readGaps(w.b, o); !errors.Is(err, orbweaver.ErrForeign) || !strings.Contains(err.Error(), "x:y") {
		t.Errorf("an entity that is not known: %v", err)
	}
	if err := f.Restore(strings.NewReader(before[:len(before)-1])); !errors.Is(err, orbweaver.ErrDamaged) || snapshotOf(t, f) != before {
		t.Errorf("a snapshot that is cut: %v", err)
	}
}

// FuzzState decodes arbitrary states.
func FuzzState(f *testing.F) {
	o := example(f)
	made := taught(f, options(f, kb.Total, "Airplane", "JetEngine"), "plane: jet engine wings", "plane wings: jet engine", "plane wings")
	f.Add(stateOf(made.gaps, o))
	f.Fuzz(func(t *testing.T, b []byte) {
		if g, err := readGaps(b, o); err == nil {
			again, err := readGaps(stateOf(g, o), o)
			if err != nil || !bytes.Equal(stateOf(again, o), stateOf(g, o)) {
				t.Fatalf("%v", err)
			}
		}
	})
}

// FuzzLook examines arbitrary texts in any language.
func FuzzLook(f *testing.F) {
	f.Add("a plane with wings, a jet engine\n\nand a pilot", "en")
	f.Add("Flugzeug\u00adträger – plane 3.5 c++ \xff", "de")
	made := focus(f, options(f, kb.Total, "Airplane", "JetEngine"))
	f.Fuzz(func(t *testing.T, s, lang string) {
		p := page(s)
		p.Lang = lang
		p.Findings = made.prepare(p)
		for _, n := range made.findings(p).near.words {
			if n.start < 0 || n.start >= n.end || int(n.end) > len(s) || n.end-n.start > maxForm {
				t.Fatalf("%+v", n)
			}
		}
		if _, err := made.Learn(t.Context(), orbweaver.Outcome{Page: p}); err != nil {
			t.Fatal(err)
		}
	})
}

// label returns a triple that gives an entity a word.
func label(entity, word string) rdf.Quad {
	return rdf.Quad{S: rdf.NewIRI("http://example.org/" + entity), P: rdf.NewIRI("http://www.w3.org/2000/01/rdf-schema#label"), O: rdf.NewString(word)}
}
