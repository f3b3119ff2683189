package api

import (
	"fmt"
	"net/http"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

func topicRoutes() []route {
	return []route{
		{"GET", "/topics", (*API).learnings},
		{"POST", "/topics", (*API).learn},
		{"GET", "/topics/{learning}", (*API).learning},
		{"POST", "/topics/{learning}/again", (*API).learnAgain},
		{"DELETE", "/topics/{learning}", (*API).endLearning},
		{"GET", "/topic", (*API).topic},
		{"GET", "/topic/nouns", (*API).topicNouns},
		{"GET", "/topic/documents", (*API).topicDocuments},
		{"GET", "/topic/document", (*API).topicDocument},
		{"GET", "/topic/spread", (*API).topicSpread},
	}
}

func (a *API) learnings(w http.ResponseWriter, _ *http.Request) error {
	return answer(w, http.StatusOK, map[string]any{"learnings": a.ws.Learnings()})
}

// learn begins to learn a topic.
func (a *API) learn(w http.ResponseWriter, r *http.Request) error {
	var order workspace.TopicOrder
	if err := body(r, &order); err != nil {
		return err
	}
	l, err := a.ws.Learn(order)
	if err != nil {
		return err
	}
	w.Header().Set("Location", Base+"/topics/"+l.ID)
	return answer(w, http.StatusAccepted, l)
}

func (a *API) learning(w http.ResponseWriter, r *http.Request) error {
	l, err := a.ws.Learning(r.PathValue("learning"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, l)
}

func (a *API) learnAgain(w http.ResponseWriter, r *http.Request) error {
	l, err := a.ws.LearnAgain(r.PathValue("learning"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusAccepted, l)
}

// endLearning cancels a learning, or forgets one that is over.
func (a *API) endLearning(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("learning")
	l, err := a.ws.Learning(id)
	if err != nil {
		return err
	}
	if l.Over() {
		err = a.ws.ForgetLearning(id)
	} else {
		l, err = a.ws.CancelLearning(r.Context(), id)
	}
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, l)
}

// ofTopic answers with what ask learns of the topic that a request names: of a crawl, or in a folder.
func ofTopic[T any](a *API, w http.ResponseWriter, r *http.Request, ask func(q *query, t *crawl.Topic) (T, error)) error {
	q := &query{r: r}
	id, folder := q.text("crawl"), q.text("model")
	var t *crawl.Topic
	var err error
	switch {
	case (id == "") == (folder == ""):
		err = fmt.Errorf("name a crawl, or the folder of a topic (%w)", orbweaver.ErrInput)
	case id != "":
		t, err = a.ws.Topic(id)
	default:
		t, err = a.ws.TopicIn(folder)
	}
	if err != nil {
		return err
	}
	value, err := ask(q, t)
	if q.err != nil {
		return q.err
	}
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, value)
}

func (a *API) topic(w http.ResponseWriter, r *http.Request) error {
	return ofTopic(a, w, r, func(q *query, t *crawl.Topic) (f crawl.TopicFigures, err error) {
		if n := q.number("heaviest", 20, 0, mostRows); q.err == nil {
			f, err = t.Figures(r.Context(), n)
		}
		return f, err
	})
}

func (a *API) topicNouns(w http.ResponseWriter, r *http.Request) error {
	return ofTopic(a, w, r, func(q *query, t *crawl.Topic) (p crawl.NounPart, err error) {
		asked := crawl.NounQuery{
			Words: q.text("words"), Entities: q.flag("entities"), Sort: q.text("sort"), Skip: q.number("skip", 0, 0, 1<<30), Limit: q.number("limit", usualRows, 1, mostRows),
		}
		if q.err == nil {
			p, err = t.Nouns(r.Context(), asked)
		}
		return p, err
	})
}

func (a *API) topicDocuments(w http.ResponseWriter, r *http.Request) error {
	return ofTopic(a, w, r, func(q *query, t *crawl.Topic) (p crawl.DocumentPart, err error) {
		asked := crawl.DocumentQuery{
			Words: q.text("words"), Lemma: q.text("lemma"), IRI: q.text("iri"), Least: q.flag("least"), Skip: q.number("skip", 0, 0, 1<<30), Limit: q.number("limit", usualRows, 1, mostRows),
		}
		if q.err == nil {
			p, err = t.Documents(r.Context(), asked)
		}
		return p, err
	})
}

// A spokenFor is a document of a topic with what its nouns say for it and against it.
type spokenFor struct {
	ID    string               `json:"id"`
	Title string               `json:"title"`
	Nouns []crawl.DocumentNoun `json:"nouns"`
}

func (a *API) topicDocument(w http.ResponseWriter, r *http.Request) error {
	return ofTopic(a, w, r, func(q *query, t *crawl.Topic) (d spokenFor, err error) {
		d.ID = q.text("id")
		d.Title, d.Nouns, err = t.Document(r.Context(), d.ID)
		d.Nouns = append([]crawl.DocumentNoun{}, d.Nouns...)
		return d, err
	})
}

func (a *API) topicSpread(w http.ResponseWriter, r *http.Request) error {
	return ofTopic(a, w, r, func(q *query, t *crawl.Topic) (s crawl.TopicSpread, err error) {
		if n := q.number("bins", 50, 1, 1000); q.err == nil {
			s, err = t.Spread(r.Context(), n)
		}
		return s, err
	})
}
