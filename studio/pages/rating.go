package pages

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

// ratingsView are the samples of a crawl that people rate.
type ratingsView struct {
	Frame
	CSS     string
	Ratings []ratingRow
}

// A ratingRow is a rating in the list.
type ratingRow struct {
	workspace.RatingStanding
	Path, Result string
	Raters       []raterRow
	Delete       Button
}

// A raterRow says how far a rater is, and where the rater goes on.
type raterRow struct {
	crawl.RaterStanding
	Path string
}

// ratingPath is the path of a page of a rating.
func ratingPath(id, name, page string) string {
	return crawlPath(id) + "/ratings/" + url.PathEscape(name) + page
}

// seat is the path of the page on which a rater answers.
func seat(id, name, rater string, more ...string) string {
	q := url.Values{"rater": {rater}}
	for i := 0; i+1 < len(more); i += 2 {
		if more[i+1] != "" {
			q.Set(more[i], more[i+1])
		}
	}
	return ratingPath(id, name, "?"+q.Encode())
}

// ratings lists the samples of a crawl.
func (h *Handler) ratings(w http.ResponseWriter, r *http.Request) error {
	v := ratingsView{Frame: h.frame(r, "Rating"), CSS: h.Asset("rate.css")}
	all, err := h.Workspace.Ratings(r.Context(), v.Crawl)
	if err != nil {
		return err
	}
	for _, s := range all {
		v.Ratings = append(v.Ratings, ratingRow{
			RatingStanding: s, Path: ratingPath(v.Crawl, s.Name, ""), Result: ratingPath(v.Crawl, s.Name, "/result"), Raters: raterRows(v.Crawl, s),
			Delete: v.Button(ratingPath(v.Crawl, s.Name, "/delete"), "Yes, move it to the trash", "danger"),
		})
	}
	return h.show(w, http.StatusOK, "ratings", v)
}

func raterRows(id string, s workspace.RatingStanding) (all []raterRow) {
	for _, rater := range s.Raters {
		all = append(all, raterRow{rater, seat(id, s.Name, rater.Rater)})
	}
	return all
}

// newRating draws a sample.
func (h *Handler) newRating(r *http.Request) (string, Flash, error) {
	id, f := r.PathValue("crawl"), r.PostForm
	back := crawlPath(id) + "/ratings"
	seed, err := strconv.ParseUint(cmp.Or(f.Get("seed"), "1"), 10, 64)
	if err != nil {
		return back, Flash{}, fmt.Errorf("seed %q: write a whole number (%w)", cut(f.Get("seed"), 50), orbweaver.ErrInput)
	}
	pages, err := strconv.Atoi(cmp.Or(f.Get("pages"), "0"))
	if err != nil {
		return back, Flash{}, fmt.Errorf("pages %q: write a whole number (%w)", cut(f.Get("pages"), 50), orbweaver.ErrInput)
	}
	made, err := h.Workspace.NewRating(r.Context(), id, strings.TrimSpace(f.Get("name")), crawl.RatingSample{Seed: seed, Pages: pages})
	if err != nil {
		return back, Flash{}, err
	}
	return back, Flash{Text: fmt.Sprintf("%s has %d pages. Its raters can begin.", made.Name, made.Pages)}, nil
}

// deleteRating moves a rating to the trash.
func (h *Handler) deleteRating(r *http.Request) (string, Flash, error) {
	id, name := r.PathValue("crawl"), r.PathValue("rating")
	back := crawlPath(id) + "/ratings"
	t, err := h.Workspace.DeleteRating(r.Context(), id, name)
	if err != nil {
		return back, Flash{}, err
	}
	return back, Flash{Text: name + " is in the trash.", Undo: "/trash/" + t.ID + "/restore"}, nil
}

// rateView is a page of a sample as a rater sees it: without the crawl's verdict and without answers of others.
type rateView struct {
	Frame
	CSS                  string
	Rating, Rater, Again string
	Keys                 bool
	Raters               []raterRow // who began; nobody is named to somebody who rates
	Standing             crawl.RaterStanding
	Page                 *crawl.RatedPage // nil: none is left
	Text, NoText         string
	Archived, Web        string
	SkippedPath          string
	KeysPath, List       string
}

// rate shows a rater the next page, or asks who rates.
func (h *Handler) rate(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	v := rateView{
		Frame: h.frame(r, r.PathValue("rating")), CSS: h.Asset("rate.css"), Rating: r.PathValue("rating"), Rater: strings.TrimSpace(q.Get("rater")), Again: q.Get("again"),
		Keys: q.Get("keys") != "off",
	}
	v.List = v.Base() + "/ratings"
	if v.Rater == "" {
		s, err := h.Workspace.RatingStanding(r.Context(), v.Crawl, v.Rating)
		v.Raters = raterRows(v.Crawl, s)
		if err != nil {
			return err
		}
		return h.show(w, http.StatusOK, "rate", v)
	}
	if err := h.next(r, &v, q.Get("page")); err != nil {
		return err
	}
	keys := ""
	if v.Keys {
		keys = "off"
	}
	v.KeysPath = seat(v.Crawl, v.Rating, v.Rater, "keys", keys, "again", v.Again, "page", q.Get("page"))
	v.SkippedPath = seat(v.Crawl, v.Rating, v.Rater, "again", "1", "keys", q.Get("keys"))
	return h.show(w, http.StatusOK, "rate", v)
}

// next sets the page that a rater sees.
func (h *Handler) next(r *http.Request, v *rateView, page string) error {
	rating, err := h.Workspace.Rating(r.Context(), v.Crawl, v.Rating)
	if err != nil {
		return err
	}
	if page != "" {
		v.Page, v.Standing, err = rating.Page(v.Rater, page)
	} else {
		v.Page, v.Standing, err = rating.Next(v.Rater, v.Again != "")
	}
	if err != nil || v.Page == nil {
		return err
	}
	title, text, err := h.Workspace.TextOf(r.Context(), v.Crawl, v.Page.URL)
	v.Title, v.Text, v.Web = cmp.Or(title, v.Page.Title, v.Page.URL), text, link(v.Page.URL)
	switch {
	case err != nil && orbweaver.FailureOf(err) != workspace.ErrNoText:
		return err
	case err != nil:
		v.NoText = "The page cannot be shown as it was archived: " + err.Error() + ". Below is the beginning of it, as it was when the sample was drawn."
	default:
		v.Archived = link(h.Replay(r, v.Crawl, v.Page.URL))
	}
	return nil
}

// answerPage writes a rater's answer, or takes the last one back, and goes on to the next page.
func (h *Handler) answerPage(r *http.Request) (string, Flash, error) {
	id, name, f := r.PathValue("crawl"), r.PathValue("rating"), r.PostForm
	rater, keys := f.Get("rater"), f.Get("keys")
	to := seat(id, name, rater, "again", f.Get("again"), "keys", keys)
	if f.Get("answer") == "back" {
		page, _, err := h.Workspace.Back(r.Context(), id, name, rater)
		switch {
		case err != nil:
			return to, Flash{}, err
		case page == nil:
			return to, Flash{Text: "There is no answer to take back."}, nil
		}
		return seat(id, name, rater, "page", page.ID, "again", f.Get("again"), "keys", keys), Flash{Text: "Taken back: answer this page again."}, nil
	}
	_, err := h.Workspace.Answer(r.Context(), id, name, crawl.RatingAnswer{Rater: rater, ID: f.Get("id"), Answer: f.Get("answer"), Note: f.Get("note")})
	said := map[string]string{"yes": "Relevant: ", "no": "Not relevant: ", "skip": "Skipped: "}[f.Get("answer")]
	return to, Flash{Text: said + cut(f.Get("title"), 120)}, err
}
