package rows

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/sink"
)

// types are the names of kinds.
func types(k Kind) string { return fmt.Sprintf("K%d", k) }

// place is the place of a value.
func place(i int, k Kind) string { return fmt.Sprintf("$%d::%d", i, k) }

// TestStatements: the URL alone is the key, and no statement replaces a later version.
func TestStatements(t *testing.T) {
	columns := Columns()
	create, upsert := Create(Quoted(`a"b`), types), Upsert("t", place)
	if !strings.HasPrefix(create, `CREATE TABLE "a""b" (url K0 PRIMARY KEY, id K0, n K1, `) || strings.Count(create, "PRIMARY KEY") != 1 || strings.Count(create, ",") != len(columns)-1 {
		t.Error(create)
	}
	if !strings.HasPrefix(upsert, "INSERT INTO t AS had (url, id, n, ") || !strings.Contains(upsert, "VALUES ($1::0, $2::0, $3::1, ") ||
		!strings.HasSuffix(upsert, " WHERE had.n <= excluded.n") || strings.Contains(upsert, "url = excluded.url") || strings.Count(upsert, " = excluded.") != len(columns)-1 {
		t.Error(upsert)
	}
	if got, want := Delete("t", place), "DELETE FROM t WHERE url = $1::0 AND n <= $2::1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestMissing: columns that a table lacks, or has with another type; case does not matter.
func TestMissing(t *testing.T) {
	have := map[string]string{}
	for _, c := range Columns() {
		have[c.Name] = strings.ToLower(types(c.Kind))
	}
	if lacks := Missing(have, types); len(lacks) > 0 {
		t.Errorf("lacks %v", lacks)
	}
	delete(have, "id")
	have["n"] = "text"
	if lacks := Missing(have, types); !slices.Equal(lacks, []string{"id K0", "n K1"}) {
		t.Errorf("lacks %v", lacks)
	}
}

// TestValues: a value for each column; what a database cannot have is U+FFFD, what is empty NULL, an empty list a list.
func TestValues(t *testing.T) {
	of := func(i *sink.Item) map[string]string {
		all := map[string]string{}
		for n, value := range Values(i) {
			if value != nil {
				all[Columns()[n].Name] = string(value)
			}
		}
		return all
	}
	at := time.Date(2026, 1, 1, 13, 0, 0, 5, time.FixedZone("", 3600))
	full := of(&sink.Item{URL: "http://a.test/", ID: "i", N: 7, Page: &sink.Page{Outcome: 3, Title: "a\x00b", Text: "\xff", Score: .25, Fetched: at,
		Reasons: []orbweaver.Reason{{Rule: "r\x00"}}, Lang: "de", Type: "text/html", Published: "2026", Rights: "r", Digest: "d", Class: "c"}})
	for name, want := range map[string]string{"url": "http://a.test/", "id": "i", "n": "7", "outcome": "3", "title": "a\ufffdb", "text": "\ufffd", "score": "0.25",
		"fetched": "2026-01-01T12:00:00.000000005Z", "creators": "[]", "lang": "de", "type": "text/html", "published": "2026", "rights": "r", "digest": "d", "class": "c"} {
		if full[name] != want {
			t.Errorf("%s: %q, want %q", name, full[name], want)
		}
	}
	if reasons := full["reasons"]; !strings.Contains(reasons, `r\ufffd`) || strings.Contains(reasons, `\u0000`) {
		t.Error(reasons)
	}
	bare := of(&sink.Item{URL: "u", Page: &sink.Page{}})
	if _, fetched := bare["fetched"]; fetched || len(bare) != 6 {
		t.Errorf("a page of nothing has %v", bare)
	}
	if got := of(&sink.Item{Page: &sink.Page{Reasons: []orbweaver.Reason{{Weight: math.NaN()}}}})["reasons"]; got != "[]" {
		t.Errorf("a number that is none: %s", got)
	}
	if v := DeleteValues(&sink.Item{URL: "u\x00", N: 2}); string(v[0]) != "u\ufffd" || string(v[1]) != "2" || len(v) != 2 {
		t.Errorf("%q", v)
	}
}
