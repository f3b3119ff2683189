package arch

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestVariablesDocumented: the variables of the environment that the code and the scripts of CI look at are those of the
// table in CONTRIBUTING.md.
func TestVariablesDocumented(t *testing.T) {
	name := regexp.MustCompile(`\bORBWEAVER_[A-Z_]*[A-Z]\b`)
	contributing, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for line := range strings.Lines(string(contributing)) {
		if cell, ok := strings.CutPrefix(line, "| `"); ok {
			variable, _, _ := strings.Cut(cell, "`")
			if name.MatchString(variable) {
				documented[variable] = true
			}
		}
	}
	used := map[string]string{}
	note := func(path string) {
		content, err := os.ReadFile(filepath.Join("../..", path))
		if err != nil {
			t.Fatal(err)
		}
		for _, variable := range name.FindAllString(string(content), -1) {
			used[variable] = path
		}
	}
	for _, f := range files(t) {
		if f.path != "internal/arch/env_test.go" {
			note(f.path)
		}
	}
	note("Makefile")
	err = filepath.WalkDir("../../.ci", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			note(strings.TrimPrefix(filepath.ToSlash(path), "../../"))
		}
		return err
	})
	if err != nil || len(used) < 5 {
		t.Fatalf("%d variables, %v", len(used), err)
	}
	for variable, path := range used {
		if !documented[variable] {
			t.Errorf("%s looks at %s: the table in CONTRIBUTING.md lacks it", path, variable)
		}
	}
	for variable := range documented {
		if used[variable] == "" {
			t.Errorf("CONTRIBUTING.md documents %s, which nothing looks at", variable)
		}
	}
}
