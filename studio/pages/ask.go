package pages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/crawl"
)

// Bounds of an answer that the page shows.
const (
	askRows  = 200
	askBytes = 1 << 20
	askTime  = 30 * time.Second
)

// askView is a query and its answer.
type askView struct {
	Frame
	Query    string
	Problem  string // why there is no answer
	Asked    bool
	Columns  []string
	Rows     [][]Term
	More     bool   // there are more rows
	Prefixes string // JSON
	Examples []example
	Endpoint string
}

// A Term of an answer. Path leads to the studio's page about an address of the Web.
type Term struct{ Text, Path string }

// ask shows an editor of queries, and the answer to the one that is asked.
func (h *Handler) ask(w http.ResponseWriter, r *http.Request) error {
	v := askView{Frame: h.frame(r, "Ask "+r.PathValue("crawl")), Query: r.URL.Query().Get("query"), Examples: examplesAt(r.URL.Path)}
	v.Endpoint = v.API() + "/sparql"
	prefixes, err := json.Marshal(askPrefixes)
	if err != nil {
		return err
	}
	v.Prefixes = string(prefixes)
	if v.Asked = strings.TrimSpace(v.Query) != ""; v.Asked {
		err = h.use(r, v.answer)
	} else {
		v.Query = askExamples[0].Query
		_, err = h.Workspace.Crawl(r.Context(), v.Crawl)
	}
	if orbweaver.FailureOf(err) == orbweaver.ErrInput || errors.Is(err, context.DeadlineExceeded) {
		v.Problem, err = err.Error(), nil
	}
	if err != nil {
		return err
	}
	return h.show(w, http.StatusOK, "ask", v)
}

// answer asks a crawl: for rows, or for a graph if that is what the query makes.
func (v *askView) answer(ctx context.Context, c *crawl.Crawl) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	var err error
	for _, format := range []string{"tsv", "ntriples"} {
		out := &sheet{}
		if err = c.Query(ctx, out, v.Query, format); err != nil && !errors.Is(err, errEnough) {
			if orbweaver.FailureOf(err) == orbweaver.ErrInput {
				continue // maybe of the other kind
			}
			return err
		}
		v.read(out, format)
		return nil
	}
	return err
}

// read takes the rows of an answer.
func (v *askView) read(out *sheet, format string) {
	lines := strings.Split(strings.TrimSuffix(out.text.String(), "\n"), "\n")
	if format == "tsv" {
		for _, name := range strings.Split(lines[0], "\t") {
			v.Columns = append(v.Columns, strings.TrimPrefix(name, "?"))
		}
		lines = lines[1:]
	} else {
		v.Columns = []string{"subject", "predicate", "object"}
	}
	for _, line := range lines {
		cells := strings.Split(line, "\t")
		if format != "tsv" {
			cells = strings.SplitN(strings.TrimSuffix(line, " ."), " ", 3)
		}
		if len(v.Rows) == askRows {
			v.More = true
			return
		}
		if len(cells) != len(v.Columns) {
			v.More = out.full // the last line is cut
			continue
		}
		var row []Term
		for _, cell := range cells {
			row = append(row, v.term(cell))
		}
		v.Rows = append(v.Rows, row)
	}
	v.More = v.More || out.full
}

// term is a term as N-Triples write it, for people.
func (v *askView) term(written string) Term {
	if iri, ok := strings.CutPrefix(written, "<"); ok {
		iri = unescape(strings.TrimSuffix(iri, ">"))
		if link(iri) == "" {
			return Term{Text: iri}
		}
		return Term{iri, pagePath(v.Crawl, iri)}
	}
	if i := strings.LastIndexByte(written, '"'); i > 0 && written[0] == '"' {
		language, tagged := strings.CutPrefix(written[i+1:], "@")
		text := unescape(written[1:i])
		if tagged {
			text += " (" + language + ")"
		}
		return Term{Text: text}
	}
	return Term{Text: written}
}

// unescape takes the escapes of a literal or an IRI back.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var text string
	if err := json.Unmarshal([]byte(`"`+strings.NewReplacer(`\'`, `'`, "\t", `\t`).Replace(s)+`"`), &text); err != nil {
		return s
	}
	return text
}

// A sheet keeps the beginning of an answer.
type sheet struct {
	text  strings.Builder
	lines int
	full  bool
}

// errEnough ends an answer of which enough is kept.
var errEnough = errors.New("enough")

// Write keeps a part of an answer.
func (s *sheet) Write(p []byte) (int, error) {
	s.lines += strings.Count(string(p), "\n")
	if s.text.Len()+len(p) > askBytes || s.lines > askRows+askRows {
		s.full = true
		s.text.Write(p[:min(len(p), askBytes-s.text.Len())])
		return 0, fmt.Errorf("ask: %w", errEnough)
	}
	return s.text.Write(p)
}

// An example is a query of the documentation.
type example struct{ Label, Query, Path string }

// examplesAt are the examples with the address at which each is asked.
func examplesAt(path string) (all []example) {
	for _, e := range askExamples {
		e.Path = path + "?" + url.Values{"query": {e.Query}}.Encode()
		all = append(all, e)
	}
	return all
}
