// Package vocabulary makes an ontology, and a crawl file for it, of a vocabulary that a metadata crawl recommends.
package vocabulary

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/findings"
	"orbweaver/internal/judge"
	"orbweaver/internal/kind"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/kb/distil"
	"orbweaver/kb/terms"
	"orbweaver/ledger"
	"orbweaver/page"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

// A Recommended is a vocabulary that a metadata crawl recommends, as an ontology to crawl with.
type Recommended struct {
	Vocabulary string         `json:"vocabulary"` // namespace
	Name       string         `json:"name"`       // short, for files
	Documents  []string       `json:"documents"`  // URLs of the documents that state it
	Statements int            `json:"statements"`
	Removed    distil.Removed `json:"removed"`
	Target     string         `json:"target"` // IRI of the class that covers most of the crawl's classes
	Covers     []string       `json:"covers"` // of the crawl's classes in the vocabulary
	Of         int            `json:"of"`     // how many of these there are
	Turtle     string         `json:"-"`
	CrawlFile  string         `json:"-"`
}

// The bounds of collecting a vocabulary.
const (
	maxStatements = 2_000_000
	maxDocuments  = 8  // requested
	maxSeeds      = 20 // of the crawl file
)

// Collect makes an ontology of a vocabulary that a metadata crawl, which is at rest, recommends.
// Statements are those that the crawl stored of the documents of its classes; if these declare none of them, the
// documents are requested as the crawl would, and then the RDF documents that they link to. file is the name under which
// the crawl file is to find the ontology; empty: Name with .ttl. The error wraps ErrInput if no document declares its classes.
func Collect(ctx context.Context, c *assembly.Crawl, found findings.Findings, namespace, file string) (*Recommended, error) {
	return newCollection(c, found, namespace).recommended(ctx, file)
}

// Choose returns the namespace of a vocabulary that a metadata crawl recommends: the first, or the one that is named. The error wraps
// ErrInput if it recommends none, or not that one.
func Choose(found findings.Findings, vocabulary string) (string, error) {
	all := terms.Recommend(found.Terms, found.Datasets, nil).Vocabularies
	var names []string
	for _, v := range all {
		if vocabulary == "" || v.Name == vocabulary {
			return v.Name, nil
		}
		names = append(names, v.Name)
	}
	if len(all) == 0 {
		return "", fmt.Errorf("the crawl found no vocabulary (%w)", orbweaver.ErrInput)
	}
	return "", fmt.Errorf("the crawl recommends no vocabulary %s; it recommends %s (%w)", vocabulary, strings.Join(names[:min(5, len(names))], ", "), orbweaver.ErrInput)
}

// A collection gathers the statements of a vocabulary.
type collection struct {
	c          *assembly.Crawl
	namespace  string
	classes    []string // of the crawl, in the vocabulary
	documents  []string // where they are described
	seeds      []string
	statements []rdf.Triple
	most       int      // statements at once
	used       []string // documents whose statements these are
	blanks     int      // documents read, which distinguishes their blank nodes
	asked      int
	problems   []string // of documents requested
	dumps      []string // files of datasets that state something of the classes
	web        *judge.JudgeRun
}

func newCollection(c *assembly.Crawl, found findings.Findings, namespace string) *collection {
	o := &collection{c: c, namespace: namespace, most: maxStatements}
	for _, t := range found.Terms {
		if t.Document != "" && !slices.Contains(o.seeds, t.Document) {
			o.seeds = append(o.seeds, t.Document)
		}
		if terms.Namespace(t.IRI) != namespace {
			continue
		}
		o.classes = append(o.classes, t.IRI)
		if t.Document != "" && !slices.Contains(o.documents, t.Document) {
			o.documents = append(o.documents, t.Document)
		}
	}
	for _, d := range found.Datasets {
		about := func(class string) bool { return slices.Contains(d.Terms, class) }
		if d.Dump != "" && !isWeb(d.Dump) && slices.ContainsFunc(o.classes, about) {
			o.dumps = append(o.dumps, d.Dump)
		}
	}
	if main := strings.TrimSuffix(namespace, "#"); !slices.Contains(o.documents, main) {
		o.documents = append(o.documents, main)
	}
	return o
}

// recommended collects and cleans the statements, and writes ontology and crawl file.
func (o *collection) recommended(ctx context.Context, file string) (*Recommended, error) {
	if err := o.collect(ctx); err != nil {
		return nil, err
	}
	r := &Recommended{Vocabulary: o.namespace, Name: shortName(o.namespace), Documents: o.used, Of: len(o.classes)}
	if file == "" {
		file = r.Name + ".ttl"
	}
	var kept []rdf.Triple
	kept, r.Removed = distil.Clean(o.statements, o.namespace, o.holds)
	target, ok := distil.Best(kept, o.namespace, o.classes)
	if !ok {
		return nil, fmt.Errorf("%s: none of its documents, of which %d were requested, declares one of its classes that the crawl found, %s first%s: try another vocabulary (%w)",
			o.namespace, o.asked, o.classes[0], o.failed(), orbweaver.ErrInput)
	}
	r.Statements, r.Target, r.Covers = len(kept), target.IRI, target.Covers
	text, err := o.turtle(kept)
	if err != nil {
		return nil, err
	}
	r.Turtle = text
	if r.CrawlFile, err = o.crawlFile(r, file); err != nil {
		return nil, err
	}
	return r, nil
}

// failed returns why documents could not be had, for an error.
func (o *collection) failed() string {
	if len(o.problems) == 0 {
		return ""
	}
	return "; not read: " + strings.Join(o.problems[:min(3, len(o.problems))], "; ")
}

// holds reports whether the crawl has statements of a document.
func (o *collection) holds(iri string) bool {
	for _, url := range []string{iri, strings.TrimSuffix(iri, "#")} {
		for range o.c.Ledger.Quads(rdf.Term{}, rdf.Term{}, rdf.Term{}, rdf.NewIRI(url)) {
			return true
		}
	}
	return false
}

// collect reads the documents that the crawl stored. If these declare none of the classes it reads the dumps on this machine
// of datasets that state something of them, and else requests the documents.
func (o *collection) collect(ctx context.Context) error {
	for _, url := range o.documents {
		n := len(o.statements)
		for q, err := range o.c.Ledger.Quads(rdf.Term{}, rdf.Term{}, rdf.Term{}, rdf.NewIRI(url)) {
			if err == nil {
				err = o.add(q)
			}
			if err != nil {
				return err
			}
		}
		o.note(url, n)
	}
	for _, path := range o.dumps {
		if distil.Declares(o.statements, o.classes) > 0 {
			return nil
		}
		o.statements, o.used = nil, nil
		if err := o.dump(ctx, path); err != nil {
			return err
		}
	}
	if distil.Declares(o.statements, o.classes) > 0 {
		return nil
	}
	o.statements, o.used = nil, nil
	o.web = &judge.JudgeRun{Web: judge.Source(o.c), Scope: o.c.Gate.Scope.Allows}
	waiting, seen := slices.Clone(o.documents), map[string]bool{}
	for len(waiting) > 0 && o.asked < maxDocuments && distil.Declares(o.statements, o.classes) == 0 {
		url := waiting[0]
		if waiting = waiting[1:]; seen[url] {
			continue
		}
		seen[url] = true
		links, err := o.request(ctx, url)
		if ctx.Err() != nil {
			return console.ErrInterrupted
		}
		if err != nil {
			o.problems = append(o.problems, err.Error())
		}
		waiting = append(waiting, links...)
	}
	return nil
}

// dump reads the dump of a dataset.
func (o *collection) dump(ctx context.Context, path string) error {
	file, err := rdffile.Open(ctx, path, nil)
	if err != nil {
		return err
	}
	defer file.Close()
	notation, err := file.Notation()
	if err != nil {
		return err
	}
	for q, err := range notation.Quads(file.Text, syntax.Options{Name: file.Name, Base: file.Base}, nil) {
		if err == nil {
			err = o.add(q)
		}
		if err != nil {
			return fmt.Errorf("%s: %w (%w)", console.Relative(path), err, orbweaver.ErrInput)
		}
	}
	o.note(console.Relative(path), 0)
	return nil
}

// add adds a statement of the document that is read.
func (o *collection) add(q rdf.Quad) error {
	if len(o.statements) >= o.most {
		return fmt.Errorf("%s: its documents hold more than %d statements (%w)", o.namespace, o.most, orbweaver.ErrInput)
	}
	apart := func(t rdf.Term) rdf.Term {
		if t.Kind == rdf.Blank {
			t.Value = fmt.Sprintf("d%d-%s", o.blanks, t.Value)
		}
		return t
	}
	o.statements = append(o.statements, rdf.Triple{S: apart(q.S), P: q.P, O: q.O.Map(apart)})
	return nil
}

// note ends a document, with the number of statements before it.
func (o *collection) note(url string, before int) {
	o.blanks++
	if len(o.statements) > before {
		o.used = append(o.used, url)
	}
}

// request requests a document as the crawl would, within scope, as robots.txt allows, and returns the RDF documents that it
// links to. A failure costs this document alone.
func (o *collection) request(ctx context.Context, url string) (links []string, err error) {
	for range 1 + max(0, o.c.File.Limits.Redirects) {
		if ok, _ := o.web.Scope(url); !ok {
			return nil, orbweaver.ErrScope
		}
		o.asked++
		response, payload, err := o.web.Get(ctx, url, kind.AbilitiesOf(o.c.File.Focus).Forms)
		if err != nil {
			return nil, err
		}
		if response.Redirect != "" {
			url = response.Redirect
			continue
		}
		if response.Status/100 != 2 {
			return nil, orbweaver.ErrStatus
		}
		p, err := page.NewReader(page.Options{MaxBody: o.c.File.Limits.Body}).Read(ctx, response, payload)
		if err != nil {
			return nil, err
		}
		return o.read(p)
	}
	return nil, orbweaver.ErrRedirects
}

// read takes the statements of a page. A document with an error within has none.
func (o *collection) read(p *orbweaver.Page) (links []string, err error) {
	n := len(o.statements)
	if p.Quads != nil {
		for q, err := range p.Quads {
			if err == nil {
				err = o.add(q)
			}
			if err != nil {
				o.statements = o.statements[:n]
				return nil, err
			}
		}
	}
	o.note(p.URL, n)
	for _, l := range p.Links {
		if isRDF(l) && !slices.Contains(links, l.To) {
			links = append(links, l.To)
		}
	}
	return links, nil
}

// isRDF reports whether a link says that it leads to RDF in a syntax that ontologies are published in.
func isRDF(l orbweaver.Link) bool {
	switch l.Type {
	case "text/turtle", "application/rdf+xml", "application/n-triples", "text/n3":
		return true
	}
	name, _, _ := strings.Cut(l.To, "?")
	return slices.Contains([]string{".ttl", ".rdf", ".owl", ".nt", ".n3"}, strings.ToLower(filepath.Ext(name)))
}

// turtle writes statements in Turtle.
func (o *collection) turtle(statements []rdf.Triple) (string, error) {
	var b bytes.Buffer
	w := turtle.NewWriter(&b, syntax.WriteOptions{Prefixes: map[string]string{
		"": o.namespace, "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
		"owl": "http://www.w3.org/2002/07/owl#", "skos": "http://www.w3.org/2004/02/skos/core#", "xsd": "http://www.w3.org/2001/XMLSchema#",
	}})
	for _, t := range statements {
		if err := w.Write(t); err != nil {
			return "", err
		}
	}
	err := w.Close()
	return b.String(), err
}

// crawlFile writes a crawl file for the ontology: over the web of the metadata crawl, from the documents of its classes and
// the pages that it fetched.
func (o *collection) crawlFile(r *Recommended, file string) (string, error) {
	for line, err := range o.c.Ledger.Pages(ledger.PageQuery{}) {
		if err != nil {
			return "", err
		}
		if len(o.seeds) < maxSeeds && line.Status/100 == 2 && line.Query == "" && line.Redirect == "" && isWeb(line.URL) && !slices.Contains(o.seeds, line.URL) {
			o.seeds = append(o.seeds, line.URL)
		}
	}
	f := o.c.File
	var b strings.Builder
	fmt.Fprintf(&b, "# %s as an ontology, recommended by %s. Its target covers %d of the %d classes found there.\n",
		oneLine(o.namespace), oneLine(console.Relative(f.Output)), len(r.Covers), r.Of)
	b.WriteString("seeds:\n")
	for _, url := range o.seeds[:min(len(o.seeds), maxSeeds)] {
		fmt.Fprintf(&b, "  - %q\n", url)
	}
	fmt.Fprintf(&b, "focus:\n  ontology:\n    files: %q\n    target: %q\n", filepath.Base(file), "<"+r.Target+">")
	if f.Web != nil {
		fmt.Fprintf(&b, "web:\n  archive:\n")
		for _, path := range f.Web.Archive {
			fmt.Fprintf(&b, "    - %q\n", path)
		}
	}
	if len(f.Documents) > 0 {
		b.WriteString("documents:\n")
		for _, prefix := range slices.Sorted(maps.Keys(f.Documents)) {
			fmt.Fprintf(&b, "  %q: %q\n", prefix, f.Documents[prefix])
		}
	}
	if f.Politeness.Contact != "" {
		fmt.Fprintf(&b, "politeness: {contact: %q}\n", f.Politeness.Contact)
	}
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	fmt.Fprintf(&b, "limits: {requests: 500}\noutput: %q\n", filepath.Join("crawls", name+"-pages"))
	return b.String(), nil
}

// shortName returns the last part of a namespace that names a file: letters, digits and hyphens.
func shortName(namespace string) string {
	parts := strings.FieldsFunc(namespace, func(r rune) bool { return strings.ContainsRune("/#:.", r) })
	for _, part := range slices.Backward(parts) {
		name := strings.Trim(strings.Map(func(r rune) rune {
			if r < 128 && (r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
				return r
			}
			return -1
		}, part), "-0123456789")
		if len(name) > 1 {
			return strings.ToLower(name[:min(len(name), 40)])
		}
	}
	return "vocabulary"
}

// isWeb reports whether a URL can be a seed.
func isWeb(url string) bool {
	return strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://")
}

// oneLine returns text that cannot end a comment.
func oneLine(s string) string { return strings.Join(strings.Fields(console.Visible(s, 200)), " ") }
