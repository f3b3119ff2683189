package offline

import (
	"encoding/json"
	"fmt"
	"strings"

	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/rdf"
)

// printExtract writes the data of a page to Out, as comments with counts followed by triples, and its
// problems to Err. As JSON, both are in one object.
func printExtract(a *job.Job, e *extract, opts ExtractOptions) error {
	if opts.JSON {
		out := json.NewEncoder(a.Out)
		out.SetEscapeHTML(false)
		out.SetIndent("", "  ")
		return out.Encode(e)
	}
	for _, p := range e.Syntaxes {
		printProblems(a, e.name, p)
	}
	if e.Triples == 0 {
		console.Say(a.Out, "# %s has no embedded data", console.Visible(e.URL, 1000))
		return nil
	}
	console.Say(a.Out, "# %s", console.Visible(e.URL, 1000))
	for _, p := range e.Syntaxes {
		console.Say(a.Out, "# %-12s  %s", p.Syntax.Title(), triplesIn(p.Triples))
	}
	to := rdffile.InTurtle
	if opts.NQuads {
		to = rdffile.InNQuads
	}
	for _, p := range e.Syntaxes {
		if p.Triples == 0 {
			continue
		}
		if !opts.NQuads {
			console.Say(a.Out, "\n# %s", p.Syntax.Title())
		}
		if err := printQuads(a, p.quads, to, graphOf(e.URL, p.Syntax)); err != nil {
			return err
		}
	}
	return nil
}

// graphOf returns the graph of the data in one syntax of a page.
func graphOf(url string, n rdffile.Notation) rdf.Term {
	page, _, _ := strings.Cut(url, "#")
	return rdf.NewIRI(page + "#" + string(n))
}

// printQuads writes statements in a graph.
func printQuads(a *job.Job, quads []rdf.Quad, to rdffile.Notation, graph rdf.Term) error {
	out := to.Writer(a.Out)
	for _, q := range quads {
		q.G = graph
		if err := out.Write(q); err != nil {
			return err
		}
	}
	return out.Close()
}

// triplesIn formats a number of triples.
func triplesIn(n int) string {
	switch n {
	case 0:
		return "none"
	case 1:
		return "1 triple"
	}
	return fmt.Sprintf("%d triples", n)
}

// printProblems prints the problems of one syntax.
func printProblems(a *job.Job, name string, p dataPart) {
	for _, wrong := range p.Problems {
		where := name
		if wrong.Line > 0 {
			where = fmt.Sprintf("%s:%d:%d", name, wrong.Line, wrong.Column)
		}
		console.Say(a.Err, "%s: %s: %s", where, p.Syntax.Title(), console.Visible(wrong.Message, 1000))
	}
	if p.More > 0 {
		console.Say(a.Err, "%s: %s: %d more problems", name, p.Syntax.Title(), p.More)
	}
}
