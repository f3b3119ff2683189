package linkeddata

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"orbweaver"
)

// paperFocus is the paper's crawler, with a change.
func paperFocus(t testing.TB, change func(*Options)) *Focus {
	t.Helper()
	return newFocus(t, func(o *Options) {
		*o = PaperOptions()
		if change != nil {
			change(o)
		}
	})
}

// TestPaperRelevancyR has the cases of section III.C.2 on which the paper's crawler and the default differ: the
// prediction of each.
func TestPaperRelevancyR(t *testing.T) {
	const html, triple = orbweaver.FromAnchor, orbweaver.FromTriple
	void := "http://rdfs.org/ns/void#"
	paper, ours := paperFocus(t, nil).reader(), newFocus(t, nil).reader()
	for _, tc := range []struct {
		name  string
		link  orbweaver.Link
		of    string // the page with the link
		paper string
		usual string
	}{
		{"step 2, an example of the paper", orbweaver.Link{To: "http://a.test/a", Type: "application/rdf+xml", Origin: html}, "html",
			"R type-term(rdf) type-content(application/rdf+xml)", "R type-term(rdf) type-content(application/rdf+xml)"},
		{"step 4: an unknown extension is N", orbweaver.Link{To: "http://a.test/v1.2", Origin: html}, "html", "N otherwise(.2)", "H html-link"},
		{"step 4: whatever it looks like", orbweaver.Link{To: "http://a.test/Dr._No", Origin: html}, "html", "N otherwise(._no)", "H html-link"},
		{"step 4: however long", orbweaver.Link{To: "http://a.test/a.extensions", Origin: html}, "html", "N otherwise(.extensions)", "H html-link"},
		{"step 4: of an RDF link too", orbweaver.Link{To: "http://a.test/v1.2", Origin: triple}, "rdf", "N otherwise(.2)", "R rdf-link"},
		{"step 3: a dot at the end indicates none", orbweaver.Link{To: "http://a.test/etc.", Origin: html}, "html", "H html-link", "H html-link"},
		{"step 2: a packed dump has the extension of its archive", orbweaver.Link{To: "http://a.test/a.nt.gz", Origin: html}, "html", "N otherwise(.gz)", "R extension(.nt)"},
		{"step 2: an RDF link is of an RDF document", orbweaver.Link{To: "http://a.test/a", Origin: triple}, "rdf", "R rdf-link", "R rdf-link"},
		{"step 3: not of triples in HTML", orbweaver.Link{To: "http://a.test/a", Origin: triple}, "html", "H html-link", "R rdf-link"},
		{"no text of RDF links, in HTML either", orbweaver.Link{To: "http://a.test/a", Anchor: "rdf", Origin: triple}, "html", "H html-link", "R rdf-link"},
		{"nothing stated: a dump", orbweaver.Link{To: "http://a.test/all.zip", Rel: void + "dataDump", Origin: triple}, "rdf", "N other-extension(.zip)", "R void-dump"},
		{"nothing stated: an endpoint", orbweaver.Link{To: "http://a.test/ask", Rel: void + "sparqlEndpoint", Origin: triple}, "rdf", "R rdf-link", "N endpoint"},
	} {
		for _, by := range []struct {
			name string
			r    *reader
			want string
		}{{"paper", paper, tc.paper}, {"default", ours, tc.usual}} {
			v := by.r.relevancy(&tc.link, false, tc.of == "html")
			if got := v.class + " " + rules(v.reasons); got != by.want {
				t.Errorf("%s, %s:\n got %s\nwant %s", tc.name, by.name, got, by.want)
			}
		}
	}
}

// TestMatchLetters reads "contains" as a part of a text.
func TestMatchLetters(t *testing.T) {
	r := paperFocus(t, func(o *Options) { o.Readings.Match = MatchLetters }).reader()
	for _, tc := range []struct {
		link orbweaver.Link
		want string
	}{
		{orbweaver.Link{To: "http://a.test/n300"}, "R file-term(n3)"},
		{orbweaver.Link{To: "http://a.test/a", Anchor: "a fowl"}, "R anchor-term(owl)"},
		{orbweaver.Link{To: "http://a.test/a", Type: "Text/Turtle5"}, "R type-term(turtle) type-content(text/turtle)"},
		{orbweaver.Link{To: "http://a.test/a", Anchor: "bird"}, "H html-link"},
	} {
		tc.link.Origin = orbweaver.FromAnchor
		v := r.relevancy(&tc.link, false, true)
		if got := v.class + " " + rules(v.reasons); got != tc.want {
			t.Errorf("%+v: %s, want %s", tc.link, got, tc.want)
		}
	}
}

// TestPaperTrigger is Fig. 2: the page with the link joins S_HR when RDF arrives by it, and nothing else does. What
// waits keeps its rank; what is found later is HR, by each of the two patterns of section III.C.3.
func TestPaperTrigger(t *testing.T) {
	const anna, rdfURL = "http://a.test/staff/anna/", "http://a.test/staff/anna/foaf.rdf"
	for _, tc := range []struct {
		name  string
		teach func(*Focus)
		want  string
	}{
		{"RDF arrives", func(f *Focus) {
			learn(t, f, answer(follow(t, f, page(anna, rdfURL), rdfURL).Request, "application/rdf+xml"))
		}, ClassHR},
		{"a later page links to known RDF", func(f *Focus) {
			learn(t, f, answer(orbweaver.Request{URL: rdfURL}, "text/turtle"))
			learn(t, f, answer(orbweaver.Request{URL: anna}, "text/html", rdfURL))
		}, ClassH},
		{"a page has data", func(f *Focus) {
			o := answer(orbweaver.Request{URL: anna}, "text/html")
			o.Page.Quads = quads(label)
			learn(t, f, o)
		}, ClassH},
		{"the parent is RDF", func(f *Focus) {
			p := page(anna, rdfURL)
			p.MediaType = "text/turtle"
			learn(t, f, answer(follow(t, f, p, rdfURL).Request, "application/rdf+xml"))
		}, ClassH},
	} {
		f := paperFocus(t, nil)
		const ben, file = "http://a.test/staff/ben/", "http://a.test/staff/anna/cv"
		waiting := follow(t, f, page("http://a.test/", ben), ben)
		if waiting.Class != ClassH || len(waiting.Keys) > 0 {
			t.Fatalf("%+v", waiting)
		}
		tc.teach(f)
		if j := f.Rerank(nil, waiting); j.Class != ClassH || j.Score != scoreH {
			t.Errorf("%s: what waits is ranked anew: %+v", tc.name, j)
		}
		later := []string{
			follow(t, f, page("http://a.test/2", ben), ben).Class,   // another last directory
			follow(t, f, page("http://a.test/2", file), file).Class, // another file name
			follow(t, f, page("http://a.test/2", "http://a.test/team/ben/"), "http://a.test/team/ben/").Class,
		}
		if !slices.Equal(later, []string{tc.want, tc.want, ClassH}) {
			t.Errorf("%s: found later %v, want %s", tc.name, later, tc.want)
		}
	}
}

// TestPaperNothingBeyond: eight failures change no prediction, no description of data is asked for, and neither
// headers nor frames are hrefs. Each is a switch by itself.
func TestPaperNothingBeyond(t *testing.T) {
	p := func() *orbweaver.Page {
		p := page("http://new.test/p", "http://new.test/d/9.ttl")
		p.Links = append(p.Links, orbweaver.Link{To: "http://new.test/h", Origin: orbweaver.FromHeader, Rel: "describedby"},
			orbweaver.Link{To: "http://new.test/f", Origin: orbweaver.FromFrame})
		p.Quads = quads("http://v.test/n/name", "http://v.test/n/age")
		return p
	}
	const link, header, frame, known = "/d/9.ttl:R:1.00", "/h:H:0.33", "/f:H:0.33", "/.well-known/void:R:0.67"
	const terms, document = "http://v.test/n/name:H:0.33 http://v.test/n/age:H:0.33", "http://v.test/n/:R:1.00"
	for _, tc := range []struct {
		name   string
		change func(*Options)
		want   []string
	}{
		{"paper", nil, []string{link, terms}},
		{"headers", func(o *Options) { o.Beyond.LinkHeaders = true }, []string{link, header, terms}},
		{"frames", func(o *Options) { o.Beyond.Frames = true }, []string{link, frame, terms}},
		{"well-known", func(o *Options) { o.Beyond.WellKnown = true }, []string{link, terms, known}},
		{"records", func(o *Options) { o.Beyond.PatternRecord = true }, []string{"/d/9.ttl:H:0.17", terms}},
		{"documents of vocabularies", func(o *Options) { o.Readings.Vocabularies = VocabularyDocuments }, []string{link, document}},
		{"no vocabularies", func(o *Options) { o.Readings.Vocabularies = VocabularyNone }, []string{link}},
		{"RDF links of triples", func(o *Options) { o.Readings.RDFLinks = OfTriples }, []string{link, strings.ReplaceAll(terms, "H:0.33", "R:1.00")}},
	} {
		f := paperFocus(t, tc.change)
		for i := range maxFailed {
			url := fmt.Sprintf("http://new.test/d/%d.ttl", i)
			learn(t, f, orbweaver.Outcome{Request: orbweaver.Request{URL: url}, Err: orbweaver.ErrStatus, Predicted: orbweaver.Judgement{Class: ClassR}})
		}
		_, plan := decide(t, f, p())
		if got := strings.ReplaceAll(brief(plan), "http://new.test", ""); got != strings.Join(tc.want, " ") {
			t.Errorf("%s:\n got %s\nwant %s", tc.name, got, strings.Join(tc.want, " "))
		}
	}
}

// TestPaperDescribed: a term is requested though the document of its namespace is known to define it.
func TestPaperDescribed(t *testing.T) {
	for _, described := range []bool{false, true} {
		f := paperFocus(t, func(o *Options) { o.Beyond.Described = described })
		const ns, term = "http://v.test/n/", "http://v.test/n/Boat"
		o := answer(orbweaver.Request{URL: ns}, "text/turtle")
		o.Page.Quads = statements(term, rdfType, rdfsNS+"Class")
		learn(t, f, o)
		p := page("http://a.test/data")
		p.MediaType, p.Links = "text/turtle", []orbweaver.Link{{To: term, Origin: orbweaver.FromTriple}}
		_, plan := decide(t, f, p)
		if len(plan) != 1 || plan[0].Drop != described {
			t.Errorf("described %v: %s", described, brief(plan))
		}
	}
}

// TestRerankNeeded: ranks that follow what was learned cannot stay as they were.
func TestRerankNeeded(t *testing.T) {
	for _, change := range []func(*Options){
		func(o *Options) { o.Method = DomainRanking }, func(o *Options) { o.Hosts = HostsGreedy }, func(o *Options) { o.Classifier = Online },
		func(o *Options) { o.Readings.Match = 9 },
	} {
		o := PaperOptions()
		change(&o)
		if _, err := New(o); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%+v: %v", o.Beyond, err)
		}
	}
}

// TestReadingNames has the names of crawl files.
func TestReadingNames(t *testing.T) {
	for name, want := range map[string]Vocabularies{"documents": VocabularyDocuments, "terms": VocabularyTerms, "off": VocabularyNone} {
		if v, ok := ParseVocabularies(name); !ok || v != want {
			t.Errorf("%s: %v", name, v)
		}
	}
	for name, want := range map[string]RDFLinks{"triples": OfTriples, "documents": OfDocuments} {
		if v, ok := ParseRDFLinks(name); !ok || v != want {
			t.Errorf("%s: %v", name, v)
		}
	}
	for name, want := range map[string]Match{"words": MatchWords, "letters": MatchLetters} {
		if v, ok := ParseMatch(name); !ok || v != want {
			t.Errorf("%s: %v", name, v)
		}
	}
}
