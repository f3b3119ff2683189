package cli

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/built"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/manners"
	"orbweaver/internal/realdata"
)

// asProgram is the variable that makes the test binary be orbweaver itself.
const asProgram = "ORBWEAVER_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		Main("", "")
	}
	if err := os.Setenv(manners.Variable, "off"); err != nil { // tests that share hosts name a folder
		panic(err)
	}
	os.Exit(m.Run())
}

// program is orbweaver as a process of its own, working in a folder.
func program(t testing.TB, folder string, args ...string) *exec.Cmd {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), binary, args...)
	c.Dir = folder
	c.Env = append(os.Environ(), asProgram+"=1")
	return c
}

// execute runs one command line in this process.
func execute(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	status = Run(t.Context(), &job.Job{Console: console.Console{Out: &out, Err: &err}}, built.Build{}, args)
	return status, out.String(), err.String()
}

// project is a folder that has the examples where a user finds them, and is the working directory.
func project(t *testing.T) string {
	t.Helper()
	folder := withExamples(t)
	t.Chdir(folder)
	return folder
}

// withExamples is a folder that has the examples where a user finds them.
func withExamples(t *testing.T) string {
	t.Helper()
	folder, examples := t.TempDir(), filepath.Join(realdata.Root(t), "examples")
	entries, err := os.ReadDir(examples)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Type().IsRegular() {
			write(t, filepath.Join(folder, "examples", e.Name()), string(read(t, filepath.Join(examples, e.Name()))))
		}
	}
	return folder
}

// write makes a file and the folders above it.
func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// tree lists all there is below a folder, with the digests of files; of LOCK, which is empty, the
// name alone: who closes a file that a lock of his own is on has lost the lock.
func tree(t *testing.T, folder string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fmt.Fprint(&b, path, " ", d.Type())
		if d.Type().IsRegular() && d.Name() != "LOCK" {
			fmt.Fprintf(&b, " %x", sha256.Sum256(read(t, path)))
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
