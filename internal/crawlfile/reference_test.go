package crawlfile_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	. "orbweaver/internal/crawlfile"
)

var update = flag.Bool("update", false, "write docs/reference/crawl-file.md and the JSON Schemas beside it")

func TestReferenceIsCommittedAsGenerated(t *testing.T) {
	for name, want := range map[string][]byte{
		"crawl-file.md": schema().Reference(), "crawl-file.schema.json": schema().JSONSchema(),
		"comparison-file.schema.json": schema().ComparisonJSONSchema(),
	} {
		path := filepath.Join("../../docs/reference", name)
		if *update {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("docs/reference/%s is stale: go test ./internal/crawlfile -run Reference -update", name)
		}
	}
}

func TestEveryKeyIsDocumentedAndItsDefaultIsAllowed(t *testing.T) {
	reference := string(schema().Reference())
	sections := []reflect.Type{reflect.TypeFor[Crawl](), reflect.TypeFor[Comparison]()}
	for _, kind := range schema() {
		traits := kind.Traits()
		if traits.Key == "" || !strings.HasSuffix(traits.Doc, ".") || !strings.Contains(reference, "| `"+traits.Key+"` |") {
			t.Errorf("kind %q says %q, or is not in the reference", traits.Key, traits.Doc)
		}
		sections = append(sections, reflect.TypeOf(kind.Section()).Elem())
	}
	keys := 0
	WalkKeys(sections, func(in reflect.Type, key, doc string, problems Problems) {
		keys++
		if key == "" || doc == "" || !strings.HasSuffix(doc, ".") {
			t.Errorf("%s: key %q says %q", in, key, doc)
		}
		if !strings.Contains(reference, "| `"+key+"` |") {
			t.Errorf("%s: %s is not in the reference", in, key)
		}
		if len(problems) > 0 {
			t.Errorf("%s: default of %s: %v", in, key, problems)
		}
	})
	if keys < 60 {
		t.Errorf("only %d keys were looked at", keys)
	}
}

func TestTablesOfTheReferenceHaveFourColumns(t *testing.T) {
	for _, line := range strings.Split(string(schema().Reference()), "\n") {
		if strings.HasPrefix(line, "|") && strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 5 {
			t.Errorf("not four columns: %s", line)
		}
	}
}
