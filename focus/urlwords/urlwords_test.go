package urlwords

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"orbweaver"
	"orbweaver/text"
)

func TestSpell(t *testing.T) {
	for url, want := range map[string]string{
		"http://a.test/wiki/Battle_of_Hastings.html": "wiki Battle of Hastings",
		"http://a.test/jetEngines-2024/A320.html":    "jet Engines A",
		"http://a.test/caf%C3%A9%20noir":             "café noir",
		"http://a.test/9072453318":                   "",
		"http://a.test/":                             "",
	} {
		if got := Spell(url); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}

func features(l Listed) (all []string) {
	new(Reader).each(l, func(b []byte, sides int) {
		if b[0] != '/' {
			all = append(all, string(b))
		}
	})
	return all
}

func TestFeatures(t *testing.T) {
	stemmer := text.NewStemmer("en")
	l := new(Reader).Read("http://a.test/wiki/Brachiosaurus_of_Africa.html", 0.25, stemmer)
	want := []string{"wiki", "brachiosauru", "wiki brachiosauru", "brac-", "-auru", "africa", "brachiosauru africa"}
	if got := features(l); !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if other := new(Reader).Read("http://a.test/wiki/Cheese.html", 0, stemmer); other.Place != l.Place || other.Place == place("http://a.test/Cheese.html") {
		t.Error("a place is a URL up to its last slash")
	}
}

// TestSign: three pages of worth .8, 0 and .4 were learned, so that the mean is (1.2+.2)/(3+1) = .35. "jet" is in the texts
// of the first and third: (1.2+2·.35)/(2+2) = .475. The first was requested by a URL with "jet": (.8+.7)/(1+2) = .5.
func TestSign(t *testing.T) {
	stemmer := text.NewStemmer("en")
	m := New()
	jet, other := m.Read("http://a.test/jet", 0.5, stemmer), m.Read("http://b.test/cheese", 0, stemmer)
	m.Meet(jet)
	m.Meet(other)
	m.Learn(jet, Lead{Alone: true}, "A jet, the jet.", stemmer, 0.8)
	m.Learn(other, Lead{Score: 0.3}, "Cheese.", stemmer, 0)
	m.Learn(Listed{}, Lead{None: true}, "Jets fly.", stemmer, 0.4)
	got := m.Sign(jet)
	want := Signs{Named: 1, Texts: logit(0.475) - logit(0.35), Led: logit(0.5) - logit(0.35), Best: "jet"}
	if math.Abs(got.Texts-want.Texts) > 1e-9 || math.Abs(got.Led-want.Led) > 1e-9 || got.Named != 1 || got.Best != "jet" {
		t.Errorf("%+v, want %+v", got, want)
	}
	if why, want := m.Why(got), "jet: in the texts of 2 pages worth 0.60, in the URLs of 1 worth 0.80"; why != want {
		t.Errorf("%s, want %s", why, want)
	}
	if !(m.Score(got) > m.Score(m.Sign(other))) || !(m.Raise(0.3, got) > 0.3) {
		t.Errorf("scores %v and %v, raised to %v", m.Score(got), m.Score(m.Sign(other)), m.Raise(0.3, got))
	}
	number := m.Sign(m.Read("http://a.test/9072453318", 0, stemmer))
	if !number.Silent || m.Score(number) != 0 || m.Raise(0.37, number) != 0.37 {
		t.Errorf("a number says %+v, scores %v", number, m.Score(number))
	}
	if none := m.Raise(0.37, Signs{}); math.Abs(none-0.37) > 1e-12 {
		t.Errorf("a URL that says nothing changes .37 to %v", none)
	}
}

// TestFit: with pseudo pages of .1, .2, .3, the bins have the means (1.5+.3)/6 = .3, .2 and (.9+0)/6 = .15 or so; the three
// violate the order and are pooled.
func TestFit(t *testing.T) {
	s := newScale(4)
	for range 3 {
		s.add(0, 0.5)
		s.add(2, 0)
		s.add(3, 0.8)
	}
	got := s.fit(func(bin int) float64 { return 0.1 * float64(bin+1) })
	pooled := (1.5 + 0.3 + 0.6 + 0 + 0.9) / (6 + 3 + 6)
	want := []float64{pooled, pooled, pooled, (2.4 + 1.2) / 6}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-12 {
			t.Fatalf("%v, want %v", got, want)
		}
	}
	for _, worth := range []float64{0.25, 0.3, 0.5} {
		if back := at(got, inverse(got, worth)*4-0.5); math.Abs(back-worth) > 1e-12 {
			t.Errorf("the score of worth %v is worth %v", worth, back)
		}
	}
}

func learned() *Model {
	m, stemmer := New(), text.NewStemmer("en")
	for _, url := range []string{"http://a.test/jetEngine", "http://a.test/Allosaurus", "http://b.test/cheese"} {
		m.Meet(m.Read(url, 0, stemmer))
	}
	m.Learn(m.Read("http://a.test/jetEngine", 0.5, stemmer), Lead{Alone: true}, "Jet engines.", stemmer, 0.7)
	m.Learn(m.Read("http://a.test/x", 0, stemmer), Lead{Score: 0.4}, "Cheese.", stemmer, 0.1)
	return m
}

func TestRestore(t *testing.T) {
	m := learned()
	state := m.Append(nil)
	again, err := Restore(state)
	if err != nil || !bytes.Equal(again.Append(nil), state) {
		t.Fatalf("%v, another state", err)
	}
	stemmer := text.NewStemmer("en")
	for _, one := range []*Model{m, again} {
		one.Learn(one.Read("http://b.test/cheese", 0, stemmer), Lead{Alone: true}, "A jet.", stemmer, 0.2)
	}
	if !bytes.Equal(again.Append(nil), m.Append(nil)) {
		t.Error("the restored model learns otherwise")
	}
	if none, err := Restore(New().Append(nil)); err != nil || none.Lists() {
		t.Errorf("%v, %v", none, err)
	}
	for i := range len(state) - 1 {
		if _, err := Restore(state[:i+1]); !errors.Is(err, orbweaver.ErrDamaged) {
			t.Fatalf("%d of %d bytes: %v", i+1, len(state), err)
		}
	}
}

func FuzzRestore(f *testing.F) {
	f.Add(learned().Append(nil))
	f.Fuzz(func(t *testing.T, state []byte) {
		m, err := Restore(state)
		if err != nil || !m.Lists() {
			return
		}
		s := m.Sign(m.Read("http://a.test/jet-engine", 1, text.NewStemmer("en")))
		for _, score := range []float64{m.Score(s), m.Raise(0.5, s)} {
			if score != score || score < 0 || score > 1 {
				t.Fatalf("score %v of %+v", score, s)
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add(new(Reader).Read("http://a.test/wiki/Jet_engine", 0.5, text.NewStemmer("en")).Append(nil), "http://a.test/déjà_vu")
	f.Fuzz(func(t *testing.T, b []byte, url string) {
		if l, _, ok := Parse(b); ok {
			features(l)
			again, rest, ok := Parse(l.Append(nil))
			if !ok || len(rest) > 0 || !bytes.Equal(again.words, l.words) || again.Named != l.Named {
				t.Fatalf("%+v became %+v", l, again)
			}
		}
		l := new(Reader).Read(url, 0.5, text.NewStemmer("en"))
		if again, _, ok := Parse(l.Append(nil)); !ok || !reflect.DeepEqual(features(again), features(l)) {
			t.Fatalf("%q: %+v became %+v", url, l, again)
		}
	})
}

// TestAdd: what models learned of parts of the pages adds up to what one learns of all, if all know the list.
func TestAdd(t *testing.T) {
	stemmer := text.NewStemmer("en")
	urls := []string{"http://a.test/jet_engines", "http://a.test/cheese", "http://b.test/plane-spotting", "http://b.test/brachiosaurus"}
	learned := func(of func(i int) bool) *Model {
		m := New()
		for _, url := range urls {
			m.Meet(m.Read(url, 0.5, stemmer))
		}
		for i := range 40 {
			if of(i) {
				m.Learn(m.Read(urls[i%4], 0, stemmer), Lead{Score: float64(i%10) / 10, None: i%5 == 0}, urls[i*7%4]+" jet plane", stemmer, float64(i%3)/2)
			}
		}
		return m
	}
	whole := learned(func(int) bool { return true })
	sum := learned(func(i int) bool { return i%3 == 0 })
	before := sum.Append(nil)
	for k := range 2 {
		sum.Add(learned(func(i int) bool { return i%3 == k+1 }))
	}
	if sum.listed != 3*whole.listed || sum.pages != whole.pages || sum.worth != whole.worth || sum.squares != whole.squares || sum.next <= sum.pages {
		t.Errorf("%+v, want %+v", sum, whole)
	}
	if !reflect.DeepEqual(sum.links, whole.links) || !slices.Equal(sum.order, whole.order) {
		t.Errorf("links %v of %v, want %v of %v", sum.links, sum.order, whole.links, whole.order)
	}
	for name, want := range whole.features {
		if got := sum.features[name]; got.texts != want.texts || got.textWorth != want.textWorth || got.urls != want.urls || got.urlWorth != want.urlWorth || got.listed != 3*want.listed {
			t.Errorf("%q: %+v, want %+v", name, got, want)
		}
	}
	again, err := Restore(sum.Append(nil))
	if err != nil || !bytes.Equal(again.Append(nil), sum.Append(nil)) {
		t.Errorf("restored: %v", err)
	}
	if one, _ := Restore(before); one != nil {
		if one.Add(New()); one.pages != 14 || one.listed != 4 {
			t.Errorf("with one that met no list: %+v", one)
		}
	}
}
