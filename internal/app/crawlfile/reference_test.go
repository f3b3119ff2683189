package crawlfile

import (
	"bytes"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/crawl-file.md")

const referenceFile = "../../../docs/crawl-file.md"

func TestReferenceIsCommittedAsGenerated(t *testing.T) {
	want := Reference()
	if *update {
		if err := os.MkdirAll("../../../docs", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(referenceFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(referenceFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/crawl-file.md is stale: go test ./internal/app/crawlfile -run Reference -update")
	}
}

// walk visits every section of the schema once.
func walk(t reflect.Type, seen map[reflect.Type]bool, visit func(reflect.Type, field)) {
	if seen[t] {
		return
	}
	seen[t] = true
	for _, f := range fieldsOf(t) {
		visit(t, f)
		if inner := sectionType(t.Field(f.index).Type); inner != nil {
			walk(inner, seen, visit)
		}
	}
}

func TestEveryKeyIsDocumentedAndItsDefaultIsAllowed(t *testing.T) {
	reference := string(Reference())
	seen := map[reflect.Type]bool{}
	keys := 0
	visit := func(in reflect.Type, f field) {
		keys++
		if f.key == "" || f.doc == "" || !strings.HasSuffix(f.doc, ".") {
			t.Errorf("%s: key %q says %q", in, f.key, f.doc)
		}
		if !strings.Contains(reference, "| `"+f.key+"` |") {
			t.Errorf("%s: %s is not in the reference", in, f.key)
		}
		target := reflect.New(in.Field(f.index).Type).Elem()
		if !f.hasInitial || isSelfDecoder(target) {
			return
		}
		d := &decoding{places: map[string]place{}}
		if d.value(target, f, &node{kind: textNode, text: f.initial}, f.key); len(d.problems) > 0 {
			t.Errorf("%s: default of %s: %v", in, f.key, d.problems)
		}
	}
	walk(reflect.TypeFor[Crawl](), seen, visit)
	walk(reflect.TypeFor[Comparison](), seen, visit)
	if keys < 60 {
		t.Errorf("only %d keys were looked at", keys)
	}
}

func TestTablesOfTheReferenceHaveFourColumns(t *testing.T) {
	for _, line := range strings.Split(string(Reference()), "\n") {
		if strings.HasPrefix(line, "|") && strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 5 {
			t.Errorf("not four columns: %s", line)
		}
	}
}
