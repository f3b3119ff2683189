package edit_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
	"orbweaver/rdf/syntax/turtle/edit"
)

const (
	rdfs  = "http://www.w3.org/2000/01/rdf-schema#"
	typed = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
)

func state(s, p string, o rdf.Term) rdf.Quad {
	return rdf.Quad{S: rdf.NewIRI(s), P: rdf.NewIRI(p), O: o}
}

// jet is a class with a label, and an entry of another.
func jet() []rdf.Quad {
	return []rdf.Quad{
		state("http://e.org/Jet", typed, rdf.NewIRI("http://www.w3.org/2002/07/owl#Class")),
		state("http://e.org/Jet", rdfs+"label", rdf.NewLang(`a "jet"`, "en")),
		state("http://e.org/a/b", rdfs+"label", rdf.NewTyped("1", rdf.XSDInteger)),
	}
}

func write(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o640); err != nil {
		t.Fatal(err)
	}
	return path
}

func content(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestTheDiffIsTheNewLinesAlone: what was there stands as it was; behind it is what is expected; and
// adding it again writes nothing.
func TestTheDiffIsTheNewLinesAlone(t *testing.T) {
	const full = "<http://e.org/Jet> a <http://www.w3.org/2002/07/owl#Class> ;\n    <" + rdfs + "label> \"a \\\"jet\\\"\"@en .\n" +
		"<http://e.org/a/b> <" + rdfs + "label> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n"
	for _, tc := range []struct{ name, file, before, want string }{
		{"prefixes of the file", "o.ttl", "# of ours\n@prefix e: <http://e.org/> . # here\n@prefix owl: <http://www.w3.org/2002/07/owl#> .\n@prefix rdfs: <" + rdfs + "> .\ne:A a owl:Class . # the end\n",
			"\ne:Jet a owl:Class ;\n    rdfs:label \"a \\\"jet\\\"\"@en .\n<http://e.org/a/b> rdfs:label \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n"},
		{"no prefixes", "o.ttl", "<u:s> <u:p> 'o' .\n", "\n" + full},
		{"an empty file", "o.ttl", "", full},
		{"no newline at the end", "o.ttl", "<u:s> <u:p> 'o' .", "\n\n" + full},
		{"a comment at the end", "o.ttl", "<u:s> <u:p> 'o' . # no newline", "\n\n" + full},
		{"an empty line at the end", "o.ttl", "<u:s> <u:p> 'o' .\n\n", full},
		{"lines of DOS", "o.ttl", "<u:s> <u:p> 'o' .\r\n", "\r\n" + strings.ReplaceAll(full, "\n", "\r\n")},
		{"lines of DOS, an empty one at the end", "o.ttl", "<u:s> <u:p> 'o' .\r\n\r\n", strings.ReplaceAll(full, "\n", "\r\n")},
		{"a base", "o.ttl", "@base <http://e.org/a/b> .\n<#x> <#y> <c> .\n", "\n" + full},
		{"a prefix redefined midway", "o.ttl", "@prefix e: <http://e.org/> .\ne:s e:p e:o .\nPREFIX e: <http://f.org/>\ne:s e:p e:o .\n", "\n" + full},
		{"odd prefixes", "o.ttl", "@prefix : <http://e.org/a/> .\n@prefix a: <http://e.org/> .\n@prefix xx: <http://e.org/a/> .\n@prefix x.y-z: <http://e.org/> .\n@prefix n: <http://e.org/Je> .\n:s :p 1.\n",
			"\n" + strings.NewReplacer("<http://e.org/Jet>", "n:t", "<http://e.org/a/b>", ":b").Replace(full)},
		{"a statement that is there", "o.ttl", "<http://e.org/Jet> <" + rdfs + "label> 'a \"jet\"'@en .\n",
			"\n<http://e.org/Jet> a <http://www.w3.org/2002/07/owl#Class> .\n<http://e.org/a/b> <" + rdfs + "label> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n"},
		{"N-Triples", "o.nt", "<u:s> <u:p> \"o\" .", "\n<http://e.org/Jet> <" + typed + "> <http://www.w3.org/2002/07/owl#Class> .\n<http://e.org/Jet> <" + rdfs + "label> \"a \\\"jet\\\"\"@en .\n" +
			"<http://e.org/a/b> <" + rdfs + "label> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n"},
		{"Turtle by another name", "ontology", "@prefix e: <http://e.org/> .\n", "\n" + strings.Replace(full, "<http://e.org/Jet>", "e:Jet", 1)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := write(t, tc.file, tc.before)
			written, _, err := edit.Append(path, jet())
			if got := content(t, path); err != nil || written != path || got != tc.before+tc.want {
				t.Fatalf("%v, written to %s\n%q\nwant\n%q", err, written, got, tc.before+tc.want)
			}
			info, _ := os.Stat(path)
			if _, n, err := edit.Append(path, jet()); n != 0 || err != nil || content(t, path) != tc.before+tc.want || info.Mode().Perm() != 0o640 {
				t.Errorf("again: %d added, %v; mode %v", n, err, info.Mode())
			}
			left, _ := os.ReadDir(filepath.Dir(path))
			if len(left) != 1 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestDiff asks a program that was not written here.
func TestDiff(t *testing.T) {
	diff, err := exec.LookPath("diff")
	if err != nil {
		t.Skip("no diff on this machine")
	}
	for _, example := range []string{"examples/aircraft.ttl", "examples/wikispeedia/computing.ttl"} {
		old := content(t, filepath.Join(realdata.Root(t), example))
		before, path := write(t, "before", old), write(t, "o.ttl", old)
		if _, n, err := edit.Append(path, jet()); n != 3 || err != nil {
			t.Fatal(n, err)
		}
		told, _ := exec.Command(diff, before, path).Output() // it fails where files differ
		lines := strings.Split(strings.TrimSpace(string(told)), "\n")
		if len(lines) != 5 {
			t.Errorf("%s: %s", example, told)
		}
		for _, line := range lines[1:] {
			if !strings.HasPrefix(line, ">") {
				t.Errorf("%s: %s", example, line)
			}
		}
	}
}

// TestRelative: names relative to the file stay so.
func TestRelative(t *testing.T) {
	for before, want := range map[string]string{
		"<#A> <u:p> <#B> .\n":                         "<#Jet> a <#A> .\n",
		"@prefix : <#> .\n:A <u:p> :B .\n":            ":Jet a :A .\n",
		"@base <http://b.org/x#y> .\n<#A> <u:p> 1.\n": "<#Jet> a <#A> .\n",
	} {
		path := write(t, "o.ttl", before)
		all := rdftest.Collect(t, turtle.Read(strings.NewReader(before), syntax.Options{Base: "file://" + path}))
		a := all[0].S.Value
		_, _, err := edit.Append(path, []rdf.Quad{state(strings.TrimSuffix(a, "A")+"Jet", typed, rdf.NewIRI(a))})
		if got := content(t, path); err != nil || got != before+"\n"+want {
			t.Errorf("%v: %q, want %q", err, got, before+"\n"+want)
		}
	}
}

// TestCompanion: what cannot be appended to gets a file beside it, which then grows.
func TestCompanion(t *testing.T) {
	for _, name := range []string{"o.owl", "o.ttl.gz"} {
		const rdfxml = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>`
		path := write(t, name, rdfxml)
		for i, q := range jet() {
			written, n, err := edit.Append(path, []rdf.Quad{q})
			if err != nil || n != 1 || written != edit.Companion(path) || written != path+".additions.ttl" || content(t, path) != rdfxml {
				t.Fatalf("%d to %s, %v", n, written, err)
			}
			f, _ := os.Open(written)
			if all := rdftest.Collect(t, turtle.Read(f, syntax.Options{})); len(all) != i+1 {
				t.Errorf("%s says %v", written, all)
			}
			f.Close()
		}
	}
}

func TestNothingIsWritten(t *testing.T) {
	const good = "<u:s> <u:p> 1 .\n"
	blank := rdf.Quad{S: rdf.NewBlank("b"), P: rdf.NewIRI("u:p"), O: rdf.NewIRI("u:o")}
	odd := state("http://e.org/a b", "u:p", rdf.NewString("o"))
	notText := state("u:s", "u:p", rdf.NewString("a\xff"))
	for _, tc := range []struct {
		name, before string
		statements   []rdf.Quad
		want         error
	}{
		{"a blank node", good, []rdf.Quad{blank}, edit.ErrBlank},
		{"no IRI", good, []rdf.Quad{odd}, edit.ErrUnsure},
		{"no text", good, []rdf.Quad{notText}, edit.ErrUnsure},
		{"nothing", good, nil, nil},
	} {
		path := write(t, "o.ttl", tc.before)
		_, n, err := edit.Append(path, tc.statements)
		if !errors.Is(err, tc.want) || n != 0 || content(t, path) != tc.before {
			t.Errorf("%s: %d, %v, %q", tc.name, n, err, content(t, path))
		}
	}
	var mistake *syntax.Error
	path := write(t, "o.ttl", "<u:s> <u:p> 1 .\n<u:s> <u:p>\n")
	if _, _, err := edit.Append(path, jet()); !errors.As(err, &mistake) || mistake.Line != 3 || !strings.Contains(err.Error(), path) {
		t.Errorf("a file with a mistake: %v", err)
	}
	if _, _, err := edit.Append(path+"x", jet()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// TestLinks: a file reached by a link stays where it is, and so does the link.
func TestLinks(t *testing.T) {
	path := write(t, "o.ttl", "")
	link := filepath.Join(filepath.Dir(path), "link.ttl")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	if _, n, err := edit.Append(link, jet()); n != 3 || err != nil {
		t.Fatal(n, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 || !strings.Contains(content(t, path), "Jet") {
		t.Errorf("%v, %v", info, err)
	}
}

// FuzzAppend: whatever the file, it is left alone, or begins as it did and says what was added.
func FuzzAppend(f *testing.F) {
	for _, seed := range []string{"", "@prefix : <http://e.org/> . :a :b :c", "PREFIX e: <u:\u00e9>\n#", "<a> a 'x'@en .\r\n", "\xef\xbb\xbf", "@base <x:y> ."} {
		f.Add([]byte(seed), "Jet", "a jet\n")
	}
	f.Fuzz(func(t *testing.T, before []byte, local, label string) {
		path := write(t, "o.ttl", string(before))
		statements := []rdf.Quad{state("http://e.org/"+local, rdfs+"label", rdf.NewLang(label, "en")), state("http://e.org/x", "u:p", rdf.NewIRI("http://e.org/"+local))}
		_, n, err := edit.Append(path, statements)
		after := []byte(content(t, path))
		switch {
		case err != nil || n == 0:
			if !bytes.Equal(after, before) {
				t.Fatalf("%v, and yet %q", err, after)
			}
		case !bytes.HasPrefix(after, before):
			t.Fatalf("%q became %q", before, after)
		default:
			if _, n, err := edit.Append(path, statements); n != 0 || err != nil {
				t.Fatalf("again: %d, %v", n, err)
			}
		}
	})
}
