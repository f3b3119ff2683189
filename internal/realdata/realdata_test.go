package realdata

import (
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// sets returns the rows of sets.tsv: name, source, address, extracted part, and description.
func sets(t *testing.T) (rows [][]string) {
	t.Helper()
	content, err := os.ReadFile("sets.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(content)), "\n") {
		row := strings.Split(line, "\t")
		if len(row) != 5 || slices.Contains(row, "") {
			t.Fatalf("sets.tsv:%d: %d columns, want 5, none empty", i+1, len(row))
		}
		if i > 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// users returns, for each file or folder of the data, the packages whose tests name it.
func users(t *testing.T, names []string) map[string][]string {
	t.Helper()
	packages := map[string]map[string]bool{}
	root := Root(t)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || filepath.Dir(path) == filepath.Join(root, "internal/realdata") {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		for _, name := range names {
			if !regexp.MustCompile(`["/]` + regexp.QuoteMeta(name) + `["/]`).Match(content) {
				continue
			}
			if packages[name] == nil {
				packages[name] = map[string]bool{}
			}
			packages[name][filepath.ToSlash(dir)] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for name, dirs := range packages {
		all[name] = slices.Sorted(maps.Keys(dirs))
	}
	return all
}

// TestSets reports, with -v, which data sets exist, which are missing, and in which packages tests are
// skipped without them. Every set must be named by a test.
func TestSets(t *testing.T) {
	var names []string
	for _, row := range sets(t) {
		names = append(names, row[0])
	}
	users := users(t, names)
	for _, row := range sets(t) {
		name := row[0]
		if len(users[name]) == 0 {
			t.Errorf("no test needs %s", name)
		}
		if _, err := os.Stat(filepath.Join(folder(t), name)); err == nil {
			t.Logf("there    %s", name)
			continue
		}
		t.Logf("missing  %s: %s; from %s; tests are skipped in %s", name, row[4], row[1], strings.Join(users[name], ", "))
	}
}

// TestEverySetIsListed: the data that tests use is listed in sets.tsv.
func TestEverySetIsListed(t *testing.T) {
	listed := map[string]bool{}
	for _, row := range sets(t) {
		listed[row[0]] = true
	}
	asked := regexp.MustCompile(`(?:realdata\.(?:File|Folder)|rdftest\.Archive)\(\w+, "([^"/]+)`)
	found := 0
	root := Root(t)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		content, err := os.ReadFile(path)
		for _, m := range asked.FindAllSubmatch(content, -1) {
			if found++; !listed[string(m[1])] {
				t.Errorf("%s asks for %s, which sets.tsv does not list", path, m[1])
			}
		}
		return err
	})
	if err != nil || found < 50 {
		t.Errorf("%d sets used, %v", found, err)
	}
}

// TestDataPlan: the script that fetches data prints its plan for each set.
func TestDataPlan(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("the script needs bash: ", err)
	}
	cmd := exec.CommandContext(t.Context(), bash, filepath.Join(Root(t), ".ci/data"), "plan")
	cmd.Env = append(os.Environ(), "ORBWEAVER_DATA="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i, row := range sets(t) {
		want := "fetch    " + row[0] + " from " + row[2] + " "
		if row[2] == "-" {
			want = "by hand  " + row[0] + ": "
		}
		if i >= len(lines) || !strings.HasPrefix(lines[i], want) {
			t.Errorf("no line %q in\n%s", want, out)
		}
	}
}
