package live_test

import (
	"errors"
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

// fixture is a small dataset about music, with the correct answers.
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

// tracks is the number of tracks: more than Virtuoso sorts.
const tracks = 10_500

// musicClasses returns a fixture: 230 records, 40 of which are albums too, 12 artists with non-ASCII
// names, 10 500 tracks, no label; and terms that are the same, equivalent, sub- and superclasses.
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
	for i := range tracks {
		instance("Track", fmt.Sprintf("track/%05d", i))
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

// asking returns a client over loopback.
func asking(t testing.TB) *sparql.Client {
	web := client.New(client.Options{
		UserAgent: "test", Timeout: 2 * time.Minute, Idle: 4,
		Guard: guard.New(false, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}),
	})
	t.Cleanup(func() { web.Close() })
	return &sparql.Client{Fetcher: web}
}

// ask returns the rows of an answer, each as one string, in order.
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

// relations returns a query for the terms related to a class, with one variable per branch.
func relations(class string) string {
	return prefixes + `SELECT DISTINCT * {
  {` + class + ` owl:sameAs ?same} UNION {?sameOf owl:sameAs ` + class + `}
  UNION {` + class + ` owl:equivalentClass ?equivalent} UNION {?equivalentOf owl:equivalentClass ` + class + `}
  UNION {?sub rdfs:subClassOf ` + class + `}
}`
}

// related returns the related terms as "variable IRI", sorted.
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

// TestMetadata: the queries of a metadata crawl get the same, correct answers from each server.
func TestMetadata(t *testing.T) {
	f := musicClasses()
	for _, kind := range live.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			e := live.Start(t, kind, []byte(f.triples.String()))
			metadata(t, asking(t), e, f)
			if kind == live.Virtuoso {
				t.Run("too many branches", func(t *testing.T) { tooMany(t, asking(t), e) })
			}
			t.Run("stopped", func(t *testing.T) { stopped(t, e) })
		})
	}
}

// metadata runs the queries of a metadata crawl.
func metadata(t *testing.T, c *sparql.Client, e live.Endpoint, f *fixture) {
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
		for _, class := range []string{"Record", "Album", "Artist", "Track", "Label"} {
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
			if name == "sub-selects" { // a group without members gives no row
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
	t.Run("many branches", func(t *testing.T) { manyBranches(t, c, e, f) })
	t.Run("pages behind the last", func(t *testing.T) { behindLast(t, c, e, f) })
	t.Run("more than is sorted", func(t *testing.T) { manyPages(t, c, e, f) })
}

// subSelect returns a query that counts a class in a named column.
func subSelect(class string) string {
	return `{SELECT ("` + class + `" AS ?c) (COUNT(DISTINCT ?i) AS ?n) {?i a m:` + class + `}}`
}

// counts returns one query with a branch per class.
func counts(branch func(class string) string) string {
	var branches []string
	for _, class := range []string{"Record", "Album", "Artist", "Label"} {
		branches = append(branches, branch(class))
	}
	return prefixes + "SELECT * {\n" + strings.Join(branches, "\nUNION ") + "\n}"
}

// grouped returns a query that counts the same classes with GROUP BY.
func grouped() string {
	return prefixes + "SELECT ?c (COUNT(DISTINCT ?i) AS ?n) {VALUES ?c {m:Record m:Album m:Artist m:Label} ?i a ?c} GROUP BY ?c"
}

// ownVariables queries counts with a separate variable per class.
func ownVariables(t *testing.T, c *sparql.Client, e live.Endpoint, f *fixture) {
	got, err := related(t, c, e.URL, counts(func(class string) string {
		return "{SELECT (COUNT(DISTINCT ?i) AS ?n" + class + ") {?i a m:" + class + "}}"
	}))
	if want := []string{"nAlbum 40", "nArtist 12", "nLabel 0", "nRecord 230"}; !slices.Equal(got, want) || err != nil {
		t.Errorf("%q, not %q, %v", got, want, err)
	}
}

// pages queries instances page by page.
func pages(t *testing.T, c *sparql.Client, e live.Endpoint, f *fixture) {
	for _, tc := range []struct {
		class string
		size  int
	}{{"Record", 50}, {"Record", 230}, {"Album", 100}, {"Artist", 5}, {"Label", 10}} {
		got, err := paged(t, c, e, tc.class, tc.size)
		if !slices.Equal(got, f.of[tc.class]) || err != nil {
			t.Errorf("%s by %d: %q, not %q, %v", tc.class, tc.size, got, f.of[tc.class], err)
		}
	}
}

// paged queries the instances of a class, n at a time, until a page is not full.
func paged(t *testing.T, c *sparql.Client, e live.Endpoint, class string, size int) (all []string, err error) {
	for {
		page, err := ask(t, c, e.URL, fmt.Sprintf("%sSELECT DISTINCT ?i {?i a m:%s} ORDER BY ?i LIMIT %d OFFSET %d", prefixes, class, size, len(all)))
		if all = append(all, page...); err != nil || len(page) < size {
			return all, err
		}
	}
}

// joined returns one query of many branches.
func joined(branches int, branch func(k int) string) string {
	var all []string
	for k := range branches {
		all = append(all, branch(k))
	}
	return prefixes + "SELECT * {" + strings.Join(all, " UNION ") + "}"
}

// manyBranches queries as many classes at once as each server accepts. Virtuoso generates too much SQL for
// 100 branches with separate variables, and overflows its stack at 500 with shared ones; Oxigraph, as a
// module of node, at 1000.
func manyBranches(t *testing.T, c *sparql.Client, e live.Endpoint, f *fixture) {
	const branches = 80
	class := func(k int) string { return []string{"Record", "Album", "Artist", "Label"}[k%4] }
	got, err := related(t, c, e.URL, joined(branches, func(k int) string {
		return fmt.Sprintf("{SELECT (COUNT(DISTINCT ?i%d) AS ?n%02d) {?i%d a m:%s}}", k, k, k, class(k))
	}))
	if len(got) != branches || err != nil {
		t.Fatalf("%d of %d counts: %q, %v", len(got), branches, got, err)
	}
	for k, row := range got {
		if want := fmt.Sprintf("n%02d %d", k, len(f.of[class(k)])); row != want {
			t.Errorf("%s: %q, not %q", class(k), row, want)
		}
	}
	got, err = related(t, c, e.URL, joined(branches, func(k int) string {
		return fmt.Sprintf("{?sub%d rdfs:subClassOf m:%s}", k, class(k))
	}))
	if want := branches / 4 * 2; len(got) != want || err != nil { // Album and Single of each Record
		t.Errorf("%d subclasses, not %d: %q, %v", len(got), want, got, err)
	}
}

// behindLast queries instances in pages that start after the last row of the previous page. This needs no
// OFFSET and has no sort limit.
func behindLast(t *testing.T, c *sparql.Client, e live.Endpoint, f *fixture) {
	for class, size := range map[string]int{"Artist": 5, "Album": 7, "Track": 4000} {
		var got []string
		for last, more := "", true; more; {
			text := fmt.Sprintf("%sSELECT DISTINCT ?i {?i a m:%s FILTER(STR(?i) > %q)} ORDER BY ?i LIMIT %d", prefixes, class, last, size)
			page, err := ask(t, c, e.URL, text)
			if err != nil {
				t.Fatal(err)
			}
			if more = len(page) == size; len(page) > 0 {
				last = page[len(page)-1]
			}
			if got = append(got, page...); len(got) > tracks {
				t.Fatalf("%s: no end", class)
			}
		}
		if !slices.Equal(got, f.of[class]) {
			t.Errorf("%s: %d, not %d, or not in order", class, len(got), len(f.of[class]))
		}
	}
}

// manyPages queries more instances in pages than Virtuoso sorts, which is a well-formed error.
func manyPages(t *testing.T, c *sparql.Client, e live.Endpoint, f *fixture) {
	all, err := paged(t, c, e, "Track", 2500)
	n := len(all)
	if !slices.Equal(all, f.of["Track"][:n]) {
		t.Error("the rows are others, or in another order")
	}
	if e.Kind == live.Virtuoso {
		if n != 10_000 || !errors.Is(err, sparql.ErrTooMuch) {
			t.Errorf("%d rows, %v", n, err)
		}
		return
	}
	if n != tracks || err != nil {
		t.Errorf("%d rows, not %d, %v", n, tracks, err)
	}
}

// tooMany: a query too long for Virtuoso does not count as an unsupported feature.
func tooMany(t *testing.T, c *sparql.Client, e live.Endpoint) {
	for _, tc := range []struct {
		branches int
		branch   func(k int) string
	}{
		{150, func(k int) string { return fmt.Sprintf("{SELECT (COUNT(?i%d) AS ?n%d) {?i%d a m:Label}}", k, k, k) }},
		{600, func(int) string { return "{?i a m:Label. BIND(1 AS ?n)}" }},
	} {
		q, err := sparql.ReadQuery(joined(tc.branches, tc.branch))
		if err != nil {
			t.Fatal(err)
		}
		a, err := c.Ask(t.Context(), sparql.Endpoint{URL: e.URL}, q)
		if err == nil {
			a.Close()
		}
		if learnt := (sparql.Dialect{}).Learn(a, err); !errors.Is(err, sparql.ErrTooMuch) || learnt.Version != "" {
			t.Errorf("%d branches: %v; learnt: %+v", tc.branches, err, learnt)
		}
	}
}

// stopped: a stopped server refuses connections.
func stopped(t *testing.T, e live.Endpoint) {
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
}
