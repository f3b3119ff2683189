package annotation

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"orbweaver/internal/console"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
	"orbweaver/text/link"
	"orbweaver/text/segment"
)

// textWriter writes analysed documents in one format.
type textWriter interface {
	write(d *textDocument) error
	close() error
}

func newTextWriter(format string, w io.Writer) textWriter {
	switch format {
	case "conllu":
		return textConllu{w}
	case "nif":
		return &textNIF{out: turtle.NewWriter(w, syntax.WriteOptions{Prefixes: map[string]string{
			"nif": nif, "itsrdf": itsrdf, "xsd": strings.TrimSuffix(rdf.XSDString, "string"),
		}})}
	}
	return textTable{w}
}

// textRow is a token with its annotations.
type textRow struct {
	index        int
	number       int // position in its sentence, from 1
	form         string
	lemma, tag   string
	kind         string        // type of the entity that it names
	mention      *link.Mention // mention that it is part of; nil: none
	first, joins bool          // first of its mention; not followed by a space
	stop         bool
}

// each calls f with all rows, sentence by sentence, and begin before each sentence with its number from 1.
// It stops at the first error.
func (d *textDocument) each(begin func(n int, text string) error, f func(textRow) error) error {
	kinds := map[int]string{} // by token index
	for _, n := range d.Nouns() {
		for i := n.First; i <= n.Last && n.Type != ""; i++ {
			kinds[i] = n.Type
		}
	}
	mentions := d.Mentions
	for n, s := range d.Sentences {
		if err := begin(n+1, d.sentence(s)); err != nil {
			return err
		}
		for i := int(s.First); i < int(s.End); i++ {
			t := &d.Tokens[i]
			row := textRow{
				index: i, number: i - int(s.First) + 1, form: d.Of(i), lemma: t.Lemma, tag: t.Tag.String(), kind: kinds[i], stop: t.Stop,
				joins: i+1 < len(d.Tokens) && d.Tokens[i+1].Start == t.End,
			}
			for len(mentions) > 0 && mentions[0].Last < i {
				mentions = mentions[1:]
			}
			if len(mentions) > 0 && mentions[0].First <= i {
				row.mention, row.first = &mentions[0], mentions[0].First == i
			}
			if err := f(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// sentence returns a sentence on one line.
func (d *textDocument) sentence(s segment.Sentence) string {
	return strings.Join(strings.Fields(d.Between(int(s.First), int(s.End)-1)), " ")
}

// textTable writes a table for people.
type textTable struct{ w io.Writer }

func (t textTable) write(d *textDocument) error {
	if _, err := fmt.Fprintf(t.w, "%s: sentences %d, tokens %d, entities %d\n", console.Visible(d.name, 200), len(d.Sentences), len(d.Tokens), len(d.Mentions)); err != nil {
		return err
	}
	return d.each(func(n int, text string) error {
		_, err := fmt.Fprintf(t.w, "\n%d  %s\n", n, console.Visible(text, 400))
		return err
	}, func(r textRow) error {
		var notes []string
		if r.kind != "" {
			notes = append(notes, r.kind)
		}
		switch {
		case r.mention == nil:
		case r.first:
			notes = append(notes, fmt.Sprintf("%s (%.2f)", console.Visible(r.mention.IRI, 200), r.mention.Similarity))
		default:
			notes = append(notes, "…")
		}
		if r.stop {
			notes = append(notes, "stop word")
		}
		line := fmt.Sprintf("   %s %s %-6s %s", console.Padded(console.Visible(r.form, 40), 18), console.Padded(console.Visible(r.lemma, 40), 18), r.tag, strings.Join(notes, "  "))
		_, err := fmt.Fprintln(t.w, strings.TrimRight(line, " "))
		return err
	})
}

func (t textTable) close() error { return nil }

// textConllu writes CoNLL-U; its MISC column holds the annotations that have no column of their own.
type textConllu struct{ w io.Writer }

func (t textConllu) write(d *textDocument) error {
	_, err := fmt.Fprintf(t.w, "# newdoc id = %s\n", console.Visible(d.name, 1000))
	if err != nil {
		return err
	}
	open := false
	err = d.each(func(n int, text string) error {
		blank := ""
		if open {
			blank = "\n"
		}
		open = true
		_, err := fmt.Fprintf(t.w, "%s# sent_id = %d\n# text = %s\n", blank, n, text)
		return err
	}, func(r textRow) error {
		_, err := fmt.Fprintf(t.w, "%d\t%s\t%s\t_\t%s\t_\t_\t_\t_\t%s\n", r.number, r.form, orOpen(r.lemma), orOpen(r.tag), orOpen(r.misc()))
		return err
	})
	if err == nil {
		_, err = fmt.Fprintln(t.w)
	}
	return err
}

func (t textConllu) close() error { return nil }

func orOpen(s string) string {
	if s == "" {
		return "_"
	}
	return s
}

// misc returns the MISC column of the row, "" for none.
func (r textRow) misc() string {
	var all []string
	if r.kind != "" {
		all = append(all, "Entity="+escaped(r.kind))
	}
	switch {
	case r.mention == nil:
	case r.first:
		all = append(all, "IRI="+escaped(r.mention.IRI), "Mention=B", "Similarity="+strconv.FormatFloat(r.mention.Similarity, 'f', 3, 64))
	default:
		all = append(all, "Mention=I")
	}
	if r.joins {
		all = append(all, "SpaceAfter=No")
	}
	return strings.Join(all, "|")
}

// escaped percent-encodes the characters that would end an IRI in MISC and in Turtle.
func escaped(iri string) string {
	if !strings.ContainsFunc(iri, isNoIRI) {
		return iri
	}
	var b strings.Builder
	for _, r := range iri {
		if isNoIRI(r) {
			fmt.Fprintf(&b, "%%%02X", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isNoIRI(r rune) bool { return r <= ' ' || strings.ContainsRune("<>\"{}|^`\\", r) }
