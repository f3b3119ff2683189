package pages

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"orbweaver"
	"orbweaver/crawl"
)

// A questionCard asks whether a class belongs to the topic of a metadata crawl.
type questionCard struct {
	crawl.ClassQuestion
	Percent int
	More    int                 // classes that a yes would add, beside those named
	Answers []crawl.ClassAnswer // that hold
}

// question returns the card of a crawl; nil: it asks nothing, and nothing was answered.
func (h *Handler) question(r *http.Request) (*questionCard, error) {
	var asking crawl.Asking
	err := h.use(r, func(ctx context.Context, c *crawl.Crawl) (err error) {
		asking, err = c.Asks(ctx)
		return err
	})
	if errors.Is(err, orbweaver.ErrInput) || errors.Is(err, orbweaver.ErrBusy) { // it asks nothing, or another process has it
		return nil, nil
	}
	if err != nil || asking.Question == nil && len(asking.Answers) == 0 {
		return nil, err
	}
	q := &questionCard{Answers: asking.Answers}
	if asking.Question != nil && r.URL.Query().Get("later") == "" {
		q.ClassQuestion, q.Percent = *asking.Question, int(100*asking.Question.Chance+0.5)
		q.More = q.Gain - len(q.Would)
	}
	return q, nil
}

// Names returns the local names of classes.
func (q *questionCard) Names(classes []string) string {
	names := make([]string, 0, len(classes))
	for _, iri := range classes {
		name := iri[strings.LastIndexAny(strings.TrimRight(iri, "#/:"), "#/:")+1:]
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// answerClass takes an answer, and has the crawl go on.
func (h *Handler) answerClass(r *http.Request) (string, Flash, error) {
	to := crawlPath(r.PathValue("crawl")) + "/recommendations"
	one := crawl.ClassAnswer{Class: r.PostForm.Get("class")}
	said := Flash{Text: "The class does not belong: it is out, and is not asked about again."}
	switch r.PostForm.Get("said") {
	case "yes":
		one.Yes, said.Text = true, "The class belongs: the crawl goes on with it and what is below it."
	case "no":
	case withdraw:
		one.Withdrawn, said.Text = true, "The answer is withdrawn."
	default:
		return to, Flash{}, errors.New("answer yes or no")
	}
	err := h.use(r, func(ctx context.Context, c *crawl.Crawl) error {
		_, err := c.Answer(ctx, one)
		return err
	})
	if err == nil {
		if err = h.Workspace.Start(r.Context(), r.PathValue("crawl")); errors.Is(err, orbweaver.ErrBusy) {
			err = nil // it runs, and takes the answer up
		}
	}
	if !one.Withdrawn {
		said.Undo, said.Fields = to+"/answer", []Field{{"class", one.Class}, {"said", withdraw}}
	}
	return to, said, err
}
