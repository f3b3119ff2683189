package krs

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"orbweaver"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/console"
	"orbweaver/internal/offline/corpus"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/internal/services/contexts"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/text/link"
)

// A GazetteerJob configures the making of a gazetteer.
type GazetteerJob struct {
	Files  []string // of RDF with labels, redirects from other names, and types, in any order
	Titles []string // a corpus whose titles are labels: see corpus.Of
	From   string   // the syntax of all files; empty: told by each one's name and first bytes
	Langs  []string // languages of labels that are taken; empty: all
	Out    string
}

// labelKind returns the kind of name that a predicate gives; false: none.
func labelKind(predicate string) (link.Kind, bool) {
	switch predicate {
	case "http://www.w3.org/2000/01/rdf-schema#label", "http://www.w3.org/2004/02/skos/core#prefLabel",
		"http://xmlns.com/foaf/0.1/name", "http://schema.org/name", "https://schema.org/name":
		return link.Preferred, true
	case "http://www.w3.org/2004/02/skos/core#altLabel", "http://schema.org/alternateName", "https://schema.org/alternateName":
		return link.Alternative, true
	case "http://www.w3.org/2004/02/skos/core#hiddenLabel":
		return link.Hidden, true
	}
	return 0, false
}

// redirectPredicate is the predicate of redirects in DBpedia.
const redirectPredicate = "http://dbpedia.org/ontology/wikiPageRedirects"

// Gazetteer writes a gazetteer of entity names, for linking nouns. The error wraps ErrInput if there are no names.
func (j *Jobs) Gazetteer(ctx context.Context, job GazetteerJob) error {
	g := &labelling{Jobs: j, job: job, builder: link.Builder{Stop: isStopWord}, tell: j.counting("labels"), classes: newClasses()}
	for _, name := range job.Files {
		if err := g.file(ctx, name); err != nil {
			return err
		}
	}
	if len(job.Titles) > 0 {
		if err := g.titles(ctx); err != nil {
			return err
		}
	}
	if g.labels == 0 {
		return fmt.Errorf("no labels: nothing has rdfs:label, a label of SKOS, foaf:name or schema:name in these files (%w)", orbweaver.ErrInput)
	}
	built, err := g.builder.Build()
	if err != nil {
		return err
	}
	types := g.classes.types()
	if err := atomicfile.Check(filepath.Dir(job.Out)); err != nil {
		return fmt.Errorf("%s: %w (%w)", job.Out, err, orbweaver.ErrInput)
	}
	if err := writeGazetteer(job.Out, built, types); err != nil {
		return err
	}
	if j.Terminal {
		fmt.Fprint(j.Err, "\r\x1b[K")
	}
	console.Say(j.Out, "%s: %d names of %d entities, %s; %d labels left out", job.Out, built.Names(), built.Entities(), console.SizeOf(int64(built.Size())), g.left)
	if len(types) > 0 {
		n := map[string]int{}
		for _, kind := range types {
			n[kind]++
		}
		console.Say(j.Out, "types by class: %d %s, %d %s, %d %s, %d %s", n[person], person, n[organization], organization, n[location], location, n[misc], misc)
	}
	return nil
}

// A labelling is under way.
type labelling struct {
	*Jobs
	job     GazetteerJob
	builder link.Builder
	tell    func(int64)
	labels  int64
	left    int64 // labels of no use
	classes *classes
}

// file takes the labels of a file.
func (g *labelling) file(ctx context.Context, name string) error {
	in, err := rdffile.Open(ctx, name, g.In)
	if err != nil {
		return err
	}
	defer in.Close()
	from := rdffile.Notation(g.job.From)
	if from == "" {
		if from, err = in.Notation(); err != nil {
			return err
		}
	}
	remote, err := contexts.NewRemote(ctx, nil)
	if err != nil {
		return err
	}
	for q, err := range from.Quads(in.Text, syntax.Options{Name: in.Name, Base: in.Base}, remote) {
		if err != nil {
			if ctx.Err() != nil {
				return console.ErrInterrupted
			}
			return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
		}
		if err := g.quad(q); err != nil {
			return err
		}
	}
	return nil
}

// quad adds a label, or a redirect, whose source name becomes a name of its target.
func (g *labelling) quad(q rdf.Quad) error {
	kind, named := labelKind(q.P.Value)
	switch {
	case named && q.S.Kind == rdf.IRI && q.O.Kind == rdf.Literal:
		if !g.wants(q.O.Lang) {
			return nil
		}
		if kind == link.Alternative && isAcronym(q.O.Value) {
			kind = link.Acronym
		}
		return g.add(link.Label{Text: q.O.Value, IRI: q.S.Value, Kind: kind, Lang: q.O.Lang})
	case isTyping(q.P.Value) && q.S.Kind == rdf.IRI && q.O.Kind == rdf.IRI && !isOfSchema(q.O.Value):
		g.classes.is(q.S.Value, q.O.Value)
	case isNarrowing(q.P.Value) && q.S.Kind == rdf.IRI && q.O.Kind == rdf.IRI:
		g.classes.within(q.S.Value, q.O.Value)
	case q.P.Value == redirectPredicate && q.S.Kind == rdf.IRI && q.O.Kind == rdf.IRI:
		name := strings.ReplaceAll(path.Base(q.S.Value), "_", " ")
		return g.add(link.Label{Text: name, IRI: q.O.Value, Kind: link.Alternative})
	}
	return nil
}

// wants reports whether labels of a language are included; untagged labels always are.
func (g *labelling) wants(lang string) bool {
	if len(g.job.Langs) == 0 || lang == "" {
		return true
	}
	for _, wanted := range g.job.Langs {
		if primary, _, _ := strings.Cut(lang, "-"); strings.EqualFold(primary, wanted) || strings.EqualFold(lang, wanted) {
			return true
		}
	}
	return false
}

// isAcronym tells short names in capitals.
func isAcronym(name string) bool {
	return len(name) <= 6 && name == strings.ToUpper(name) && !strings.ContainsFunc(name, unicode.IsSpace)
}

func (g *labelling) add(l link.Label) error {
	err := g.builder.Add(l)
	if errors.Is(err, link.ErrLabel) {
		g.left++
		return nil
	}
	if g.labels++; g.labels%1024 == 0 {
		g.tell(g.labels)
	}
	return err
}

// titles takes the titles of a corpus.
func (g *labelling) titles(ctx context.Context) error {
	c, err := corpus.Of(&g.Console, g.job.Titles)
	if err != nil {
		return err
	}
	for d, err := range c.Documents(ctx) {
		if err != nil {
			return err
		}
		if err := g.add(link.Label{Text: d.Title, IRI: documentIRI(d.ID), Kind: link.Preferred, Lang: d.Lang}); err != nil {
			return err
		}
	}
	return nil
}
