package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/rdfxml"
	"orbweaver/rdf/syntax/turtle"
)

// writer is an author on a Web of one host, one set and two pages.
func writer(f fact) *author {
	w := &web{setOf: map[string]*set{}, pageOf: map[string]*page{}}
	s := &set{name: "birds", host: "a.example"}
	for _, name := range []string{"owl", "wren"} {
		p := &page{set: s, fact: fact{"id": name, "name": "The " + name}, url: "http://a.example/" + name}
		s.pages = append(s.pages, p)
		w.pageOf["bird/"+name] = p
	}
	w.setOf["birds"] = s
	return &author{web: w, url: "http://a.example/owl", fact: f, dice: diceFor("http://a.example/owl")}
}

func TestExpand(t *testing.T) {
	for _, c := range []struct{ name, template, want string }{
		{"a column", "it is {colour}", "it is red &amp; blue"},
		{"a column with its article", "{a kind}", "an owl"},
		{"a reference becomes a link", "see {near}", `see <a href="/wren">the wren</a>`},
		{"a sentence begins large", "It slept. {near}", `It slept. <a href="/wren">The wren</a>`},
		{"a sentence goes on small after a colon", "One bird: {near}", `One bird: <a href="/wren">the wren</a>`},
		{"a question ends a sentence", "What? {near}", `What? <a href="/wren">The wren</a>`},
		{"a common noun is small within a sentence", "we eat {dish}", "we eat leek soup"},
		{"an own anchor", "[here](@bird/wren)", `<a href="/wren">here</a>`},
		{"a foreign host stays whole", "[there](http://b.example/)", `<a href="http://b.example/">there</a>`},
		{"a page never chooses itself", "{any:birds}", `<a href="/wren">The wren</a>`},
		{"an absent fact says nothing", "{!size}so", "so"},
	} {
		a := writer(fact{"dish": "~Leek soup", "colour": "red & blue", "kind": "owl", "near": "@bird/wren"})
		if got := a.expand(c.template); got != c.want || len(a.web.wrong) > 0 {
			t.Errorf("%s: got %s %v, want %s", c.name, got, a.web.wrong, c.want)
		}
	}
}

func TestSentenceUsesOnlyWhatIsKnown(t *testing.T) {
	a := writer(fact{"colour": "red"})
	for range 20 {
		if got := a.sentence([]string{"It weighs {weight}.", "It is {colour}.", "{!colour}It has no colour."}); got != "It is red." {
			t.Fatalf("got %q", got)
		}
	}
	if got := a.sentence([]string{"It weighs {weight}."}); got != "" {
		t.Errorf("nothing is known, but the page says %q", got)
	}
}

func TestMistakesAreReported(t *testing.T) {
	for _, template := range []string{"{any:fish}", "[x](@bird/emu)", "{near", "{sing:birds}"} {
		a := writer(fact{"near": "@bird/emu"})
		if a.expand(template); len(a.web.wrong) == 0 {
			t.Errorf("%s: nobody complained", template)
		}
	}
}

func TestParseWords(t *testing.T) {
	got, err := parseWords("w.txt", "for the reader\n\n=== owl k=v\n# T | U\nOne. | Two.\n\n* item\n")
	if err != nil {
		t.Fatal(err)
	}
	want := `[{owl [k=v] [[{# [T U]} { [One. Two.]}] [{* [item]}]]}]`
	if fmt.Sprint(got) != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, err := parseWords("w.txt", "a\n=== \n"); err != nil && !strings.Contains(err.Error(), "w.txt:2") {
		t.Errorf("the error does not name the line: %v", err)
	}
}

// The RDF documents must be RDF, and so must the ontologies beside the demo web.
func TestDataCanBeRead(t *testing.T) {
	documents := made(t)
	var read int
	for _, d := range documents {
		kind := d.header[0][1]
		triples := turtle.Read
		switch {
		case strings.HasPrefix(kind, "application/rdf+xml"):
			triples = rdfxml.Read
		case !strings.HasPrefix(kind, "text/turtle"):
			continue
		}
		var n int
		for _, err := range triples(strings.NewReader(string(d.body)), syntax.Options{}) {
			if err != nil {
				t.Fatalf("%s: %v", d.url, err)
			}
			n++
		}
		if n < 4 {
			t.Errorf("%s has %d triples", d.url, n)
		}
		read++
	}
	if read < 8 {
		t.Errorf("%d RDF documents, want at least 8", read)
	}
}

func TestOntologiesHaveTheSizeOfThePapers(t *testing.T) {
	for _, name := range []string{"aircraft.ttl", "tourism.ttl"} {
		file, err := os.Open("../" + name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		nodes, entries := measure(t, name, file)
		if nodes < 45 || nodes > 65 || entries < 150 {
			t.Errorf("%s: %d nodes and %d lexical entries, want about 50 and at least 150", name, nodes, entries)
		}
	}
}

// measure counts the labelled things of an ontology, and their labels.
func measure(t *testing.T, name string, r io.Reader) (nodes, entries int) {
	t.Helper()
	seen := map[string]bool{}
	for triple, err := range turtle.Read(r, syntax.Options{}) {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		predicate := fmt.Sprint(triple.P)
		if strings.Contains(predicate, "#label") || strings.Contains(predicate, "#altLabel") {
			entries++
			seen[fmt.Sprint(triple.S)] = true
		}
	}
	return len(seen), entries
}
