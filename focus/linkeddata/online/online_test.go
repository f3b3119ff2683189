package online

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"orbweaver"
)

func link(to, anchor string, fired ...string) *Sight {
	return &Sight{
		Link:  &orbweaver.Link{To: to, Anchor: anchor, Origin: orbweaver.FromAnchor},
		Rules: fired, FromHTML: true, PageClass: H,
	}
}

// TestUntrained: before learning, links are ranked as by the rules, those of one class equally.
func TestUntrained(t *testing.T) {
	m := New(1, rules())
	values := map[Class][]float64{}
	for _, tc := range []struct {
		sight *Sight
		want  Class
	}{
		{link("http://a.test/a.rdf", "x", "extension"), R},
		{link("http://b.test/", "the turtle", "anchor-term", "path-term"), R},
		{link("http://a.test/staff/anna", "Anna", "html-link", "similar"), HR},
		{link("http://c.test/b.html?x=1", "", "similar", "html-extension"), HR},
		{link("http://a.test/about", "about us", "html-link"), H},
		{link("http://b.test/about.html", "rdf", "html-extension"), H},
		{link("http://b.test/about.xyz", "", "otherwise"), N},
	} {
		p := m.Predict(m.Features(nil, tc.sight), 0)
		if p.Class() != tc.want || math.Abs(p[tc.want]-0.9) > 1e-12 {
			t.Errorf("%s: %v, want %v at 0.9", tc.sight.Link.To, p, tc.want)
		}
		values[tc.want] = append(values[tc.want], p.Value())
	}
	for c, of := range values {
		if slices.Min(of) != slices.Max(of) {
			t.Errorf("%v: values %v are not one", c, of)
		}
	}
	if !(values[R][0] > values[HR][0] && values[HR][0] > values[H][0] && values[H][0] > values[N][0]) {
		t.Errorf("values %v", values)
	}
	if p := m.Predict(nil, 0); p != (Prediction{0.25, 0.25, 0.25, 0.25}) || p.Class() != R || p.Value() != 0.5 {
		t.Errorf("of nothing: %v", p)
	}
}

// TestSettle: the derivative is 0 at the result, and the outcome is more probable there.
func TestSettle(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		var b, z, back Prediction
		b[chance.IntN(classes)] = ruleOffset
		for c := range z {
			z[c] = chance.NormFloat64() * 4
		}
		v, y := 1.7*chance.Float64()+1e-6, Class(chance.IntN(classes))
		p := settle(b, z, v, y)
		for c := range back {
			back[c] = z[c] - v*p[c]
		}
		back[y] += v
		for c, again := range softmax(b, back) {
			if math.Abs(again-p[c]) > 1e-9 {
				t.Fatalf("b %v, z %v, v %g, %v: %v, and from there %v", b, z, v, y, p, softmax(b, back))
			}
		}
		if before := softmax(b, z)[y]; p[y] < before {
			t.Fatalf("%v was %g, is %g", y, before, p[y])
		}
	}
}

// TestMiss: files that are not there make others of their folder improbable, and leave those of their extension, name and type elsewhere
// what they were: R.
func TestMiss(t *testing.T) {
	m := New(1, rules())
	of := func(folder string, n int) []uint32 {
		s := link(fmt.Sprintf("http://a.test/%s/%d.jsonld", folder, n), "data", "extension")
		s.Link.Type = "application/ld+json"
		return m.Features(nil, s)
	}
	for n := range 20 {
		m.Miss(of("gone", n+10))
	}
	gone, there := m.Predict(of("gone", 99), 0), m.Predict(of("there", 99), 0)
	elsewhere := link("http://b.test/there/1.jsonld", "data", "extension")
	elsewhere.Link.Type = "application/ld+json"
	other := m.Predict(m.Features(nil, elsewhere), 0)
	if gone.Class() != N || there.Class() != R || other.Class() != R || other[R] < 0.85 {
		t.Errorf("gone %v, there %v, at another host %v", gone, there, other)
	}
	if m.Outcomes() != 20 {
		t.Errorf("%d outcomes", m.Outcomes())
	}
}

// TestFolding: URLs that differ in what varies between documents have one shape; others do not.
func TestFolding(t *testing.T) {
	m := New(1, nil)
	shape := func(url string) uint32 { return m.Features(nil, link(url, ""))[ofShape] }
	for _, tc := range []struct {
		a, b string
		same bool
	}{
		{"http://a.test/data/1", "http://a.test/data/about", true}, // the file name is not part of it
		{"http://a.test/data/1.ttl", "http://a.test/data/2.TTL", true},
		{"http://a.test/7/x.ttl", "http://a.test/1234/x.ttl", true},
		{"http://a.test/y2019/x", "http://a.test/y2024/x", true},
		{"http://a.test/3f2504e0-4f89-11d3/x", "http://a.test/00aa11bb-cc/y", true},
		{"http://a.test/data/1.ttl?x=1", "http://u@a.test/data/1.ttl", true},
		{"http://a.test/data/1.ttl", "http://a.test/data/1.html", false},
		{"http://a.test/data/1", "http://a.test/page/1", false},
		{"http://a.test/n3/x", "http://a.test/n4/x", false},
		{"http://a.test/x/", "http://b.test/x/", false},
		{"http://10.0.0.12/x/", "http://10.0.0.13/x/", false},
		{"http://a.test/facade/", "http://a.test/effaced/", false},
	} {
		if (shape(tc.a) == shape(tc.b)) != tc.same {
			t.Errorf("%s and %s: same is not %v", tc.a, tc.b, tc.same)
		}
	}
	hosts := m.Features(nil, link("http://www.a.co.uk:8080/x", ""))
	again := m.Features(nil, link("http://a.co.uk/y", ""))
	if hosts[ofHost] == again[ofHost] || hosts[ofDomain] != again[ofDomain] {
		t.Error("a domain is not that of its hosts")
	}
}

// TestFeatures: the features of any link are bounded, ascending and reproducible.
func TestFeatures(t *testing.T) {
	m := New(1, rules())
	long := strings.Repeat("many different words 12 éa ", 500)
	for i, w := range strings.Fields(long) {
		long += fmt.Sprint(w, i, " ")
	}
	many := []string{"extension", "anchor-term", "path-term", "similar", "html-link", "unknown"}
	for range 20 {
		many = append(many, fmt.Sprint("rule", len(many)))
	}
	for _, l := range []*orbweaver.Link{
		{},
		{To: "http://a.test/"},
		{To: "not a url"},
		{To: "://@:?&=&&%zz%4"},
		{To: "http://[::1]:80/a/b.nt.gz?a=1&b=2&c"},
		{To: "http://a.test/" + strings.Repeat("a/", 4000)},
		{To: "http://a.test/" + strings.Repeat("%41", 2000) + "?" + strings.Repeat("q=1&", 3000), Anchor: "\xff\xfe\x80", Title: long},
		{To: "http://a.test/x", Anchor: long, Context: long, Title: long, Rel: long, Type: long, Origin: orbweaver.FromTriple},
	} {
		s := &Sight{Link: l, Rules: many, PageClass: R, Vocabulary: true}
		f := m.Features(nil, s)
		if len(f) > MaxFeatures || len(f) < keys || !slices.Equal(f, m.Features(make([]uint32, 0, 200), s)) {
			t.Errorf("%.40q: %d features", l.To, len(f))
		}
		for i, code := range f[keys:] {
			if !valid(uint64(code)) || i > 0 && code <= f[keys+i-1] {
				t.Errorf("%.40q: %x behind %x", l.To, code, f[keys:][max(i-1, 0)])
			}
		}
		for c, p := range m.Predict(f, 0) {
			if !(p > 0) {
				t.Errorf("%.40q: P(%v) = %v", l.To, Class(c), p)
			}
		}
		m.Learn(f, N)
	}
	if f := New(2, rules()).Features(nil, usual()); slices.Equal(f, m.Features(nil, usual())) {
		t.Error("the seed decides nothing")
	}
}

// TestBesideLearning: features computed while the model learns are the same.
func TestBesideLearning(t *testing.T) {
	m := New(1, rules())
	want := m.Features(nil, usual())
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for range 200 {
				if !slices.Equal(want, m.Features(nil, usual())) {
					t.Error("other features")
				}
			}
		})
	}
	for _, e := range web(1, 200) {
		m.Learn(m.Features(nil, &e.sight), e.class)
	}
	readers.Wait()
	if n := testing.AllocsPerRun(100, func() { m.Predict(want, 0); m.Hope(want, 0) }); n > 0 {
		t.Errorf("a prediction allocates %g times", n)
	}
}

// TestWithRule: adding a rule later gives the same features as adding it at once.
func TestWithRule(t *testing.T) {
	m := New(1, rules())
	for _, rule := range []string{"similar", "html-link", "unknown"} {
		late := m.WithRule(m.Features(nil, link("http://a.test/x/y", "y", "html-link")), rule)
		once := m.Features(nil, link("http://a.test/x/y", "y", "html-link", rule))
		if !slices.Equal(late, once) || !slices.Equal(m.WithRule(late, rule), once) {
			t.Errorf("%s: %x\nat once: %x", rule, late, once)
		}
	}
	f := m.Features(nil, usual())
	for i := range 40 {
		f = m.WithRule(f, fmt.Sprint(i))
	}
	if len(f) > MaxFeatures {
		t.Errorf("%d features", len(f))
	}
	if m.WithRule(nil, "similar") != nil {
		t.Error("a rule of nothing")
	}
}

// TestStale: changed histories are reported by their requests' keys. Everything is reranked often while
// outcomes are surprising, and rarely afterwards.
func TestStale(t *testing.T) {
	m := New(1, rules())
	features := m.Features(nil, link("http://a.test/data/1", "x", "html-link"))
	mine := Keys(nil, features)
	elsewhere := Keys(nil, m.Features(nil, link("http://b.test/data/1", "x", "html-link")))
	named, all := 0, []int{}
	for i := 1; i <= 2048; i++ {
		stale := m.Learn(features, R)
		if slices.Contains(stale, "*") {
			all = append(all, i)
		}
		for _, key := range mine {
			if slices.Contains(stale, key) {
				named++
			}
		}
		for _, key := range elsewhere {
			if slices.Contains(stale, key) {
				t.Fatalf("outcome %d: another host's %s is stale", i, key)
			}
		}
		if i == 1 && named != len(mine) {
			t.Errorf("first outcome: %v of %v", stale, mine)
		}
	}
	if all[0] > 4 || len(all) < 5 || len(all) > 12 || all[len(all)-1]-all[len(all)-2] != mostOutcomes {
		t.Errorf("all is stale at %v", all)
	}
	if named != 2*countSteps {
		t.Errorf("%d of the keys %v were stale, want %d steps of the count each", named, mine, countSteps)
	}
	if m.Learn(nil, R) != nil || m.Learn(features, R+1) != nil || m.Outcomes() != 2048 {
		t.Error("learned from nothing")
	}
}

// TestUnrest: with equal surprises everything is reranked at each, and from the eighth on whenever they have
// grown by an eighth.
func TestUnrest(t *testing.T) {
	var u unrest
	var at []int
	for i := 1; i <= 30; i++ {
		if u.add(1) {
			at = append(at, i)
		}
	}
	if want := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 17, 20, 23, 26, 30}; !slices.Equal(at, want) {
		t.Errorf("ranked at %v, want %v", at, want)
	}
}

// TestRecomputed: a history is recomputed at its first eight outcomes, and four times per doubling.
func TestRecomputed(t *testing.T) {
	var at []uint64
	for n := uint64(1); n <= 40; n++ {
		if recomputed(n) {
			at = append(at, n)
		}
	}
	if want := []uint64{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40}; !slices.Equal(at, want) {
		t.Errorf("recomputed at %v, want %v", at, want)
	}
}

// TestBounded: histories beyond the bound are dropped, earlier ones continue.
func TestBounded(t *testing.T) {
	p := newPasts()
	for key := range uint32(maxPasts + 10) {
		p[ofHost].add(key, R)
	}
	if len(p[ofHost].list) != maxPasts || p[ofHost].of(maxPasts) != nil || !p[ofHost].add(0, N) {
		t.Errorf("%d histories", len(p[ofHost].list))
	}
}

// TestWhy: the reasons add up to the value, and name what was learned.
func TestWhy(t *testing.T) {
	m := New(1, rules())
	for _, e := range web(1, 300) {
		m.Learn(m.Features(nil, &e.sight), e.class)
	}
	named := map[string]bool{}
	for _, e := range web(2, 50) {
		reasons, sum := m.Why(&e.sight, 0), 0.0
		for _, r := range reasons {
			sum += r.Weight
			named[r.Rule+" "+r.Evidence] = true
		}
		if value := m.Predict(m.Features(nil, &e.sight), 0).Value(); math.Abs(sum-value) > 1e-9 {
			t.Errorf("%s: reasons add up to %v, not %v: %v", e.sight.Link.To, sum, value, reasons)
		}
		rest := 0.0
		if last := reasons[len(reasons)-1]; last.Rule == reasonRest {
			rest = last.Weight
		}
		if reasons[0].Rule != reasonRules || len(reasons) > maxReasons+2 || math.Abs(rest) > 0.5 {
			t.Errorf("%s: %v", e.sight.Link.To, reasons)
		}
	}
	for _, want := range []string{"shape a.test/data/*", "directory-word old", "anchor-word rdf", "rules anchor-term", "path /old/*"} {
		if !named[want] {
			t.Errorf("no reason for %q", want)
		}
	}
	if !slices.ContainsFunc(slices.Collect(maps.Keys(named)), func(s string) bool {
		return strings.HasPrefix(s, "shape-history a.test/data/*: R ")
	}) {
		t.Error("no reason names a history")
	}
	if got := New(1, rules()).Why(link("http://a.test/x", "", "html-link"), 0); len(got) != 1 || got[0].Evidence != "html-link" {
		t.Errorf("untrained: %v", got)
	}
}

// TestHope: where the rules failed at first, unknown links precede those of known low worth, until enough was
// seen of them.
func TestHope(t *testing.T) {
	m := New(1, rules())
	hope := func(s *Sight) float64 { return m.Hope(m.Features(nil, s), 0) }
	value := func(s *Sight) float64 { return m.Predict(m.Features(nil, s), 0).Value() }
	page := func(i int) *Sight { return link(fmt.Sprint("http://a.test/page/", i), "more", "html-link") }
	for i := range 12 {
		m.Learn(m.Features(nil, page(i)), H)
		m.Learn(m.Features(nil, link(fmt.Sprint("http://a.test/guide/", i), "about rdf", "anchor-term")), N)
	}
	elsewhere := link("http://b.test/dump.ttl", "all our data", "extension", "anchor-term")
	if hope(elsewhere) < hope(page(99)) {
		t.Errorf("hope of what is new is %g, of a page %g", hope(elsewhere), hope(page(99)))
	}
	guide := link("http://a.test/guide/99", "about rdf", "anchor-term")
	for _, s := range []*Sight{elsewhere, guide, page(99)} {
		if hope(s) <= value(s) || hope(s) > 1 {
			t.Errorf("%s: hope %g, value %g", s.Link.To, hope(s), value(s))
		}
	}
	if hope(guide) > hope(page(99)) {
		t.Errorf("hope of what failed twelve times is %g, of a page %g", hope(guide), hope(page(99)))
	}
	if m.Hope(nil, 0) != m.Predict(nil, 0).Value() {
		t.Error("hope of nothing")
	}
}

// TestClasses: names and classes correspond.
func TestClasses(t *testing.T) {
	for _, name := range []string{"N", "H", "HR", "R"} {
		if c, ok := ParseClass(name); !ok || c.String() != name {
			t.Errorf("%s is %v, %v", name, c, ok)
		}
	}
	if _, ok := ParseClass("X"); ok {
		t.Error("X is a class")
	}
}
