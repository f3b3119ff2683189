package labels

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestTermsOfAnItem(t *testing.T) {
	nan := math.NaN()
	for _, tc := range []struct {
		name  string
		terms []Term
		want  string
	}{
		{"heaviest first", []Term{{"sea", 1}, {"ship", 3}, {"sky", 2}}, "ship sky sea"},
		{"equals by name", []Term{{"sky", 1}, {"sea", 1}, {"ship", 1}}, "sea ship sky"},
		{"each once, with its highest weight", []Term{{"sea", 1}, {"sky", 2}, {"sea", 3}}, "sea sky"},
		{"no more than so many", []Term{{"a", 5}, {"b", 4}, {"c", 3}, {"d", 2}, {"e", 1}}, "a b c d"},
		{"weights that are none", []Term{{"a", nan}, {"b", -1}, {"c", math.Inf(1)}, {"d", 1e-9}}, "d a b c"},
		{"no text, or too long for any", []Term{{"", 1}, {strings.Repeat("x", 257), 1}, {"sea", 1}}, "sea"},
		{"not UTF-8", []Term{{"se\xff", 1}, {"se\xfe", 2}}, "se\uFFFD"},
		{"none", nil, ""},
	} {
		it := Item{Terms: tc.terms}
		var got []string
		for _, term := range it.terms(4) {
			got = append(got, term.Text)
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestParameters(t *testing.T) {
	if err := Default().Check(); err != nil {
		t.Fatal(err)
	}
	wrong := Default()
	wrong.Terms, wrong.Alpha, wrong.HalfLife, wrong.Frequent.Leave = 1, math.NaN(), 0.5, 0
	_, err := New(wrong)
	if !errors.Is(err, ErrParameters) {
		t.Fatal(err)
	}
	for _, says := range []string{"terms 1", "alpha NaN", "halfLife 0.5", "frequent {0.001 0}"} {
		if !strings.Contains(err.Error(), says) {
			t.Errorf("%q is not said in: %v", says, err)
		}
	}
	for name, change := range map[string]func(*Parameters){
		"head": func(p *Parameters) { p.Head = 0 }, "items": func(p *Parameters) { p.Items = 0 },
		"support": func(p *Parameters) { p.Support = math.Inf(1) }, "common": func(p *Parameters) { p.Common.Enter = 0.9 },
		"prominence": func(p *Parameters) { p.Prominence.Leave = 0.9 }, "beta": func(p *Parameters) { p.Beta = 0.8 },
		"broader": func(p *Parameters) { p.Broader = 0 }, "margin": func(p *Parameters) { p.Margin = 0.3 },
		"apart": func(p *Parameters) { p.Apart = 0.3 }, "confidence": func(p *Parameters) { p.Confidence = -1 }, "confidence NaN": func(p *Parameters) { p.Confidence = math.NaN() },
		"together": func(p *Parameters) { p.Together = 0 }, "togetherShare": func(p *Parameters) { p.TogetherShare = 2 },
		"maxTerms": func(p *Parameters) { p.MaxTerms = 99 }, "maxPairs": func(p *Parameters) { p.MaxPairs = 1 << 30 },
	} {
		p := Default()
		change(&p)
		if err := p.Check(); !errors.Is(err, ErrParameters) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// taught returns a model of the worked example in docs/explanation/labels.md: ten items about animals, twenty about the
// weather.
func taught(t *testing.T) *Model {
	t.Helper()
	p := Default()
	p.Margin, p.Confidence, p.Support, p.Items, p.Head = 0, 0, 2, 2, 25
	p.Frequent, p.Common = Hysteresis{0.05, 0.05}, Hysteresis{0.5, 0.5}
	m := newModel(t, p)
	for range 4 {
		m.Learn(itemOf([]string{"animal", "dog", "bark"}))
	}
	for range 6 {
		m.Learn(itemOf([]string{"animal", "cat"}))
	}
	for range 2 {
		m.Learn(itemOf([]string{"cat", "whiskers"}))
	}
	for range 18 {
		m.Learn(itemOf([]string{"rain", "wind"}))
	}
	m.Learn(itemOf([]string{"whiskers", "bark"}))
	m.Learn(itemOf([]string{"whiskers"}))
	return m
}

// TestWorkedExample has numbers that can be checked by hand: of 32 items 10 have animal, 8 cat (6 with
// animal), 4 dog (all with animal), 5 bark (4 with dog and animal), 4 whiskers (2 with cat).
func TestWorkedExample(t *testing.T) {
	m := taught(t)
	if got := m.Count("cat", "animal"); got != 6 {
		t.Fatalf("cf(cat, animal) = %v", got)
	}
	for label, want := range map[string][]string{
		"animal":   nil,     // P(cat|animal) = 6/10 ≥ 0.4: neither is broader
		"cat":      nil,     // P(animal|cat) = 6/8, but see above
		"dog":      nil,     // P(animal|dog) = 1, but P(dog|animal) = 4/10 ≥ 0.4
		"whiskers": {"cat"}, // 2/4, and P(whiskers|cat) = 2/8
		"rain":     nil,     // 18 of 32 items: too common to be a label
		"bark":     nil,     // as dog
		"zebra":    nil,     // unknown
		"":         nil,     // no term
	} {
		if got := m.Broader(label); !slices.Equal(got, want) {
			t.Errorf("broader than %s: %v, want %v", label, got, want)
		}
	}
	var rules []string
	for _, r := range m.Rules() {
		rules = append(rules, r.String())
	}
	want := []string{
		"bark → animal (0.80)", "cat → animal (0.75)", "dog → animal (1.00)",
		"dog → bark (1.00)",
		"animal, … → cat (0.60)", "whiskers, … → cat (0.50)",
		"bark → dog (0.80)",
	}
	if !slices.Equal(rules, want) {
		t.Errorf("rules %q", rules)
	}
	item := func(terms ...string) Item { return itemOf(terms) }
	for _, tc := range []struct {
		name string
		it   Item
		want []Held
	}{
		{"a term that is a label", item("animal"), []Held{{"animal", ByTerm, 1}}},
		{"an Alpha rule, and no chain of rules", item("bark"), []Held{{"bark", ByTerm, 1}, {"animal", ByAlpha, 0.8}, {"dog", ByAlpha, 0.8}}},
		{"two of a Beta set", item("animal", "whiskers"), []Held{{"animal", ByTerm, 1}, {"whiskers", ByTerm, 1}, {"cat", ByBeta, 0.6}}},
		{"a broader label, one of a Beta set", item("whiskers", "zebra"), []Held{{"cat", ByBroader, 1}, {"whiskers", ByTerm, 1}}},
		{"nothing known", item("zebra"), []Held{}},
	} {
		if got := m.Classify(tc.it); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %+v", tc.name, got)
		}
	}
	got := m.Why(item("whiskers"), "cat")
	if why := []Proof{{Own: true, Together: 2, Chain: []string{"whiskers", "cat"}}}; !reflect.DeepEqual(got, why) {
		t.Errorf("why: %+v", got)
	}
	got = m.Why(item("animal", "whiskers"), "cat")
	if len(got) != 2 || !reflect.DeepEqual(got[0], Proof{
		Beta: []Evidence{{"animal", 0.6}, {"whiskers", 0.5}}, Together: 2, Of: 2, Chain: []string{"cat"},
	}) {
		t.Errorf("why: %+v", got)
	}
	if m.Why(item("bark"), "cat") != nil || m.Why(item("bark"), "rain") != nil || m.Holds(item("rain"), "rain") {
		t.Error("a label that the item has not, or that is none")
	}
}

func TestVersionMovesWithWhatIsInForce(t *testing.T) {
	m := taught(t)
	before := m.Version()
	if m.Learn(itemOf([]string{"new", "words"})); m.Version() != before {
		t.Error("terms that say nothing make a new version")
	}
	for range 3 {
		m.Learn(itemOf([]string{"bark"})) // P(animal|bark) = 4/8
	}
	if m.Version() == before || slices.Contains(held(m, itemOf([]string{"bark"})), "animal") {
		t.Error("a rule that fell is in force")
	}
}

// TestSameVersionSameLabels: classifications change only with the version.
func TestSameVersionSameLabels(t *testing.T) {
	for name, p := range regimes() {
		m, s := newModel(t, p), newStream(8, 14, p.Terms)
		var queries []Item
		for range 20 {
			queries = append(queries, itemOf(s.next()))
		}
		last := make([][]string, len(queries))
		stood, version := 0, m.Version()
		for range 300 {
			m.Learn(itemOf(s.next()))
			for i, it := range queries {
				names := held(m, it)
				if m.Version() == version && !slices.Equal(names, last[i]) {
					t.Fatalf("%s: version %d: %v, now %v", name, version, last[i], names)
				}
				last[i] = names
			}
			if m.Version() == version {
				stood++
			}
			version = m.Version()
		}
		if stood == 0 || stood == 300 {
			t.Errorf("%s: the version stood %d times of 300", name, stood)
		}
	}
}

// TestReadersTogether: any number of goroutines may read at once.
func TestReadersTogether(t *testing.T) {
	m := taught(t)
	want := m.Digest()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			it := itemOf([]string{"animal", "whiskers"})
			m.Classify(it)
			m.Why(it, "cat")
			m.Holds(it, "dog")
			m.Statistics()
			for range m.Quads() {
				continue
			}
			if m.Digest() != want {
				t.Error("reading changed the model")
			}
		})
	}
	group.Wait()
}

func TestLog(t *testing.T) {
	var b strings.Builder
	l := NewLog(&b, 3)
	at := time.Date(1987, 2, 26, 15, 1, 1, 0, time.UTC)
	m := newModel(t, small())
	for range 3 {
		it := itemOf([]string{"sea", "ship"})
		it.ID, it.At = "http://a.example/<1>", at
		if err := l.Add(m.Learn(it)); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Add([]Change{{Item: 4, Kind: OfRule, Subject: "a", Object: "b", Old: "beta", New: "alpha", P: 0.75}}); err != nil {
		t.Fatal(err)
	}
	first, rest, _ := strings.Cut(b.String(), "\n")
	if want := `{"item":1,"id":"http://a.example/<1>","at":"1987-02-26T15:01:01Z","kind":"term","subject":"sea","new":"term"}`; first != want {
		t.Errorf("first line %s", first)
	}
	if want := `{"item":4,"kind":"rule","subject":"a","object":"b","old":"beta","new":"alpha","p":0.75}` + "\n"; !strings.HasSuffix(rest, want) {
		t.Errorf("rest %s", rest)
	}
	latest := l.Latest()
	if lines := strings.Count(b.String(), "\n"); len(latest) != min(3, lines) || latest[len(latest)-1].Item != 4 {
		t.Errorf("of %d changes: %+v", lines, latest)
	}
	broken := NewLog(&full{100}, 2)
	err := broken.Add(latest)
	if !errors.Is(err, errFull) || len(broken.Latest()) != 2 || broken.Add(nil) == nil {
		t.Errorf("a full disk: %v, %d remembered", err, len(broken.Latest()))
	}
	if none := NewLog(nil, 0); none.Add(latest) != nil || len(none.Latest()) != 0 {
		t.Error("a log that is to keep nothing")
	}
}
