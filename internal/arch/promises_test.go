package arch

import (
	"go/ast"
	"go/build/constraint"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// tests returns the tests of all packages, as DIR.TestName, with the tier in which they run: b where the file wants the tag e2e, or the test says that it is long.
func tests(t *testing.T) map[string]string {
	t.Helper()
	tiers := map[string]string{}
	for _, f := range files(t) {
		if !f.test {
			continue
		}
		tier := "a"
		for _, group := range f.tree.Comments {
			for _, c := range group.List {
				x, err := constraint.Parse(c.Text)
				if err == nil && c.Pos() < f.tree.Package && !x.Eval(func(tag string) bool { return tag != "e2e" }) {
					tier = "b"
				}
			}
		}
		for _, d := range f.tree.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				tiers[f.dir+"."+fn.Name.Name] = tier
				if long(fn) {
					tiers[f.dir+"."+fn.Name.Name] = "b"
				}
			}
		}
	}
	return tiers
}

// long reports whether a test is left to the second tier by tier.Long.
func long(fn *ast.FuncDecl) (found bool) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if ok && sel.Sel.Name == "Long" {
			pkg, ok := sel.X.(*ast.Ident)
			found = found || ok && pkg.Name == "tier"
		}
		return true
	})
	return found
}

// TestPromises: each promise of ARCHITECTURE.md has tests in the table of CONTRIBUTING.md, which are there, in the tier that it says.
func TestPromises(t *testing.T) {
	section := func(name, heading string) string {
		text, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		_, after, found := strings.Cut(string(text), "\n"+heading+"\n")
		if !found {
			t.Fatalf("%s has no %q", name, heading)
		}
		after, _, _ = strings.Cut(after, "\n## ")
		return after
	}
	promised := regexp.MustCompile(`(?m)^(\d+)\. \*\*`).FindAllStringSubmatch(section("ARCHITECTURE.md", "## Promises, and what keeps them"), -1)
	rows := regexp.MustCompile(`(?m)^\| (\d+)\. [^|]* \| ([^|]*) \| ([ab]) \|$`).FindAllStringSubmatch(section("CONTRIBUTING.md", "## Tests"), -1)
	all, kept := tests(t), map[string]bool{}
	for _, row := range rows {
		kept[row[1]] = true
		for _, name := range strings.Split(row[2], ", ") {
			if got := all[strings.Trim(name, "`")]; got != row[3] {
				t.Errorf("CONTRIBUTING.md: promise %s: %s is in tier %q, the table says %s", row[1], name, got, row[3])
			}
		}
	}
	if len(promised) < 10 {
		t.Errorf("%d promises", len(promised))
	}
	for _, p := range promised {
		if !kept[p[1]] {
			t.Errorf("CONTRIBUTING.md names no test for promise %s of ARCHITECTURE.md", p[1])
		}
	}
}
