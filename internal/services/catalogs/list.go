package catalogs

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"orbweaver"
	"orbweaver/kb/catalog"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/nquads"
	"orbweaver/rdf/syntax/turtle"
)

// ListFormats returns the formats of List, the default first.
func ListFormats() []string { return []string{"table", "json", "csv", "nquads"} }

// DescribeFormats returns the formats of Describe, the default first.
func DescribeFormats() []string { return []string{"text", "json", "turtle"} }

// List prints the datasets of catalogues, ordered by name. Errors of the sources wrap ErrInput.
func (c *Catalogs) List(ctx context.Context, s Sources, format string) error {
	datasets, err := c.load(ctx, s)
	if err != nil {
		return err
	}
	switch format {
	case "json":
		return asJSON(c.Out, datasets)
	case "csv":
		return asCSV(c.Out, datasets)
	case "nquads":
		return asQuads(c.Out, datasets)
	}
	return asTable(c.Out, datasets)
}

// Describe prints all that is known of the named datasets, or of all if names is empty. Names may contain
// the wildcards "*" and "?", and match aliases too. The error wraps ErrInput if a name matches no dataset.
func (c *Catalogs) Describe(ctx context.Context, s Sources, names []string, format string) error {
	datasets, err := c.load(ctx, s)
	if err != nil {
		return err
	}
	if datasets, err = called(datasets, names); err != nil {
		return err
	}
	switch format {
	case "json":
		return asJSON(c.Out, datasets)
	case "turtle":
		return asTurtle(c.Out, datasets)
	}
	for i, d := range datasets {
		if i > 0 {
			say(c.Out, "")
		}
		describe(c.Out, d)
	}
	return nil
}

// called returns the datasets that match names.
func called(datasets []catalog.Dataset, names []string) (chosen []catalog.Dataset, err error) {
	if len(names) == 0 {
		return datasets, nil
	}
	var missing []string
	taken := make([]bool, len(datasets))
	for _, name := range names {
		found := false
		for i, d := range datasets {
			if isCalled(d, name) {
				taken[i], found = true, true
			}
		}
		if !found {
			missing = append(missing, strconv.Quote(name))
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("none of %d datasets is called %s: orbweaver catalog list prints the names (%w)", len(datasets), strings.Join(missing, ", "), orbweaver.ErrInput)
	}
	for i, d := range datasets {
		if taken[i] {
			chosen = append(chosen, d)
		}
	}
	return chosen, nil
}

func isCalled(d catalog.Dataset, name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(append([]string{d.Name}, d.Aliases...), func(own string) bool {
		own = strings.ToLower(own)
		fits, _ := path.Match(name, own)
		return fits || own == name
	})
}

// asTable writes one line per dataset.
func asTable(out io.Writer, datasets []catalog.Dataset) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "name\ttitle\tendpoint\tdumps\tvoid")
	for _, d := range datasets {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", d.Name, orDash(visible(d.Title, 40)), orDash(first(d.Endpoints)), number(len(d.Dumps)), orDash(first(d.Void)))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	endpoints, dumps, void := 0, 0, 0
	for _, d := range datasets {
		endpoints += min(len(d.Endpoints), 1)
		dumps += min(len(d.Dumps), 1)
		void += min(len(d.Void), 1)
	}
	_, err := fmt.Fprintf(out, "\n%s: %d with an endpoint, %d with dumps, %d with VoID\n", counted(len(datasets), "dataset"), endpoints, dumps, void)
	return err
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func number(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

// first returns the first element of a list, and the number of others.
func first(list []string) string {
	switch len(list) {
	case 0:
		return ""
	case 1:
		return visible(list[0], 100)
	}
	return visible(list[0], 100) + " +" + strconv.Itoa(len(list)-1)
}

// asJSON writes a list of objects, one per line.
func asJSON[T any](out io.Writer, all []T) error {
	fmt.Fprint(out, "[")
	for i, one := range all {
		line, err := json.Marshal(one)
		if err != nil {
			return err
		}
		if i > 0 {
			fmt.Fprint(out, ",")
		}
		fmt.Fprintf(out, "\n%s", line)
	}
	_, err := fmt.Fprintln(out, "\n]")
	return err
}

// asCSV writes one row per dataset; several values of a field are separated by line feeds.
func asCSV(out io.Writer, datasets []catalog.Dataset) error {
	w := csv.NewWriter(out)
	rows := [][]string{{"name", "title", "homepage", "endpoint", "graph", "dump", "void", "triples", "aliases", "source"}}
	for _, d := range datasets {
		dumps := make([]string, len(d.Dumps))
		for i, dump := range d.Dumps {
			dumps[i] = dump.URL
		}
		triples := ""
		if d.Triples > 0 {
			triples = strconv.FormatInt(d.Triples, 10)
		}
		rows = append(rows, []string{
			d.Name, d.Title, d.Homepage, lines(d.Endpoints), lines(d.Graphs), lines(dumps), lines(d.Void), triples, lines(d.Aliases), lines(d.Sources),
		})
	}
	return w.WriteAll(rows)
}

func lines(list []string) string { return strings.Join(list, "\n") }

func asQuads(out io.Writer, datasets []catalog.Dataset) error {
	w := nquads.NewWriter(out)
	for _, d := range datasets {
		for _, t := range catalog.Describe(d) {
			if err := w.Write(rdf.Quad{S: t.S, P: t.P, O: t.O}); err != nil {
				return err
			}
		}
	}
	return w.Close()
}

func asTurtle(out io.Writer, datasets []catalog.Dataset) error {
	w := turtle.NewWriter(out, syntax.WriteOptions{Prefixes: map[string]string{
		"void": "http://rdfs.org/ns/void#", "dcat": "http://www.w3.org/ns/dcat#", "dcterms": "http://purl.org/dc/terms/",
		"foaf": "http://xmlns.com/foaf/0.1/", "owl": "http://www.w3.org/2002/07/owl#", "sd": "http://www.w3.org/ns/sparql-service-description#",
		"xsd": "http://www.w3.org/2001/XMLSchema#",
	}})
	for _, d := range datasets {
		for _, t := range catalog.Describe(d) {
			if err := w.Write(t); err != nil {
				return err
			}
		}
		w.Settle()
	}
	return w.Close()
}

// most bounds the values of a list shown to a person.
const most = 20

// describe writes a dataset for a person.
func describe(out io.Writer, d catalog.Dataset) {
	say(out, "%s", d.Name)
	line := func(key string, values ...string) {
		for i, v := range values {
			if i == most {
				say(out, "  %-12s and %d more", "", len(values)-most)
				return
			}
			if v = visible(v, 200); v != "" {
				say(out, "  %-12s %s", key, v)
			}
			key = ""
		}
	}
	line("title", d.Title)
	line("about", d.Description)
	line("aliases", d.Aliases...)
	line("same", d.Same...)
	line("homepage", d.Homepage)
	line("endpoint", d.Endpoints...)
	line("graph", d.Graphs...)
	if len(d.SPARQL) > 0 {
		line("speaks", "SPARQL "+strings.Join(d.SPARQL, ", ")+", as it says")
	}
	line("dump", dumps(d.Dumps)...)
	line("void", d.Void...)
	line("example", d.Examples...)
	line("vocabulary", d.Vocabulary...)
	line("space", d.Spaces...)
	if d.Triples > 0 {
		line("triples", strconv.FormatInt(d.Triples, 10))
	}
	if d.Entities > 0 {
		line("entities", strconv.FormatInt(d.Entities, 10))
	}
	line("class", partitions(d.Classes)...)
	properties := "property"
	if d.Complete {
		line("properties", "these "+strconv.Itoa(len(d.Properties))+" are all")
	}
	line(properties, partitions(d.Properties)...)
	line("keywords", strings.Join(d.Keywords, ", "))
	if !d.Modified.IsZero() {
		line("modified", d.Modified.Format("2006-01-02"))
	}
	line("from", d.Sources...)
}

func dumps(all []catalog.Dump) (texts []string) {
	for _, d := range all {
		texts = append(texts, strings.TrimSpace(d.URL+" "+d.MediaType))
	}
	return texts
}

func partitions(all []catalog.Partition) (texts []string) {
	for _, p := range all {
		text := p.IRI
		if p.Entities > 0 {
			text += " " + counted(int(p.Entities), "instance")
		}
		if p.Triples > 0 {
			text += " " + counted(int(p.Triples), "triple")
		}
		texts = append(texts, text)
	}
	return texts
}
