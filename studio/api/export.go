package api

import (
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

// exports are the formats of an export, with the media type and the extension of each.
func exports() map[string][2]string {
	return map[string][2]string{
		"csv": {"text/csv; charset=utf-8", "csv"}, "jsonl": {"application/jsonl", "jsonl"}, "urls": {"text/plain; charset=utf-8", "txt"},
		"warc": {"application/warc", "warc.gz"}, "nquads": {"application/n-quads", "nq"}, "trig": {"application/trig", "trig"},
		"ntriples": {"application/n-triples", "nt"}, "turtle": {"text/turtle; charset=utf-8", "ttl"},
		"chunks": {"application/jsonl", "chunks.jsonl"},
	}
}

// reports are the syntaxes of a validation report, likewise.
func reports() map[string][2]string {
	return map[string][2]string{"turtle": {"text/turtle; charset=utf-8", "report.ttl"}, "text": {"text/plain; charset=utf-8", "report.txt"}}
}

func (a *API) export(w http.ResponseWriter, r *http.Request) error {
	return a.exported(w, r, &query{r: r, form: r.URL.Query()}, nil)
}

// exportBy is export with files of the client's: a form of several parts.
func (a *API) exportBy(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseMultipartForm(workspace.MaxFile); err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return err
		}
		return fmt.Errorf("the request's body: want multipart/form-data: %w (%w)", err, orbweaver.ErrInput)
	}
	defer r.MultipartForm.RemoveAll() //nolint:errcheck // all of it is in memory
	return a.exported(w, r, &query{r: r, form: r.Form}, r.MultipartForm.File)
}

// exported answers with an export by the parameters q and the files of a form.
func (a *API) exported(w http.ResponseWriter, r *http.Request, q *query, files map[string][]*multipart.FileHeader) error {
	format := q.text("format")
	if format == "" {
		format = "csv"
	}
	kind, ok := exports()[format]
	o := crawl.ExportQuery{Format: format, Accepted: q.flag("accepted"), Distinct: q.flag("distinct")}
	pages := selection(q)
	rdf := slices.Contains([]string{"nquads", "trig", "ntriples", "turtle"}, format)
	pages.Distinct = o.Distinct && !rdf
	if pages != (crawl.PageQuery{Accepted: o.Accepted}) {
		o.Pages = &pages
	}
	if format == "chunks" {
		o.Chunks.Tokens, o.Chunks.Overlap = q.number("tokens", 512, 32, 1<<20), q.number("overlap", 0, 0, 1<<19)
		o.Chunks.Duplicates, o.Chunks.Respect = q.flag("duplicates"), q.flag("respect")
	}
	switch {
	case !ok:
		return fmt.Errorf("format: it is one of csv, jsonl, urls, warc, chunks, nquads, trig, ntriples, turtle (%w)", orbweaver.ErrInput)
	case q.err != nil:
		return q.err
	}
	if err := oneGraph(q.form, files, &o, rdf); err != nil {
		return err
	}
	report, ok := reports()[q.text("report")]
	if ok {
		kind = report
	}
	out := &stream{w: w, begin: func() {
		w.Header().Set("Content-Type", kind[0])
		w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", r.PathValue("crawl")+"."+kind[1]))
	}}
	to := io.Writer(out)
	if ok {
		to, o.Graph.ReportTo = io.Discard, out
	}
	err := a.use(r, func(c *crawl.Crawl) error { return c.Export(r.Context(), to, o) })
	if errors.Is(err, crawl.ErrViolations) { // the report says so
		err = nil
	}
	return out.end(err)
}

// oneGraph takes the parameters of one graph: rule sets by their names, never a file of this machine, keys, how pages are named, and
// rules and shapes in files that came with the request.
func oneGraph(form url.Values, files map[string][]*multipart.FileHeader, o *crawl.ExportQuery, rdf bool) error {
	names := []string{"standard"}
	for _, s := range crawl.RuleSets() {
		names = append(names, s.Name)
	}
	for _, name := range form["construct"] {
		if name == "" {
			continue
		}
		if !slices.Contains(names, name) {
			return fmt.Errorf("construct: there is no rule set %q, there are %s (%w)", name, strings.Join(names, ", "), orbweaver.ErrInput)
		}
		o.Graph.Rules = append(o.Graph.Rules, name)
	}
	for _, key := range form["key"] {
		if key = strings.TrimSpace(key); key != "" {
			o.Graph.Keys = append(o.Graph.Keys, key)
		}
	}
	if len(o.Graph.Rules) > len(names) || len(o.Graph.Keys) > maxKeys {
		return fmt.Errorf("construct, key: at most %d rule sets and %d keys (%w)", len(names), maxKeys, orbweaver.ErrInput)
	}
	if err := ownFiles(files, o); err != nil {
		return err
	}
	o.Graph.Sources = form.Get("sources")
	report := form.Get("report")
	_, known := reports()[report]
	o.Graph.Unvalidated = report == ""
	switch {
	case o.Graph.Asked() && !rdf:
		return fmt.Errorf("construct, key, sources, rules, shapes: they are for nquads, trig, ntriples and turtle (%w)", orbweaver.ErrInput)
	case o.Graph.Sources != "" && (o.Format == "nquads" || o.Format == "trig"):
		return fmt.Errorf("sources: it is for ntriples and turtle: in nquads and trig each page is a graph (%w)", orbweaver.ErrInput)
	case report != "" && !known:
		return fmt.Errorf("report: it is turtle or text, not %q (%w)", report, orbweaver.ErrInput)
	case known && len(o.Graph.Shapes) == 0:
		return fmt.Errorf("report: it needs a file of shapes, in the field shapes of multipart/form-data (%w)", orbweaver.ErrInput)
	}
	if report == "text" {
		o.Graph.Report = "report.txt" // of which only the ending counts
	}
	return o.Graph.Check()
}

// Bounds of one graph.
const (
	maxKeys  = 20 // by which entities are merged
	maxOwned = 10 // files of rules, and of shapes
)

// ownFiles takes the rules and shapes that came with a request. A form of a browser has a file without name and content where none is
// chosen. Two files of one name are told apart.
func ownFiles(files map[string][]*multipart.FileHeader, o *crawl.ExportQuery) error {
	o.Graph.Texts = map[string][]byte{}
	for _, field := range []struct {
		name string
		into *[]string
	}{{"rules", &o.Graph.Rules}, {"shapes", &o.Graph.Shapes}} {
		n := 0
		for _, sent := range files[field.name] {
			if sent.Filename == "" && sent.Size == 0 {
				continue
			}
			if n++; n > maxOwned {
				return fmt.Errorf("%s: at most %d files (%w)", field.name, maxOwned, orbweaver.ErrInput)
			}
			text, err := contentOf(sent)
			if err != nil {
				return err
			}
			name := fileName(sent.Filename, field.name)
			for i := 2; o.Graph.Texts[name] != nil; i++ {
				end := path.Ext(name)
				name = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(fileName(sent.Filename, field.name), end), i, end)
			}
			o.Graph.Texts[name] = text
			*field.into = append(*field.into, name)
		}
	}
	return nil
}

// fileName is the name that messages have for a file: the one it was sent with, or that of its field.
func fileName(sent, field string) string {
	if name := workspace.FileName(sent); name != "" && name != "." && name != "/" {
		return name
	}
	return field
}

// contentOf reads a file of a form; an empty one is not nil.
func contentOf(sent *multipart.FileHeader) ([]byte, error) {
	file, err := sent.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", sent.Filename, err)
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", sent.Filename, err)
	}
	return append([]byte{}, text...), nil
}
