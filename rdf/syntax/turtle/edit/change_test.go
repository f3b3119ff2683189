package edit_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
	"orbweaver/rdf/syntax/turtle/edit"
)

// statements reads a Turtle text with the prefix e.
func statements(t testing.TB, text string) []rdf.Triple {
	t.Helper()
	return rdftest.Collect(t, turtle.Read(strings.NewReader("@prefix e: <http://e.org/> . @prefix r: <"+rdfs+"> .\n"+text), syntax.Options{}))
}

// TestApply: what a change makes of a text.
func TestApply(t *testing.T) {
	const head = "@prefix e: <http://e.org/> .\n@prefix r: <" + rdfs + "> .\n"
	for _, tc := range []struct{ name, before, remove, add, want string }{
		{"an object in place", "e:A a e:C ; r:label \"a\"@en ; # note\n  e:p 1 .\n", `e:A r:label "a"@en .`, `e:A r:label "b"@en .`, "e:A a e:C ; r:label \"b\"@en ; # note\n  e:p 1 .\n"},
		{"the last predicate", "e:A a e:C ;\n    r:label \"a\" .\n", `e:A r:label "a" .`, "", "e:A a e:C .\n"},
		{"the last predicate, with a comment before", "e:A a e:C ; # kind\n    r:label \"a\" .\n", `e:A r:label "a" .`, "", "e:A a e:C # kind\n .\n"},
		{"the first predicate", "e:A a e:C ;\n    r:label \"a\" .\n", `e:A a e:C .`, "", "e:A r:label \"a\" .\n"},
		{"one of several objects", "e:A r:label \"a\", \"b\" , \"c\" .\n", `e:A r:label "b" .`, "", "e:A r:label \"a\" , \"c\" .\n"},
		{"the first object", "e:A r:label \"a\", \"b\" .\n", `e:A r:label "a" .`, "", "e:A r:label \"b\" .\n"},
		{"a sentence", "# first\ne:A a e:C . # behind\n\n# second\ne:B a e:C .\n", `e:A a e:C .`, "", "# first\n# behind\n\n# second\ne:B a e:C .\n"},
		{"a sentence between empty lines", "e:A a e:C .\n\ne:B a e:C .\n\ne:D a e:C .\n", `e:B a e:C .`, "", "e:A a e:C .\n\ne:D a e:C .\n"},
		{"a comment within a sentence that goes", "e:A # who\n  a e:C .\ne:B a e:C .\n", `e:A a e:C .`, "", "# who\ne:B a e:C .\n"},
		{"a new predicate", "e:A a e:C .\n", "", `e:A r:label "a" .`, "e:A a e:C ;\n    r:label \"a\" .\n"},
		{"a new predicate, written as the others", "e:A a e:C ;\n  e:p 1 ;\n.\n", "", `e:A r:label "a" .`, "e:A a e:C ;\n  e:p 1 ;\n  r:label \"a\" ;\n.\n"},
		{"a new object", "e:A r:label \"a\" ,\n    \"b\" .\n", "", `e:A r:label "c" .`, "e:A r:label \"a\" ,\n    \"b\" ,\n    \"c\" .\n"},
		{"a new subject", "e:A a e:C .\n", "", `e:B a e:C ; r:label "b" .`, "e:A a e:C .\n\ne:B a e:C ;\n    r:label \"b\" .\n"},
		{"everything of a subject, and something else", "e:A a e:C . # c\n", `e:A a e:C .`, `e:A r:label "a" .`, "e:A r:label \"a\" . # c\n"},
		{"a restriction with all that it says", "e:A r:subClassOf e:B , [ a e:R ; e:on e:p ] ;\n  e:p 1 .\n", `e:A r:subClassOf [ a e:R ; e:on e:p ] .`, "", "e:A r:subClassOf e:B ;\n  e:p 1 .\n"},
		{"a statement within a restriction", "e:A r:subClassOf [ a e:R ; e:on e:p ] .\n", "_:x", `X`, "e:A r:subClassOf [ a e:R ; e:on e:q ] .\n"},
		{"a new restriction", "e:A a e:C .\n", "", `e:A r:subClassOf [ a e:R ; e:on e:p ] .`, "e:A a e:C ;\n    r:subClassOf [ a e:R ; e:on e:p ] .\n"},
		{"a list", "e:A e:p ( e:B e:D ) ; e:q 1 .\n", `e:A e:p ( e:B e:D ) .`, "", "e:A e:q 1 .\n"},
		{"a member of a list", "e:A e:p ( e:B e:on ( 1 [ e:on e:p ] ) ) ; e:q 1 .\n", "_:x", "X", "e:A e:p ( e:B e:on ( 1 [ e:on e:q ] ) ) ; e:q 1 .\n"},
		{"a new list", "e:A a e:C .\n", "", "e:A e:p ( e:B ( 1 ) [ e:q 2 ] ) .", "e:A a e:C ;\n    e:p ( e:B ( \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> ) [ e:q \"2\"^^<http://www.w3.org/2001/XMLSchema#integer> ] ) .\n"},
		{"a subject described twice", "e:A a e:C .\ne:B a e:C .\ne:A e:p 1 .\n", "", `e:A r:label "a" .`, "e:A a e:C .\ne:B a e:C .\ne:A e:p 1 ;\n    r:label \"a\" .\n"},
		{"lines of DOS", "e:A a e:C .\r\n", "", `e:A r:label "a" .`, "e:A a e:C ;\r\n    r:label \"a\" .\r\n"},
		{"a triple term beside it", "e:R e:says <<( e:A e:p \"# no\"@ar--rtl )>> ; e:q 1 .\n", `e:R e:q 1 .`, `e:R e:q 2 .`, "e:R e:says <<( e:A e:p \"# no\"@ar--rtl )>> ; e:q \"2\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n"},
		{"a sign of a comment in an IRI and a text", "e:A e:p <http://x#y>, \"# no\", \"\"\"#\"\"\" ; e:q 1 .\n", `e:A e:p <http://x#y>, "# no", "#" .`, "", "e:A e:q 1 .\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			content := []byte(head + tc.before)
			c := edit.Change{Add: nil}
			if tc.add == "X" {
				all, err := edit.Read("o.ttl", content)
				if err != nil {
					t.Fatal(err)
				}
				for _, s := range all {
					if strings.HasSuffix(s.P.Value, "/on") {
						c.Remove = append(c.Remove, s)
						s.O = rdf.NewIRI("http://e.org/q")
						c.Add = append(c.Add, s)
					}
				}
			} else {
				c.Remove, c.Add = matched(t, content, statements(t, tc.remove)), statements(t, tc.add)
			}
			for i := range c.Add {
				for _, term := range []*rdf.Term{&c.Add[i].S, &c.Add[i].O} {
					if term.Kind == rdf.Blank && tc.add != "X" {
						term.Value = "new" + term.Value
					}
				}
			}
			got, err := edit.Apply("o.ttl", content, c)
			if err != nil || string(got) != head+tc.want {
				t.Errorf("%v\n%q\nwant\n%q", err, strings.TrimPrefix(string(got), head), tc.want)
			}
		})
	}
}

// TestMembers: a member of a collection takes the place of another, wherever the collection is, and one goes.
func TestMembers(t *testing.T) {
	content := []byte("@prefix e: <http://e.org/> .\n# union\ne:A e:eq [ a e:Class ; # named\n  e:union ( e:B # first\n   e:C ) ] ; e:key ( e:C ) .\n( e:C ) e:p e:C .\n")
	all, err := edit.Read("o.ttl", content)
	if err != nil {
		t.Fatal(err)
	}
	replaced := edit.Change{}
	for _, s := range all[:len(all)-3] { // those of the collection that is a subject have no place
		if s.O == rdf.NewIRI("http://e.org/C") {
			replaced.Remove = append(replaced.Remove, s)
			s.O = rdf.NewIRI("http://e.org/D")
			replaced.Add = append(replaced.Add, s)
		}
	}
	next, err := edit.Apply("o.ttl", content, replaced)
	if is, _ := edit.Read("o.ttl", next); len(replaced.Add) != 2 || !rdftest.Isomorphic(meant(all, replaced), is) || !slices.Equal(commentsOf(string(content)), commentsOf(string(next))) {
		t.Errorf("%+v: %s", replaced, next)
	}
	if !strings.Contains(string(next), "( e:B e:D )") || !strings.Contains(string(next), "e:key ( e:D )") {
		t.Errorf("%s, %v", next, err)
	}
}

// matched finds statements with blank nodes in a content: all those of blank nodes that have no other statements than these.
func matched(t *testing.T, content []byte, wanted []rdf.Triple) (out []rdf.Triple) {
	t.Helper()
	all, err := edit.Read("o.ttl", content)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range wanted {
		for _, s := range all {
			if s.P == w.P && (s.S == w.S || s.S.Kind == rdf.Blank && w.S.Kind == rdf.Blank) && (s.O == w.O || s.O.Kind == rdf.Blank && w.O.Kind == rdf.Blank) {
				out = append(out, s)
			}
		}
	}
	return out
}

// TestForeign: any edits of files that nobody here wrote give exactly the graph that is meant, in the order of the text, and lose no comment;
// undone, they give the graph as it was.
func TestForeign(t *testing.T) {
	most, seeds := 40, uint64(1)
	if os.Getenv("ORBWEAVER_EFFECT") == "all" {
		most, seeds = 1<<20, 3
	}
	files, refused, edits := 0, 0, 0
	for seed := range seeds {
		random := rand.New(rand.NewPCG(3+seed, 4))
		for name, content := range vocabularies(t) {
			if most < 1<<20 && (len(content) > 60_000 || random.IntN(8) > 0) {
				continue
			}
			if files == most {
				break
			}
			all, err := edit.Read(name, content)
			if err != nil || len(all) == 0 {
				continue // malformed files are in the archive too
			}
			files++
			for range 4 {
				edits++
				if !changes(t, name, content, all, anyChange(all, random)) {
					refused++
				}
			}
		}
	}
	t.Logf("%d files, %d edits, %d refused", files, edits, refused)
	if files < 20 || refused*20 > edits {
		t.Errorf("%d of %d edits of %d files were refused", refused, edits, files)
	}
}

// changes makes a change of a content, checks what comes of it, and reports whether it was not refused.
func changes(t *testing.T, name string, content []byte, all []rdf.Triple, c edit.Change) bool {
	t.Helper()
	next, err := edit.Apply(name, content, c)
	if errors.Is(err, edit.ErrBlank) || errors.Is(err, edit.ErrUnsure) {
		t.Logf("%s: %v", name, err)
		return false
	}
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return true
	}
	is, err := edit.Read(name, next)
	if err != nil || !rdftest.Isomorphic(meant(all, c), is) {
		t.Errorf("%s: %+v is not what came of it (%v)", name, c, err)
	}
	if was, is := orderOf(all, meant(all, c)), orderOf(is, all); !slices.Equal(was, is) {
		t.Errorf("%s: %+v changed the order of what stays", name, c)
	}
	if was, is := commentsOf(string(content)), commentsOf(string(next)); !slices.Equal(was, is) {
		t.Errorf("%s: comments\n%q\nbecame\n%q", name, was, is)
	}
	if was, is := directives(t, content), directives(t, next); was != is {
		t.Errorf("%s: %s became %s", name, was, is)
	}
	undo := edit.Change{Remove: c.Add, Add: slices.Clone(c.Remove)}
	for i := range undo.Add { // labels are those of the content, and that is another now
		for _, term := range []*rdf.Term{&undo.Add[i].S, &undo.Add[i].O} {
			if term.Kind == rdf.Blank {
				term.Value += "-back"
			}
		}
	}
	back, err := edit.Apply(name, next, undo)
	if err != nil {
		t.Errorf("%s, back: %v", name, err)
		return true
	}
	if again, err := edit.Read(name, back); err != nil || !rdftest.Isomorphic(meant(is, undo), again) {
		t.Errorf("%s: undone, it says something else: %v", name, err)
	}
	return true
}

// meant is what a change is to make of statements.
func meant(all []rdf.Triple, c edit.Change) (out []rdf.Triple) {
	for _, s := range all {
		if !slices.Contains(c.Remove, s) || slices.Contains(c.Add, s) {
			out = append(out, s)
		}
	}
	return append(out, c.Add...)
}

// orderOf returns the statements without blank nodes that others have too, in their order.
func orderOf(all, others []rdf.Triple) (out []rdf.Triple) {
	in := map[rdf.Triple]bool{}
	for _, s := range others {
		in[s] = true
	}
	for _, s := range all {
		if in[s] && s.S.Kind != rdf.Blank && s.O.Kind != rdf.Blank {
			out = append(out, s)
		}
	}
	return out
}

// directives returns what a content declares, with the number of its directives.
func directives(t testing.TB, content []byte) string {
	t.Helper()
	n, scope := 0, turtle.Scope{}
	see := func(e turtle.Event, _ int) {
		if e == turtle.Directive {
			n++
		}
	}
	for _, err := range turtle.ReadShaped(bytes.NewReader(content), syntax.Options{MaxToken: len(content) + 1}, &scope, see) {
		if err != nil {
			t.Fatal(err)
		}
	}
	return fmt.Sprint(n, scope.Base, scope.Prefixes)
}

// anyChange draws statements to remove, and others to add: labels, classes, in place and new. Blank nodes go with all that is said of them,
// where nothing else leads to them.
func anyChange(all []rdf.Triple, random *rand.Rand) (c edit.Change) {
	for range 1 + random.IntN(6) {
		s := all[random.IntN(len(all))]
		if s.S.Kind == rdf.Blank {
			continue
		}
		n := s
		n.O = rdf.NewLang("words # no comment \"quoted\" "+string(rune('a'+random.IntN(26))), "en")
		whole, ok := described(all, s)
		if !ok {
			continue
		}
		switch random.IntN(4) {
		case 0:
			c.Remove = append(c.Remove, whole...)
		case 1:
			c.Remove, c.Add = append(c.Remove, whole...), append(c.Add, n)
		case 2:
			c.Add = append(c.Add, n)
		case 3:
			n.S = rdf.NewIRI("http://example.org/new#" + string(rune('a'+random.IntN(26))))
			c.Add = append(c.Add, n)
		}
	}
	return c
}

// described returns a statement with those of the blank nodes that it leads to; ok is false if others lead to these, too, or there are many.
func described(all []rdf.Triple, s rdf.Triple) (whole []rdf.Triple, ok bool) {
	whole = []rdf.Triple{s}
	for i := 0; i < len(whole); i++ {
		if whole[i].O.Kind != rdf.Blank {
			continue
		}
		for _, other := range all {
			switch {
			case other.O == whole[i].O && other != whole[i], len(whole) > 100:
				return nil, false
			case other.S == whole[i].O:
				whole = append(whole, other)
			}
		}
	}
	return whole, true
}

// commentsOf returns the comments of a Turtle text, sorted.
func commentsOf(text string) (all []string) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '#':
			end := strings.IndexAny(text[i:]+"\n", "\r\n")
			all = append(all, text[i:i+end])
			i += end
		case '<':
			i += max(0, strings.IndexByte(text[i:], '>'))
		case '\\':
			i++
		case '"', '\'':
			quote := string(c)
			if strings.HasPrefix(text[i:], strings.Repeat(quote, 3)) {
				quote = strings.Repeat(quote, 3)
			}
			for i += len(quote); i < len(text) && !strings.HasPrefix(text[i:], quote); i++ {
				if text[i] == '\\' {
					i++
				}
			}
			for i += len(quote); len(quote) == 3 && i < len(text) && text[i] == c; i++ {
			}
			i--
		}
	}
	slices.Sort(all)
	return all
}

// vocabularies yields the files of an archive of vocabularies.
func vocabularies(t *testing.T) func(func(string, []byte) bool) {
	t.Helper()
	folder := realdata.Folder(t, "vocabularies-2018.tar.gz")
	return func(yield func(string, []byte) bool) {
		f, err := os.Open(filepath.Join(folder, "vocabularies-2018.tar.gz"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		unzipped, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		for r := tar.NewReader(unzipped); ; {
			h, err := r.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			content, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			if h.Typeflag == tar.TypeReg && !yield(h.Name, content) {
				return
			}
		}
	}
}

// TestReified: a content whose statements have no place of their own is left alone, and is added to at its end.
func TestReified(t *testing.T) {
	for _, content := range []string{
		"<u:a> <u:b> 1 {| <u:c> 2 |} .\n", "<< <u:a> <u:b> 1 >> <u:c> 2 .\n", "<u:r> <u:c> <<( _:x <u:b> 1 )>> .\n",
	} {
		all, err := edit.Read("o.ttl", []byte(content))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := edit.Apply("o.ttl", []byte(content), edit.Change{Remove: all[:1]}); !errors.Is(err, edit.ErrUnsure) {
			t.Errorf("%s: %s, %v", content, got, err)
		}
		file := filepath.Join(t.TempDir(), "o.ttl")
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		_, added, err := edit.Append(file, []rdf.Quad{{S: rdf.NewIRI("u:s"), P: rdf.NewIRI("u:p"), O: rdf.NewDirLang("x", "ar", rdf.RTL)}})
		if now, _ := os.ReadFile(file); err != nil || added != 1 || string(now) != content+"\n<u:s> <u:p> \"x\"@ar--rtl .\n" {
			t.Errorf("%s: %q, %v", content, now, err)
		}
	}
}

// FuzzApply: whatever the text, a change of it reads back as meant, or is refused.
func FuzzApply(f *testing.F) {
	for _, seed := range []string{"<a> <b> <<( <c> <d> \"#\"@ar--rtl )>> ; <e> 1 .", "<a> <b> 1 {| <c> 2 |} . << <a> <b> 3 >> <d> 4 .", "<a> <b> 1, [ <c> ( 2 3 ) ] ; <d> \"x\" . # y", "@prefix : <u:> . :a :b :c ; :d :e , :f . :a :b :g .", "[] <a> <b> .", "<a> <b> (1 [ <c> <d> ]) ; ; ."} {
		f.Add([]byte(seed), uint64(1))
	}
	f.Fuzz(func(t *testing.T, content []byte, seed uint64) {
		all, err := edit.Read("o.ttl", content)
		if err != nil || len(all) == 0 {
			return
		}
		c := anyChange(all, rand.New(rand.NewPCG(seed, 1)))
		next, err := edit.Apply("o.ttl", content, c)
		if err != nil {
			return
		}
		if !slices.Equal(commentsOf(string(content)), commentsOf(string(next))) {
			t.Fatalf("%q became %q", content, next)
		}
		if is, err := edit.Read("o.ttl", next); err != nil || !rdftest.Isomorphic(meant(all, c), is) {
			t.Fatalf("%q became %q by %+v: %v", content, next, c, err)
		}
	})
}

// TestConvert: a file of another syntax says the same as Turtle.
func TestConvert(t *testing.T) {
	const rdfxml = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e.org/"><e:C rdf:about="http://e.org/A"><e:p>x</e:p></e:C></rdf:RDF>`
	got, err := edit.Convert("o.rdf", []byte(rdfxml))
	if err != nil || !bytes.Contains(got, []byte(`:p "x"`)) {
		t.Errorf("%s, %v", got, err)
	}
	if all, err := edit.Read("o.ttl", got); err != nil || len(all) != 2 {
		t.Errorf("%v, %v", all, err)
	}
	if edit.Editable("o.rdf", []byte(rdfxml)) || !edit.Editable("o.ttl", got) {
		t.Error("which can be edited is not told")
	}
}

// TestSave: a file is replaced only where it is what it was.
func TestSave(t *testing.T) {
	path := write(t, "o.ttl", "a")
	if err := edit.Save(path, []byte("b"), []byte("c")); !errors.Is(err, edit.ErrChanged) || content(t, path) != "a" {
		t.Errorf("%v, %q", err, content(t, path))
	}
	if err := edit.Save(path, []byte("a"), []byte("c")); err != nil || content(t, path) != "c" {
		t.Errorf("%v, %q", err, content(t, path))
	}
}

// TestUnified: a diff has the lines that differ, and three around them.
func TestUnified(t *testing.T) {
	was := "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	next := strings.Replace(was, "5\n", "five\n", 1)
	if got := edit.Diff("o", []byte(was), []byte(next)); got != "--- o\n+++ o\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n" {
		t.Errorf("%q", got)
	}
	if edit.Diff("o", []byte(was), []byte(was)) != "" {
		t.Error("the same differs")
	}
}
