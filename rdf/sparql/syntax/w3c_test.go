package syntax_test

import (
	"fmt"
	"reflect"
	"testing"

	"orbweaver/rdf/sparql/syntax"
	"orbweaver/rdf/sparql/syntax/syntaxtest"
)

// parse reads a query or an update as a tree that writes itself.
func parse(text string, update bool, opts syntax.Options) (fmt.Stringer, error) {
	if update {
		u, err := syntax.ParseUpdate(text, opts)
		return u, err
	}
	q, err := syntax.ParseQuery(text, opts)
	return q, err
}

// wide has limits that a text that was read and written again keeps, for all its new parentheses.
func wide() syntax.Options { return syntax.Options{MaxDepth: 10_000, MaxBytes: 1 << 26} }

// unplaced sets all positions of a tree to nowhere.
func unplaced(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			unplaced(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			unplaced(v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[syntax.Pos]() {
			v.SetZero()
			return
		}
		for i := range v.NumField() {
			unplaced(v.Field(i))
		}
	}
}

// checkRoundTrip fails unless a tree that is written reads as the same tree.
func checkRoundTrip(t *testing.T, tree fmt.Stringer, update bool) {
	t.Helper()
	written := tree.String()
	again, err := parse(written, update, wide())
	if err != nil {
		t.Fatalf("%v in what was written:\n%s", err, written)
	}
	unplaced(reflect.ValueOf(tree))
	unplaced(reflect.ValueOf(again))
	if !reflect.DeepEqual(tree, again) {
		t.Errorf("another tree, from what was written:\n%s\nand then:\n%s", written, again)
	}
}

// The texts of all suites for SPARQL 1.0, 1.1 and 1.2 are read, or refused, as they should be; what is read
// comes back from what is written of it. Exceptions are listed.
func TestW3C(t *testing.T) {
	exceptions := map[string]string{}
	for _, suite := range []struct {
		below string
		count int
	}{
		{"sparql/sparql10", 483},
		{"sparql/sparql11", 575},
		{"sparql/sparql12", 269},
	} {
		cases := syntaxtest.Cases(t, suite.below)
		if len(cases) != suite.count {
			t.Errorf("%s: %d texts, want %d", suite.below, len(cases), suite.count)
		}
		for _, c := range cases {
			t.Run(c.Name, func(t *testing.T) {
				if reason, ok := exceptions[c.Name]; ok {
					t.Skip(reason)
				}
				tree, err := parse(c.Text, c.Update, syntax.Options{Base: c.Base, Only12: suite.below == "sparql/sparql12"})
				switch {
				case c.Negative && err == nil:
					t.Errorf("read without an error:\n%s", c.Text)
				case !c.Negative && err != nil:
					t.Errorf("%v:\n%s", err, c.Text)
				case err == nil:
					checkRoundTrip(t, tree, c.Update)
				}
			})
		}
	}
}
