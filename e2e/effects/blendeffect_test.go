//go:build e2e

package effects_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/apptest"
	"orbweaver/internal/realdata"
)

// A docWeb is a web on which whether a document holds RDF and what it is about are independent.
type docWeb struct {
	head     string // lines of the crawl file
	ontology string // file
	target   string
	both     map[string]bool // documents of RDF about the topic
}

// TestBlendEffect counts the requests that `topic and rdf` takes to find 80 % of the documents of RDF about a topic, beside
// each part alone. A part whose pages are then sifted by the other is that part: it finds them in the same order. With
// ORBWEAVER_EFFECT=all it has six generated webs and a real one: docs/howto/blend.md.
func TestBlendEffect(t *testing.T) {
	seeds := 1
	if everything() {
		seeds = 6
		w := lawWeb(t)
		needs := w.needs(t)
		t.Logf("linked-data sites: %d documents, topic and rdf, topic, rdf: %v", len(w.both), needs)
	}
	var blend, best int
	for seed := range seeds {
		w := generatedWeb(t, uint64(seed+1))
		needs := w.needs(t)
		t.Logf("generated web %d: %d documents, topic and rdf, topic, rdf: %v", seed+1, len(w.both), needs)
		blend, best = blend+needs[0], best+min(needs[1], needs[2])
	}
	if ratio := float64(blend) / float64(best); ratio > 0.6 {
		t.Errorf("the blend takes %.2f of the requests of its better part", ratio)
	}
}

// needs returns how many requests the blend, the topic and RDF take to find 80 % of both.
func (w *docWeb) needs(t *testing.T) (needs [3]int) {
	t.Helper()
	topic := fmt.Sprintf("ontology: {files: %q, target: %q}", w.ontology, w.target)
	for i, focus := range []string{
		"blend: {combine: topic and rdf, parts: [{name: topic, " + topic + "}, {name: rdf, linked_data: {}}]}", topic, "linked_data: {}",
	} {
		_, journal := apptest.CrawlIn(t, t.TempDir(), w.head+"explore: 0\nfocus: {"+focus+"}\n")
		found, accepted, right := 0, 0, 0
		for line := range bytes.Lines(journal) {
			var p struct {
				N        int
				URL      string
				Accepted bool
				Status   int
			}
			if err := json.Unmarshal(line, &p); err != nil {
				t.Fatal(err)
			}
			if p.Accepted = p.Accepted && p.Status == 200; p.Accepted { // a redirect to RDF is accepted, and no document
				accepted++
			}
			if w.both[p.URL] {
				if found++; p.Accepted {
					right++
				}
				if needs[i] == 0 && found*10 >= len(w.both)*8 {
					needs[i] = p.N
				}
			}
		}
		if needs[i] == 0 {
			t.Fatalf("found %d of %d", found, len(w.both))
		}
		if i == 0 {
			t.Logf("accepts %d, of them right %d", accepted, right)
			if right*10 < accepted*8 {
				t.Errorf("of %d accepted pages, %d are both", accepted, right)
			}
		}
	}
	return needs
}

// lawWeb is the archive of linked-data sites with an ontology of privacy law: documents that hold RDF, three legal terms or
// more, and one in at least every fifty words.
func lawWeb(t *testing.T) *docWeb {
	t.Helper()
	path := filepath.Join(realdata.Folder(t, "linked-data-sites.warc.gz"), "linked-data-sites.warc.gz")
	w := &docWeb{both: map[string]bool{}, ontology: filepath.Join(t.TempDir(), "law.ttl"), target: "http://e.example/law#PrivacyLaw"}
	w.head = fmt.Sprintf(`seeds: ["https://w3id.org/dpv/", "https://schema.org/docs/", "https://schema.org/docs/documents.html", "https://schema.org/docs/developers.html", "https://json-ld.org/spec/", "https://json-ld.org/primer/latest/", "https://json-ld.org/test-suite/", "https://json-ld.org/playground/"]
web: {archive: %q, robots: ignore}
scope: {hosts: [w3id.org, json-ld.org, schema.org]}
`, path)
	ontology := `@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix law: <http://e.example/law#> .
law:PrivacyLaw a owl:Class ; rdfs:label "privacy law", "data protection law", "law" .
law:Regulation a owl:Class ; rdfs:subClassOf law:PrivacyLaw ; rdfs:label "regulation", "GDPR", "General Data Protection Regulation" .
law:LegalBasis a owl:Class ; rdfs:subClassOf law:PrivacyLaw ; rdfs:label "legal basis", "lawful basis", "legitimate interest" .
law:Right a owl:Class ; rdfs:subClassOf law:PrivacyLaw ; rdfs:label "right", "data subject right", "right of access" .
law:Authority a owl:Class ; rdfs:subClassOf law:PrivacyLaw ; rdfs:label "supervisory authority", "data protection authority" .
law:Compliance a owl:Class ; rdfs:subClassOf law:PrivacyLaw ; rdfs:label "compliance", "infringement", "breach" .
law:Consent a owl:Class ; rdfs:subClassOf law:LegalBasis ; rdfs:label "consent" .
`
	if err := os.WriteFile(w.ontology, []byte(ontology), 0o666); err != nil {
		t.Fatal(err)
	}
	web, err := archive.OpenWeb([]string{path}, archive.WebOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	terms := regexp.MustCompile(`(?i)\b(laws?|gdpr|regulation|legal|rights?|lawful|consent|authority|compliance|breach)\b`)
	tags := regexp.MustCompile(`(?s)<script.*?</script>|<[^>]+>`)
	_, journal := apptest.CrawlIn(t, t.TempDir(), w.head+"explore: 0\nfocus: {linked_data: {}}\n")
	for line := range bytes.Lines(journal) {
		var p struct {
			URL      string
			Accepted bool
			Status   int
		}
		if err := json.Unmarshal(line, &p); err != nil {
			t.Fatal(err)
		}
		if !p.Accepted || p.Status != 200 {
			continue
		}
		r, err := web.Fetch(t.Context(), orbweaver.Request{URL: p.URL})
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		if r.Body.Close(); err != nil {
			t.Fatal(err)
		}
		text := tags.ReplaceAll(body, []byte(" "))
		if n := len(terms.FindAll(text, -1)); n >= 3 && n*50 > len(bytes.Fields(text)) {
			w.both[p.URL] = true
		}
	}
	return w
}

// generatedWeb is a web of forty hosts of forty pages each about eight topics. Three hosts of ten have documents of RDF
// about most of their pages. A link leads to the same host, to the same topic or anywhere, and its text says where, or not.
func generatedWeb(t *testing.T, seed uint64) *docWeb {
	t.Helper()
	const hosts, perHost, topics = 40, 40, 8
	r := rand.New(rand.NewPCG(seed, 22))
	pick := func(words []string) string { return words[r.IntN(len(words))] }
	word := func() (s string) {
		for range 2 + r.IntN(2) {
			s += pick(strings.Fields("ba ko ri mu ta le no si du ve pra stu gli mon ter qua"))
		}
		return s
	}
	var generic []string
	for range 300 {
		generic = append(generic, word())
	}
	var vocabulary [topics][]string
	for i := range vocabulary {
		for range 14 {
			vocabulary[i] = append(vocabulary[i], word()+pick([]string{"n", "l", "x", "m"}))
		}
	}
	text := func(topic, n int) string {
		words := make([]string, n)
		for i := range words {
			if words[i] = pick(generic); r.Float64() < 0.1 {
				words[i] = pick(vocabulary[topic])
			}
		}
		return strings.Join(words, " ")
	}
	type document struct {
		url, title, rdf string
		topic           int
	}
	var pages [hosts][]*document
	var all []*document
	about := map[int][]*document{}
	w := &docWeb{both: map[string]bool{}, target: "http://e.example/T"}
	for h := range hosts {
		main, rdf := r.IntN(topics), r.Float64() < 0.3
		for i := range perHost {
			p := &document{url: fmt.Sprintf("http://h%02d.example/p/%s-%d", h, pick(generic), i), topic: main}
			if r.Float64() >= 0.55 {
				p.topic = r.IntN(topics)
			}
			if rdf && r.Float64() < 0.8 {
				p.rdf = fmt.Sprintf("http://h%02d.example/data/%d.ttl", h, i)
				if p.topic == 0 {
					w.both[p.rdf] = true
				}
			}
			p.title = pick(vocabulary[p.topic]) + " " + pick(vocabulary[p.topic])
			pages[h], all, about[p.topic] = append(pages[h], p), append(all, p), append(about[p.topic], p)
		}
	}
	one := func(from []*document) *document { return from[r.IntN(len(from))] }
	var warc bytes.Buffer
	for h := range hosts {
		var b strings.Builder
		fmt.Fprintf(&b, "<title>h%02d home</title><h1>h%02d</h1><p>%s</p>", h, h, text(pages[h][0].topic, 60))
		for _, i := range r.Perm(perHost)[:12] {
			fmt.Fprintf(&b, `<p><a href="%s">%s</a></p>`, pages[h][i].url, pages[h][i].title)
		}
		for _, i := range r.Perm(hosts)[:4] {
			fmt.Fprintf(&b, `<p><a href="http://h%02d.example/">%s</a></p>`, i, pick([]string{"partner", "friends", "see also"}))
		}
		record(&warc, fmt.Sprintf("http://h%02d.example/", h), "text/html", b.String())
		for _, p := range pages[h] {
			var links []string
			for range 10 {
				to := one(all)
				switch x := r.Float64(); {
				case x < 0.45:
					to = one(pages[h])
				case x < 0.75:
					to = one(about[p.topic])
				}
				anchor := to.title
				if r.Float64() >= 0.6 {
					anchor = pick([]string{"more", "read on", "details", "next"})
				}
				links = append(links, fmt.Sprintf(`<a href="%s">%s</a>`, to.url, anchor))
			}
			if p.rdf != "" {
				links = append(links, fmt.Sprintf(`<a href="%s">%s</a>`, p.rdf, pick([]string{"Turtle", "data", "RDF"})))
			} else if r.Float64() < 0.1 {
				links = append(links, fmt.Sprintf(`<a href="http://h%02d.example/data/none-%d.ttl">data</a>`, h, r.IntN(9999)))
			}
			b.Reset()
			fmt.Fprintf(&b, "<title>%s</title><h1>%s</h1>", p.title, p.title)
			for _, link := range links {
				fmt.Fprintf(&b, "<p>%s %s %s</p>", text(p.topic, 12), link, text(p.topic, 8))
			}
			record(&warc, p.url, "text/html", b.String())
			if p.rdf != "" {
				ttl := fmt.Sprintf("@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n<%s> rdfs:label %q ; rdfs:comment %q .\n", p.url, p.title, text(p.topic, 40))
				for range 2 {
					to := one(pages[h])
					ttl += fmt.Sprintf("<%s> rdfs:seeAlso <%s%s> .\n", p.url, to.rdf, strings.Repeat(to.url, 1-min(1, len(to.rdf))))
				}
				record(&warc, p.rdf, "text/turtle", ttl)
			}
		}
	}
	var ontology strings.Builder
	ontology.WriteString("@prefix owl: <http://www.w3.org/2002/07/owl#> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n@prefix e: <http://e.example/> .\n")
	fmt.Fprintf(&ontology, "e:T a owl:Class ; rdfs:label %q .\n", vocabulary[0][0])
	for i, label := range vocabulary[0][1:10] {
		fmt.Fprintf(&ontology, "e:T%d a owl:Class ; rdfs:subClassOf e:T ; rdfs:label %q .\n", i, label)
	}
	folder := t.TempDir()
	w.ontology = filepath.Join(folder, "topic.ttl")
	path := filepath.Join(folder, "web.warc")
	for name, b := range map[string][]byte{w.ontology: []byte(ontology.String()), path: warc.Bytes()} {
		if err := os.WriteFile(name, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	w.head = fmt.Sprintf("seeds: [http://h00.example/, http://h01.example/, http://h02.example/]\nweb: {archive: %q, robots: ignore}\n", path)
	return w
}

// record writes a WARC record of a response.
func record(w *bytes.Buffer, url, media, body string) {
	message := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", media, len(body), body)
	fmt.Fprintf(w, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012x>\r\n"+
		"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", url, w.Len(), len(message), message)
}
