package linkeddata

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/rdf"
)

// quads are those of a page; a nil predicate stands for a syntax error in the document.
func quads(predicates ...string) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		for _, p := range predicates {
			q, err := rdf.Quad{S: rdf.NewIRI("http://a.test/s"), P: rdf.NewIRI(p), O: rdf.NewString("o")}, error(nil)
			if class, ok := strings.CutPrefix(p, "a "); ok {
				q.P, q.O = rdf.NewIRI(rdfType), rdf.NewIRI(class)
			}
			if p == "" {
				q, err = rdf.Quad{}, errors.New("no statement")
			}
			if !yield(q, err) {
				return
			}
		}
	}
}

const label = "http://www.w3.org/2000/01/rdf-schema#label"

// decide judges and plans a page as the engine does, with and without Prepare.
func decide(t testing.TB, f *Focus, p *orbweaver.Page) (orbweaver.Judgement, []orbweaver.Proposal) {
	t.Helper()
	j, err := f.Judge(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	bare, _ := f.Plan(t.Context(), p, j)
	p.Findings, _ = f.Prepare(t.Context(), p)
	plan, err := f.Plan(t.Context(), p, j)
	if err != nil || fmt.Sprint(stripped(bare)) != fmt.Sprint(stripped(plan)) {
		t.Fatalf("%s: %v; unprepared %v, prepared %v", p.URL, err, bare, plan)
	}
	return j, plan
}

// stripped returns proposals without pointers.
func stripped(plan []orbweaver.Proposal) (all []orbweaver.Proposal) {
	for _, p := range plan {
		p.Via = nil
		all = append(all, p)
	}
	return all
}

// brief formats proposals: path, class and score of each; dropped ones in brackets.
func brief(plan []orbweaver.Proposal) string {
	var all []string
	for _, p := range plan {
		s := fmt.Sprintf("%s:%s:%.2f", strings.TrimPrefix(p.URL, "http://a.test"), p.Class, p.Score)
		if p.Drop {
			s = "[" + s + "]"
		}
		all = append(all, s)
	}
	return strings.Join(all, " ")
}

func page(url string, links ...string) *orbweaver.Page {
	p := &orbweaver.Page{Request: orbweaver.Request{URL: url}, URL: url, Status: 200, MediaType: "text/html"}
	for _, to := range links {
		p.Links = append(p.Links, orbweaver.Link{To: to, Origin: orbweaver.FromAnchor})
	}
	return p
}

// TestTrueClass: the class follows from bytes and header, as the page reader determined them.
func TestTrueClass(t *testing.T) {
	f := newFocus(t, nil)
	for _, tc := range []struct {
		name      string
		mediaType string
		quads     iter.Seq2[rdf.Quad, error]
		want      string // class, score, accepted and rules
	}{
		{"RDF/XML", "application/rdf+xml", quads(label), "R 1.00 true media-type(application/rdf+xml)"},
		{"Turtle", "text/turtle", quads(label), "R 1.00 true media-type(text/turtle)"},
		{"N-Triples", "application/n-triples", quads(label), "R 1.00 true media-type(application/n-triples)"},
		{"N-Quads", "application/n-quads", quads(label), "R 1.00 true media-type(application/n-quads)"},
		{"TriG", "application/trig", quads(label), "R 1.00 true media-type(application/trig)"},
		{"JSON-LD", "application/ld+json", nil, "R 1.00 true media-type(application/ld+json)"},
		{"RDF with mistakes", "text/turtle", quads("", label, ""), "R 1.00 true media-type(text/turtle)"},
		{"RDF that says nothing", "text/turtle", quads(), "R 1.00 true media-type(text/turtle)"},
		{"nothing but mistakes", "text/turtle", quads("", ""), "N 0.00 false media-type(text/turtle)"},
		{"HTML", "text/html", nil, "H 0.33 false media-type(text/html)"},
		{"XHTML", "application/xhtml+xml", nil, "H 0.33 false media-type(application/xhtml+xml)"},
		{"HTML with data", "text/html", quads("http://ogp.me/ns#title", label), "HR 0.67 true media-type(text/html) embedded(" + label + ")"},
		{"HTML with things of a class", "text/html", quads("a http://schema.org/Person"), "HR 0.67 true media-type(text/html) embedded(http://schema.org/Person)"},
		{"HTML with Open Graph", "text/html", quads("http://ogp.me/ns#title", "http://ogp.me/ns/article#author", "https://dev.twitter.com/cards#card", "a http://ogp.me/ns#Thing"), "H 0.33 false media-type(text/html)"},
		{"RSS", "application/rss+xml", nil, "N 0.00 false media-type(application/rss+xml)"},
		{"XML", "application/xml", nil, "N 0.00 false media-type(application/xml)"},
		{"JSON", "application/json", nil, "N 0.00 false media-type(application/json)"},
		{"PDF", "application/pdf", nil, "N 0.00 false media-type(application/pdf)"},
		{"plain text", "text/plain", nil, "N 0.00 false media-type(text/plain)"},
	} {
		p := page("http://a.test/a.rdf")
		p.MediaType, p.Quads = tc.mediaType, tc.quads
		j, _ := decide(t, f, p)
		if got := fmt.Sprintf("%s %.2f %v %s", j.Class, j.Score, j.Accepted, rules(j.Reasons)); got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.name, got, tc.want)
		}
		if got := weight(j.Reasons); math.Abs(got-j.Score) > 1e-12 {
			t.Errorf("%s: reasons weigh %v, the score is %v", tc.name, got, j.Score)
		}
	}
}

// weight is that of all reasons.
func weight(reasons []orbweaver.Reason) (sum float64) {
	for _, r := range reasons {
		sum += r.Weight
	}
	return sum
}

// TestLeads: embedded data makes a page HR, and pages of its pattern likely HR; as in the paper only a link
// does.
func TestLeads(t *testing.T) {
	for _, tc := range []struct {
		lead  Lead
		quads iter.Seq2[rdf.Quad, error]
		want  string
	}{
		{LeadEmbedded, quads(label), "HR 0.67 true"},
		{LeadEmbedded, quads("http://ogp.me/ns#title"), "H 0.33 false"},
		{LeadLink, quads(label), "H 0.33 true"},
		{LeadLink, quads("http://ogp.me/ns#title"), "H 0.33 false"},
	} {
		f := newFocus(t, func(o *Options) { o.HR = tc.lead })
		o := answer(orbweaver.Request{URL: "http://a.test/staff/anna"}, "text/html")
		o.Page.Quads = tc.quads
		j, _ := decide(t, f, o.Page)
		stale := learn(t, f, o)
		if got := fmt.Sprintf("%s %.2f %v", j.Class, j.Score, j.Accepted); got != tc.want || (len(stale) > 0) != (j.Class == ClassHR) {
			t.Errorf("lead %d: %s, want %s; stale %v", tc.lead, got, tc.want, stale)
		}
		ben := follow(t, f, page("http://a.test/", "http://a.test/staff/ben"), "http://a.test/staff/ben")
		if ben.Class != j.Class {
			t.Errorf("lead %d: a page like it is %s", tc.lead, ben.Class)
		}
	}
}

// TestPriorities is Fig. 3 of the paper: R before HR before H, and N is removed.
func TestPriorities(t *testing.T) {
	f := newFocus(t, func(o *Options) { o.Beyond.Directories = false })
	f.similar.add("http://a.test/staff/anna")
	links := []string{
		"http://a.test/about", "http://a.test/staff/ben", "http://a.test/logo.png", "http://a.test/anna.rdf",
		"http://a.test/p", "http://a.test/about", "", "http://p.test/0",
	}
	p := page("http://a.test/p", links...)
	_, plan := decide(t, f, p)
	want := "/about:H:0.33 /staff/ben:HR:0.67 [/logo.png:N:0.00] /anna.rdf:R:1.00 http://p.test/0:H:0.33"
	if got := brief(plan); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if got := rules(plan[1].Reasons); got != "html-link similar(a.test/staff/*)" {
		t.Errorf("reasons of HR: %s", got)
	}
	for _, q := range plan {
		if math.Abs(weight(q.Reasons)-q.Score) > 1e-12 || q.Via == nil || q.Via.To != q.URL {
			t.Errorf("%s: %+v", q.URL, q)
		}
	}
	if keys := fmt.Sprint(plan[0].Keys, plan[1].Keys, plan[2].Keys, plan[3].Keys); keys != "[pattern:a.test/*] [] [] [pattern:a.test/*]" {
		t.Errorf("keys %s", keys)
	}
}

// TestBestLink: of several links to one target the best counts, and nofollow links do not.
func TestBestLink(t *testing.T) {
	f := newFocus(t, nil)
	p := page("http://a.test/p")
	p.Links = []orbweaver.Link{
		{To: "http://a.test/1", Anchor: "Anna"}, {To: "http://a.test/1", Anchor: "RDF"}, {To: "http://a.test/1", Anchor: "OWL"},
		{To: "http://a.test/2", Anchor: "RDF", Rel: "nofollow"}, {To: "http://a.test/2", Anchor: "Ben"},
		{To: "http://a.test/3", Anchor: "Ben"}, {To: "http://a.test/3", Anchor: "RDF", Rel: "nofollow"},
		{To: "http://a.test/4", Rel: "nofollow"},
	}
	_, plan := decide(t, f, p)
	if got := brief(plan); got != "/1:R:0.90 /2:H:0.33 /3:H:0.33" || plan[0].Via != &p.Links[1] || plan[1].Via != &p.Links[4] {
		t.Errorf("got %s", got)
	}
	p.NoFollow = true
	p.Findings = nil
	if _, plan := decide(t, newFocus(t, nil), p); len(plan) > 0 {
		t.Errorf("a page that asks not to be followed: %s", brief(plan))
	}
}

// TestWhoseLinks: the links of RDF, HTML and sitemaps are followed, and no others.
func TestWhoseLinks(t *testing.T) {
	for mediaType, want := range map[string]int{"text/html": 1, "text/turtle": 1, "application/pdf": 0, "application/rss+xml": 0, "application/xml": 0} {
		p := page("http://a.test/p", "http://a.test/1")
		p.MediaType = mediaType
		if _, plan := decide(t, newFocus(t, nil), p); len(plan) != want {
			t.Errorf("%s: %s", mediaType, brief(plan))
		}
	}
	p := page("http://a.test/sitemap.xml", "http://a.test/1")
	p.MediaType, p.Request.Purpose = "application/xml", orbweaver.ForSitemap
	_, plan := decide(t, newFocus(t, nil), p)
	if kept, ok := readNote(plan[0].Note); len(plan) != 1 || !ok || kept.fromHTML {
		t.Errorf("a sitemap: %s, %+v", brief(plan), kept)
	}
}

// TestVocabularies: a vocabulary's document is proposed once per page, by the predicates and types of its
// statements, and is no evidence of HR.
func TestVocabularies(t *testing.T) {
	const name, mbox, title, og = "http://xmlns.com/foaf/0.1/name", "http://xmlns.com/foaf/0.1/mbox", "http://purl.org/dc/terms/title", "http://ogp.me/ns#title"
	f := newFocus(t, func(o *Options) { o.HR, o.Beyond.Directories = LeadLink, false })
	p := page("http://a.test/p", "http://purl.org/dc/terms/")
	p.Quads = quads(name, mbox, label, og, title, "a http://schema.org/Person", "a http://v.test/v.html#X", "urn:x:y")
	_, plan := decide(t, f, p)
	want := "http://purl.org/dc/terms/:H:0.33 http://xmlns.com/foaf/0.1/:R:1.00 http://www.w3.org/2000/01/rdf-schema:R:1.00 http://schema.org/:R:1.00 http://v.test/v.html:H:0.33"
	if got := brief(plan); got != want {
		t.Fatalf("got %s\nwant %s", got, want)
	}
	if got := rules(plan[3].Reasons); got != "vocabulary" {
		t.Errorf("reasons %s", got)
	}
	foaf := plan[1]
	foaf.Parent = p.URL
	rdfPage := page(foaf.URL)
	rdfPage.MediaType, rdfPage.Request = "text/turtle", foaf.Request
	if stale := learn(t, f, orbweaver.Outcome{Request: foaf.Request, Page: rdfPage}); len(stale) > 0 || len(f.similar.files.list) > 0 {
		t.Errorf("%s led to a vocabulary: %v", p.URL, stale)
	}
	p.Findings = nil
	if j, _ := decide(t, f, p); j.Class != ClassH || !j.Accepted {
		t.Errorf("class %s by a vocabulary", j.Class)
	}
}

func TestNamespace(t *testing.T) {
	for iri, want := range map[string]string{
		"http://a.test/v#x": "http://a.test/v", "http://a.test/v/x": "http://a.test/v/", "http://a.test/v/": "http://a.test/v/",
		"HTTPS://a.test/v?p=/x": "HTTPS://a.test/", "http://a.test/v#a/b": "http://a.test/v", "urn:a:b": "", "": "", "mailto:a": "",
		"http://a.test": "http://",
	} {
		if got := namespace(iri); got != want {
			t.Errorf("%s: %s, want %s", iri, got, want)
		}
	}
}

func learn(t testing.TB, f *Focus, o orbweaver.Outcome) []string {
	t.Helper()
	lesson, err := f.Learn(t.Context(), o)
	if err != nil || len(lesson.Facts) > 0 {
		t.Fatalf("%v, facts %v", err, lesson.Facts)
	}
	return lesson.Stale
}

// follow returns the request of a page's proposal, as the engine creates it.
func follow(t testing.TB, f *Focus, p *orbweaver.Page, url string) orbweaver.Proposal {
	t.Helper()
	_, plan := decide(t, f, p)
	i := slices.IndexFunc(plan, func(q orbweaver.Proposal) bool { return q.URL == url })
	if i < 0 {
		t.Fatalf("%s is not proposed by %s", url, p.URL)
	}
	plan[i].Parent = p.URL
	return plan[i]
}

// answer returns an outcome with a page of a media type.
func answer(r orbweaver.Request, mediaType string, links ...string) orbweaver.Outcome {
	p := page(r.URL, links...)
	p.Request, p.MediaType = r, mediaType
	return orbweaver.Outcome{Request: r, Page: p, Status: 200}
}

// TestLearnAndRerank: S_HR grows. When RDF arrives, waiting requests similar to the linking page are raised.
func TestLearnAndRerank(t *testing.T) {
	const rdfURL = "http://a.test/staff/anna/foaf.rdf"
	anna := "http://a.test/staff/anna/"
	both := []string{"pattern:a.test/staff/*/", "pattern:a.test/staff/anna/*"}
	for _, tc := range []struct {
		name  string
		teach func(*Focus) []string
		stale []string
	}{
		{"the page with the link, when RDF arrives", func(f *Focus) []string {
			return learn(t, f, answer(follow(t, f, page(anna, rdfURL), rdfURL).Request, "application/rdf+xml"))
		}, both},
		{"through a redirect", func(f *Focus) []string {
			q := follow(t, f, page(anna, "http://a.test/id/anna"), "http://a.test/id/anna").Request
			hop := orbweaver.Outcome{Request: q, Status: 303, Redirect: "http://b.test/doc"}
			if stale := learn(t, f, hop); stale != nil {
				t.Errorf("a redirect to who knows what: %v", stale)
			}
			q.Redirects, q.URL = []string{q.URL}, "http://b.test/doc"
			stale := learn(t, f, answer(q, "text/turtle"))
			for _, url := range []string{"http://a.test/id/anna", "http://b.test/doc"} {
				if !f.documents.has(hash(url)) {
					t.Errorf("%s does not count as RDF", url)
				}
			}
			return stale
		}, both},
		{"a redirect to RDF that was fetched before", func(f *Focus) []string {
			learn(t, f, answer(orbweaver.Request{URL: rdfURL}, "text/turtle"))
			q := follow(t, f, page(anna, "http://a.test/id/anna"), "http://a.test/id/anna").Request
			return learn(t, f, orbweaver.Outcome{Request: q, Status: 303, Redirect: rdfURL})
		}, both},
		{"a later page that links to known RDF", func(f *Focus) []string {
			learn(t, f, answer(orbweaver.Request{URL: rdfURL}, "text/turtle"))
			o := answer(orbweaver.Request{URL: anna}, "text/html", "http://a.test/x", rdfURL)
			if j, _ := f.Judge(t.Context(), o.Page); j.Class != ClassHR || rules(j.Reasons) != "media-type(text/html) links-rdf("+rdfURL+")" || j.Score != scoreHR {
				t.Errorf("%+v", j)
			}
			return learn(t, f, o)
		}, both},
		{"not a page that is RDF itself", func(f *Focus) []string {
			p := page(anna, rdfURL)
			p.MediaType = "text/turtle"
			return learn(t, f, answer(follow(t, f, p, rdfURL).Request, "application/rdf+xml"))
		}, nil},
		{"not when HTML arrives", func(f *Focus) []string {
			return learn(t, f, answer(follow(t, f, page(anna, rdfURL), rdfURL).Request, "text/html"))
		}, nil},
		{"not when nothing arrives", func(f *Focus) []string {
			return learn(t, f, orbweaver.Outcome{Request: follow(t, f, page(anna, rdfURL), rdfURL).Request, Err: orbweaver.ErrStatus})
		}, nil},
		{"not a seed's page", func(f *Focus) []string {
			return learn(t, f, answer(orbweaver.Request{URL: rdfURL}, "text/turtle"))
		}, nil},
	} {
		f := newFocus(t, func(o *Options) { o.Beyond.Directories = false })
		waiting := follow(t, f, page("http://a.test/", "http://a.test/staff/ben/"), "http://a.test/staff/ben/")
		if waiting.Class != ClassH || !slices.Contains(waiting.Keys, both[0]) {
			t.Fatalf("%+v", waiting)
		}
		if stale := tc.teach(f); !slices.Equal(stale, tc.stale) {
			t.Errorf("%s: stale %v, want %v", tc.name, stale, tc.stale)
		}
		want, score := ClassH, scoreH
		if tc.stale != nil {
			want, score = ClassHR, scoreHR
		}
		if j := f.Rerank(nil, waiting); j.Class != want || j.Score != score || j.Drop {
			t.Errorf("%s: ranked again as %s, %v; want %s", tc.name, j.Class, j.Score, want)
		}
		if fresh := follow(t, f, page("http://a.test/2", "http://a.test/staff/ben/"), "http://a.test/staff/ben/"); fresh.Class != want {
			t.Errorf("%s: found later as %s, want %s", tc.name, fresh.Class, want)
		}
	}
}

// TestRerankKeeps: requests without a link, and those of class R, stay unchanged.
func TestRerankKeeps(t *testing.T) {
	f := newFocus(t, nil)
	seed := orbweaver.Proposal{Request: orbweaver.Request{URL: "http://a.test/a"}, Judgement: orbweaver.Judgement{Score: 1}}
	f.similar.add("http://a.test/b")
	if j := f.Rerank(nil, seed); j.Score != 1 || j.Class != "" {
		t.Errorf("a seed: %+v", j)
	}
	q := follow(t, f, page("http://a.test/p", "http://a.test/a.ttl"), "http://a.test/a.ttl")
	if j := f.Rerank(nil, q); fmt.Sprint(j) != fmt.Sprint(q.Judgement) {
		t.Errorf("%+v", j)
	}
}

// TestMethods: the comparison methods have the same links with other priorities.
func TestMethods(t *testing.T) {
	links := []string{"http://a.test/about", "http://a.test/logo.png", "http://a.test/anna.rdf"}
	for _, tc := range []struct {
		name   string
		change func(*Options)
		want   string
	}{
		{"focused", nil, "/about:H:0.33 [/logo.png:N:0.00] /anna.rdf:R:1.00"},
		{"non-focused", func(o *Options) { o.Method = NonFocused }, "/about:H:0.50 [/logo.png:N:0.00] /anna.rdf:R:0.50"},
		{"non-focused, N too", func(o *Options) { o.Method, o.KeepN = NonFocused, true }, "/about:H:0.50 /logo.png:N:0.50 /anna.rdf:R:0.50"},
		{"domain untried", func(o *Options) { o.Method = DomainRanking }, "/about:H:0.50 [/logo.png:N:0.00] /anna.rdf:R:0.50"},
		{"a path of 3 links, one gone", func(o *Options) { o.Method = DynamicDepth }, "/about:H:0.75 [/logo.png:N:0.00] /anna.rdf:R:0.75"},
	} {
		if _, plan := decide(t, newFocus(t, tc.change), page("http://a.test/p", links...)); brief(plan) != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, brief(plan), tc.want)
		}
	}
}

// TestDomainRanking: a domain's share is that of RDF among its responses, without redirects and sitemaps.
func TestDomainRanking(t *testing.T) {
	f := newFocus(t, func(o *Options) { o.Method = DomainRanking })
	q := follow(t, f, page("http://a.test/p", "http://www.rdf.co.uk/x"), "http://www.rdf.co.uk/x")
	if !slices.Equal(q.Keys, []string{"domain:rdf.co.uk"}) {
		t.Errorf("keys %v", q.Keys)
	}
	for i, tc := range []struct {
		o     orbweaver.Outcome
		score float64
		stale bool
	}{
		{answer(orbweaver.Request{URL: "http://data.rdf.co.uk/1"}, "text/turtle"), 2. / 3, true},
		{answer(orbweaver.Request{URL: "http://rdf.co.uk/2"}, "text/turtle"), 3. / 4, true},
		{answer(orbweaver.Request{URL: "http://rdf.co.uk/3"}, "text/html"), 3. / 5, true},
		{orbweaver.Outcome{Request: orbweaver.Request{URL: "http://rdf.co.uk/4"}, Status: 301, Redirect: "http://rdf.co.uk/5"}, 3. / 5, false},
		{orbweaver.Outcome{Request: orbweaver.Request{URL: "http://rdf.co.uk/5"}, Err: orbweaver.ErrStatus}, 3. / 6, true},
		{answer(orbweaver.Request{URL: "http://other.co.uk/"}, "text/html"), 3. / 6, true},
		{answer(orbweaver.Request{URL: "http://rdf.co.uk/sitemap.xml", Purpose: orbweaver.ForSitemap}, "application/xml"), 3. / 6, false},
	} {
		stale := learn(t, f, tc.o)
		if (len(stale) > 0) != tc.stale {
			t.Errorf("%d: stale %v", i, stale)
		}
		if j := f.Rerank(nil, q); math.Abs(j.Score-tc.score) > 1e-12 || j.Class != ClassH || j.Reasons[0].Rule != RuleDomain {
			t.Errorf("%d: %+v, want %v", i, j, tc.score)
		}
	}
}

// TestDynamicDepth checks paths of one letter per page, R for RDF, H for HTML: whether the links of the last
// page are followed.
func TestDynamicDepth(t *testing.T) {
	for path, want := range map[string]string{
		"H": "1 left", "HH": "0 left", "HHH": "", "R": "3 left", "HR": "2 left", "HHR": "1 left", "HHRHH": "", "RR": "4 left", "RHHH": "0 left", "RHHHH": "",
	} {
		f := newFocus(t, func(o *Options) { o.Method, o.Depth = DynamicDepth, 2 })
		request := orbweaver.Request{URL: "http://a.test/0"}
		got := ""
		for i, class := range path {
			o := answer(request, map[rune]string{'R': "text/turtle", 'H': "text/html"}[class], fmt.Sprintf("http://a.test/%d", i+1))
			_, plan := decide(t, f, o.Page)
			if got = ""; !plan[0].Drop {
				got = plan[0].Reasons[0].Evidence
			}
			if again := f.Rerank(nil, plan[0]); again.Score != plan[0].Score {
				t.Errorf("%s: %v, ranked again %v", path, plan[0].Score, again.Score)
			}
			request = plan[0].Request
		}
		if got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func BenchmarkPrepare(b *testing.B) {
	f := newFocus(b, nil)
	p := page("http://a.test/p")
	for i := range 100 {
		p.Links = append(p.Links, orbweaver.Link{
			To: fmt.Sprintf("http://a.test/wiki/folder/page-%d.html?x=1", i), Anchor: "a plane flies", Origin: orbweaver.FromAnchor,
			Context: strings.Repeat("over the sea and far away ", 6),
		})
	}
	b.ReportAllocs()
	for b.Loop() {
		f.prepare(p)
	}
}
