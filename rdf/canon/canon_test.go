package canon_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/canon"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/nquads"
)

// read returns the quads of lines in which "u:" stands for <urn:, ended by the next space.
func read(t testing.TB, lines string) []rdf.Quad {
	t.Helper()
	words := strings.Fields(lines)
	for i, w := range words {
		if strings.HasPrefix(w, "u:") {
			words[i] = "<urn:" + w[2:] + ">"
		}
	}
	text := strings.ReplaceAll(strings.Join(words, " "), " . ", " .\n")
	return rdftest.Collect(t, nquads.Read(strings.NewReader(text), syntax.Options{}))
}

func TestCanonical(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"nothing", ``, ``},
		{"lines are sorted, and stand once",
			`u:b u:p u:o . u:a u:p u:o . u:b u:p u:o .`,
			`u:a u:p u:o . u:b u:p u:o .`},
		{"nodes that their own statements tell apart",
			`_:x u:p "1" . _:y u:p "2" . u:a u:q _:x . u:a u:q _:y .`,
			`u:a u:q _:c14n0 . u:a u:q _:c14n1 . _:c14n0 u:p "1" . _:c14n1 u:p "2" .`},
		{"nodes that their neighbours tell apart",
			`u:a u:p _:e0 . u:a u:p _:e1 . _:e0 u:p _:e2 . _:e1 u:p _:e3 . _:e2 u:r _:e3 .`,
			`u:a u:p _:c14n2 . u:a u:p _:c14n3 . _:c14n1 u:r _:c14n0 . _:c14n2 u:p _:c14n0 . _:c14n3 u:p _:c14n1 .`},
		{"nodes that nothing tells apart",
			`_:x u:p _:y . _:y u:p _:x .`,
			`_:c14n0 u:p _:c14n1 . _:c14n1 u:p _:c14n0 .`},
		{"a node that is related to itself",
			`_:x u:p _:x . _:y u:p _:x .`,
			`_:c14n0 u:p _:c14n0 . _:c14n1 u:p _:c14n0 .`},
		{"nodes within triple terms",
			`_:x u:reifies <<( _:y u:p <<( u:a u:p _:x )>> )>> . _:y u:q "1" .`,
			`_:c14n0 u:q "1" . _:c14n1 u:reifies <<( _:c14n0 u:p <<( u:a u:p _:c14n1 )>> )>> .`},
		{"graphs may be blank nodes too",
			`u:s u:p _:o _:g . _:g u:p "meta" .`,
			`u:s u:p _:c14n1 _:c14n0 . _:c14n0 u:p "meta" .`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := canon.Canonical(read(t, tc.in))
			if err != nil {
				t.Fatal(err)
			}
			var want []byte
			for _, q := range read(t, tc.want) {
				want = append(want, line(q)...)
			}
			if string(got) != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// line returns a quad of plain terms as N-Quads.
func line(q rdf.Quad) string {
	var out string
	if inner, is := q.O.Triple(); is { // it has all but the end in common with a line
		return line(rdf.Quad{S: q.S, P: q.P})[:len(line(rdf.Quad{S: q.S, P: q.P}))-len(".\n")] + "<<( " + strings.TrimSuffix(line(rdf.Quad{S: inner.S, P: inner.P, O: inner.O}), ".\n") + ")>> .\n"
	}
	for _, term := range []rdf.Term{q.S, q.P, q.O, q.G} {
		switch term.Kind {
		case rdf.IRI:
			out += "<" + term.Value + "> "
		case rdf.Blank:
			out += "_:" + term.Value + " "
		case rdf.Literal:
			out += `"` + term.Value + `" `
		}
	}
	return out + ".\n"
}

// Characters are escaped as the canonical form has it: those that have a short escape by that, other
// controls by number, all else as it is.
func TestEscapes(t *testing.T) {
	s, p := rdf.NewIRI("urn:s"), rdf.NewIRI("urn:p")
	for _, tc := range []struct {
		term rdf.Term
		want string
	}{
		{rdf.NewString("\b\t\n\f\r\"\\"), `"\b\t\n\f\r\"\\"`},
		{rdf.NewString("\x00\x0b\x1f\x7f"), `"\u0000\u000B\u001F\u007F"`},
		{rdf.NewString("é\u0080😀'"), "\"é\u0080😀'\""},
		{rdf.NewString("a\xff"), "\"a\ufffd\""},
		{rdf.NewString("\ufffe\uffff\uffee"), `"\uFFFE\uFFFF` + "\uffee\""},
		{rdf.NewLang("a", "en-GB"), `"a"@en-GB`},
		{rdf.NewDirLang("a", "en-GB", rdf.LTR), `"a"@en-GB--ltr`},
		{rdf.NewTyped("1", rdf.XSDInteger), `"1"^^<` + rdf.XSDInteger + `>`},
		{rdf.NewIRI("urn:a b"), `<urn:a\u0020b>`},
	} {
		got, err := canon.Canonical([]rdf.Quad{{S: s, P: p, O: tc.term}})
		if want := "<urn:s> <urn:p> " + tc.want + " .\n"; err != nil || string(got) != want {
			t.Errorf("%v: %q, %v, want %q", tc.term, got, err, want)
		}
	}
}

func TestDigest(t *testing.T) {
	// printf '<urn:a> <urn:p> _:c14n0 .\n' | sha256sum
	const want = "4d3b57e6925d372e281367a218628ca0d8adde0bca2c62c21b04bd4dd1060823"
	got, err := canon.Digest(read(t, `u:a u:p _:whoever .`))
	if err != nil || got != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}

func TestNoQuads(t *testing.T) {
	node, word := rdf.NewIRI("urn:a"), rdf.NewString("word")
	for _, q := range []rdf.Quad{
		{}, {S: word, P: node, O: node}, {S: node, P: rdf.NewBlank("b"), O: node}, {S: node, P: node},
		{S: node, P: node, O: node, G: word},
	} {
		if got, err := canon.Canonical([]rdf.Quad{q}); err == nil {
			t.Errorf("%v is %q", q, got)
		}
	}
}

// A graph in which each of many nodes is connected to each other is refused; chains and circles that
// are as long as real ones are not.
func TestLimits(t *testing.T) {
	for _, tc := range []struct {
		name string
		in   []rdf.Quad
		hard bool
	}{
		{"a clique of 6", clique(6), false},
		{"a clique of 12", clique(12), true},
		{"a circle of 60", circle(60), false},
		{"a circle of 20000", circle(20000), true},
		{"a list of 100 that are one", list(100), false},
		{"5000 nodes that nothing leads from", star(5000), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := canon.Canonical(tc.in)
			if errors.Is(err, canon.ErrTooHard) != tc.hard {
				t.Errorf("error %v", err)
			}
		})
	}
}

func node(i int) rdf.Term { return rdf.NewBlank(fmt.Sprintf("n%d", i)) }

func clique(n int) (out []rdf.Quad) {
	for i := range n {
		for j := range n {
			if i != j {
				out = append(out, rdf.Quad{S: node(i), P: rdf.NewIRI("urn:p"), O: node(j)})
			}
		}
	}
	return out
}

func circle(n int) (out []rdf.Quad) {
	for i := range n {
		out = append(out, rdf.Quad{S: node(i), P: rdf.NewIRI("urn:p"), O: node((i + 1) % n)})
	}
	return out
}

func list(n int) (out []rdf.Quad) {
	for i := range n {
		out = append(out, rdf.Quad{S: node(i), P: rdf.NewIRI("urn:first"), O: rdf.NewString("0")})
		out = append(out, rdf.Quad{S: node(i), P: rdf.NewIRI("urn:rest"), O: node(i + 1)})
	}
	return out
}

func star(n int) (out []rdf.Quad) {
	for i := range n {
		out = append(out, rdf.Quad{S: rdf.NewIRI("urn:hub"), P: rdf.NewIRI("urn:p"), O: node(i)})
	}
	return out
}

// random returns a dataset of a few nodes that often look alike.
func random(r *rand.Rand) (out []rdf.Quad) {
	term := func() rdf.Term {
		if r.IntN(5) == 0 {
			return rdf.NewIRI(fmt.Sprintf("urn:%d", r.IntN(2)))
		}
		return node(r.IntN(5))
	}
	for range 1 + r.IntN(8) {
		q := rdf.Quad{S: term(), P: rdf.NewIRI(fmt.Sprintf("urn:p%d", r.IntN(2))), O: term()}
		if r.IntN(6) == 0 {
			q.G = term()
		}
		if r.IntN(4) == 0 {
			q.O = rdf.NewTripleTerm(rdf.Triple{S: term(), P: rdf.NewIRI("urn:p0"), O: q.O})
		}
		out = append(out, q)
	}
	return out
}

// renamed returns a dataset with other labels, in another order.
func renamed(r *rand.Rand, quads []rdf.Quad) []rdf.Quad {
	names := r.Perm(1000)
	rename := func(t rdf.Term) rdf.Term {
		var n int
		if _, err := fmt.Sscanf(t.Value, "n%d", &n); t.Kind == rdf.Blank && err == nil {
			return rdf.NewBlank(fmt.Sprintf("other%d", names[n%len(names)]))
		}
		return t
	}
	out := make([]rdf.Quad, len(quads))
	for to, from := range r.Perm(len(quads)) {
		q := quads[from]
		out[to] = rdf.Quad{S: rename(q.S), P: q.P, O: q.O.Map(rename), G: rename(q.G)}
	}
	return out
}

// Canonical forms are equal if and only if datasets are isomorphic.
func TestEqualIffIsomorphic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	same, other := 0, 0
	for range 3000 {
		a := random(r)
		b := renamed(r, a)
		if r.IntN(2) == 0 { // one statement otherwise
			i := r.IntN(len(b))
			if b[i].O.Kind == rdf.TripleTerm {
				inner, _ := b[i].O.Triple()
				b[i].O = rdf.NewTripleTerm(rdf.Triple{S: b[i].S, P: inner.P, O: inner.O})
			} else {
				b[i].S, b[i].O = b[i].O, b[i].S
			}
		}
		one, err1 := canon.Canonical(a)
		two, err2 := canon.Canonical(b)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2, a)
		}
		isomorphic := rdftest.IsomorphicQuads(a, b)
		if (string(one) == string(two)) != isomorphic {
			t.Fatalf("isomorphic %v:\n%s\n%s", isomorphic, one, two)
		}
		if same++; !isomorphic {
			same--
			other++
		}
	}
	if same < 500 || other < 500 {
		t.Errorf("%d pairs are isomorphic, %d are not: no test", same, other)
	}
}

// What is canonical stays as it is, and is the dataset.
func FuzzCanonical(f *testing.F) {
	f.Add("_:a <urn:p> _:b .\n_:b <urn:p> _:a _:a .\n", uint64(1))
	f.Add("_:a <urn:p> <<( _:b <urn:p> _:c )>> .\n_:b <urn:p> <<( _:c <urn:p> \"\"@ar--rtl )>> .\n", uint64(3))
	f.Add("_:a <urn:p> _:b .\n_:b <urn:p> _:c .\n_:c <urn:p> _:a .\n<urn:s> <urn:p> \"\\u0001\"@en _:a .\n", uint64(2))
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		in, err := rdftest.All(nquads.Read(strings.NewReader(text), syntax.Options{}))
		if err != nil || len(in) > 100 {
			t.Skip()
		}
		once, err := canon.Canonical(in)
		if errors.Is(err, canon.ErrTooHard) {
			t.Skip()
		}
		if err != nil {
			t.Fatal(err)
		}
		out, err := rdftest.All(nquads.Read(strings.NewReader(string(once)), syntax.Options{}))
		if err != nil {
			t.Fatalf("%v:\n%s", err, once)
		}
		if !rdftest.IsomorphicQuads(in, out) {
			t.Fatalf("is another dataset:\n%s\n%s", text, once)
		}
		for _, again := range [][]rdf.Quad{out, renamed(rand.New(rand.NewPCG(seed, 0)), in)} {
			if twice, err := canon.Canonical(again); err != nil || string(twice) != string(once) {
				t.Fatalf("%v:\n%s\n%s", err, twice, once)
			}
		}
	})
}

func BenchmarkCanonical(b *testing.B) {
	var plain []rdf.Quad
	for i := range 5000 {
		plain = append(plain, rdf.Quad{S: node(i), P: rdf.NewIRI("urn:p"), O: rdf.NewString(fmt.Sprint(i))},
			rdf.Quad{S: rdf.NewIRI("urn:s"), P: rdf.NewIRI("urn:q"), O: node(i)})
	}
	for name, in := range map[string][]rdf.Quad{"told apart": plain, "circle of 60": circle(60), "clique of 6": clique(6)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := canon.Canonical(in); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(in))*float64(b.N)/b.Elapsed().Seconds(), "quads/s")
		})
	}
}
