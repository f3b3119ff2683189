package arch

import (
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// focuses is where the focuses are, below the module.
const focuses = "focus/"

// shared are packages there that are no focus: several focuses use them.
func shared(pkg string) bool {
	return pkg == "focus/accept" || pkg == "focus/chance" || pkg == "focus/inlinks" || pkg == "focus/links" || pkg == "focus/spans" || pkg == "focus/verdicts"
}

// imported are the packages of ours that a file imports, by the names that it gives them.
func imported(t *testing.T, f file) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, spec := range f.tree.Imports {
		full, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		pkg, ours := strings.CutPrefix(full+"/", modulePath(t)+"/")
		if !ours {
			continue
		}
		name := path.Base(full)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		all[name] = strings.TrimSuffix(pkg, "/")
	}
	return all
}

// isFace reports whether a name of the root package is that of a focus, or of what it can do beside.
func isFace(name string) bool {
	return slices.Contains([]string{
		"Focus", "Preparer", "Seeder", "Recoverer", "Rephraser", "Learner", "Rounder", "Reranker", "Merger", "Suggester", "Decider",
	}, name)
}

// asserted are the types that a node asserts a value to be of.
func asserted(n ast.Node) (types []ast.Expr) {
	switch n := n.(type) {
	case *ast.TypeAssertExpr:
		if n.Type != nil { // nil: a switch, whose cases follow
			types = append(types, n.Type)
		}
	case *ast.TypeSwitchStmt:
		for _, c := range n.Body.List {
			types = append(types, c.(*ast.CaseClause).List...)
		}
	}
	return types
}

// ofFocus reports whether a type is a focus's, or a face of one.
func ofFocus(e ast.Expr, imports map[string]string) bool {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	name, ok := sel.X.(*ast.Ident)
	if !ok {
		return false
	}
	pkg, ours := imports[name.Name]
	return ours && (pkg == "" && isFace(sel.Sel.Name) || strings.HasPrefix(pkg, focuses))
}

// isFocus reports whether what a node asserts something of is the result of a method Focus.
func isFocus(n ast.Node) bool {
	assertion, ok := n.(*ast.TypeAssertExpr)
	if !ok {
		return false
	}
	call, ok := assertion.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	return ok && method.Sel.Name == "Focus"
}

// TestNobodyAsksWhatAFocusIs: the engine asks what a focus can do, and a kind of focus knows its own. Everybody else
// goes by internal/kind.
func TestNobodyAsksWhatAFocusIs(t *testing.T) {
	exceptions := map[string]bool{}
	for _, f := range files(t) {
		if f.test || within(f.dir, []string{"engine", "internal/pipeline", "internal/kind", "focus"}) {
			continue
		}
		imports := imported(t, f)
		ast.Inspect(f.tree, func(n ast.Node) bool {
			for _, e := range asserted(n) {
				if !ofFocus(e, imports) && !isFocus(n) {
					continue
				}
				if _, known := exceptions[f.path]; known {
					exceptions[f.path] = true
					continue
				}
				t.Errorf("%s: asks what a focus is: that is for its kind to say, in internal/kind", f.set.Position(n.Pos()))
			}
			return true
		})
	}
	allUsed(t, exceptions)
}

// TestAFocusIsItsKinds: a focus is imported by its kind alone, and by itself.
func TestAFocusIsItsKinds(t *testing.T) {
	exceptions := map[string]bool{
		"internal/kind/keyword/keyword.go focus/baseline":     false, // mode: paper
		"internal/kind/ontology/layers.go focus/crossref":     false, // layers
		"internal/kind/metadata/metadata.go focus/linkeddata": false, // the forms that linked data is asked for in
		"internal/kind/swget/swget.go focus/linkeddata":       false, // likewise
	}
	for _, f := range files(t) {
		if f.test || strings.HasPrefix(f.dir, focuses) {
			continue
		}
		for _, pkg := range imported(t, f) {
			name, focus := strings.CutPrefix(pkg, focuses)
			if !focus || shared(pkg) || f.dir == "internal/kind/"+name {
				continue
			}
			if _, known := exceptions[f.path+" "+pkg]; known {
				exceptions[f.path+" "+pkg] = true
				continue
			}
			t.Errorf("%s imports %s, which is for internal/kind/%s alone", f.path, pkg, name)
		}
	}
	allUsed(t, exceptions)
}

// allUsed reports exceptions that nothing needs any more.
func allUsed(t *testing.T, exceptions map[string]bool) {
	t.Helper()
	for what, used := range exceptions {
		if !used {
			t.Errorf("%s is no exception any more: take it from the table", what)
		}
	}
}
