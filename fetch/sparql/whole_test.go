package sparql_test

import (
	"errors"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/fetch/sparql"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/sparql/results"
)

// TestVerify: a cut that is a guess is made sure of, and what was whole by chance teaches no limit.
func TestVerify(t *testing.T) {
	for _, tc := range []struct {
		name, query string
		table       table
		asked       int
		err         error
		limit       int64
	}{
		{"not cut", selects, table{size: 999, limit: 1000}, 1, nil, 0},
		{"cut", selects, table{size: 1001, limit: 1000}, 2, sparql.ErrPartial, 1000},
		{"whole by chance", selects, table{size: 1000, limit: 10_000}, 2, nil, 0},
		{"no OFFSET", selects, table{size: 1001, limit: 1000, noOffset: true}, 2, sparql.ErrPartial, 1000},
		{"a limit above", selects + " LIMIT 5000", table{size: 2000, limit: 1000}, 1, sparql.ErrPartial, 1000},
		{"ordered", selects + " ORDER BY ?x", table{size: 1001, limit: 1000}, 2, sparql.ErrPartial, 1000},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := &sparql.Client{Fetcher: web{&tc.table}}
			a, err := c.Ask(t.Context(), sparql.Endpoint{URL: url0}, query(t, tc.query))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := rdftest.All(a.Rows); err != nil {
				t.Fatal(err)
			}
			if err := c.Verify(t.Context(), a); !errors.Is(err, tc.err) {
				t.Errorf("%v, want %v", err, tc.err)
			}
			if d := (sparql.Dialect{}).Learn(a, nil); d.Limit != tc.limit || len(tc.table.asked) != tc.asked {
				t.Errorf("limit %d; asked %q", d.Limit, tc.table.asked)
			}
			if text := tc.table.asked[tc.asked-1]; tc.asked == 2 && text != tc.query+"\nLIMIT 1 OFFSET 1000\n" {
				t.Errorf("asked %q", text)
			}
		})
	}
}

// TestVerifyOutOfTime: a part of the rows is a failure of time.
func TestVerifyOutOfTime(t *testing.T) {
	c := &sparql.Client{Fetcher: says(200, "text/tab-separated-values", rows(7), "X-SQL-State", "S1TAT")}
	a, err := c.Ask(t.Context(), sparql.Endpoint{URL: url0}, query(t, selects))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rdftest.All(a.Rows); err != nil {
		t.Fatal(err)
	}
	if err := c.Verify(t.Context(), a); !errors.Is(err, orbweaver.ErrTimeout) {
		t.Error(err)
	}
}

// TestPut: a request that knows nothing of its endpoint asks for what fits its query.
func TestPut(t *testing.T) {
	for _, tc := range []struct {
		query, accept, want string
		posted              bool
	}{
		{selects, "", results.Accept(), false},
		{selects, "text/csv", "text/csv", false},
		{selects + " # " + strings.Repeat("x", 2000), "", results.Accept(), true},
		{"nonsense", "", results.Accept(), false},
		{describes, "", sparql.Endpoint{}.Request(query(t, describes), 0).Accept, false},
	} {
		to, mediaType, form := sparql.Put(orbweaver.Request{URL: url0, Query: tc.query, Accept: tc.accept})
		if to.Accept != tc.want || to.Query != "" || (form != nil) != tc.posted || (mediaType != "") != tc.posted || (to.URL == url0) != tc.posted {
			t.Errorf("%.40s: %s, %s, %d bytes of %q", tc.query, to.URL, to.Accept, len(form), mediaType)
		}
	}
}
