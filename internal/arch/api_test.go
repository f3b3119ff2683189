package arch

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// unstable is the last sentence of the comment of a package that is neither public, internal nor a program.
const unstable = "This package is not part of the stable API."

// publicRooms are where public packages may stand. Any other package is internal, a program or marked as unstable.
var publicRooms = []string{".", "crawl", "rdf", "text", "weburl"}

// listed are the public packages whose every exported declaration stands in testdata/api.txt.
var listed = []string{".", "crawl", "rdf", "rdf/syntax", "rdf/syntax/document", "text", "weburl"}

const apiFile = "testdata/api.txt"

// TestPublicAPI: the public packages, and what they export, are those of testdata/api.txt, so that a change shows in
// review: go test ./internal/arch -update.
func TestPublicAPI(t *testing.T) {
	var out bytes.Buffer
	out.WriteString("Public packages, from the module's root; then the declarations of the first among them.\n\n")
	public := publicPackages(t)
	for _, dir := range public {
		fmt.Fprintln(&out, dir)
	}
	for _, dir := range listed {
		if slices.Contains(public, dir) {
			fmt.Fprintf(&out, "\n## %s\n", dir)
			surface(t, &out, dir)
		}
	}
	if *update {
		write(t, apiFile, out.String())
	}
	want, err := os.ReadFile(apiFile)
	if err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != string(want) {
		t.Errorf("the public API is not that of %s: if it is to change, go test ./internal/arch -update\n%s", apiFile, firstDifference(got, string(want)))
	}
}

// firstDifference shows the first line at which two texts differ.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d: %q, was %q", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, were %d", len(a), len(b))
}

// publicPackages returns the packages that are neither internal, nor programs, nor marked as unstable. They stand in
// public rooms.
func publicPackages(t *testing.T) (public []string) {
	t.Helper()
	comments := map[string]string{}
	for _, f := range files(t) {
		if f.test || f.tree.Name.Name == "main" || slices.Contains(strings.Split(f.dir, "/"), "internal") {
			continue
		}
		comments[f.dir] += f.tree.Doc.Text()
	}
	for _, dir := range slices.Sorted(maps.Keys(comments)) {
		marked := strings.HasSuffix(strings.TrimSpace(comments[dir]), unstable)
		switch {
		case marked && slices.Contains(listed, dir):
			t.Errorf("%s is public, and its comment says %q", dir, unstable)
		case !marked && !within(dir, publicRooms):
			t.Errorf("%s is neither internal nor public: its package comment ends with %q", dir, unstable)
		case !marked:
			public = append(public, dir)
		}
	}
	return public
}

// surface writes the exported declarations of a package, without comments and bodies.
func surface(t *testing.T, out *bytes.Buffer, dir string) {
	t.Helper()
	pkg, err := build.ImportDir(filepath.Join("../..", dir), 0)
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	var trees []*ast.File
	for _, name := range pkg.GoFiles {
		tree, err := parser.ParseFile(set, filepath.Join(pkg.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	p, err := doc.NewFromFiles(set, trees, dir)
	if err != nil {
		t.Fatal(err)
	}
	d := declarations{t: t, out: out, set: set}
	d.values(p.Consts)
	d.values(p.Vars)
	d.functions(p.Funcs)
	for _, typ := range p.Types {
		d.node(typ.Decl)
		d.values(typ.Consts)
		d.values(typ.Vars)
		d.functions(typ.Funcs)
		d.functions(typ.Methods)
	}
}

// declarations prints declarations.
type declarations struct {
	t   *testing.T
	out *bytes.Buffer
	set *token.FileSet
}

func (d *declarations) node(n any) {
	var text bytes.Buffer
	if err := (&printer.Config{Mode: printer.UseSpaces, Tabwidth: 4}).Fprint(&text, d.set, n); err != nil {
		d.t.Fatal(err)
	}
	d.out.WriteByte('\n')
	for line := range strings.Lines(text.String()) { // empty lines stand where comments stood
		if strings.TrimSpace(line) != "" {
			d.out.WriteString(strings.TrimRight(line, "\n"))
			d.out.WriteByte('\n')
		}
	}
}

func (d *declarations) values(all []*doc.Value) {
	for _, v := range all {
		d.node(v.Decl)
	}
}

func (d *declarations) functions(all []*doc.Func) {
	for _, f := range all {
		f.Decl.Body = nil
		d.node(f.Decl)
	}
}
