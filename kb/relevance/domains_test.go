package relevance

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"orbweaver/internal/tier"
)

// leaveOut enables TestLeaveOneDomainOut, which takes a minute.
var leaveOut = flag.Bool("leave-one-domain-out", false, "choose the constants for each domain without it")

// world is the ontologies of the expansions, with shared preparation.
type world struct {
	name       string
	universe   universe
	background *Background
	classes    map[string]Class
	domains    map[string]*domain
}

// domain is one user's interest in one world.
type domain struct {
	name   string
	terms  []string
	pool   [3][]string
	marks  map[string]bool
	judge  *Judge
	read   map[string]candidate
	weight map[string]float64 // of a marked class: the number of pool classes it represents
}

func worlds(t testing.TB) (ws []*world, names []string) {
	names, interest := domains(t)
	marked := marks(t)
	for _, w := range []*world{{name: "few", universe: some(t)}, {name: "all", universe: all(t)}} {
		w.background, w.classes, w.domains = NewBackground(), map[string]Class{}, map[string]*domain{}
		for _, iri := range w.universe.IRIs() {
			w.classes[iri] = w.universe.Class(iri)
			w.background.Add(w.classes[iri])
		}
		for _, name := range names {
			w.domains[name] = w.domain(t, name, interest[name], marked[name])
		}
		ws = append(ws, w)
	}
	return ws, names
}

func (w *world) domain(t testing.TB, name string, iris []string, marks map[string]bool) *domain {
	var given []Class
	for _, iri := range iris {
		given = append(given, w.classes[iri])
	}
	judge, err := NewJudge(w.background, given)
	if err != nil {
		t.Fatal(err)
	}
	d := &domain{name, iris, w.universe.pool(iris), marks, judge, map[string]candidate{}, map[string]float64{}}
	for _, stratum := range d.pool {
		var seen []string
		for _, iri := range stratum {
			if _, ok := marks[iri]; ok {
				seen = append(seen, iri)
			}
		}
		for _, iri := range seen {
			d.weight[iri] = float64(len(stratum)) / float64(len(seen))
		}
	}
	return d
}

// marks returns the candidates judged as belonging by human readers, by domain.
func marks(t testing.TB) map[string]map[string]bool {
	content, err := os.ReadFile("testdata/marks.tsv")
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]map[string]bool{}
	for line := range strings.Lines(string(content)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 3 || f[2] != "yes" && f[2] != "no" {
			t.Fatalf("marks.tsv: %q", line)
		}
		if m[f[0]] == nil {
			m[f[0]] = map[string]bool{}
		}
		m[f[0]][f[1]] = f[2] == "yes"
	}
	return m
}

// expand runs an expansion of two stages; rejected classes lead nowhere.
func (w *world) expand(d *domain, needs support) []candidate {
	if d.judge.support != needs {
		d.judge.support, d.read = needs, map[string]candidate{}
	}
	var found []candidate
	at, done := map[string]int{}, map[string]bool{}
	starts := d.terms
	for range 2 {
		for _, s := range starts {
			done[s] = true
			for _, h := range w.universe.neighbours(s) {
				if _, ok := at[h.to]; ok || d.judge.given[h.to] {
					continue
				}
				c, ok := d.read[h.to]
				if !ok {
					class, known := w.classes[h.to]
					if !known {
						class = Class{IRI: h.to}
					}
					c = d.judge.candidate(&class, func(iri string) int { return len(w.classes[iri].Sub) })
					d.read[h.to] = c
				}
				at[h.to] = len(found)
				found = append(found, c)
			}
		}
		d.judge.together(found, at)
		starts = nil
		for i := range found {
			if iri := found[i].class.IRI; found[i].score.score >= Accept && !Top(iri) && !done[iri] {
				starts = append(starts, iri)
			}
		}
	}
	return found
}

// measure compares the classes accepted by an expansion with the marks, weighted.
func (w *world) measure(d *domain, needs support) (f figures) {
	accepted := map[string]bool{}
	for _, c := range w.expand(d, needs) {
		f.offered++
		if c.score.score >= Accept {
			f.accepted++
			accepted[c.class.IRI] = true
		}
	}
	for _, iri := range sorted(d.weight) {
		f.add(accepted[iri], d.marks[iri], d.weight[iri])
	}
	return f
}

type figures struct {
	right, wrong, missed float64
	accepted, offered    int
}

func (f figures) precision() float64 { return f.right / max(f.right+f.wrong, 1e-9) }
func (f figures) recall() float64    { return f.right / max(f.right+f.missed, 1e-9) }
func (f figures) f1() float64        { return 2 * f.right / max(2*f.right+f.wrong+f.missed, 1e-9) }

// report logs figures by domain and returns their means by world.
func report(t *testing.T, ws []*world, names []string, of func(w *world, domain string) figures) map[string][3]float64 {
	means := map[string][3]float64{}
	for _, w := range ws {
		var s [3]float64
		for _, name := range names {
			f := of(w, name)
			t.Logf("%s %-12s P %.2f R %.2f F1 %.2f accepted %d of %d", w.name, name, f.precision(), f.recall(), f.f1(), f.accepted, f.offered)
			for i, x := range []float64{f.precision(), f.recall(), f.f1()} {
				s[i] += x / float64(len(names))
			}
		}
		means[w.name] = s
		t.Logf("%s mean P %.3f R %.3f F1 %.3f", w.name, s[0], s[1], s[2])
	}
	return means
}

// TestDomains: on all domains the constants give the figures of the documentation.
func TestDomains(t *testing.T) {
	tier.Long(t, "reads all vocabularies")
	ws, names := worlds(t)
	means := report(t, ws, names, func(w *world, name string) figures { return w.measure(w.domains[name], supports()) })
	for name, least := range map[string][2]float64{"few": {0.93, 0.83}, "all": {0.86, 0.82}} {
		if got := means[name]; got[0] < least[0] || got[2] < least[1] {
			t.Errorf("%s: precision %.3f, F1 %.3f; want %v at least", name, got[0], got[2], least)
		}
	}
	t.Run("questions", func(t *testing.T) { questions(t, ws, names) })
}

// TestBaselines logs the figures of rules without text: subclasses and equivalents only, as in the paper's
// crawl, and everything within two steps.
func TestBaselines(t *testing.T) {
	tier.Long(t, "reads all vocabularies")
	ws, names := worlds(t)
	for _, w := range ws {
		var paper, any [3]float64
		for _, name := range names {
			d := w.domains[name]
			reached := map[string]bool{}
			starts := d.terms
			for range 2 {
				var next []string
				for _, s := range starts {
					for _, h := range w.universe.neighbours(s) {
						if (h.relation == "sub" || h.relation == "equivalent") && !reached[h.to] {
							reached[h.to] = true
							next = append(next, h.to)
						}
					}
				}
				starts = next
			}
			var p, a figures
			for _, iri := range sorted(d.weight) {
				p.add(reached[iri], d.marks[iri], d.weight[iri])
				a.add(true, d.marks[iri], d.weight[iri])
			}
			for i, f := range []figures{p, a} {
				to := []*[3]float64{&paper, &any}[i]
				to[0] += f.precision() / float64(len(names))
				to[1] += f.recall() / float64(len(names))
				to[2] += f.f1() / float64(len(names))
			}
		}
		t.Logf("%s: subclasses and equivalents P %.3f R %.3f F1 %.3f; everything P %.3f R %.3f F1 %.3f",
			w.name, paper[0], paper[1], paper[2], any[0], any[1], any[2])
		if means := paper; means[2] >= 0.70 {
			t.Errorf("%s: the paper's rule has F1 %.3f: judging gains nothing", w.name, means[2])
		}
	}
}

// add counts a class that represents a number of others.
func (f *figures) add(accepted, yes bool, weight float64) {
	switch {
	case accepted && yes:
		f.right += weight
	case accepted:
		f.wrong += weight
	case yes:
		f.missed += weight
	}
}

// plain is the support without what was added to it later.
func plain() support {
	s := supports()
	s.narrow, s.fades, s.joined = 0, 1, 0
	return s
}

// TestHalves chooses how much narrow classes gain on each half of the domains, from a grid, and computes the figures on the other half.
// Of choices that are equally good it takes the middle one.
func TestHalves(t *testing.T) {
	if !*leaveOut {
		t.Skip("takes a minute: -leave-one-domain-out")
	}
	ws, names := worlds(t)
	var tried []trial
	for _, narrow := range []float64{0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5} {
		for _, fades := range []float64{2, 3, 4, 5, 6, 8} {
			s := supports()
			s.narrow, s.fades = narrow, fades
			tried = append(tried, try(ws, names, s))
		}
	}
	tried = append(tried, try(ws, names, plain()))
	mean := func(one trial, half int, world string) (m [3]float64) {
		for i := half; i < len(names); i += 2 {
			f := one.has[names[i]][world]
			for k, x := range []float64{f.precision(), f.recall(), f.f1()} {
				m[k] += x * 2 / float64(len(names))
			}
		}
		return m
	}
	for half := range 2 {
		var chosen []trial
		most := 0.0
		for _, one := range tried {
			switch f1 := (mean(one, half, "few")[2] + mean(one, half, "all")[2]) / 2; {
			case f1 > most+1e-9:
				chosen, most = []trial{one}, f1
			case f1 > most-1e-9:
				chosen = append(chosen, one)
			}
		}
		one := chosen[len(chosen)/2]
		for _, w := range ws {
			before, after := mean(tried[len(tried)-1], 1-half, w.name), mean(one, 1-half, w.name)
			t.Logf("half %d says %+v (of %d as good); the other half, %s: P R F1 %.3f before, %.3f after", half, one.needs, len(chosen), w.name, before, after)
			if after[2] <= before[2] {
				t.Errorf("half %d, %s: no gain", 1-half, w.name)
			}
		}
	}
}

// TestLeaveOneDomainOut computes the figures of each domain with the first three constants chosen without it, from a grid, and
// without what was added to them later.
func TestLeaveOneDomainOut(t *testing.T) {
	if !*leaveOut {
		t.Skip("takes minutes: -leave-one-domain-out")
	}
	ws, names := worlds(t)
	var tried []trial
	for _, text := range []float64{0, 0.1, 0.2, 0.3, 0.4} {
		for _, general := range []float64{0, 0.05, 0.1, 0.15} {
			for _, need := range []float64{0.1, 0.15, 0.2, 0.25, 0.3, 0.35} {
				tried = append(tried, try(ws, names, support{need: need, text: text, general: general, fades: 1}))
			}
		}
	}
	if all := best(tried, ""); all.needs != plain() {
		t.Errorf("all domains say %+v", all.needs)
	}
	report(t, ws, names, func(w *world, name string) figures {
		without := best(tried, name)
		t.Logf("without %s: %+v", name, without.needs)
		return without.has[name][w.name]
	})
}

// trial holds the figures of some constants, by domain and world.
type trial struct {
	needs support
	has   map[string]map[string]figures
}

func try(ws []*world, names []string, needs support) trial {
	one := trial{needs, map[string]map[string]figures{}}
	for _, name := range names {
		one.has[name] = map[string]figures{}
		for _, w := range ws {
			one.has[name][w.name] = w.measure(w.domains[name], needs)
		}
	}
	return one
}

// means returns the means of precision and F1 over all domains but one, and both worlds.
func (one trial) means(left string) (precision, f1 float64) {
	n := 0.0
	for _, name := range sorted(one.has) {
		if name == left {
			continue
		}
		for _, world := range sorted(one.has[name]) {
			f := one.has[name][world]
			precision += f.precision()
			f1 += f.f1()
			n++
		}
	}
	return precision / n, f1 / n
}

// best returns the trial of highest precision among those with an F1 within .01 of the highest.
func best(tried []trial, left string) (chosen trial) {
	highest, most := 0.0, 0.0
	for _, one := range tried {
		_, f1 := one.means(left)
		highest = max(highest, f1)
	}
	for _, one := range tried {
		if p, f1 := one.means(left); f1 >= highest-0.01 && p > most {
			chosen, most = one, p
		}
	}
	return chosen
}

func sorted[V any](m map[string]V) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
