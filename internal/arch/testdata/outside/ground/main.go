// Command ground uses the public packages from a module of its own: a focus that accepts pages about harbours, as an
// ontology calls them.
package main

import (
	"context"
	"fmt"
	"log"
	"strings"

	"orbweaver"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
	"orbweaver/text"
	"orbweaver/weburl"
)

// A harbours focus accepts pages that name what the ontology labels.
type harbours struct{ labels *text.Lexicon }

var _ orbweaver.Focus = harbours{}

func (h harbours) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	m := h.labels.Matcher(p.Lang)
	defer m.Release()
	if len(m.Match(p.Text)) == 0 {
		return orbweaver.Judgement{}, nil
	}
	reason := orbweaver.Reason{Rule: "label", Weight: 1}
	return orbweaver.Judgement{Score: 1, Accepted: true, Reasons: []orbweaver.Reason{reason}}, nil
}

func (h harbours) Plan(_ context.Context, p *orbweaver.Page, j orbweaver.Judgement) (all []orbweaver.Proposal, err error) {
	for _, l := range p.Links {
		all = append(all, orbweaver.Proposal{Request: orbweaver.Request{URL: l.To}, Judgement: orbweaver.Judgement{Score: j.Score}})
	}
	return all, nil
}

func main() {
	const ontology = `<#Quay> <http://www.w3.org/2000/01/rdf-schema#label> "harbour wall"@en .`
	seed, err := weburl.Canonical("HTTP://Example.org:80/a/../harbours")
	if err != nil {
		log.Fatal(err)
	}
	var phrases []text.Phrase
	for t, err := range document.Read(strings.NewReader(ontology), syntax.Turtle, syntax.Options{Base: seed}) {
		if err != nil {
			log.Fatal(err)
		}
		if t.O.Kind == rdf.Literal {
			fmt.Println(t.S.Value, "is", t.O.Value)
			phrases = append(phrases, text.Phrase{Text: t.O.Value, ID: 1})
		}
	}
	focus := harbours{text.NewLexicon(phrases)}
	for _, words := range []string{"All harbour walls leak.", "All ships leak."} {
		page := &orbweaver.Page{URL: seed, Lang: "en", Text: words, Links: []orbweaver.Link{{To: seed + "/walls"}}}
		j, err := focus.Judge(context.Background(), page)
		if err != nil {
			log.Fatal(err)
		}
		next, err := focus.Plan(context.Background(), page, j)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(words, j.Accepted, next[0].URL, next[0].Score)
	}
}
