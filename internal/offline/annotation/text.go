// Package annotation runs the text pipeline over documents and writes the result as a table, CoNLL-U or
// NIF. It also trains the tagger of the pipeline. Errors that the user can correct wrap
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
	"orbweaver/page/office"
	"orbweaver/text/link"
	"orbweaver/text/pipeline"
)

// TextOptions configures Write. The zero value writes for people, without a model or entities.
type TextOptions struct {
	Format     string  // one of TextFormats; empty: the first
	Model      string  // file; empty: none
	Gazetteer  string  // file; empty: no entities
	Lang       string  // language of all documents (BCP 47); empty: detected for each
	Confidence float64 // minimum confidence of an entity, 0 to 1; 0: 0.5
}

// TextFormats returns the formats of Write.
func TextFormats() []string { return []string{"table", "conllu", "nif"} }

// Write analyses documents with the text pipeline and writes sentences, tags, lemmas and entities to Out.
// A document is a file of HTML, PDF, DOCX, ODT, EPUB, Markdown or text, compressed or not; "-" is In. Write reports on Err
// which models it uses and which are missing.
//
// Errors wrap ErrInput if a file is wrong.
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
			warnText(con, doc)
			err = out.write(doc)
		}
		if err != nil {
			return errors.Join(err, buffered.Flush()) // the documents before
		}
	}
	if err := out.close(); err != nil {
		return err
	}
	return buffered.Flush()
}

// pipelineOf builds the pipeline of the options and reports its parts.
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
		console.Say(con.Err, "no model: English tags by prose, sentences and lemmas by rule; --tagger names one")
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

// textDocument is a document and its analysis.
type textDocument struct {
	*pipeline.Document
	name       string // as the user wrote it
	base       string // IRI of the document
	text, lang string
}

// warnText reports what is missing for a document.
func warnText(con *console.Console, d *textDocument) {
	if d.Degraded != "" {
		console.Say(con.Err, "%s: %s", d.name, console.Visible(d.Degraded, 200))
	}
	if d.Text == "" {
		console.Say(con.Err, "%s: no text", d.name)
	}
}

// readText extracts the main text of a document.
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
		request := orbweaver.Request{URL: "http://localhost/"} // base URL of links, which are not followed here
		p, err = page.NewReader(page.Options{MaxBody: rdffile.MaxPage, MaxText: rdffile.MaxPage}).Read(ctx, &step.Response{Request: request, Status: http.StatusOK, Header: header}, payload)
	}
	if err == nil && p.Text == "" && !isProse(p.MediaType) {
		err = fmt.Errorf("is %s, not text", p.MediaType)
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

// typeByName returns the media type that a file's extension indicates, or "" if its bytes are the better
// evidence.
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
	return office.TypeOfName(name)
}

// isProse reports whether documents of a media type can have text.
func isProse(mediaType string) bool {
	if mediaType == "application/pdf" || mediaType == "application/xhtml+xml" || office.Is(mediaType) {
		return true
	}
	return strings.HasPrefix(mediaType, "text/")
}
