package shacl

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"orbweaver/internal/order"
	"orbweaver/rdf"
)

// Triples returns the report in the vocabulary of SHACL (section 3.6): a sh:ValidationReport with its results. Blank nodes of the
// data and of the shapes keep their labels, with "d" and "s" before them; those of the report itself begin with "r".
func (r *Report) Triples() iter.Seq[rdf.Triple] {
	return func(yield func(rdf.Triple) bool) {
		over, last := false, 0
		add := func(s rdf.Term, p string, o rdf.Term) {
			over = over || !yield(rdf.Triple{S: s, P: rdf.NewIRI(p), O: o})
		}
		fresh := func() rdf.Term {
			last++
			return rdf.NewBlank("r" + strconv.Itoa(last))
		}
		report := rdf.NewBlank("r0")
		add(report, rdfType.Value, rdf.NewIRI(NS+"ValidationReport"))
		add(report, NS+"conforms", rdf.NewTyped(strconv.FormatBool(r.Conforms), xsdBool))
		if left := r.Total - int64(len(r.Results)); left > 0 {
			add(report, "http://www.w3.org/2000/01/rdf-schema#comment", rdf.NewString(fmt.Sprintf("The first %d of %d results.", len(r.Results), r.Total)))
		}
		for i := range r.Results {
			if over {
				return
			}
			node := fresh()
			add(report, NS+"result", node)
			r.Results[i].triples(node, fresh, add)
		}
	}
}

func (r *Result) triples(node rdf.Term, fresh func() rdf.Term, add func(s rdf.Term, p string, o rdf.Term)) {
	add(node, rdfType.Value, rdf.NewIRI(NS+"ValidationResult"))
	add(node, NS+"focusNode", labelled("d", r.Focus))
	if r.path != nil {
		add(node, NS+"resultPath", r.path.triples(fresh, add))
	}
	if !r.Value.IsZero() {
		add(node, NS+"value", labelled("d", r.Value))
	}
	add(node, NS+"resultSeverity", rdf.NewIRI(r.Severity))
	add(node, NS+"sourceConstraintComponent", rdf.NewIRI(r.Component))
	add(node, NS+"sourceShape", labelled("s", r.Shape))
	for _, m := range r.Messages {
		add(node, NS+"resultMessage", m)
	}
}

// labelled returns a term with its blank node's label changed.
func labelled(prefix string, t rdf.Term) rdf.Term {
	if t.Kind == rdf.Blank {
		t.Value = prefix + t.Value
	}
	return t
}

// Text writes the report for people: a line for each kept result. The lines that about returns for a node follow each of its
// results, indented; nil: none do.
func (r *Report) Text(w io.Writer, about func(focus rdf.Term) []string) error {
	var b strings.Builder
	b.WriteString(r.Summary() + "\n")
	for i := range r.Results {
		res := &r.Results[i]
		fmt.Fprintf(&b, "%s: %s", local(res.Severity), termText(res.Focus))
		if res.Path != "" {
			b.WriteString(" " + res.Path)
		}
		if !res.Value.IsZero() && res.Value != res.Focus {
			b.WriteString(" " + termText(res.Value))
		}
		messages := make([]string, len(res.Messages))
		for i, m := range res.Messages {
			messages[i] = m.Value
		}
		fmt.Fprintf(&b, ": %s (%s of %s)\n", strings.Join(messages, "; "), strings.TrimSuffix(local(res.Component), "ConstraintComponent"), termText(res.Shape))
		if about != nil {
			for _, line := range about(res.Focus) {
				b.WriteString("    " + line + "\n")
			}
		}
		if _, err := io.WriteString(w, b.String()); err != nil {
			return err
		}
		b.Reset()
	}
	if left := r.Total - int64(len(r.Results)); left > 0 {
		fmt.Fprintf(&b, "… and %d more\n", left)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Summary returns the report on one line.
func (r *Report) Summary() string {
	text := fmt.Sprintf("%d nodes validated by %d shapes: ", r.Focus, r.Shapes)
	if r.Conforms {
		return text + "the data conforms"
	}
	severities := make([]string, 0, len(r.Counts))
	for s := range r.Counts {
		severities = append(severities, s)
	}
	order.By(severities, func(a, b string) int {
		order := []string{Violation, Warning, Info}
		if i, j := slices.Index(order, a), slices.Index(order, b); i != j {
			return (i+4)%4 - (j+4)%4
		}
		return strings.Compare(a, b)
	})
	parts := make([]string, len(severities))
	for i, s := range severities {
		parts[i] = fmt.Sprintf("%s %d", local(s), r.Counts[s])
	}
	return text + "the data does not conform, results: " + strings.Join(parts, ", ")
}

// local returns what an IRI ends with.
func local(iri string) string {
	if i := strings.LastIndexAny(iri, "#/"); i >= 0 && i+1 < len(iri) {
		return iri[i+1:]
	}
	return iri
}
