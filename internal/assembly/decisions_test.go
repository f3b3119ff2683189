package assembly

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/apptest/toy"
	"orbweaver/rdf"
)

func TestReadDecisions(t *testing.T) {
	const yes = `{"id":"a","after":3,"accepted":true,"as":"entry","text":"x","entity":"urn:e","added":["<urn:e> <urn:p> \"x\\u003c\"@en ."]}`
	const page, gone = `{"page":"http://a.test/","after":3,"accepted":true}`, `{"after":4,"accepted":true,"removed":["<urn:e> <urn:p> \"x\" ."]}`
	again := strings.Replace(page, "true", "false", 1)
	path := toy.Put(t, t.TempDir(), "d.jsonl", yes+"\r\n\n{\"id\":\"b\",\"after\":3,\"accepted\":false}\n"+page+"\n"+again+"\n"+page+"\n"+gone)
	got, err := readDecisions(path)
	want := []orbweaver.Decision{
		{ID: "a", After: 3, Accepted: true, As: "entry", Text: "x", Entity: "urn:e", Added: []rdf.Quad{
			{S: rdf.NewIRI("urn:e"), P: rdf.NewIRI("urn:p"), O: rdf.NewLang("x<", "en")},
		}},
		{ID: "b", After: 3},
		{Page: "http://a.test/", After: 3, Accepted: true}, {Page: "http://a.test/", After: 3}, {Page: "http://a.test/", After: 3, Accepted: true},
		{After: 4, Accepted: true, Removed: []rdf.Quad{{S: rdf.NewIRI("urn:e"), P: rdf.NewIRI("urn:p"), O: rdf.NewString("x")}}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if got, err := readDecisions(""); got != nil || err != nil {
		t.Errorf("of no file: %v, %v", got, err)
	}
}

// TestReadBadDecisions: the error names the line.
func TestReadBadDecisions(t *testing.T) {
	const yes, no = `{"id":"a","after":3,"accepted":true,"added":["<urn:e> <urn:p> <urn:o> ."]}`, `{"id":"b","after":3}`
	for _, tc := range []struct{ name, content, want string }{
		{"no JSON", yes + "\nyes\n", ":2: not a decision: "},
		{"a list", "[]", ":1: not a decision: "},
		{"cut off", yes + "\n\n" + no[:9], ":3: not a decision: "},
		{"two in a line", no + yes, ":1: not a decision: "},
		{"a wrong type", `{"id":"a","after":"3"}`, ":1: not a decision: "},
		{"a number that is no whole one", `{"id":"a","after":0.5}`, ":1: not a decision: "},
		{"no id", yes + "\n{}", ":2: a decision needs an id"},
		{"before the beginning", `{"id":"a","after":-1}`, ":1: after -1 requests"},
		{"not in order", yes + "\n" + `{"id":"b","after":2}`, ":2: out of order: after 2 requests, but the decision before it is after 3"},
		{"the same twice", no + "\n" + yes + "\n" + no, ":3: suggestion b is decided twice"},
		{"a statement with a mistake", no + "\n" + strings.Replace(yes, "<urn:o>", "urn:o", 1), ":2: added:1:"},
		{"accepted, with no statement", `{"id":"a","accepted":true}`, ":1: an accepted suggestion must add statements"},
		{"refused, with a statement", strings.Replace(yes, "true", "false", 1), ":1: a rejected suggestion must not add statements"},
		{"a page and an id", `{"id":"a","page":"http://a.test/"}`, ":1: a decision has only one of id, page and removed"},
		{"a page and a removal", `{"page":"http://a.test/","removed":["<urn:e> <urn:p> <urn:o> ."]}`, ":1: a decision has only one of id, page and removed"},
		{"a page that adds", `{"page":"http://a.test/","accepted":true,"added":["<urn:e> <urn:p> <urn:o> ."]}`, ":1: added, as, text, entity and range need the id"},
		{"no URL", `{"page":"a.test"}`, `:1: page "a.test" is not a canonical URL, as in pages.jsonl`},
		{"no URL in canonical form", `{"page":"http://A.test"}`, `:1: page "http://A.test" is not a canonical URL, as in pages.jsonl`},
		{"a removal refused", `{"removed":["<urn:e> <urn:p> <urn:o> ."]}`, ":1: a decision that removes statements must be accepted"},
		{"a removal of what has no name", `{"accepted":true,"removed":["_:b <urn:p> <urn:o> ."]}`, ":1: removed: blank nodes"},
		{"a removal with a mistake", `{"accepted":true,"removed":["<urn:e> <urn:p> ."]}`, ":1: removed:1:"},
		{"a line without end", no + "\n" + strings.Repeat(" ", maxDecisionLine+1), ":2: bufio.Scanner: token too long"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := toy.Put(t, t.TempDir(), "d.jsonl", tc.content)
			got, err := readDecisions(path)
			if err == nil || got != nil || !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "decisions: "+path+tc.want) {
				t.Errorf("%v, %v, want %s%s", got, err, path, tc.want)
			}
		})
	}
	if _, err := readDecisions(filepath.Join(t.TempDir(), "none")); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("of a file that is not there: %v", err)
	}
}

// TestDecisionsHaveALimit: a file with maxDecisions decisions is read, one with more is refused.
func TestDecisionsHaveALimit(t *testing.T) {
	var b bytes.Buffer
	for i := range maxDecisions {
		fmt.Fprintf(&b, "{\"id\":\"%08x\"}\n", i)
	}
	folder := t.TempDir()
	if all, err := readDecisions(toy.Put(t, folder, "d.jsonl", b.String())); err != nil || len(all) != maxDecisions {
		t.Errorf("%d decisions, %v", len(all), err)
	}
	b.WriteString(`{"id":"one more"}`)
	_, err := readDecisions(toy.Put(t, folder, "d.jsonl", b.String()))
	if want := fmt.Sprintf(":%d: more than %d decisions", maxDecisions+1, maxDecisions); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

func FuzzReadDecisions(f *testing.F) {
	f.Add([]byte(`{"id":"a","after":3,"accepted":true,"as":"entry","added":["<urn:e> <urn:p> \"x\"@en ."]}` + "\n" + `{"id":"b","after":3}`))
	f.Add([]byte(`{"page":"http://a.test/","after":3}` + "\n" + `{"accepted":true,"after":3,"removed":["<urn:e> <urn:p> \"x\"@en ."]}`))
	f.Add([]byte(`{"id":"a","accepted":true,"added":["<urn:e> <urn:p> _:b .\n<urn:e> <urn:p> \"\\u0000\" . # "]}`))
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, content []byte) {
		all, err := readDecisions(toy.Put(t, folder, "d.jsonl", string(content)))
		if err != nil {
			return
		}
		for i, d := range all {
			again, err := lineOf(d).read()
			if err != nil || !reflect.DeepEqual(again, d) || i > 0 && d.After < all[i-1].After {
				t.Errorf("%+v is %+v, %v", d, again, err)
			}
		}
	})
}
