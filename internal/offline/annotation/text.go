// Package annotation reads texts as the text pipeline does and writes what it found, as a table, CoNLL-U
// or NIF; and trains the tagger it reads with. Errors that are the user's to mend wrap
// orbweaver.ErrInput.
package annotation

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/internal/step"
	"orbweaver/page"
	"orbweaver/text/link"
	"orbweaver/text/pipeline"
)

// TextOptions say how Write works. The zero value is for people, without a model and entities.
type TextOptions struct {
	Format     string  // one of TextFormats; empty: the first
	Model      string  // file; empty: none
	Gazetteer  string  // file; empty: no entities
	Lang       string  // of all documents (BCP 47); empty: told by each
	Confidence float64 // that an entity needs, 0 to 1; 0: 0.5
}

// TextFormats returns the formats of Write.
func TextFormats() []string { return []string{"table", "conllu", "nif"} }

// Write writes to Out what the text pipeline reads in documents: sentences, tags, lemmas, entities. A
// document is a file of HTML, PDF, Markdown or text, packed or not; "-" is In. What it was read with,
// and what is missing, is told on Err.
//
// Errors wrap ErrInput where a file is wrong.
func Write(ctx context.Context, con *console.Console, names []string, opts TextOptions) error {
	p, err := pipelineOf(con, opts)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(con.Out, 64<<10)
	out := newTextWriter(opts.Format, buffered)
	for _, name := range names {
		doc, err := readText(ctx, con, name)
		if err == nil {
			if opts.Lang != "" {
				doc.lang = opts.Lang
			}
			doc.Document = p.Read(doc.text, doc.lang)
			tellText(con, doc)
			err = out.write(doc)
		}
		if err != nil {
			return errors.Join(err, buffered.Flush())
		}
	}
	return errors.Join(out.close(), buffered.Flush())
}

// pipelineOf makes the pipeline of the options, and says what it is made of.
func pipelineOf(con *console.Console, opts TextOptions) (*pipeline.Pipeline, error) {
	o := pipeline.Options{Confidence: opts.Confidence}
	var err error
	if opts.Gazetteer != "" {
		if o.Gazetteer, err = link.Load(opts.Gazetteer); err != nil {
			return nil, fmt.Errorf("gazetteer %s: %w (%w)", opts.Gazetteer, err, orbweaver.ErrInput)
		}
	}
	var p *pipeline.Pipeline
	if opts.Model == "" {
		p, err = pipeline.New(o)
	} else {
		p, err = pipeline.Load(opts.Model, o)
	}
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	if opts.Model == "" {
		console.Say(con.Err, "no model: English tags by prose, sentences and lemmas by rule; --model names one")
	} else {
		console.Say(con.Err, "model %s, language %s", opts.Model, p.Language())
	}
	if o.Gazetteer == nil {
		console.Say(con.Err, "no gazetteer: no entities are linked; --gazetteer names one")
	} else {
		console.Say(con.Err, "gazetteer %s: %d entities", opts.Gazetteer, o.Gazetteer.Entities())
	}
	return p, nil
}

// A textDocument is a document and how it was read.
type textDocument struct {
	*pipeline.Document
	name       string // as the user has it
	base       string // its IRI
	text, lang string
}

// tellText says what is missing.
func tellText(con *console.Console, d *textDocument) {
	if d.Degraded != "" {
		console.Say(con.Err, "%s: %s", d.name, console.Visible(d.Degraded, 200))
	}
	if d.Text == "" {
		console.Say(con.Err, "%s: no text", d.name)
	}
}

// readText takes the main text out of a document.
func readText(ctx context.Context, con *console.Console, name string) (*textDocument, error) {
	in, err := rdffile.Open(ctx, name, con.In)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	payload, err := io.ReadAll(io.LimitReader(in.Text, rdffile.MaxPage+1))
	if err == nil && len(payload) > rdffile.MaxPage {
		err = orbweaver.ErrTooLarge
	}
	if ctx.Err() != nil {
		return nil, console.ErrInterrupted
	}
	header := http.Header{}
	if t := typeByName(in.Inner); t != "" {
		header.Set("Content-Type", t)
	}
	var p *orbweaver.Page
	if err == nil {
		request := orbweaver.Request{URL: "http://localhost/"} // what links are relative to: nobody follows them
		p, err = page.NewReader(page.Options{MaxBody: rdffile.MaxPage, MaxText: rdffile.MaxPage}).Read(ctx, &step.Response{Request: request, Status: http.StatusOK, Header: header}, payload)
	}
	if err == nil && p.Text == "" && !isProse(p.MediaType) {
		err = fmt.Errorf("is %s, no text", p.MediaType)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w (%w)", in.Name, err, orbweaver.ErrInput)
	}
	d := &textDocument{name: in.Name, base: in.Base, text: p.Text, lang: p.Lang}
	if d.base == "" {
		d.base = "file:///dev/stdin"
	}
	return d, nil
}

// typeByName returns the media type that a file's extension tells, "" where its bytes tell better.
func typeByName(name string) string {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".txt", ".text":
		return "text/plain"
	case ".md":
		return "text/markdown"
	case ".html", ".htm":
		return "text/html"
	case ".xhtml":
		return "application/xhtml+xml"
	case ".pdf":
		return "application/pdf"
	}
	return ""
}

// isProse reports whether documents of a media type have text, be it none.
func isProse(mediaType string) bool {
	return strings.HasPrefix(mediaType, "text/") || mediaType == "application/pdf" || mediaType == "application/xhtml+xml"
}
