package findings

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/kb/terms"
)

func example() Findings {
	path := terms.Path{{From: "http://a/X", Property: "http://www.w3.org/2000/01/rdf-schema#subClassOf", Inverse: true, To: "http://c#Z", Dataset: "one"}}
	return Findings{
		Terms: []terms.Term{{IRI: "http://a/X"}, {IRI: "http://c#Z", Stage: 1, Found: true, Paths: []terms.Path{path}}},
		Datasets: []terms.Dataset{
			{Name: "one", Title: "One & <only>", Instances: []terms.Count{{Class: "http://c#Z", N: 7, How: terms.Counted}}},
			{Name: "two", Reason: "connect"},
		},
		Spent:    []terms.Spent{{Term: "http://a/X", Seconds: 1.5, Documents: 1, Queries: 2}},
		Rejected: []terms.Term{{IRI: "http://d/Y", Judged: &terms.Verdict{Score: .1}}},
	}
}

// TestFiles: findings survive writing and reading, and no partial file is left.
func TestFiles(t *testing.T) {
	dir, want := t.TempDir(), example()
	if err := want.Write(dir); err != nil {
		t.Fatal(err)
	}
	have, err := Read(dir)
	if err != nil || !reflect.DeepEqual(have, want) {
		t.Errorf("%v\n%+v", err, have)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 5 {
		t.Errorf("%v %v", files, err)
	}
}

// TestBadFolder: the folder of another crawl is refused, and the error of a malformed line has its position.
func TestBadFolder(t *testing.T) {
	dir := t.TempDir()
	if _, err := Read(dir); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, TermsFile), []byte("{}\n{\"term\":7}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "terms.jsonl:2: ") {
		t.Errorf("%v", err)
	}
}

func TestRecommend(t *testing.T) {
	var b strings.Builder
	use := terms.Use{"http://a/X": 2, "http://mine/Own": 9}
	if err := Recommend(&b, example(), Options{Format: Text, Use: use}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"  1  1.000  http://c#", "http://a/X -> ^subClassOf -> http://c#Z", "one  One & <only>", "7 instances of http://c#Z",
		"Without an answer: connect 1", "not about these classes of the data: http://mine/Own (9)",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("nothing of %q in\n%s", want, b.String())
		}
	}
	b.Reset()
	if err := Recommend(&b, example(), Options{Format: JSON, Top: 1}); err != nil || strings.Count(b.String(), `"score"`) != 2 {
		t.Errorf("%v %s", err, b.String())
	}
}
