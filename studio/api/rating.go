package api

import (
	"context"
	"errors"
	"mime"
	"net/http"

	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

func ratingRoutes() []route {
	return []route{
		{"GET", "/crawls/{crawl}/ratings", (*API).ratings},
		{"POST", "/crawls/{crawl}/ratings", (*API).newRating},
		{"GET", "/crawls/{crawl}/ratings/{rating}", (*API).rating},
		{"DELETE", "/crawls/{crawl}/ratings/{rating}", (*API).deleteRating},
		{"GET", "/crawls/{crawl}/ratings/{rating}/next", (*API).nextPage},
		{"POST", "/crawls/{crawl}/ratings/{rating}/answers", (*API).answers},
		{"POST", "/crawls/{crawl}/ratings/{rating}/back", (*API).back},
		{"GET", "/crawls/{crawl}/ratings/{rating}/sheet", (*API).sheet},
		{"PUT", "/crawls/{crawl}/ratings/{rating}/sheet", (*API).takeSheet},
		{"GET", "/crawls/{crawl}/ratings/{rating}/key", (*API).ratingKey},
		{"GET", "/crawls/{crawl}/ratings/{rating}/score", (*API).ratingScore},
		{"GET", "/crawls/{crawl}/ratings/{rating}/differences", (*API).differences},
		{"POST", "/crawls/{crawl}/ratings/{rating}/settle", (*API).settle},
		{"POST", "/crawls/{crawl}/ratings/{rating}/teach", (*API).teachRating},
	}
}

// named are the crawl and the rating of a request.
func named(r *http.Request) (ctx context.Context, id, name string) {
	return r.Context(), r.PathValue("crawl"), r.PathValue("rating")
}

func (a *API) ratings(w http.ResponseWriter, r *http.Request) error {
	all, err := a.ws.Ratings(r.Context(), r.PathValue("crawl"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, map[string]any{"ratings": all})
}

func (a *API) newRating(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Name string `json:"name"`
		crawl.RatingSample
	}
	if err := body(r, &in); err != nil {
		return err
	}
	made, err := a.ws.NewRating(r.Context(), r.PathValue("crawl"), in.Name, in.RatingSample)
	if err != nil {
		return err
	}
	w.Header().Set("Location", r.URL.Path+"/"+made.Name)
	return answer(w, http.StatusCreated, made)
}

func (a *API) rating(w http.ResponseWriter, r *http.Request) error {
	s, err := a.ws.RatingStanding(named(r))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, s)
}

// A seat is a rater's place in a sample, and the page that is next.
type seat struct {
	crawl.RaterStanding
	Next *crawl.RatedPage `json:"next"` // null: none is left
	Text string           `json:"text"` // main text of that page as archived; empty if no archive has it
}

// pageFor reads a rater's next page.
func (a *API) pageFor(r *http.Request, rater string, again bool) (t seat, err error) {
	ctx, id, name := named(r)
	rating, err := a.ws.Rating(ctx, id, name)
	if err != nil {
		return t, err
	}
	if t.Next, t.RaterStanding, err = rating.Next(rater, again); err != nil || t.Next == nil {
		return t, err
	}
	_, t.Text, err = a.ws.TextOf(ctx, id, t.Next.URL)
	if errors.Is(err, workspace.ErrNoText) {
		err = nil
	}
	return t, err
}

func (a *API) nextPage(w http.ResponseWriter, r *http.Request) error {
	q := &query{r: r}
	again := q.flag("again")
	if q.err != nil {
		return q.err
	}
	t, err := a.pageFor(r, q.text("rater"), again)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, t)
}

// back takes the last answer of a rater back.
func (a *API) back(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Rater string `json:"rater"`
	}
	if err := body(r, &in); err != nil {
		return err
	}
	ctx, id, name := named(r)
	page, s, err := a.ws.Back(ctx, id, name, in.Rater)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, struct {
		crawl.RaterStanding
		Page *crawl.RatedPage `json:"page"`
	}{s, page})
}

func (a *API) answers(w http.ResponseWriter, r *http.Request) error {
	var in crawl.RatingAnswer
	if err := body(r, &in); err != nil {
		return err
	}
	ctx, id, name := named(r)
	s, err := a.ws.Answer(ctx, id, name, in)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, s)
}

func (a *API) settle(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		ID     string `json:"id"`
		Answer string `json:"answer"`
		Note   string `json:"note"`
	}
	if err := body(r, &in); err != nil {
		return err
	}
	ctx, id, name := named(r)
	if err := a.ws.Settle(ctx, id, name, crawl.RatingAnswer{ID: in.ID, Answer: in.Answer, Note: in.Note}); err != nil {
		return err
	}
	return answer(w, http.StatusOK, map[string]any{"id": in.ID, "answer": in.Answer})
}

func (a *API) teachRating(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Withdrawn bool `json:"withdrawn"`
	}
	if err := body(r, &in); err != nil {
		return err
	}
	ctx, id, name := named(r)
	n, err := a.ws.TeachRating(ctx, id, name, in.Withdrawn)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, map[string]any{"taken": n})
}

// sheet sends a sheet, to be saved under its name.
func (a *API) sheet(w http.ResponseWriter, r *http.Request) error {
	rater := r.URL.Query().Get("rater")
	return a.sendSheet(w, r, rater, func(rating *crawl.Rating) ([]byte, error) { return rating.Sheet(rater) })
}

func (a *API) ratingKey(w http.ResponseWriter, r *http.Request) error {
	return a.sendSheet(w, r, "sheet.key", (*crawl.Rating).Key)
}

func (a *API) sendSheet(w http.ResponseWriter, r *http.Request, file string, read func(*crawl.Rating) ([]byte, error)) error {
	rating, err := a.ws.Rating(named(r))
	if err != nil {
		return err
	}
	text, err := read(rating)
	if err != nil {
		return err
	}
	if file == "" {
		file = "sheet"
	}
	h := w.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": file + ".csv"}))
	h.Set("Cache-Control", "no-store")
	_, _ = w.Write(text) // the client has gone
	return nil
}

func (a *API) takeSheet(w http.ResponseWriter, r *http.Request) error {
	q := &query{r: r}
	replace := q.flag("replace")
	if q.err != nil {
		return q.err
	}
	ctx, id, name := named(r)
	s, err := a.ws.TakeSheet(ctx, id, name, q.text("rater"), r.Body, replace)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, s)
}

func (a *API) ratingScore(w http.ResponseWriter, r *http.Request) error {
	rating, err := a.ws.Rating(named(r))
	if err != nil {
		return err
	}
	result, err := rating.Result()
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, result)
}

func (a *API) differences(w http.ResponseWriter, r *http.Request) error {
	q := &query{r: r}
	first, limit := q.number("skip", 0, 0, 1_000_000), q.number("limit", usualRows, 1, mostRows)
	if q.err != nil {
		return q.err
	}
	rating, err := a.ws.Rating(named(r))
	if err != nil {
		return err
	}
	all, total, err := rating.Differences(first, limit)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, map[string]any{"differences": all, "total": total})
}

func (a *API) deleteRating(w http.ResponseWriter, r *http.Request) error {
	thrown, err := a.ws.DeleteRating(named(r))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, thrown)
}
