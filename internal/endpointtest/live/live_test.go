package live_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"orbweaver/fetch/client"
	"orbweaver/fetch/guard"
	"orbweaver/fetch/sparql"
	"orbweaver/internal/endpointtest/live"
)

const (
	music    = "http://music.example.org/"
	prefixes = "PREFIX m: <" + music + ">\nPREFIX owl: <http://www.w3.org/2002/07/owl#>\n" +
		"PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n"
	rdfType = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
	rdfs    = "http://www.w3.org/2000/01/rdf-schema#"
	owl     = "http://www.w3.org/2002/07/owl#"
)

// A fixture is a small dataset about music, and what is true of it.
type fixture struct {
	triples strings.Builder
	of      map[string][]string // instances by class, sorted
}

func (f *fixture) add(s, p, o string) {
	if !strings.HasPrefix(o, `"`) {
		o = "<" + o + ">"
	}
	fmt.Fprintf(&f.triples, "<%s> <%s> %s .\n", s, p, o)
}

// musicClasses is a fixture: 230 records, of which 40 are albums too, 12 artists with names beyond
// ASCII, no label; terms that are the same, equivalent, sub- and superclasses.
func musicClasses() *fixture {
	f := &fixture{of: map[string][]string{}}
	instance := func(class, name string) {
		f.add(music+name, rdfType, music+class)
		f.of[class] = append(f.of[class], music+name)
	}
	for i := range 230 {
		name := fmt.Sprintf("record/%03d", i)
		instance("Record", name)
		f.add(music+name, rdfs+"label", fmt.Sprintf(`"Record %d"@en`, i))
		if i%6 == 0 || i == 229 {
			instance("Album", name)
		}
	}
	for _, name := range strings.Fields("Arvo artist Zoé Ångström b B a-1 a.2 a_3 10 9 ルル") {
		instance("Artist", "artist/"+name)
	}
	f.add(music+"Album", rdfs+"subClassOf", music+"Record")
	f.add(music+"Single", rdfs+"subClassOf", music+"Record")
	f.add(music+"Record", rdfs+"subClassOf", music+"Work")
	f.add(music+"Record", owl+"sameAs", "http://other.example.org/Release")
	f.add("http://third.example.org/Disc", owl+"sameAs", music+"Record")
	f.add(music+"Record", owl+"equivalentClass", "http://other.example.org/Recording")
	f.add("http://third.example.org/Disc", owl+"equivalentClass", music+"Record")
	f.add(music+"Artist", owl+"equivalentClass", "http://xmlns.com/foaf/0.1/Agent")
	for class := range f.of {
		slices.Sort(f.of[class])
	}
	return f
}

// each runs a test with every kind of server.
func each(t *testing.T, data string, test func(t *testing.T, e live.Endpoint)) {
	for _, kind := range live.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			test(t, live.Start(t, kind, []byte(data)))
		})
	}
}

// asking returns a client over loopback.
func asking(t testing.TB) *sparql.Client {
	web := client.New(client.Options{
		UserAgent: "test", Timeout: 2 * time.Minute, Idle: 4,
		Guard: guard.New(false, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}),
	})
	t.Cleanup(func() { web.Close() })
	return &sparql.Client{Fetcher: web}
}

// ask returns the rows of an answer, each in one string, in their order.
func ask(t testing.TB, c *sparql.Client, endpoint, text string) (rows []string, err error) {
	t.Helper()
	q, err := sparql.ReadQuery(text)
	if err != nil {
		t.Fatal(err)
	}
	a, err := c.Ask(t.Context(), sparql.Endpoint{URL: endpoint}, q)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	for row, err := range a.Rows {
		if err != nil {
			return nil, err
		}
		var cells []string
		for _, term := range row {
			cells = append(cells, term.Value)
		}
		rows = append(rows, strings.Join(cells, " "))
	}
	if a.Cut() != "" {
		t.Errorf("%s: cut: %s", text, a.Cut())
	}
	return rows, nil
}

// relations is a query for the terms that are related to a class, one variable a branch.
func relations(class string) string {
	return prefixes + `SELECT DISTINCT * {
  {` + class + ` owl:sameAs ?same} UNION {?sameOf owl:sameAs ` + class + `}
  UNION {` + class + ` owl:equivalentClass ?equivalent} UNION {?equivalentOf owl:equivalentClass ` + class + `}
  UNION {?sub rdfs:subClassOf ` + class + `}
}`
}

// related asks for relations and returns them as "variable IRI", sorted.
func related(t *testing.T, c *sparql.Client, endpoint, text string) (found []string, err error) {
	t.Helper()
	q, err := sparql.ReadQuery(text)
	if err != nil {
		t.Fatal(err)
	}
	a, err := c.Ask(t.Context(), sparql.Endpoint{URL: endpoint}, q)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	for row, err := range a.Rows {
		if err != nil {
			return nil, err
		}
		for i, term := range row {
			if !term.IsZero() {
				found = append(found, a.Vars[i]+" "+term.Value)
			}
		}
	}
	slices.Sort(found)
	return found, nil
}

// TestMetadata: what a metadata crawl asks has the same answer from each server, and it is true.
func TestMetadata(t *testing.T) {
	f := musicClasses()
	each(t, f.triples.String(), func(t *testing.T, e live.Endpoint) {
		c := asking(t)
		t.Run("relations", func(t *testing.T) {
			want := []string{
				"equivalent http://other.example.org/Recording", "equivalentOf http://third.example.org/Disc",
				"same http://other.example.org/Release", "sameOf http://third.example.org/Disc",
				"sub " + music + "Album", "sub " + music + "Single",
			}
			if got, err := related(t, c, e.URL, relations("m:Record")); !slices.Equal(got, want) || err != nil {
				t.Errorf("%q, not %q, %v", got, want, err)
			}
			if got, err := related(t, c, e.URL, relations("m:Label")); len(got) > 0 || err != nil {
				t.Errorf("of a class without any: %q, %v", got, err)
			}
		})
		t.Run("count", func(t *testing.T) {
			for _, class := range []string{"Record", "Album", "Artist", "Label"} {
				want := []string{strconv.Itoa(len(f.of[class]))}
				got, err := ask(t, c, e.URL, prefixes+"SELECT (COUNT(DISTINCT ?i) AS ?n) {?i a m:"+class+"}")
				if !slices.Equal(got, want) || err != nil {
					t.Errorf("%s: %q, not %q, %v", class, got, want, err)
				}
			}
		})
		for name, text := range map[string]string{"sub-selects": counts(subSelect), "group": grouped()} {
			t.Run(name, func(t *testing.T) {
				want := []string{"Album 40", "Artist 12", "Record 230"}
				if name == "sub-selects" { // a group without members is no row
					want = []string{"Album 40", "Artist 12", "Label 0", "Record 230"}
				}
				got, err := ask(t, c, e.URL, text)
				for i := range got {
					got[i] = strings.TrimPrefix(got[i], music)
				}
				slices.Sort(got)
				if !slices.Equal(got, want) || err != nil {
					t.Errorf("%q, not %q, %v", got, want, err)
				}
			})
		}
		t.Run("sub-selects, a variable each", func(t *testing.T) { ownVariables(t, c, e, f) })
		t.Run("pages", func(t *testing.T) { pages(t, c, e, f) })
	})
}

// subSelect counts a class, whose name is a column.
func subSelect(class string) string {
	return `{SELECT ("` + class + `" AS ?c) (COUNT(DISTINCT ?i) AS ?n) {?i a m:` + class + `}}`
}

// counts is one query with a branch for each class.
func counts(branch func(class string) string) string {
	var branches []string
	for _, class := range []string{"Record", "Album", "Artist", "Label"} {
		branches = append(branches, branch(class))
	}
	return prefixes + "SELECT * {\n" + strings.Join(branches, "\nUNION ") + "\n}"
}

// grouped counts the same classes as groups.
func grouped() string {
	return prefixes + "SELECT ?c (COUNT(DISTINCT ?i) AS ?n) {VALUES ?c {m:Record m:Album m:Artist m:Label} ?i a ?c} GROUP BY ?c"
}

// ownVariables asks for counts under a variable for each class.
func ownVariables(t *testing.T, c *sparql.Client, e live.Endpoint, f *fixture) {
	got, err := related(t, c, e.URL, counts(func(class string) string {
		return "{SELECT (COUNT(DISTINCT ?i) AS ?n" + class + ") {?i a m:" + class + "}}"
	}))
	if want := []string{"nAlbum 40", "nArtist 12", "nLabel 0", "nRecord 230"}; !slices.Equal(got, want) || err != nil {
		t.Errorf("%q, not %q, %v", got, want, err)
	}
}

// pages asks for instances page by page.
func pages(t *testing.T, c *sparql.Client, e live.Endpoint, f *fixture) {
	for _, tc := range []struct {
		class       string
		size, asked int64
	}{{"Record", 50, 5}, {"Record", 230, 2}, {"Album", 100, 1}, {"Artist", 5, 3}, {"Label", 10, 1}} {
		q, err := sparql.ReadQuery(prefixes + "SELECT DISTINCT ?i {?i a m:" + tc.class + "}")
		if err != nil {
			t.Fatal(err)
		}
		paging := c.Pages(&sparql.Endpoint{URL: e.URL}, q, sparql.Paging{Size: tc.size})
		var got []string
		for row, err := range paging.Rows(t.Context()) {
			if err != nil {
				t.Fatalf("%s by %d: %v", tc.class, tc.size, err)
			}
			got = append(got, row[0].Value)
		}
		if !slices.Equal(got, f.of[tc.class]) || paging.Asked != int(tc.asked) {
			t.Errorf("%s by %d: %d requests, %q, not %q", tc.class, tc.size, paging.Asked, got, f.of[tc.class])
		}
	}
}

// TestStop: a server that was stopped is not there.
func TestStop(t *testing.T) {
	each(t, musicClasses().triples.String(), func(t *testing.T, e live.Endpoint) {
		u := e.URL + "?query=" + url.QueryEscape("ASK{}")
		web := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		answer, err := web.Get(u)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		e.Stop()
		e.Stop()
		if answer, err := web.Get(u); err == nil {
			answer.Body.Close()
			t.Errorf("%s after its end", answer.Status)
		}
	})
}
