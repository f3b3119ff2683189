// Command cross checks that the program compiles for other platforms, without compiling: `go run ./.ci/cross windows/amd64 darwin/arm64`.
//
// It lists what a build for each platform is made of, with the tests of this module if -test is given, and checks types: of this
// module whole, of all others the declarations alone. So it finds what a build finds but for faults within functions of other
// modules, in a fraction of the time. make release builds for all platforms.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// A listed package, as go list describes it.
type listed struct {
	ImportPath, Dir string
	GoFiles         []string
	CgoFiles        []string
	ImportMap       map[string]string // path in the source to ImportPath
	Module          *struct {
		Main      bool
		GoVersion string
	}
}

func (p *listed) ours() bool { return p.Module != nil && p.Module.Main }

func main() {
	tests := flag.Bool("test", false, "check tests of this module too")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: go run ./.ci/cross [-test] GOOS/GOARCH...")
		os.Exit(2)
	}
	failed := false
	for _, platform := range flag.Args() {
		begun := time.Now()
		if err := check(platform, *tests); err != nil {
			fmt.Fprintf(os.Stderr, "%s:\n%v\n", platform, err)
			failed = true
			continue
		}
		fmt.Printf("%s: %v\n", platform, time.Since(begun).Round(100*time.Millisecond))
	}
	if failed {
		os.Exit(1)
	}
}

// check checks one platform.
func check(platform string, tests bool) error {
	system, processor, ok := strings.Cut(platform, "/")
	if !ok {
		return errors.New("want GOOS/GOARCH")
	}
	packages, err := list(system, processor, tests)
	if err != nil {
		return err
	}
	files, fset, err := parsed(packages)
	if err != nil {
		return err
	}
	c := &checker{fset: fset, sizes: types.SizesFor("gc", processor), done: map[string]*types.Package{"unsafe": types.Unsafe}}
	var problems []error
	for i, p := range packages { // each after those that it imports
		if p.ImportPath == "unsafe" || strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		problems = append(problems, c.check(p, files[i])...)
	}
	return errors.Join(problems...)
}

// list returns what a build is made of, each package after those that it imports.
func list(system, processor string, tests bool) (packages []*listed, err error) {
	args := []string{"list", "-deps", "-json=ImportPath,Dir,GoFiles,CgoFiles,ImportMap,Module"}
	if tests {
		args = append(args, "-test", "./...")
	} else {
		args = append(args, "./cmd/...")
	}
	c := exec.Command("go", args...)
	c.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
	c.Stderr = os.Stderr
	text, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		p := new(listed)
		if err := d.Decode(p); err == io.EOF {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		packages = append(packages, p)
	}
}

// parsed parses the files of all packages; of other modules without functions' bodies, which nobody looks at.
func parsed(packages []*listed) ([][]*ast.File, *token.FileSet, error) {
	fset := token.NewFileSet()
	files, failed := make([][]*ast.File, len(packages)), make([]error, len(packages))
	var wait sync.WaitGroup
	next := make(chan int)
	for range runtime.NumCPU() {
		wait.Go(func() {
			for i := range next {
				for _, name := range packages[i].GoFiles {
					if !filepath.IsAbs(name) {
						name = filepath.Join(packages[i].Dir, name)
					}
					f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
					files[i], failed[i] = append(files[i], f), errors.Join(failed[i], err)
				}
			}
		})
	}
	for i := range packages {
		next <- i
	}
	close(next)
	wait.Wait()
	return files, fset, errors.Join(failed...)
}

// A checker checks packages in the order of their imports.
type checker struct {
	fset  *token.FileSet
	sizes types.Sizes
	done  map[string]*types.Package // by ImportPath
}

func (c *checker) check(p *listed, files []*ast.File) (problems []error) {
	path, _, _ := strings.Cut(p.ImportPath, " ") // a package and its tests: "a [a.test]"
	config := types.Config{
		IgnoreFuncBodies: !p.ours(), FakeImportC: true, Sizes: c.sizes,
		Importer: importer(func(name string) (*types.Package, error) {
			if mapped, ok := p.ImportMap[name]; ok {
				name = mapped
			}
			if found := c.done[name]; found != nil {
				return found, nil
			}
			return nil, fmt.Errorf("%s is not listed", name)
		}),
		Error: func(err error) {
			if p.ours() || !soft(err) {
				problems = append(problems, err)
			}
		},
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		config.GoVersion = "go" + p.Module.GoVersion
	}
	c.done[p.ImportPath], _ = config.Check(path, c.fset, files, nil) // its errors are told one by one
	return problems
}

// soft reports whether an error leaves the types whole, such as an import that only a function's body would use.
func soft(err error) bool {
	var e types.Error
	return errors.As(err, &e) && e.Soft
}

type importer func(string) (*types.Package, error)

func (f importer) Import(path string) (*types.Package, error) { return f(path) }
