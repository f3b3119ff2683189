package arch

import (
	"bytes"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// modulePath returns the path in go.mod: whoever publishes the module gives it one of their own.
func modulePath(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(content), "\n")
	path, ok := strings.CutPrefix(first, "module ")
	if !ok {
		t.Fatalf("go.mod starts with %q, not with the module's path", first)
	}
	return path
}

// run runs a command in a folder, without network.
func run(t *testing.T, dir, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=readonly", "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, stderr.Bytes())
	}
	return out
}

// TestOutside: a module outside, with a replace directive, compiles and runs what stands in testdata/outside, a program a
// folder, by the public packages alone. Each prints the lines of its want.txt. Programs in examples/embed compile so too.
func TestOutside(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	mains, err := filepath.Glob("testdata/outside/*/main.go")
	if err != nil || len(mains) == 0 {
		t.Fatalf("no programs in testdata/outside: %v", err)
	}
	dir := t.TempDir()
	outsideModule(t, root, dir)
	for _, main := range mains {
		name := filepath.Base(filepath.Dir(main))
		t.Run(name, func(t *testing.T) {
			copyProgram(t, filepath.Dir(main), filepath.Join(dir, name))
			want, err := os.ReadFile(filepath.Join(filepath.Dir(main), "want.txt"))
			if err != nil {
				t.Fatal(err)
			}
			if got := run(t, dir, "go", "run", "./"+name); !bytes.Equal(got, want) {
				t.Errorf("it prints\n%s, want\n%s", got, want)
			}
		})
	}
	copyProgram(t, filepath.Join(root, "examples/embed"), filepath.Join(dir, "embed"))
	const want = "4 pages accepted; the best: http://tidings.example/\n"
	if got := run(t, dir, "go", "run", "./embed", filepath.Join(root, "examples/demo.warc.gz")); string(got) != want {
		t.Errorf("the example of a crawl by a focus of one's own prints\n%s, want\n%s", got, want)
	}
}

// outsideModule writes the go.mod and go.sum of a module that requires this one, and what this one requires.
func outsideModule(t *testing.T, root, dir string) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	module := modulePath(t)
	_, rest, _ := strings.Cut(string(content), "\n")
	write(t, filepath.Join(dir, "go.mod"), "module example.org/outside\n"+rest+
		"\nrequire "+module+" v0.0.0\n\nreplace "+module+" => "+root+"\n")
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.sum"), string(sums))
}

// copyProgram copies the Go files of a folder, whose imports name the module as go.mod does.
func copyProgram(t *testing.T, from, to string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(to, filepath.Base(file)), string(content))
	}
}

// TestModuleRenamed: `make module PATH=…` on a copy leaves no import of the old path, every import of the new one is a package, and
// imports stay sorted. The name of the program, and what else is called like the module, stays.
func TestModuleRenamed(t *testing.T) {
	for _, tool := range []string{"make", "bash", "awk"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("make module needs %s: %v", tool, err)
		}
	}
	const renamed = "example.org/x/webs"
	copied, old := t.TempDir(), modulePath(t)
	copyModule(t, copied)
	run(t, copied, "make", "--no-print-directory", "module", "PATH="+renamed)
	packages := map[string]bool{}
	for _, f := range files(t) {
		content, err := os.ReadFile(filepath.Join(copied, f.path))
		if err != nil {
			t.Fatal(err)
		}
		head, err := parser.ParseFile(token.NewFileSet(), f.path, content, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range head.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if path == old || strings.HasPrefix(path, old+"/") {
				t.Errorf("%s imports %s still", f.path, path)
			}
			if rest, ours := strings.CutPrefix(path, renamed); ours && !packages[rest] {
				packages[rest] = true
				if some, err := filepath.Glob(filepath.Join(copied, rest, "*.go")); err != nil || len(some) == 0 {
					t.Errorf("%s imports %s, which is not there: %v", f.path, path, err)
				}
			}
		}
		if before, _, blocked := bytes.Cut(content, []byte("\n)\n")); blocked && bytes.Contains(before, []byte("\nimport (")) {
			before = append(before, "\n)\n"...)
			if sorted, err := format.Source(before); err != nil || !bytes.Equal(sorted, before) {
				t.Errorf("gofmt would change the imports of %s: %v", f.path, err)
			}
		}
	}
	if len(packages) < 100 {
		t.Errorf("%d packages of %s are imported", len(packages), renamed)
	}
	for _, name := range []string{"fetch/archive/writer.go", "internal/services/catalogs/catalogs.go"} { // their user agent is "orbweaver"
		if before, after := belowImports(t, filepath.Join("../..", name)), belowImports(t, filepath.Join(copied, name)); after != before {
			t.Errorf("below its imports %s is another", name)
		}
	}
}

// belowImports returns what stands in a Go file behind its block of imports.
func belowImports(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, below, ok := strings.Cut(string(content), "\n)\n")
	if !ok {
		t.Fatalf("%s has no block of imports", path)
	}
	return below
}

// copyModule copies what `make module` looks at.
func copyModule(t *testing.T, to string) {
	t.Helper()
	names := []string{"go.mod", "go.sum", "Makefile", ".ci/module"}
	for _, f := range files(t) {
		names = append(names, f.path)
	}
	for _, name := range names {
		from := filepath.Join("../..", name)
		content, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(to, name), string(content))
		info, err := os.Stat(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(to, name), info.Mode()); err != nil {
			t.Fatal(err)
		}
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
