package pages

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/studio/workspace"
)

// learnView is the page that asks what a topic is to be learned from.
type learnView struct {
	Frame
	CSS, FormCSS string
	Values       url.Values // as typed
	Problem      string
	Add          string // folder of the topic that documents are added to; empty: a new one
	Files        []workspace.File
	Names        []workspace.File // ontologies, whose labels are names
	Cancel       string           // path of the page before
}

// Given is a value as it was typed.
func (v learnView) Given(name string) string { return v.Values.Get(name) }

// Chosen reports whether a value was chosen.
func (v learnView) Chosen(name, value string) bool { return slices.Contains(v.Values[name], value) }

// Category reports whether the part about a wiki is open.
func (v learnView) Category() bool { return v.Given("category") != "" }

// More reports whether the part about background and names is open.
func (v learnView) More() bool { return len(v.Values["background"]) > 0 || v.Given("gazetteer") != "" }

// learnTopic asks what a topic is to be learned from: a new one, one that documents are added to, or one as it was ordered before.
func (h *Handler) learnTopic(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	values := url.Values{"depth": {"1"}, "limit": {"200"}, "add": {q.Get("add")}}
	if id := q.Get("again"); id != "" {
		l, err := h.Workspace.Learning(id)
		if err != nil {
			return err
		}
		values = typedOrder(l.Order)
	}
	return h.showLearn(w, r, http.StatusOK, values, "")
}

// typedOrder is the form of an order.
func typedOrder(o workspace.TopicOrder) url.Values {
	v := url.Values{
		"topic": {o.Topic}, "add": {o.Add}, "file": o.Documents, "url": {strings.Join(o.URLs, "\n")}, "background": o.Background, "gazetteer": {o.Gazetteer}, "contact": {o.Contact},
		"depth": {"1"}, "limit": {"200"},
	}
	if c := o.Wikipedia; c != nil {
		v.Set("category", c.Category)
		v.Set("wiki", cmp.Or(c.API, c.Language))
		v.Set("depth", strconv.Itoa(c.Depth))
		v.Set("limit", strconv.Itoa(c.Limit))
		if c.Persons {
			v.Set("persons", "on")
		}
	}
	return v
}

// showLearn shows the form of an order.
func (h *Handler) showLearn(w http.ResponseWriter, r *http.Request, status int, values url.Values, problem string) error {
	v := learnView{Frame: h.frame(r, "Learn a topic"), CSS: h.Asset("models.css"), FormCSS: h.Asset("new.css"), Values: values, Problem: problem, Cancel: "/models"}
	v.Here = "/topics/new"
	if v.Add = values.Get("add"); v.Add != "" {
		v.Title, v.Cancel = "Add documents to "+v.Add, topicPath(v.Add)
	}
	all, err := h.Workspace.Files()
	if err != nil {
		return err
	}
	for _, f := range all {
		switch f.Kind {
		case "documents", "archive":
			v.Files = append(v.Files, f)
		case "ontology":
			v.Names = append(v.Names, f)
		}
	}
	return h.show(w, status, "learn", v)
}

// topicPath is the path of the page of a topic.
func topicPath(model string) string { return "/topic?" + url.Values{"model": {model}}.Encode() }

// learningPath is the path of the page of a learning.
func learningPath(id string) string { return "/topics/" + url.PathEscape(id) }

// orderTopic begins to learn a topic. What is wrong is shown beside the form, as it was typed; files that were uploaded stay in the workspace, and
// are chosen there.
func (h *Handler) orderTopic(w http.ResponseWriter, r *http.Request) error {
	done, err := parseUpload(r)
	defer done()
	if err != nil {
		return err
	}
	o, err := h.order(r)
	var l workspace.Learning
	if err == nil {
		l, err = h.Workspace.Learn(o)
	}
	if err != nil {
		r.PostForm["file"] = o.Documents
		return h.showLearn(w, r, http.StatusUnprocessableEntity, r.PostForm, err.Error())
	}
	http.Redirect(w, r, learningPath(l.ID), http.StatusSeeOther)
	return nil
}

// order reads the form of an order.
func (h *Handler) order(r *http.Request) (o workspace.TopicOrder, err error) {
	f := r.PostForm
	o = workspace.TopicOrder{
		Topic: strings.TrimSpace(f.Get("topic")), Add: f.Get("add"), URLs: strings.Fields(f.Get("url")), Gazetteer: f.Get("gazetteer"), Contact: strings.TrimSpace(f.Get("contact")),
		Background: slices.DeleteFunc(slices.Clone(f["background"]), func(s string) bool { return s == "" }),
	}
	if o.Documents, err = h.given(r, "documents"); err != nil {
		return o, err
	}
	category := strings.TrimSpace(f.Get("category"))
	if category == "" {
		return o, nil
	}
	o.Wikipedia = &workspace.WikiCategory{Category: category, Persons: f.Get("persons") != ""}
	if wiki := strings.TrimSpace(f.Get("wiki")); strings.Contains(wiki, "/") {
		o.Wikipedia.API = wiki
	} else {
		o.Wikipedia.Language = wiki
	}
	for name, into := range map[string]*int{"depth": &o.Wikipedia.Depth, "limit": &o.Wikipedia.Limit} {
		if *into, err = strconv.Atoi(cmp.Or(strings.TrimSpace(f.Get(name)), "0")); err != nil {
			return o, fmt.Errorf("%s %q: write a whole number (%w)", name, cut(f.Get(name), 40), orbweaver.ErrInput)
		}
	}
	return o, nil
}

// learningView is a topic while it is learned, or how that ended.
type learningView struct {
	Frame
	CSS string
	workspace.Learning
	Name, Says      string // of the topic; how far it is
	Topic, NewCrawl string // paths of the topic, and of a new crawl for it
	Change          string // path of the form, as it was
	Self            string
	Again, Forget   Button
	Stop            Button
}

// saysStep are the words for a step: what it does, and what it counts.
var saysStep = map[string][2]string{
	"pages": {"Fetching pages", "pages"}, "articles": {"Fetching the articles of the category", "articles"}, "names": {"Reading the names of the ontology", "names"},
	"titles": {"Reading the titles of the documents", "documents"}, "nouns": {"Reading the nouns of the documents", "documents"},
}

// learning shows how far a learning is. When it is done and all went well, it leads to the topic.
func (h *Handler) learning(w http.ResponseWriter, r *http.Request) error {
	l, err := h.Workspace.Learning(r.PathValue("learning"))
	if err != nil {
		return err
	}
	name := cmp.Or(l.Order.Topic, l.Order.Add)
	v := learningView{Frame: h.frame(r, "Learning "+name), CSS: h.Asset("models.css"), Learning: l, Name: name, Self: learningPath(l.ID)}
	v.Here = "/topics/new"
	v.Change = "/topics/new?" + url.Values{"again": {l.ID}}.Encode()
	v.Stop = v.Button(v.Self+"/cancel", "Cancel", "danger")
	v.Again = v.Button(v.Self+"/again", "Try again", "primary")
	v.Forget = v.Button(v.Self+"/forget", "Remove from the list", "")
	v.Says = saysOf(l)
	if l.State == workspace.LearningDone {
		v.Topic, v.NewCrawl = topicPath(l.Model), crawlFor(l.Model)
		if r.Header.Get("HX-Request") != "" && smooth(l.Messages) {
			w.Header().Set("HX-Redirect", v.Topic)
		}
	}
	return h.show(w, http.StatusOK, "learning", v)
}

// crawlFor is the path of a new crawl by a topic.
func crawlFor(model string) string {
	return "/new?" + url.Values{"from": {"documents"}, "krs": {model}}.Encode()
}

// smooth reports whether messages tell of nothing that was left out.
func smooth(messages []string) bool {
	return !slices.ContainsFunc(messages, func(m string) bool {
		return strings.Contains(m, "skipped") || strings.Contains(m, "could not be read") || strings.Contains(m, "left out") || strings.HasPrefix(m, "corpus: ") && strings.Contains(m, ", ")
	})
}

// saysOf says how far a learning is.
func saysOf(l workspace.Learning) string {
	words, known := saysStep[l.Step]
	switch {
	case l.State == workspace.LearningWaits:
		return "It waits for another topic to be learned."
	case l.Over():
		return ""
	case !known:
		return "It begins."
	case l.All > 0:
		return fmt.Sprintf("%s: %s of %s %s.", words[0], count(l.Done), count(l.All), words[1])
	case l.Done > 0:
		return fmt.Sprintf("%s: %s %s so far.", words[0], count(l.Done), words[1])
	}
	return words[0] + "."
}

// cancelLearning ends a learning.
func (h *Handler) cancelLearning(r *http.Request) (string, Flash, error) {
	id := r.PathValue("learning")
	_, err := h.Workspace.CancelLearning(r.Context(), id)
	return learningPath(id), Flash{Text: "Cancelled. What was fetched stays in the workspace."}, err
}

// learnAgain learns once more what failed.
func (h *Handler) learnAgain(r *http.Request) (string, Flash, error) {
	id := r.PathValue("learning")
	_, err := h.Workspace.LearnAgain(id)
	return learningPath(id), Flash{Text: "It is tried again."}, err
}

// forgetLearning removes a learning from the list.
func (h *Handler) forgetLearning(r *http.Request) (string, Flash, error) {
	id := r.PathValue("learning")
	if err := h.Workspace.ForgetLearning(id); err != nil {
		return learningPath(id), Flash{}, err
	}
	return "/models", Flash{Text: "Removed from the list. Documents and topics stay in the workspace."}, nil
}

// parseUpload reads a form that may have files. done removes what is left of them.
func parseUpload(r *http.Request) (done func(), err error) {
	err = r.ParseMultipartForm(1 << 20)
	if errors.Is(err, http.ErrNotMultipart) {
		err = r.ParseForm()
	}
	done = func() {
		if r.MultipartForm != nil {
			_ = r.MultipartForm.RemoveAll() // what is left is removed with the temporary folder
		}
	}
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return done, fmt.Errorf("the files are larger than 64 MB together: put large ones into the folder of the workspace (%w)", orbweaver.ErrTooLarge)
	}
	if err != nil {
		return done, fmt.Errorf("the form: %w (%w)", err, orbweaver.ErrInput)
	}
	return done, nil
}
