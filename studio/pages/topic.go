package pages

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/crawl"
)

// topicView is a part of what a topic learned from documents knows.
type topicView struct {
	Frame
	Model string // folder of the topic; empty: that of the crawl
	CSS   string
	None  string // why there is no topic; empty: there is one

	View    string
	Views   []Tab
	Figures crawl.TopicFigures

	Words, Sort, Lemma, IRI string
	Least                   bool
	Sorts                   []string
	Nouns                   crawl.NounPart
	Documents               crawl.DocumentPart

	Doc          string // a document of the corpus
	DocTitle     string
	For, Against []crawl.DocumentNoun

	Line *line // acceptance

	Back, Next string // paths of the parts beside this one; empty: none
}

// topicViews are the parts of the page of a topic. The last is for crawls alone.
var topicViews = []struct{ name, label string }{{"", "Nouns"}, {"entities", "Entities"}, {"documents", "Documents"}, {"acceptance", "Acceptance"}}

// shownSpeaking bounds the nouns that speak for a document, and those against it.
const shownSpeaking = 50

// Path is the path of this page with another query.
func (v *topicView) Path(pairs ...string) string {
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

// topic shows what a topic learned from documents knows.
func (h *Handler) topic(w http.ResponseWriter, r *http.Request) error {
	v := &topicView{Frame: h.frame(r, "Topic of "+r.PathValue("crawl")), CSS: h.Asset("models.css"), Sorts: crawl.NounSorts()}
	q := r.URL.Query()
	v.View, v.Model = q.Get("view"), q.Get("model")
	t, err := h.topicOf(v)
	if err == nil {
		v.Figures, err = t.Figures(r.Context(), 0)
	}
	v.tabs()
	switch {
	case errors.Is(err, orbweaver.ErrInput), errors.Is(err, orbweaver.ErrBusy):
		v.None = err.Error()
		return h.show(w, http.StatusOK, "topic", v)
	case err != nil:
		return err
	}
	skip, _ := strconv.Atoi(q.Get("skip"))
	v.Words, v.Sort, v.Lemma, v.IRI = q.Get("words"), q.Get("sort"), q.Get("lemma"), q.Get("iri")
	v.Least, v.Doc = q.Get("least") != "", q.Get("doc")
	switch v.View {
	case "", "entities":
		err = v.nouns(r.Context(), t, max(0, skip))
	case "documents":
		err = v.documents(r.Context(), t, max(0, skip))
	case "acceptance":
		err = h.acceptance(r, v, t)
	default:
		err = fmt.Errorf("view %q: there is none of this name (%w)", cut(v.View, 40), orbweaver.ErrInput)
	}
	if err != nil {
		return err
	}
	return h.show(w, http.StatusOK, "topic", v)
}

// topicOf opens the topic of a page.
func (h *Handler) topicOf(v *topicView) (*crawl.Topic, error) {
	if v.Crawl != "" {
		v.Model = ""
		return h.Workspace.Topic(v.Crawl)
	}
	v.Title = "Topic of " + v.Model
	return h.Workspace.TopicIn(v.Model)
}

func (v *topicView) tabs() {
	for _, t := range topicViews {
		if t.name != "acceptance" || v.Crawl != "" {
			v.Views = append(v.Views, Tab{v.Path("view", t.name), t.label, t.name == v.View})
		}
	}
}

func (v *topicView) nouns(ctx context.Context, t *crawl.Topic, skip int) (err error) {
	v.Nouns, err = t.Nouns(ctx, crawl.NounQuery{Words: v.Words, Entities: v.View == "entities", Sort: v.Sort, Skip: skip, Limit: pageSize})
	v.turn(skip, v.Nouns.Next, "view", v.View, "words", v.Words, "sort", v.Sort)
	return err
}

func (v *topicView) documents(ctx context.Context, t *crawl.Topic, skip int) (err error) {
	if v.Doc != "" {
		var all []crawl.DocumentNoun
		if v.DocTitle, all, err = t.Document(ctx, v.Doc); err != nil {
			return err
		}
		v.speak(all)
		return nil
	}
	q := crawl.DocumentQuery{Words: v.Words, Lemma: v.Lemma, IRI: v.IRI, Least: v.Least, Skip: skip, Limit: pageSize}
	v.Documents, err = t.Documents(ctx, q)
	least := ""
	if v.Least {
		least = "on"
	}
	v.turn(skip, v.Documents.Next, "view", v.View, "words", v.Words, "lemma", v.Lemma, "iri", v.IRI, "least", least)
	return err
}

// speak sets what speaks for a document and against it. Nouns come with what they add, the most first.
func (v *topicView) speak(all []crawl.DocumentNoun) {
	for _, n := range all {
		if n.Adds > 0 && len(v.For) < shownSpeaking {
			v.For = append(v.For, n)
		}
	}
	for i := len(all) - 1; i >= 0 && all[i].Adds < 0 && len(v.Against) < shownSpeaking; i-- {
		v.Against = append(v.Against, all[i])
	}
}

// turn sets the paths to the parts beside this one.
func (v *topicView) turn(skip, next int, pairs ...string) {
	if skip > 0 {
		v.Back = v.Path(append(pairs, "skip", strconv.Itoa(max(0, skip-pageSize)))...)
	}
	if next > 0 {
		v.Next = v.Path(append(pairs, "skip", strconv.Itoa(next))...)
	}
}

// Linked reports whether a document is a page that the crawl may know.
func (v *topicView) Linked(id string) bool { return v.Crawl != "" && link(id) != "" }

// acceptKey is the key of the crawl file that says from which score on pages are accepted.
const acceptKey = "focus.krs.accept"

// setAccept writes the lowest score of an accepted page into the crawl file.
func (h *Handler) setAccept(r *http.Request) (string, Flash, error) {
	id := r.PathValue("crawl")
	back, at := crawlPath(id)+"/krs?view=acceptance", strings.TrimSpace(r.PostForm.Get("accept"))
	if at != "" {
		x, err := strconv.ParseFloat(at, 64)
		if err != nil || !(x >= 0 && x <= 1) {
			return back, Flash{}, fmt.Errorf("lowest accepted score %q: write a number from 0 to 1 (%w)", cut(at, 40), orbweaver.ErrInput)
		}
		at = strconv.FormatFloat(x, 'f', -1, 64)
	}
	text, err := h.Workspace.Text(id)
	if err != nil {
		return back, Flash{}, err
	}
	values, err := crawl.FileValues(text)
	if err == nil {
		text, err = crawl.SetFileValues(text, map[string]string{acceptKey: at})
	}
	if err == nil {
		err = h.Workspace.Save(id, text)
	}
	if err != nil {
		return back, Flash{}, err
	}
	said := Flash{Text: "The crawl file has " + acceptKey + ": " + at + ". It holds from the next start of the crawl on.", Undo: crawlPath(id) + "/krs", Fields: []Field{{"accept", values[acceptKey]}}}
	if at == "" {
		said.Text = "The crawl file leaves the threshold to the pages of the crawl again, from its next start on."
	}
	return back, said, nil
}
