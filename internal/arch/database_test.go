package arch

import (
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const pebble = "github.com/cockroachdb/pebble"

// TestDatabases: a short list of packages knows Pebble, and internal/database alone opens databases and disks
// for them. Tests open what they like.
func TestDatabases(t *testing.T) {
	mayUse := []string{"internal/database", "internal/database/kv", "ledger", "rdf/quads", "search", "kb/krs", "internal/datasets"}
	opened := 0
	for _, f := range files(t) {
		names := map[string]string{} // of imports of Pebble → path
		for _, spec := range f.tree.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(imported, pebble) || f.test {
				continue
			}
			if !slices.Contains(mayUse, f.dir) {
				t.Errorf("%s imports %s: only %v may", f.path, imported, mayUse)
			}
			name := strings.TrimPrefix(path.Base(imported), "v2")
			if name == "" {
				name = "pebble"
			}
			if spec.Name != nil {
				name = spec.Name.Name
			}
			names[name] = imported
		}
		ast.Inspect(f.tree, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && opens(sel, names) {
				if opened++; f.dir != "internal/database" {
					t.Errorf("%s: only internal/database opens databases and disks", f.set.Position(n.Pos()))
				}
			}
			return true
		})
	}
	if opened == 0 {
		t.Error("nothing opens a database: this test looks for the wrong names")
	}
}

// opens reports whether a selector opens a database, or is a file system to open one on.
func opens(sel *ast.SelectorExpr, imports map[string]string) bool {
	pkg, ok := sel.X.(*ast.Ident)
	if !ok {
		return false
	}
	switch imported := imports[pkg.Name]; {
	case imported == "":
		return false
	case strings.HasSuffix(imported, "/vfs"):
		return slices.Contains([]string{"Default", "NewMem", "NewCrashableMem"}, sel.Sel.Name)
	default:
		return slices.Contains([]string{"Open", "Peek"}, sel.Sel.Name)
	}
}
