// Command steps finds steps that are taken although the one before failed: `go run ./steps -test=false ./...`.
//
// Go evaluates all arguments of a call. errors.Join(write(part), os.Rename(part, path)) renames what was not written,
// and cmp.Or(write(part), os.Rename(part, path)) loses the second error too. So errors.Join may have one step among its
// arguments, after values; what cleans up (Close, Stop, Rollback) may follow it, and so may checks. What removes counts
// as cleaning up after what cleans up, and not after a step, whose input it may remove. cmp.Or over errors has values
// alone. Where b must not follow an a that failed, write it so; where it has to, call each in a statement of its own.
package main

import (
	"go/ast"
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/singlechecker"
	"golang.org/x/tools/go/types/typeutil"
)

func main() { singlechecker.Main(analyzer()) }

func analyzer() *analysis.Analyzer {
	return &analysis.Analyzer{Name: "steps", Doc: "finds steps that are taken although the one before failed", Run: run}
}

// What a call does, by the name of what is called.
var (
	values   = regexp.MustCompile(`^(?i:err|cause)`) // ctx.Err, it.Error, fmt.Errorf, errors.New
	checks   = regexp.MustCompile(`^(?i:check|valid)`)
	cleans   = regexp.MustCompile(`^(?i:close|abort|discard|release|unlock|stop|cancel|shutdown|rollback|undo|kill|wait|end|drain|done)`)
	removers = regexp.MustCompile(`^(?i:remove|delete)`)
)

func run(pass *analysis.Pass) (any, error) {
	for _, file := range pass.Files {
		if strings.HasSuffix(pass.Fset.Position(file.Pos()).Filename, "_test.go") {
			continue // a test that fails on the way fails
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || call.Ellipsis.IsValid() {
				return true
			}
			f, ok := typeutil.Callee(pass.TypesInfo, call).(*types.Func)
			switch {
			case !ok:
			case f.FullName() == "errors.Join":
				checkJoin(pass, call.Args)
			case f.FullName() == "cmp.Or" && types.Identical(pass.TypesInfo.TypeOf(call), types.Universe.Lookup("error").Type()):
				checkOr(pass, call.Args)
			}
			return true
		})
	}
	return nil, nil
}

func checkJoin(pass *analysis.Pass, args []ast.Expr) {
	before, step := "", false // the call before, and whether one of those before was a step
	for _, arg := range args {
		name, ok := called(pass, arg)
		if !ok || values.MatchString(name) {
			continue
		}
		check, clean, remover := checks.MatchString(name), cleans.MatchString(name), removers.MatchString(name)
		if before != "" && !check && !clean && !(remover && !step) {
			pass.Reportf(arg.Pos(), "errors.Join: %s is called although %s may have failed", name, before)
		}
		before, step = name, step || !check && !clean && !remover
	}
}

func checkOr(pass *analysis.Pass, args []ast.Expr) {
	for _, arg := range args {
		if name, ok := called(pass, arg); ok && !values.MatchString(name) && len(args) > 1 {
			pass.Reportf(arg.Pos(), "cmp.Or: %s is called whatever the other errors are", name)
		}
	}
}

// called is the name of what an argument calls; false: it is no call.
func called(pass *analysis.Pass, arg ast.Expr) (name string, ok bool) {
	call, ok := ast.Unparen(arg).(*ast.CallExpr)
	if !ok || pass.TypesInfo.Types[call.Fun].IsType() {
		return "", false
	}
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return f.Name, true
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok && x.Name == "errors" {
			return "Error" + f.Sel.Name, true
		}
		return f.Sel.Name, true
	}
	return "a function", true
}
