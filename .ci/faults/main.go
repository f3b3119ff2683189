// Command faults plants faults in the code, one at a time and in as many packages, and tells which of them the tests find:
// `go run ./.ci/faults -seed 1 -n 16 [-tags e2e]`. A fault is a flipped comparison, a dropped error or an off-by-one; which and where follows from the
// seed. Nothing in the tree is changed: the go command reads the faulty file in place of the true one (-overlay).
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A fault is another text in the place of one in a file.
type fault struct {
	pkg, file  string
	line       int
	start, end int // bytes
	kind, text string
}

// A pkg is what go list tells of a package.
type pkg struct {
	ImportPath, Dir           string
	GoFiles, Deps             []string
	TestGoFiles, XTestGoFiles []string
	TestImports, XTestImports []string
}

func main() {
	seed := flag.Uint64("seed", 1, "which faults")
	n := flag.Int("n", 16, "how many")
	tags := flag.String("tags", "", "e2e: with the second tier")
	list := flag.Bool("list", false, "tell the faults, and run nothing")
	limit := flag.Duration("timeout", 15*time.Minute, "of the tests of one fault")
	flag.Parse()
	if err := try(*seed, *n, *tags, *list, *limit); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func try(seed uint64, n int, tags string, list bool, limit time.Duration) error {
	packages, err := listed(tags)
	if err != nil {
		return err
	}
	faults, err := drawn(packages, seed, n)
	if err != nil {
		return err
	}
	found := 0
	for i, f := range faults {
		fmt.Printf("%2d %s:%d %s: %s\n", i+1, f.file, f.line, f.kind, f.text)
		if list {
			continue
		}
		by, err := finders(f, packages, tags, limit)
		if err != nil {
			return err
		}
		if by != "" {
			found++
		}
		fmt.Printf("   %s\n", cmp.Or(by, "NOT FOUND"))
	}
	if !list {
		fmt.Printf("found %d of %d, seed %d, tags %q\n", found, len(faults), seed, tags)
	}
	return nil
}

func listed(tags string) (packages []pkg, err error) {
	out, err := exec.Command("go", "list", "-tags", tags, "-json=ImportPath,Dir,GoFiles,Deps,TestGoFiles,XTestGoFiles,TestImports,XTestImports", "./...").Output()
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p pkg
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
	return packages, nil
}

// drawn draws a fault in each of n packages; programs and what is for tests alone have none.
func drawn(packages []pkg, seed uint64, n int) (faults []fault, err error) {
	random := rand.New(rand.NewPCG(seed, 52))
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for _, at := range random.Perm(len(packages)) {
		p := packages[at]
		if len(faults) == n {
			break
		}
		if strings.Contains(p.ImportPath, "test") || strings.Contains(p.Dir, "/.ci/") || strings.Contains(p.ImportPath, "/cmd/orbweaver/") || strings.Contains(p.ImportPath, "examples/") {
			continue
		}
		var all []fault
		for _, name := range p.GoFiles {
			in, err := sites(filepath.Join(p.Dir, name))
			if err != nil {
				return nil, err
			}
			all = append(all, in...)
		}
		if len(all) < 10 { // hardly any code
			continue
		}
		kinds := []string{"flipped comparison", "dropped error", "off by one"}
		kind := kinds[random.IntN(len(kinds))]
		if of := slices.DeleteFunc(slices.Clone(all), func(f fault) bool { return f.kind != kind }); len(of) > 0 {
			all = of
		}
		f := all[random.IntN(len(all))]
		f.pkg = p.ImportPath
		if f.file, err = filepath.Rel(root, f.file); err != nil {
			return nil, err
		}
		faults = append(faults, f)
	}
	return faults, nil
}

var flipped = map[token.Token]string{token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">", token.EQL: "!=", token.NEQ: "=="}

// sites are the faults that a file can have.
func sites(path string) (all []fault, err error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, path, nil, 0)
	if err != nil {
		return nil, err
	}
	add := func(from, to token.Pos, kind, text string) {
		at := set.Position(from)
		all = append(all, fault{file: path, line: at.Line, start: at.Offset, end: set.Position(to).Offset, kind: kind, text: text})
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			op, y := n.Op.String(), n.Y
			if to := flipped[n.Op]; to != "" && !isNil(y) {
				add(n.OpPos, n.OpPos+token.Pos(len(op)), "flipped comparison", to)
			}
			if one, ok := y.(*ast.BasicLit); ok && one.Value == "1" && (n.Op == token.ADD || n.Op == token.SUB) {
				add(one.Pos(), one.End(), "off by one", "0")
			}
		case *ast.SliceExpr:
			if low, ok := n.Low.(*ast.BasicLit); ok && low.Value == "1" {
				add(low.Pos(), low.End(), "off by one", "0")
			}
		case *ast.ReturnStmt:
			if len(n.Results) == 1 {
				if id, ok := n.Results[0].(*ast.Ident); ok && id.Name == "err" {
					add(id.Pos(), id.End(), "dropped error", "nil")
				}
			}
		case *ast.IfStmt:
			if c, ok := n.Cond.(*ast.BinaryExpr); ok && c.Op == token.NEQ && isNil(c.Y) && n.Init == nil {
				if id, ok := c.X.(*ast.Ident); ok && id.Name == "err" {
					add(c.Pos(), c.End(), "dropped error", "err != nil && len(err.Error()) == 0")
				}
			}
		}
		return true
	})
	return all, nil
}

func isNil(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == "nil"
}

// finders runs the tests of the fault's package, and then of those that stand on it, nearest first, until one fails. It returns which did; empty: none.
func finders(f fault, packages []pkg, tags string, limit time.Duration) (string, error) {
	folder, err := os.MkdirTemp("", "faults")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	text, err := os.ReadFile(f.file)
	if err != nil {
		return "", err
	}
	path, err := filepath.Abs(f.file)
	if err != nil {
		return "", err
	}
	faulty, overlay := filepath.Join(folder, "faulty.go"), filepath.Join(folder, "overlay.json")
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {path: faulty}})
	if err == nil {
		err = os.WriteFile(faulty, []byte(string(text[:f.start])+f.text+string(text[f.end:])), 0o600)
	}
	if err == nil {
		err = os.WriteFile(overlay, replaced, 0o600)
	}
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	for _, group := range above(f.pkg, packages) {
		args := append([]string{"test", "-overlay", overlay, "-tags", tags, "-failfast", "-vet=off"}, group...)
		out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput()
		switch {
		case ctx.Err() != nil:
			return "", nil // what takes so long has not found it
		case err != nil:
			return failure(string(out)), nil
		}
	}
	return "", nil
}

// above are the packages with tests that use one: itself, who imports it in its tests or code directly, all others.
func above(path string, packages []pkg) [][]string {
	var own, others []string
	for _, p := range packages {
		switch {
		case len(p.TestGoFiles)+len(p.XTestGoFiles) == 0:
		case p.ImportPath == path:
			own = append(own, p.ImportPath)
		case slices.Contains(p.Deps, path) || slices.Contains(p.XTestImports, path) || slices.Contains(p.TestImports, path):
			others = append(others, p.ImportPath)
		}
	}
	groups := [][]string{own, others}
	return slices.DeleteFunc(groups, func(group []string) bool { return len(group) == 0 })
}

// failure is the line that says which test failed, or the first.
func failure(out string) string {
	first, _, _ := strings.Cut(out, "\n")
	for line := range strings.Lines(out) {
		if strings.Contains(line, "--- FAIL") || strings.HasPrefix(line, "panic:") {
			return "found: " + strings.TrimSpace(line)
		}
	}
	return "found: " + first
}
