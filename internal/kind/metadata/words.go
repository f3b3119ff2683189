package metadata

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"orbweaver"
	focus "orbweaver/focus/metadata"
	"orbweaver/internal/console"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/internal/order"
	"orbweaver/internal/services/contexts"
	"orbweaver/internal/services/endpoints"
	"orbweaver/kb/ontology"
	"orbweaver/kb/terms"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/text"
)

// choices is the number of classes offered for words.
const choices = 10

// spelledOut resolves all terms to classes, looking words up in the datasets. With --yes it takes the best match; otherwise it
// prints the matches and returns an error that wraps ErrInput.
func (c *instance) spelledOut(ctx context.Context, given []string, all []focus.Dataset) ([]string, error) {
	var iris []string
	open := false
	for _, term := range given {
		if strings.Contains(term, ":") {
			iris = append(iris, term)
			continue
		}
		found := c.lookUp(ctx, term, all)
		switch {
		case ctx.Err() != nil:
			return nil, fmt.Errorf("%s: %w", c.env.File.Output, console.ErrInterrupted)
		case len(found) == 0:
			return nil, fmt.Errorf("focus.metadata.terms: no dataset has a class that is called %q: write its IRI (%w)", term, orbweaver.ErrInput)
		case c.env.Yes:
			c.env.Say("%q: %s (%s)", term, found[0].iri, found[0].label)
			iris = append(iris, found[0].iri)
		default:
			open = true
			c.offer(term, found)
		}
	}
	if open {
		return nil, fmt.Errorf("focus.metadata.terms: write the classes that are meant, or take the first of each with --yes (%w)", orbweaver.ErrInput)
	}
	return iris, nil
}

// A meant is a class that words may mean.
type meant struct {
	iri, label string
	score      float64 // 0..1: words in common among all that either has
	datasets   int     // that have it
}

// offer prints the matches, best first.
func (c *instance) offer(term string, found []meant) {
	console.Say(c.env.Console.Out, "%q may be:", term)
	for _, m := range found[:min(choices, len(found))] {
		console.Say(c.env.Console.Out, "  %.2f  %s  (%s; datasets: %d)", m.score, m.iri, m.label, m.datasets)
	}
}

// lookUp queries every dataset for classes by words. It ignores datasets that do not answer.
func (c *instance) lookUp(ctx context.Context, words string, all []focus.Dataset) []meant {
	found := map[string]*meant{}
	want := stemsOf(words)
	for _, d := range all {
		if d.Problem != "" || ctx.Err() != nil {
			continue
		}
		seen := map[string]bool{}
		for _, row := range c.ask(ctx, d.Endpoint, labelQuery(words)) {
			iri, label := row[0].Value, row[1].Value
			if row[0].Kind != rdf.IRI {
				continue
			}
			if label == "" {
				label = ontology.LocalName(iri)
			}
			m := found[iri]
			if m == nil {
				m = &meant{iri: iri}
				found[iri] = m
			}
			if s := shared(want, stemsOf(label)); s > m.score || s == m.score && (m.label == "" || label < m.label) {
				m.score, m.label = s, label
			}
			if !seen[iri] {
				seen[iri] = true
				m.datasets++
			}
		}
	}
	return ranked(found)
}

// ranked sorts matches by score, then number of datasets, then IRI.
func ranked(found map[string]*meant) []meant {
	var all []meant
	for _, m := range found {
		if m.score > 0 {
			all = append(all, *m)
		}
	}
	order.By(all, func(a, b meant) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.datasets, a.datasets), cmp.Compare(a.iri, b.iri))
	})
	return all
}

// labelQuery returns a SPARQL 1.0 query for classes whose label or IRI contains all words.
func labelQuery(words string) string {
	has := func(what string) string {
		var parts []string
		for _, w := range beginnings(words) {
			quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(regexp.QuoteMeta(w))
			parts = append(parts, fmt.Sprintf(`REGEX(STR(%s), "%s", "i")`, what, quoted))
		}
		return "(" + strings.Join(parts, " && ") + ")"
	}
	return "SELECT DISTINCT ?c ?l WHERE { { ?c a <http://www.w3.org/2002/07/owl#Class> } UNION { ?c a <http://www.w3.org/2000/01/rdf-schema#Class> } " +
		"OPTIONAL { ?c <http://www.w3.org/2000/01/rdf-schema#label> ?l } FILTER (" + has("?l") + " || " + has("?c") + ") } LIMIT 1000"
}

// beginnings returns a common prefix of all inflected forms of each word, derived from its stem.
func beginnings(words string) (all []string) {
	stemmer := text.NewStemmer("en")
	for _, word := range strings.Fields(text.Key(words)) {
		stem, n := stemmer.Stem([]byte(word)), 0
		for n < min(len(stem), len(word)) && stem[n] == word[n] {
			n++
		}
		all = append(all, word[:n])
	}
	return all
}

// stemsOf are the stems of the words of a label.
func stemsOf(label string) (stems []string) {
	stemmer := text.NewStemmer("en")
	for _, word := range strings.Fields(text.Key(label)) {
		stems = append(stems, stemmer.Stem([]byte(word)))
	}
	slices.Sort(stems)
	return slices.Compact(stems)
}

// shared returns the Jaccard similarity of two sets.
func shared(a, b []string) float64 {
	both := 0
	for _, s := range a {
		if slices.Contains(b, s) {
			both++
		}
	}
	if either := len(a) + len(b) - both; either > 0 {
		return float64(both) / float64(either)
	}
	return 0
}

// ask runs one query before the crawl begins; no rows if there is no answer.
func (c *instance) ask(ctx context.Context, endpoint, query string) [][]rdf.Term {
	ctx, cancel := context.WithTimeout(ctx, c.env.File.Politeness.Timeout)
	defer cancel()
	r := orbweaver.Request{URL: endpoint, Query: query, Purpose: orbweaver.ForQuery}
	response, err := c.env.Fetch().Fetch(ctx, r)
	if err != nil {
		return nil
	}
	payload, err := io.ReadAll(io.LimitReader(response.Body, c.env.File.Limits.Body))
	if err := response.Body.Close(); err != nil {
		return nil
	}
	if err != nil {
		return nil
	}
	page, err := endpoints.Reader{}.Read(ctx, response, payload)
	if err != nil || page.Results == nil || len(page.Results.Vars) < 2 {
		return nil
	}
	return page.Results.Rows
}

// termsOf returns the terms of a crawl file, and the most frequent classes of the user's own data.
func termsOf(ctx context.Context, m *section) ([]string, error) {
	all := slices.Clone(m.Terms)
	if m.TermsFrom == "" {
		return all, nil
	}
	use, err := UseOf(ctx, m.TermsFrom)
	if err != nil {
		return nil, err
	}
	for _, class := range use.Most(m.Limits.Terms) {
		if !slices.Contains(all, class) {
			all = append(all, class)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("focus.metadata.terms_from: %s says of nothing that it is of a class (%w)", m.TermsFrom, orbweaver.ErrInput)
	}
	return all, nil
}

// UseOf counts the classes used in an RDF file. Errors name the file and wrap ErrInput.
func UseOf(ctx context.Context, path string) (terms.Use, error) {
	file, err := rdffile.Open(ctx, path, nil)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	notation, err := file.Notation()
	if err != nil {
		return nil, err
	}
	remote, err := contexts.NewRemote(ctx, nil)
	if err != nil {
		return nil, err
	}
	use, err := terms.UseOf(notation.Quads(file.Text, syntax.Options{Name: file.Name, Base: file.Base}, remote))
	if err != nil {
		return nil, fmt.Errorf("%s: %w (%w)", path, err, orbweaver.ErrInput)
	}
	return use, nil
}
