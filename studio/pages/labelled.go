package pages

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/crawl"
)

// maxPasted bounds a text whose labels are asked for, in bytes.
const maxPasted = 1 << 20

// labelsView is a part of what a label model knows.
type labelsView struct {
	Frame
	Model string // folder of the model; empty: that of the crawl
	CSS   string
	None  string // why there is no model; empty: there is one

	View    string
	Views   []Tab
	Figures crawl.LabelFigures

	Words, Label, Set string
	Tree              crawl.LabelPart
	Rules             crawl.RulePart

	Timeline crawl.LabelTimeline
	Spans    []spanRow // at most timelineRows
	Kind     string
	Kinds    []string
	From     string
	Changes  crawl.ChangePart

	Text, URL string
	Why       *crawl.Labelled
	Problem   string // why a text has no answer

	Source string // of the chart, in the API
	Back   string // path of the part before; empty: none
	Next   string // of the next part; empty: none
}

// timelineRows is the number of stretches in the table of a timeline, timelinePoints in its chart.
const (
	timelineRows   = 20
	timelinePoints = 100
)

// A spanRow is a stretch of the stream in the table.
type spanRow struct {
	From, To               int64
	Day                    string
	Labels, Rules, Broader string
	Alarms, Stand          int
}

// labelViews are the parts of the page of a label model.
var labelViews = []struct{ name, label string }{{"", "Hierarchy"}, {"rules", "Rules"}, {"drift", "Drift"}, {"why", "Why"}}

// Path is the path of this page with another query.
func (v *labelsView) Path(pairs ...string) string {
	q := url.Values{}
	if v.Model != "" {
		q.Set("model", v.Model)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	if len(q) == 0 {
		return v.Here
	}
	return v.Here + "?" + q.Encode()
}

// labels shows what a label model knows.
func (h *Handler) labels(w http.ResponseWriter, r *http.Request) error {
	v, model, err := h.labelsView(r)
	if err != nil {
		return err
	}
	q := r.URL.Query()
	v.View = q.Get("view")
	v.tabs()
	if v.Figures, err = model.Figures(r.Context()); err != nil {
		if orbweaver.FailureOf(err) == orbweaver.FailureOf(orbweaver.ErrInput) {
			v.None = err.Error()
			return h.show(w, http.StatusOK, "labels", v)
		}
		return err
	}
	skip, _ := strconv.Atoi(q.Get("skip"))
	switch v.View {
	case "":
		err = v.tree(r.Context(), model, q, max(0, skip))
	case "rules":
		err = v.rules(r.Context(), model, q, max(0, skip))
	case "drift":
		err = v.drift(r.Context(), model, q)
	case "why":
		v.URL = q.Get("url")
		if v.URL != "" {
			err = h.whyPage(r, v, model)
		}
	default:
		err = fmt.Errorf("view %q: there is none of this name (%w)", cut(v.View, 40), orbweaver.ErrInput)
	}
	if err != nil {
		return err
	}
	return h.show(w, http.StatusOK, "labels", v)
}

// labelsView begins a page about the label model that a request names.
func (h *Handler) labelsView(r *http.Request) (*labelsView, *crawl.LabelModel, error) {
	v := &labelsView{Frame: h.frame(r, "Labels of "+r.PathValue("crawl")), CSS: h.Asset("models.css")}
	v.Source = "/api/v1/labels/timeline?" + url.Values{"crawl": {v.Crawl}}.Encode()
	if v.Crawl != "" {
		m, err := h.Workspace.LabelModel(v.Crawl)
		return v, m, err
	}
	v.Model = r.URL.Query().Get("model")
	v.Title = "Labels of " + v.Model
	v.Source = "/api/v1/labels/timeline?" + url.Values{"model": {v.Model}}.Encode()
	m, err := h.Workspace.LabelModelIn(v.Model)
	return v, m, err
}

func (v *labelsView) tabs() {
	for _, t := range labelViews {
		v.Views = append(v.Views, Tab{v.Path("view", t.name), t.label, t.name == v.View})
	}
}

func (v *labelsView) tree(ctx context.Context, m *crawl.LabelModel, q url.Values, skip int) (err error) {
	v.Words, v.Label = q.Get("words"), q.Get("under")
	v.Tree, err = m.Labels(ctx, crawl.LabelQuery{Under: v.Label, Words: v.Words, Skip: skip, Limit: pageSize})
	v.turn(skip, v.Tree.Next, "under", v.Label, "words", v.Words)
	return err
}

func (v *labelsView) rules(ctx context.Context, m *crawl.LabelModel, q url.Values, skip int) (err error) {
	v.Words, v.Label, v.Set = q.Get("words"), q.Get("label"), q.Get("set")
	v.Rules, err = m.Rules(ctx, crawl.RuleQuery{Label: v.Label, Words: v.Words, Set: v.Set, Skip: skip, Limit: pageSize})
	v.turn(skip, v.Rules.Next, "view", "rules", "words", v.Words, "label", v.Label, "set", v.Set)
	return err
}

// turn sets the paths to the parts beside this one.
func (v *labelsView) turn(skip, next int, pairs ...string) {
	if skip > 0 {
		v.Back = v.Path(append(pairs, "skip", strconv.Itoa(max(0, skip-pageSize)))...)
	}
	if next > 0 {
		v.Next = v.Path(append(pairs, "skip", strconv.Itoa(next))...)
	}
}

func (v *labelsView) drift(ctx context.Context, m *crawl.LabelModel, q url.Values) (err error) {
	v.Kind, v.Label, v.From, v.Kinds = q.Get("kind"), q.Get("label"), q.Get("from"), []string{"label", "rule", "broader", "concept", "alarm", "term"}
	from, err := strconv.ParseInt(cmp.Or(v.From, "0"), 10, 64)
	if err != nil || from < 0 {
		return fmt.Errorf("first document %q: write its number (%w)", cut(v.From, 40), orbweaver.ErrInput)
	}
	if v.Timeline, err = m.Timeline(ctx, timelineRows); err != nil {
		return err
	}
	for _, s := range v.Timeline.Spans {
		row := spanRow{
			From: s.From, To: s.To, Alarms: s.Alarms, Stand: s.Stand,
			Labels: turnover(s.Labels.Came, s.Labels.Went), Rules: turnover(s.Rules.Came, s.Rules.Went), Broader: turnover(s.Broader.Came, s.Broader.Went),
		}
		if !s.At.IsZero() {
			row.Day = s.At.UTC().Format("2006-01-02")
		}
		v.Spans = append(v.Spans, row)
	}
	after, _ := strconv.ParseInt(q.Get("after"), 10, 64)
	v.Changes, err = m.Changes(ctx, crawl.ChangeQuery{Kind: crawl.ChangeKind(v.Kind), Label: v.Label, From: from, After: after, Limit: pageSize})
	if v.Changes.Next > 0 {
		v.Next = v.Path("view", "drift", "kind", v.Kind, "label", v.Label, "from", v.From, "after", strconv.FormatInt(v.Changes.Next, 10))
	}
	return err
}

// turnover says what came and what went.
func turnover(came, went int) string {
	if came == 0 && went == 0 {
		return "–"
	}
	return "+" + count(came) + " −" + count(went)
}

// whyPage sets why a page of the crawl has its labels.
func (h *Handler) whyPage(r *http.Request, v *labelsView, m *crawl.LabelModel) error {
	if v.Crawl == "" {
		return fmt.Errorf("a model alone has no pages: paste a text (%w)", orbweaver.ErrInput)
	}
	var d crawl.Document
	err := h.use(r, func(ctx context.Context, c *crawl.Crawl) (err error) {
		d, err = c.Document(ctx, v.URL)
		return err
	})
	return v.explain(r.Context(), m, d, err)
}

// explain sets why a text has its labels. What is wrong with the text is told on the page.
func (v *labelsView) explain(ctx context.Context, m *crawl.LabelModel, d crawl.Document, err error) error {
	if err == nil {
		v.Why, err = m.Why(ctx, d)
	}
	if err != nil && statusOf(err) < http.StatusInternalServerError {
		v.Problem, err = err.Error(), nil
	}
	return err
}

// whyText shows why a text that a person pasted has its labels.
func (h *Handler) whyText(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return fmt.Errorf("the form: %w (%w)", err, orbweaver.ErrInput)
	}
	v, m, err := h.labelsView(r)
	if err != nil {
		return err
	}
	v.View, v.Text = "why", r.PostForm.Get("text")
	v.tabs()
	if v.Figures, err = m.Figures(r.Context()); err != nil {
		return err
	}
	d := crawl.Document{ID: "the text", Text: v.Text}
	if strings.TrimSpace(v.Text) == "" {
		v.Problem = "Paste a text first."
	} else if err = v.explain(r.Context(), m, d, nil); err != nil {
		return err
	}
	return h.show(w, http.StatusOK, "labels", v)
}
