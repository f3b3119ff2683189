package ontology

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax/turtle/edit"
)

// class is what accepting adds: a class below another, with a label.
func class(name string) []rdf.Quad {
	s := rdf.NewIRI("http://a.example/#" + name)
	return []rdf.Quad{
		{S: s, P: rdf.NewIRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"), O: rdf.NewIRI("http://www.w3.org/2002/07/owl#Class")},
		{S: s, P: rdf.NewIRI("http://www.w3.org/2000/01/rdf-schema#subClassOf"), O: rdf.NewIRI("http://a.example/#Top")},
		{S: s, P: rdf.NewIRI("http://www.w3.org/2000/01/rdf-schema#label"), O: rdf.NewLang(strings.ToLower(name), "en")},
	}
}

// TestRetract: what was added to a file of any form leaves it again, in any order, and the file is then as it was, byte for byte.
func TestRetract(t *testing.T) {
	const body = "@prefix : <http://a.example/#> . # a note\n:Top a :Class ; :says \"\"\"three\n\nlines.\n\"\"\" .\n"
	for name, content := range map[string]string{
		"a line end": body, "none": strings.TrimSuffix(body, "\n"), "an empty line": body + "\n", "many": body + "\n\n\n",
		"CRLF": strings.ReplaceAll(body, "\n", "\r\n"), "blank nodes": body + ":x :y [ :z 1 ] , ( 1 2 ) .\n", "relative": "@prefix : <#> .\n:Top a :Class .\n", "empty": "",
	} {
		for _, orders := range [][]string{{"Ab", "Cd", "-Ab", "-Cd"}, {"Ab", "Cd", "-Cd", "-Ab"}, {"Ab", "-Ab", "Ab", "-Ab"}} {
			folder := t.TempDir()
			file, began := put(t, folder, "a.ttl", content), put(t, folder, "began.ttl", content)
			for _, order := range orders {
				var err error
				if of, gone := strings.CutPrefix(order, "-"); gone {
					var n int
					if n, err = retract(file, began, class(of)); n != 3 {
						t.Errorf("%s: %d statements removed", name, n)
					}
				} else {
					_, _, err = edit.Append(file, class(of))
				}
				if err != nil {
					t.Fatalf("%s: %s: %v", name, order, err)
				}
			}
			if now, err := os.ReadFile(file); err != nil || string(now) != content {
				t.Errorf("%s, %v: %q, was %q; %v", name, orders, now, content, err)
			}
		}
	}
}

// TestRetractElsewhere: N-Triples; the companion of a file that is not itself extended, which goes when it is empty; and what is gone
// already, or not all there.
func TestRetractElsewhere(t *testing.T) {
	folder := t.TempDir()
	lines := put(t, folder, "a.nt", "<urn:a> <urn:b> <urn:c> .\n")
	table := put(t, folder, "a.rdf", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>`)
	for file, grown := range map[string]string{lines: lines, table: edit.Companion(table)} {
		was, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		written, _, err := edit.Append(file, class("Ab"))
		if err != nil || written != grown {
			t.Fatal(written, err)
		}
		if n, err := retract(grown, file, append(class("Ab"), class("Cd")...)); n != 3 || err != nil {
			t.Errorf("%s: %d, %v", file, n, err)
		}
		if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, was) {
			t.Errorf("%s: %q, %v", file, now, err)
		}
		if n, err := retract(grown, file, class("Ab")); n != 0 || err != nil {
			t.Errorf("%s, again: %d, %v", file, n, err)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "a.rdf.additions.ttl")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the empty companion is there: %v", err)
	}
}

// TestRestsOn: what another decision made cannot be withdrawn before that one.
func TestRestsOn(t *testing.T) {
	made := orbweaver.Decision{ID: "a", As: orbweaver.AsSubclass, Added: class("Ab")}
	entry := orbweaver.Decision{ID: "e", As: orbweaver.AsEntry, Entity: "http://a.example/#Top", Added: class("Ab")[2:]}
	for _, tc := range []struct {
		d    orbweaver.Decision
		held []orbweaver.Decision
		want string
	}{
		{made, nil, ""},
		{made, []orbweaver.Decision{entry}, ""},
		{made, []orbweaver.Decision{entry, {ID: "b", Entity: "http://a.example/#Ab"}}, "b"},
		{made, []orbweaver.Decision{{ID: "b", Range: "http://a.example/#Ab"}}, "b"},
		{entry, []orbweaver.Decision{{ID: "b", Entity: "http://a.example/#Top"}}, ""},
	} {
		if got, _ := restsOn(tc.d, tc.held); got.ID != tc.want {
			t.Errorf("%s rests on %q, want %q", tc.d.ID, got.ID, tc.want)
		}
	}
}
