package arch

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// A file is one parsed Go file of the module.
type file struct {
	path string // from the module's root, with slashes
	dir  string // its package, from the root; "." is the root
	test bool
	tree *ast.File
	set  *token.FileSet
}

// parsed is the whole module, parsed once for all tests.
var parsed = sync.OnceValues(parse)

// files returns the files of the module.
func files(t *testing.T) []file {
	t.Helper()
	all, err := parsed()
	if err != nil || len(all) < 50 {
		t.Fatalf("%d files, %v", len(all), err)
	}
	return all
}

func parse() ([]file, error) {
	root, err := filepath.Abs("../..")
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	var all []file
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		tree, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		all = append(all, file{
			path: rel, dir: filepath.ToSlash(filepath.Dir(rel)),
			test: strings.HasSuffix(rel, "_test.go"), tree: tree, set: set,
		})
		return nil
	})
	return all, err
}

// mayImport says what a room may import of ours: packages at or below these. "." is the root
// package alone.
func mayImport(dir string) (rooms []string, known bool) {
	if dir == "internal/step" {
		return []string{".", "rdf"}, true
	}
	if dir == "internal/pipeline" {
		return []string{".", "internal/step"}, true
	}
	room, _, _ := strings.Cut(dir, "/")
	if dir == "rdf/rdftest" { // for tests alone
		return []string{"rdf", "internal/realdata"}, true
	}
	if dir == "fetch/fetchtest" { // for tests alone: shares no code with what it measures
		return nil, true
	}
	switch room {
	case ".":
		return []string{"rdf"}, true
	case "weburl":
		return nil, true
	case "text":
		return []string{"text"}, true
	case "search":
		return []string{"text", "internal/database/kv"}, true
	case "rdf":
		return []string{"rdf", "internal/database/kv", "internal/coding/charset"}, true
	case "kb":
		return []string{"rdf", "text", "weburl", "kb", "internal/atomicfile", "internal/database"}, true
	case "focus":
		return []string{".", "rdf", "text", "weburl", "kb", "focus/accept", "focus/chance", "focus/inlinks", "focus/links", "focus/spans", "focus/urlwords"}, true
	case "page":
		return []string{".", "internal/step", "internal/coding", "rdf", "text", "weburl"}, true
	case "fetch":
		return []string{".", "internal/step", "rdf", "weburl", "fetch", "internal/atomicfile", "internal/coding", "internal/database"}, true
	case "frontier":
		return []string{".", "internal/step", "rdf", "weburl"}, true
	case "ledger":
		return []string{".", "internal/step", "rdf", "weburl", "search", "text", "internal/database"}, true
	case "engine":
		return []string{".", "internal/step", "internal/pipeline", "internal/failing", "internal/machine", "focus/chance", "focus/verdicts"}, true
	case "sink":
		return []string{".", "sink", "internal/atomicfile", "internal/crawlfile/notation", "internal/cluster/storage"}, true
	case "server":
		return []string{".", "internal/step", "internal/recrawl", "internal/saturation", "internal/sinks", "internal/tier", "internal/coding/charset", "rdf", "weburl", "server/door", "server/queue"}, true
	case "eval":
		return []string{".", "internal/step", "internal/drawing", "internal/coding/charset", "rdf", "text", "weburl", "ledger"}, true
	case "crawl":
		return []string{".", "rdf", "kb", "server", "ledger", "internal"}, true
	case "studio": // a client of crawl
		return []string{".", "studio", "text", "crawl", "examples", "server/door", "server/replay", "kb/editing", "internal/atomicfile", "internal/console", "internal/job", "internal/machine"}, true
	case "cmd", "internal", "examples", "e2e":
		return []string{"*"}, true
	}
	return nil, false
}

// within reports whether a package is one of the rooms or below it.
func within(pkg string, rooms []string) bool {
	return slices.ContainsFunc(rooms, func(room string) bool {
		return room == "*" || pkg == room || room != "." && strings.HasPrefix(pkg, room+"/")
	})
}

func TestImports(t *testing.T) {
	module := modulePath(t)
	for _, f := range files(t) {
		rooms, known := mayImport(f.dir)
		if !known {
			t.Errorf("%s stands in no room: give %s one in mayImport", f.path, f.dir)
		}
		for _, spec := range f.tree.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			pkg, ours := strings.CutPrefix(path+"/", module+"/")
			if pkg = strings.TrimSuffix(pkg, "/"); !ours || f.test {
				continue
			}
			if pkg == "" {
				pkg = "."
			}
			if pkg != "internal/order" && !within(pkg, append(rooms, f.dir)) {
				t.Errorf("%s imports %s: %s may import %v", f.path, pkg, f.dir, rooms)
			}
		}
	}
}

func TestNoCatchAllPackages(t *testing.T) {
	for _, f := range files(t) {
		switch filepath.Base(f.dir) {
		case "util", "utils", "common", "helper", "helpers", "types", "base", "misc":
			t.Errorf("%s: a package's name says what it is for", f.path)
		}
	}
}

const (
	maxFile     = 600 // lines
	maxFunction = 80
	usualLength = 40   // of nine functions in ten
	maxPackage  = 4000 // below internal and cmd, tests left out
	maxRoot     = 320  // of the root package, without blank lines and comments
)

func TestSizes(t *testing.T) {
	functions, long := 0, 0
	for _, f := range files(t) {
		if lines := f.set.Position(f.tree.End()).Line; lines > maxFile {
			t.Errorf("%s has %d lines, more than %d", f.path, lines, maxFile)
		}
		for _, d := range f.tree.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || f.test {
				continue
			}
			functions++
			length := f.set.Position(fn.End()).Line - f.set.Position(fn.Pos()).Line + 1
			if length > usualLength {
				long++
			}
			if length > maxFunction {
				t.Errorf("%s: %s has %d lines, more than %d", f.path, fn.Name.Name, length, maxFunction)
			}
		}
	}
	if long*10 > functions {
		t.Errorf("%d of %d functions have more than %d lines; one in ten may", long, functions, usualLength)
	}
}

// TestPackageSizes: no package below internal and cmd is large, and the root is the vocabulary of a focus's author alone.
func TestPackageSizes(t *testing.T) {
	lines := map[string]int{}
	for _, f := range files(t) {
		switch {
		case f.test:
		case f.dir == ".":
			lines[f.dir] += codeLines(t, f)
		default:
			lines[f.dir] += f.set.Position(f.tree.FileEnd).Line - 1
		}
	}
	if root := lines["."]; root == 0 || root > maxRoot {
		t.Errorf("the root package has %d lines of code; 1 to %d may be", root, maxRoot)
	}
	for dir, n := range lines {
		if n > maxPackage && within(dir, []string{"internal", "cmd"}) {
			t.Errorf("package %s has %d lines, more than %d", dir, n, maxPackage)
		}
	}
}

// codeLines counts the lines of a file that hold code: neither blank nor comments alone.
func codeLines(t *testing.T, f file) int {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("../..", f.path))
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	in := set.AddFile(f.path, -1, len(source))
	var s scanner.Scanner
	s.Init(in, source, nil, 0) // skips comments
	code := map[int]bool{}
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return len(code)
		}
		if tok == token.SEMICOLON && literal == "\n" { // the scanner's own, at a line's end
			continue
		}
		from := in.Line(pos)
		for i := range strings.Count(literal, "\n") + 1 {
			code[from+i] = true
		}
	}
}

func TestNoSleepsInTests(t *testing.T) {
	for _, f := range files(t) {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || !f.test || sel.Sel.Name != "Sleep" {
				return true
			}
			if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "time" {
				t.Errorf("%s: a test sleeps; testing/synctest tells the time", f.set.Position(n.Pos()))
			}
			return true
		})
	}
}

func TestNoInit(t *testing.T) {
	for _, f := range files(t) {
		for _, d := range f.tree.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s has an init: nothing happens before main", f.path)
			}
		}
	}
}

// TestDocumented: every exported name has a comment, every package one that says what it is for.
func TestDocumented(t *testing.T) {
	packages := map[string]bool{}
	for _, f := range files(t) {
		if f.test {
			continue
		}
		packages[f.dir] = packages[f.dir] || f.tree.Doc != nil
		for _, d := range f.tree.Decls {
			for _, name := range undocumented(d) {
				t.Errorf("%s: %s has no comment", f.set.Position(d.Pos()), name)
			}
		}
	}
	for dir, documented := range packages {
		if !documented {
			t.Errorf("package %s has no comment", dir)
		}
	}
}

// undocumented returns the exported names of a declaration that nothing is said of.
func undocumented(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
					names = append(names, s.Name.Name)
				}
			case *ast.ValueSpec:
				for _, name := range s.Names {
					if name.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
						names = append(names, name.Name)
					}
				}
			}
		}
	}
	return names
}

// exportedReceiver reports whether a function is one, or a method of an exported type.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	receiver := d.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	if index, ok := receiver.(*ast.IndexExpr); ok {
		receiver = index.X
	}
	name, ok := receiver.(*ast.Ident)
	return ok && name.IsExported()
}

// TestNothingUnfinished: what is not done is not in the tree.
func TestNothingUnfinished(t *testing.T) {
	unfinished := []string{"TO" + "DO", "FIX" + "ME", "not " + "implemented"}
	for _, f := range files(t) {
		content, err := os.ReadFile(filepath.Join("../..", f.path))
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range unfinished {
			if strings.Contains(string(content), word) {
				t.Errorf("%s holds %q", f.path, word)
			}
		}
	}
}

// TestNoGlobals: a variable of a package is a table that nothing writes, or it is not there.
func TestNoGlobals(t *testing.T) {
	globals := map[string]map[string]bool{} // package → names
	all := files(t)
	for _, f := range all {
		for _, d := range f.tree.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR && !f.test {
				for _, spec := range g.Specs {
					for _, name := range spec.(*ast.ValueSpec).Names {
						if globals[f.dir] == nil {
							globals[f.dir] = map[string]bool{}
						}
						globals[f.dir][name.Name] = true
					}
				}
			}
		}
	}
	for _, f := range all {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			var written []ast.Expr
			switch n := n.(type) {
			case *ast.AssignStmt:
				if n.Tok != token.DEFINE {
					written = n.Lhs
				}
			case *ast.IncDecStmt:
				written = []ast.Expr{n.X}
			}
			for _, e := range written {
				name := rootOf(e)
				if name == nil || !globals[f.dir][name.Name] || isLocal(name) {
					continue
				}
				t.Errorf("%s: the package variable %s is written", f.set.Position(n.Pos()), name.Name)
			}
			return true
		})
	}
}

// rootOf returns the identifier that an expression starts from.
func rootOf(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// isLocal reports whether a name was declared inside a function, by := or as a parameter.
func isLocal(name *ast.Ident) bool {
	if name.Obj == nil {
		return false
	}
	switch name.Obj.Decl.(type) {
	case *ast.AssignStmt, *ast.Field:
		return true
	}
	return false
}
