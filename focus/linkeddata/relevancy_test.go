package linkeddata

import (
	"cmp"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"orbweaver"
)

// newFocus returns a focus that has seen a page of a.test.
func newFocus(t testing.TB, change func(*Options)) *Focus {
	t.Helper()
	opts := DefaultOptions()
	if change != nil {
		change(&opts)
	}
	f, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	f.hosts.add(hash("a.test"), 0)
	return f
}

// rules formats the rules of reasons, with their evidence.
func rules(reasons []orbweaver.Reason) string {
	var b strings.Builder
	for _, r := range reasons {
		b.WriteString(" " + r.Rule)
		if r.Evidence != "" {
			b.WriteString("(" + r.Evidence + ")")
		}
	}
	return strings.TrimPrefix(b.String(), " ")
}

// TestRelevancyR has a row for each rule of section III.C.2, and for edge cases.
func TestRelevancyR(t *testing.T) {
	r := newFocus(t, nil).reader()
	alike := newFocus(t, func(o *Options) { o.Beyond.Graded = false }).reader()
	const html, rdf = orbweaver.FromAnchor, orbweaver.FromTriple
	for _, tc := range []struct {
		name string
		link orbweaver.Link
		want string // class and rules
	}{
		{"step 1: protocol", orbweaver.Link{To: "mailto:rdf@a.test"}, "N protocol(mailto)"},
		{"step 1: ftp", orbweaver.Link{To: "ftp://a.test/a.rdf"}, "N protocol(ftp)"},
		{"step 1: .jpg, before any sign of RDF", orbweaver.Link{To: "http://a.test/rdf/foaf.jpg", Type: "application/rdf+xml"}, "N other-extension(.jpg)"},
		{"step 1: .PDF", orbweaver.Link{To: "http://a.test/a.PDF"}, "N other-extension(.pdf)"},
		{"step 1: .css with a query", orbweaver.Link{To: "http://a.test/a.css?v=1.2"}, "N other-extension(.css)"},
		{"step 1: .zip", orbweaver.Link{To: "http://a.test/a.zip"}, "N other-extension(.zip)"},
		{"step 1: an RDF link too", orbweaver.Link{To: "http://a.test/a.png", Origin: rdf}, "N other-extension(.png)"},

		{"Table II: type, terms and content types", orbweaver.Link{To: "http://a.test/a", Type: "application/rdf+xml"}, "R type-term(rdf) type-content(application/rdf+xml)"},
		{"Table II: type, terms", orbweaver.Link{To: "http://a.test/a", Type: "Turtle"}, "R type-term(turtle)"},
		{"Table II: type, content types", orbweaver.Link{To: "http://a.test/a", Type: "application/trig; charset=utf-8"}, "R type-content(application/trig)"},
		{"Table II: title, terms", orbweaver.Link{To: "http://a.test/a", Title: "My FOAF file"}, "R title-term(foaf)"},
		{"Table II: title, content types", orbweaver.Link{To: "http://a.test/a", Title: "as application/trig"}, "R title-content(application/trig)"},
		{"Table II: anchor text, terms", orbweaver.Link{To: "http://a.test/a", Anchor: "RDF"}, "R anchor-term(rdf)"},
		{"Table II: anchor text, content types", orbweaver.Link{To: "http://a.test/a", Anchor: "get Application/TriG."}, "R anchor-content(application/trig)"},
		{"Table II: context, terms", orbweaver.Link{To: "http://a.test/a", Context: "all as linked\ndata here"}, "R context-term(linked data)"},
		{"Table II: context, content types", orbweaver.Link{To: "http://a.test/a", Context: "(application/trig)"}, "R context-content(application/trig)"},
		{"Table II: path, terms", orbweaver.Link{To: "http://a.test/data/rdf/a"}, "R path-term(rdf)"},
		{"section III.C.1: file name, terms", orbweaver.Link{To: "http://a.test/foaf"}, "R file-term(foaf)"},
		{"the query is of the file name", orbweaver.Link{To: "http://a.test/a?format=n3"}, "R file-term(n3)"},
		{"Table II: extension", orbweaver.Link{To: "http://a.test/a.rdf"}, "R extension(.rdf)"},
		{"section III.C.2: RDF link without extension", orbweaver.Link{To: "http://a.test/a", Origin: rdf}, "R rdf-link"},
		{"all that hold", orbweaver.Link{
			To: "http://a.test/owl/foaf.rdf", Type: "text/turtle", Title: "sparql text/n3", Anchor: "n3 text/turtle", Context: "skos text/n3",
		}, "R type-term(turtle) title-term(sparql) path-term(owl) file-term(foaf) anchor-term(n3) context-term(skos) " +
			"type-content(text/turtle) title-content(text/n3) anchor-content(text/turtle) context-content(text/n3) extension(.rdf)"},

		{"extensions: .owl", orbweaver.Link{To: "http://a.test/a.owl"}, "R extension(.owl)"},
		{"extensions: .nt", orbweaver.Link{To: "http://a.test/a.nt"}, "R extension(.nt)"},
		{"extensions: .nq", orbweaver.Link{To: "http://a.test/a.nq"}, "R extension(.nq)"},
		{"extensions: .n3", orbweaver.Link{To: "http://a.test/a.n3"}, "R extension(.n3)"},
		{"extensions: .ttl", orbweaver.Link{To: "http://a.test/a.TTL"}, "R extension(.ttl)"},
		{"extensions: .trig", orbweaver.Link{To: "http://a.test/a.trig"}, "R extension(.trig)"},
		{"extensions: .jsonld", orbweaver.Link{To: "http://a.test/a.jsonld"}, "R extension(.jsonld)"},
		{"extensions: packed by gzip", orbweaver.Link{To: "http://a.test/a.nt.gz"}, "R extension(.nt)"},
		{"extensions: packed by bzip2", orbweaver.Link{To: "http://a.test/a.nq.bz2"}, "R extension(.nq)"},
		{"packed, of something else", orbweaver.Link{To: "http://a.test/a.tar.gz"}, "N other-extension(.tar)"},
		{"packed, of who knows what", orbweaver.Link{To: "http://a.test/a.gz"}, "N otherwise(.gz)"},
		{"packed, with a term", orbweaver.Link{To: "http://a.test/a.gz", Anchor: "N-Triples"}, "R anchor-term(n-triples)"},

		{"whole words: n3 is not in n300", orbweaver.Link{To: "http://a.test/n300", Anchor: "n300, fowl, rdfx"}, "H html-link"},
		{"whole words: a content type is not in a longer one", orbweaver.Link{To: "http://a.test/a", Type: "text/n3x"}, "H html-link"},
		{"whole words: underscores and escapes divide", orbweaver.Link{To: "http://a.test/my%20rdf_files/a"}, "R path-term(rdf)"},
		{"json-ld as JSON LD", orbweaver.Link{To: "http://a.test/a", Anchor: "JSON LD"}, "R anchor-term(json-ld)"},
		{"a phrase does not go on in the next directory", orbweaver.Link{To: "http://a.test/linked/data/"}, "H html-link"},
		{"the host says nothing", orbweaver.Link{To: "http://rdf.test/"}, "H html-link"},
		{"the extension is no part of the file name", orbweaver.Link{To: "http://a.test/x.n3"}, "R extension(.n3)"},

		{"attributes and texts are not of RDF links", orbweaver.Link{To: "http://a.test/a.html", Type: "text/turtle", Title: "rdf", Anchor: "rdf", Context: "rdf", Origin: rdf}, "H html-extension(.html)"},
		{"path and file name are", orbweaver.Link{To: "http://a.test/rdf/foaf.html", Origin: rdf}, "R path-term(rdf) file-term(foaf)"},

		{"step 3: .html", orbweaver.Link{To: "http://a.test/a.html"}, "H html-extension(.html)"},
		{"step 3: .htm", orbweaver.Link{To: "http://a.test/a.HTM"}, "H html-extension(.htm)"},
		{"step 3: .xhtml", orbweaver.Link{To: "http://a.test/a.xhtml"}, "H html-extension(.xhtml)"},
		{"step 3: .php with a query", orbweaver.Link{To: "http://a.test/p.php?id=1"}, "H html-extension(.php)"},
		{"step 3: .asp", orbweaver.Link{To: "http://a.test/a.asp"}, "H html-extension(.asp)"},
		{"step 3: .aspx", orbweaver.Link{To: "http://a.test/a.aspx"}, "H html-extension(.aspx)"},
		{"step 3: .jsp with a session", orbweaver.Link{To: "http://a.test/a.jsp;id=a.b"}, "H html-extension(.jsp)"},
		{"step 3: none", orbweaver.Link{To: "http://a.test/a"}, "H html-link"},
		{"step 3: a directory", orbweaver.Link{To: "http://a.test/a.b/"}, "H html-link"},
		{"step 3: a number is no extension", orbweaver.Link{To: "http://a.test/v1.2"}, "H html-link"},
		{"step 3: nor is what has other signs", orbweaver.Link{To: "http://a.test/Dr._No"}, "H html-link"},
		{"step 3: nor what is too long", orbweaver.Link{To: "http://a.test/a.extensions"}, "H html-link"},
		{"step 3: nor a file that starts with it", orbweaver.Link{To: "http://a.test/.rdf"}, "R file-term(rdf)"},

		{"step 3: nor what no list has", orbweaver.Link{To: "http://a.test/model/vnd.dwf"}, "H html-link"},
		{"step 3: nor the name of a class", orbweaver.Link{To: "http://a.test/owl.Thing", Origin: rdf}, "R file-term(owl) rdf-link"},
		{"step 3: .xml alone", orbweaver.Link{To: "http://a.test/a.xml"}, "H html-link"},
		{"step 2: .xml of RDF", orbweaver.Link{To: "http://a.test/a.xml", Type: "application/rdf+xml"}, "R type-term(rdf) type-content(application/rdf+xml)"},
		{"step 3: an RDF link of another extension", orbweaver.Link{To: "http://a.test/a.json", Origin: rdf}, "R rdf-link"},
		{"a header's link is not of a triple", orbweaver.Link{To: "http://a.test/a", Rel: "describedby", Origin: orbweaver.FromHeader}, "H html-link"},
	} {
		if tc.link.Origin == "" {
			tc.link.Origin = html
		}
		v := r.relevancy(&tc.link, false, false)
		if got := v.class + " " + rules(v.reasons); got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.name, got, tc.want)
		}
		sum := 0.0
		for _, reason := range v.reasons {
			sum += reason.Weight
		}
		if d := sum - v.score; d > 1e-12 || d < -1e-12 {
			t.Errorf("%s: weights add up to %v, the score is %v", tc.name, sum, v.score)
		}
		if all := alike.relevancy(&tc.link, false, false); all.class != v.class || all.score != scoreOf(v.class) || rules(all.reasons) != rules(v.reasons) {
			t.Errorf("%s: without grades %s %v, %s", tc.name, all.class, all.score, rules(all.reasons))
		}
	}
}

// TestGraded: what says what a URL is goes before what it is called, and that before what else is there.
func TestGraded(t *testing.T) {
	r := newFocus(t, nil).reader()
	for i, grade := range [][]orbweaver.Link{
		{{To: "http://a.test/a.ttl"}, {To: "http://a.test/a", Type: "text/turtle"}, {To: "http://a.test/rdf/a.ttl", Context: "RDF"}},
		{{To: "http://a.test/a", Anchor: "RDF"}, {To: "http://a.test/foaf"}, {To: "http://a.test/a", Title: "OWL", Context: "RDF"}, {To: "http://a.test/a", Origin: orbweaver.FromTriple}},
		{{To: "http://a.test/rdf/a"}, {To: "http://a.test/a", Context: "RDF"}},
	} {
		for _, link := range grade {
			link.Origin = cmp.Or(link.Origin, orbweaver.FromAnchor)
			if v := r.relevancy(&link, false, false); v.class != ClassR || math.Abs(v.score-(1-0.1*float64(i))) > 1e-12 {
				t.Errorf("%+v: %s %v", link, v.class, v.score)
			}
		}
	}
}

// TestSimilarity checks the paper's metric, section III.C.3: each row has two URLs, compared both ways.
func TestSimilarity(t *testing.T) {
	for _, tc := range []struct {
		name, a, b string
		want       string // the pattern by which b is similar to a
	}{
		{"the paper's URI 1 and 2", "http://example.com/staffs/staff1", "http://example.com/staffs/staff2", "example.com/staffs/*"},
		{"the last directory", "http://a.test/staff/anna/", "http://a.test/staff/ben/", "a.test/staff/*/"},
		{"the last directory, whatever the file", "http://a.test/staff/anna/index.html", "http://a.test/staff/ben/me", "a.test/staff/*/"},
		{"the file name", "http://a.test/staff/anna.html", "http://a.test/staff/ben.html", "a.test/staff/*"},
		{"the query is of the file name", "http://a.test/p.php?id=1", "http://a.test/p.php?id=2/3", "a.test/*"},
		{"files at the root", "http://a.test/a", "http://a.test/b", "a.test/*"},
		{"directories at the root", "http://a.test/a/", "http://a.test/b/", "a.test/*/"},
		{"itself", "http://a.test/staff/anna/", "http://a.test/staff/anna/", ""},
		{"itself, at the root", "http://a.test/", "http://a.test/", ""},
		{"itself, by another protocol", "http://a.test/a", "https://a.test/a", ""},
		{"another protocol", "http://a.test/a", "https://a.test/b", "a.test/*"},
		{"another directory before the last", "http://a.test/a/x/", "http://a.test/b/x/", ""},
		{"more directories", "http://a.test/a/b/", "http://a.test/a/", ""},
		{"more directories, same name", "http://a.test/a", "http://a.test/a/", ""},
		{"another host", "http://a.test/a", "http://b.test/b", ""},
		{"another port", "http://a.test/a", "http://a.test:81/b", ""},
		{"stars are letters", "http://a.test/*/x/y/", "http://a.test/b/x/z/", ""},
	} {
		for _, pair := range [][2]string{{tc.a, tc.b}, {tc.b, tc.a}} {
			s := newSimilar()
			s.add(pair[0])
			got, ok := s.find(locate(pair[1]))
			if got != tc.want || ok != (tc.want != "") {
				t.Errorf("%s: %s is similar to %s by %q, want %q", tc.name, pair[1], pair[0], got, tc.want)
			}
		}
	}
}

// TestSimilarToAny: looking up patterns agrees with the paper's definition over all members.
func TestSimilarToAny(t *testing.T) {
	var urls []string
	for _, host := range []string{"a.test", "b.test"} {
		for _, path := range []string{"/", "/x", "/y", "/d/", "/e/", "/d/x", "/d/y", "/e/x", "/d/d/", "/d/e/", "/e/e/x", "/d/d/y"} {
			urls = append(urls, "http://"+host+path)
		}
	}
	similarTo := func(a, b string) bool { // the paper's definition
		x, y := locate(a), locate(b)
		n := func(l location) int { return strings.Count(l.folders, "/") - 1 }
		return n(x) == n(y) && n(x) > 0 && x.above == y.above && x.last != y.last || x.folders == y.folders && x.file != y.file
	}
	for step := 1; step < len(urls); step++ {
		s := newSimilar()
		var members []string
		for i := 0; i < 6; i++ {
			member := urls[i*step%len(urls)]
			members = append(members, member)
			before := map[string]bool{}
			for _, u := range urls {
				_, before[u] = s.find(locate(u))
			}
			stale := s.add(member)
			for _, u := range urls {
				want := false
				for _, m := range members {
					want = want || similarTo(m, u)
				}
				_, got := s.find(locate(u))
				if got != want {
					t.Fatalf("%s, members %v: %v", u, members, got)
				}
				isStale := false
				for _, key := range locate(u).keys() {
					for _, k := range stale {
						isStale = isStale || k == key
					}
				}
				if got && !before[u] && !isStale {
					t.Fatalf("%s is similar now, by %s, and not stale: %v", u, member, stale)
				}
			}
		}
	}
}

func TestConfig(t *testing.T) {
	opts := DefaultOptions()
	opts.Config = opts.Config.Extend(Config{
		Terms: []string{"VoID file"}, ContentTypes: []string{"Application/X-RDF"}, Extensions: []string{".XYZ"},
		HTMLExtensions: []string{".page"}, OtherExtensions: []string{".1st"}, Documents: []string{"application/x-rdf"},
	})
	f, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	r := f.reader()
	for url, want := range map[string]string{
		"http://a.test/a.xyz": "R extension(.xyz)", "http://a.test/a.page": "H html-extension(.page)",
		"http://a.test/a.1st": "N other-extension(.1st)", "http://a.test/void-file": "R file-term(VoID file)",
	} {
		if v := r.relevancy(&orbweaver.Link{To: url}, false, false); v.class+" "+rules(v.reasons) != want {
			t.Errorf("%s: %s %s", url, v.class, rules(v.reasons))
		}
	}
	was := reflect.ValueOf(DefaultConfig())
	for i := range was.NumField() {
		if n, key := was.Field(i).Len(), was.Type().Field(i).Name; n < 5 || n > reflect.ValueOf(opts.Config).Field(i).Len() {
			t.Errorf("%s: %d by default", key, n)
		}
	}
}

// TestBadOptions: every problem is reported.
func TestBadOptions(t *testing.T) {
	_, err := New(Options{
		Method: DynamicDepth, HR: 9, Depth: 0, Grow: -1,
		Config: Config{
			Terms: []string{" - "}, ContentTypes: []string{"turtle"}, Documents: []string{"text/"}, Layout: []string{""},
			Extensions: []string{".rdf", "owl"}, OtherExtensions: []string{".RDF", "."}, HTMLExtensions: []string{".12"}, Packed: []string{"zip"},
		},
	})
	if !errors.Is(err, orbweaver.ErrInput) {
		t.Fatal(err)
	}
	for _, want := range []string{`terms: " - "`, `content_types: "turtle"`, `documents: "text/"`, `layout: ""`, `other_extensions: ".RDF" stands in extensions too`,
		`extensions: "owl"`, `other_extensions: "."`, `html_extensions: ".12"`, `packed: "zip"`, "hr: unknown value 9", "depth: 0", "grow: -1",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("nothing said of %s in %v", want, err)
		}
	}
	opts := DefaultOptions()
	opts.KeepN = true
	if _, err := New(opts); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("class N kept by the focused method: %v", err)
	}
	for name, want := range map[string]Method{"focused": Focused, "non_focused": NonFocused, "pld": DomainRanking, "dynamic_depth": DynamicDepth} {
		if m, ok := ParseMethod(name); !ok || m != want {
			t.Errorf("%s: %v", name, m)
		}
	}
	for name, want := range map[string]Lead{"embedded": LeadEmbedded, "paper": LeadLink} {
		if l, ok := ParseLead(name); !ok || l != want {
			t.Errorf("%s: %v", name, l)
		}
	}
	if _, ok := ParseLead("links"); ok {
		t.Error("links is no lead")
	}
	if _, ok := ParseMethod("best"); ok {
		t.Error("best is no method")
	}
}
