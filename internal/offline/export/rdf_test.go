package export

import (
	"fmt"
	"testing"

	"orbweaver/ledger"
	"orbweaver/rdf"
)

// TestRedirects: the latest redirects are known, by the URL first requested.
func TestRedirects(t *testing.T) {
	var r redirects
	for i := range maxRedirects + 3 {
		r.note(ledger.Line{URL: fmt.Sprint("u", i), Redirect: fmt.Sprint("t", i)})
	}
	r.note(ledger.Line{URL: "t5", Redirect: "last"})
	r.note(ledger.Line{URL: "loop", Redirect: "loop"})
	for url, want := range map[string]string{"t0": "", "t3": "", "t4": "u4", "t5": "u5", "last": "u5", "u7": "", "loop": ""} {
		if got := r.from(url); got != want {
			t.Errorf("%s was first requested as %q, want %q", url, got, want)
		}
	}
	if len(r.asked) != maxRedirects {
		t.Errorf("%d kept", len(r.asked))
	}
}

// TestDuplicates: the number of hard graphs and the memory are bounded.
func TestDuplicates(t *testing.T) {
	one := []rdf.Triple{{S: rdf.NewBlank("x"), P: rdf.NewIRI("u:p"), O: rdf.NewBlank("y")}}
	two := []rdf.Triple{{S: rdf.NewBlank("y"), P: rdf.NewIRI("u:p"), O: rdf.NewBlank("x")}}
	known := duplicates{first: map[string]string{}}
	if a, b := known.canonical(one), known.canonical(two); a != b || a == "" || known.of(a, "first") != "" || known.of(b, "second") != "first" || known.of("", "x") != "" || known.of("", "y") != "" {
		t.Error(a, b)
	}
	known.tooHard = maxTooHard
	if got := known.canonical(one); got != "" {
		t.Error(got)
	}
	var empty, some sum
	some.add(one[0])
	if empty.String() == some.String() {
		t.Error(some.String())
	}
}
