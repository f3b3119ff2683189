package pages

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/order"
)

// maxSegments bounds the marked passages of a page.
const maxSegments = 2000

// pageView is what a crawl knows of one URL.
type pageView struct {
	Frame
	URL, Web, Archived string // Web is the page as it is now; empty: no address of the Web
	Explained          *crawl.Explanation
	Reasons            []Reason
	Entities           []entityShare // the most relevant ones that it names
	Predicted          []Reason
	Waits              []Reason
	Heading, Body      []Segment
	NoEvidence         string          // why there is none
	In, Out            []crawl.MapNode // pages that link to it, and its links
	Beside             int             // links in and out in all, of which at most shownLinks are shown
	Data               crawl.Data
	Verdicts           []Button
	Verdict            string // of a person, in words; empty: none holds
}

// A Segment is a piece of a text; Rule says why it is marked, empty: it is not.
type Segment struct{ Text, Rule, Name string }

// Bounds of what one page shows of its links and its data.
const (
	shownLinks      = 60
	shownStatements = 200
)

// onePage shows what a crawl knows of a URL.
func (h *Handler) onePage(w http.ResponseWriter, r *http.Request) error {
	id, address := r.PathValue("crawl"), r.URL.Query().Get("url")
	v := pageView{Frame: h.frame(r, cmp.Or(address, "No URL")), URL: address, Web: link(address)}
	err := h.use(r, func(ctx context.Context, c *crawl.Crawl) (err error) {
		if v.Explained, err = c.Explain(ctx, address); err != nil || v.Explained.Outcome == nil || v.Explained.Outcome.Error != "" {
			return err
		}
		if err := v.around(ctx, c); err != nil {
			return err
		}
		evidence, err := c.Evidence(ctx, address)
		if errors.Is(err, orbweaver.ErrAbsent) || errors.Is(err, orbweaver.ErrInput) {
			v.NoEvidence = err.Error()
			return nil
		}
		v.Heading, v.Body = segments(evidence.Title, orbweaver.InTitle, evidence.Spans), segments(evidence.Text, orbweaver.InText, evidence.Spans)
		return err
	})
	if err == nil && v.Explained.Outcome != nil && v.Explained.Outcome.Error == "" {
		v.Archived = link(h.Replay(r, id, address))
	}
	if err != nil && !errors.Is(err, orbweaver.ErrBadURL) {
		return err
	}
	v.tell()
	if v.Explained.Outcome != nil {
		v.Entities = entitiesOf(id, h.linked(id), v.Explained.Outcome.Reasons)
	}
	return h.show(w, http.StatusOK, "page", v)
}

// A side are pages beside a page of a crawl.
type side struct {
	Crawl string
	Nodes []crawl.MapNode
}

// Side are pages beside this one.
func (v pageView) Side(nodes []crawl.MapNode) side { return side{v.Crawl, nodes} }

// around sets the links and the data of a page.
func (v *pageView) around(ctx context.Context, c *crawl.Crawl) (err error) {
	m, err := c.Map(ctx, crawl.MapQuery{Around: v.URL, Limit: shownLinks + 1})
	if err == nil {
		v.Data, err = c.Data(ctx, crawl.DataQuery{URL: v.URL, Limit: shownStatements})
	}
	if err != nil || len(m.Nodes) == 0 {
		return err
	}
	v.Beside = m.Total - 1
	into, out := map[string]bool{}, map[string]bool{}
	for _, e := range m.Edges {
		into[e.From] = into[e.From] || e.To == m.Nodes[0].ID
		out[e.To] = out[e.To] || e.From == m.Nodes[0].ID
	}
	for _, n := range m.Nodes[1:] {
		if into[n.ID] {
			v.In = append(v.In, n)
		}
		if out[n.ID] {
			v.Out = append(v.Out, n)
		}
	}
	return nil
}

// tell sets what follows from the explanation.
func (v *pageView) tell() {
	if v.Explained == nil {
		v.Explained = &crawl.Explanation{URL: v.URL, Why: "This is no URL that a crawl can know."}
	}
	if w := v.Explained.Waiting; w != nil {
		v.Waits = reasonsOf(w.Reasons)
	}
	o := v.Explained.Outcome
	if o == nil {
		return
	}
	v.Title = cmp.Or(o.Title, v.URL)
	v.Reasons, v.Predicted = reasonsOf(o.Reasons), reasonsOf(o.Predicted.Reasons)
	v.Verdict = verdictWords[o.Said]
	if v.MayWrite && o.Error == "" {
		v.Verdicts = v.verdictButtons(o.Said)
	}
}

// segments cuts a text of a page at the spans of its evidence.
func segments(text, field string, spans []orbweaver.Span) (all []Segment) {
	spans = slices.DeleteFunc(slices.Clone(spans), func(s orbweaver.Span) bool { return s.Field != field })
	order.Stably(spans, func(a, b orbweaver.Span) int { return cmp.Compare(a.Start, b.Start) })
	at := 0
	for _, s := range spans[:min(len(spans), maxSegments)] {
		if s.Start < at || s.End <= s.Start || s.End > len(text) {
			continue // within the one before
		}
		if s.Start > at {
			all = append(all, Segment{Text: text[at:s.Start]})
		}
		all = append(all, Segment{text[s.Start:s.End], cmp.Or(rules[s.Rule], s.Rule), s.Name})
		at = s.End
	}
	if at < len(text) {
		all = append(all, Segment{Text: cut(text[at:], maxFormText)})
	}
	return all
}
