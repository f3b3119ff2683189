package pages

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/crawl"
)

// resultView is what the answers of a rating say.
type resultView struct {
	Frame
	CSS, Rating, Folder string
	Result              *crawl.RatingResult
	Pages               int
	Agreed              int // pages with an agreed answer
	Raters              []raterRow
	Differences         []differenceRow
	Total, First        int
	Next, Before        string
	Teach, Withdraw     Button
	Problem             string // why there are no figures
	Sheets              string // path of the sheets in the API
}

// A differenceRow is a page that raters answer differently.
type differenceRow struct {
	crawl.RatingDifference
	Path    string
	Buttons []Button
}

// ratingResult shows the figures of a rating, and what its raters differ on.
func (h *Handler) ratingResult(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("rating")
	v := resultView{Frame: h.frame(r, "Result of "+name), CSS: h.Asset("rate.css"), Rating: name}
	s, err := h.Workspace.RatingStanding(r.Context(), v.Crawl, name)
	if err != nil {
		return err
	}
	v.Folder, v.Pages, v.Raters, v.Problem = s.Folder, s.Pages, raterRows(v.Crawl, s), s.Error
	v.Sheets = v.API() + "/ratings/" + url.PathEscape(name)
	rating, err := h.Workspace.Rating(r.Context(), v.Crawl, name)
	if err != nil {
		return err
	}
	if v.Result, err = rating.Result(); err != nil {
		v.Problem = err.Error()
		return h.show(w, http.StatusOK, "ratingresult", v)
	}
	if v.Result.Agreed != nil {
		v.Agreed = v.Pages - v.Result.Agreed.Unanswered
	}
	if err := v.differ(rating, r.URL.Query().Get("skip")); err != nil {
		return err
	}
	v.Teach = v.Button(v.path("/teach"), "Yes, teach the crawl", "primary")
	v.Withdraw = v.Button(v.path("/teach"), "Withdraw them", "").With("withdrawn", "1")
	return h.show(w, http.StatusOK, "ratingresult", v)
}

// path is the path of a page of the rating.
func (v *resultView) path(page string) string { return ratingPath(v.Crawl, v.Rating, page) }

// differ sets a part of the list of what raters differ on.
func (v *resultView) differ(rating *crawl.Rating, skip string) error {
	v.First, _ = strconv.Atoi(skip)
	v.First = max(v.First, 0)
	all, total, err := rating.Differences(v.First, pageSize)
	v.Total = total
	for _, d := range all {
		row := differenceRow{RatingDifference: d, Path: pagePath(v.Crawl, d.URL)}
		b := v.Button(v.path("/settle"), "", "small").With("id", d.ID).With("was", d.Settled).With("skip", skip)
		for _, word := range []struct{ answer, label string }{{"yes", "Relevant"}, {"no", "Not relevant"}, {"", "Open again"}} {
			if word.answer != d.Settled {
				b := b.With("answer", word.answer)
				b.Label = word.label
				row.Buttons = append(row.Buttons, b)
			}
		}
		v.Differences = append(v.Differences, row)
	}
	if v.First+pageSize < total {
		v.Next = v.path("/result?skip=" + strconv.Itoa(v.First+pageSize))
	}
	if v.First > 0 {
		v.Before = v.path("/result?skip=" + strconv.Itoa(max(0, v.First-pageSize)))
	}
	return err
}

// settle writes what raters agreed on about a page.
func (h *Handler) settle(r *http.Request) (string, Flash, error) {
	id, name, f := r.PathValue("crawl"), r.PathValue("rating"), r.PostForm
	to := ratingPath(id, name, "/result")
	if skip := f.Get("skip"); skip != "" {
		to += "?" + url.Values{"skip": {skip}}.Encode()
	}
	err := h.Workspace.Settle(r.Context(), id, name, crawl.RatingAnswer{ID: f.Get("id"), Answer: f.Get("answer")})
	said := map[string]string{"yes": "Settled: relevant.", "no": "Settled: not relevant.", "": "It is open again."}[f.Get("answer")]
	return to, Flash{Text: said, Undo: r.URL.Path, Fields: []Field{{"id", f.Get("id")}, {"answer", f.Get("was")}, {"was", f.Get("answer")}, {"skip", f.Get("skip")}}}, err
}

// teachRating gives the crawl the agreed answers as verdicts, or withdraws them.
func (h *Handler) teachRating(r *http.Request) (string, Flash, error) {
	id, name, withdraw := r.PathValue("crawl"), r.PathValue("rating"), r.PostForm.Get("withdrawn") != ""
	to := ratingPath(id, name, "/result")
	n, err := h.Workspace.TeachRating(r.Context(), id, name, withdraw)
	if withdraw {
		return to, Flash{Text: fmt.Sprintf("%d verdicts on pages of the sample are withdrawn.", n)}, err
	}
	return to, Flash{Text: fmt.Sprintf("The crawl has %d verdicts of %s. Pages judged later move by them.", n, name), Undo: r.URL.Path, Fields: []Field{{"withdrawn", "1"}}}, err
}

// takeSheet takes in a sheet that was filled elsewhere.
func (h *Handler) takeSheet(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseMultipartForm(1 << 20); err != nil {
		return fmt.Errorf("the form: %w (%w)", err, orbweaver.ErrInput)
	}
	defer func() { _ = r.MultipartForm.RemoveAll() }() // what is left is removed with the temporary folder
	id, name := r.PathValue("crawl"), r.PathValue("rating")
	to, said, err := ratingPath(id, name, "/result"), Flash{}, errors.New("choose a file")
	if files := r.MultipartForm.File["upload"]; len(files) > 0 {
		rater := strings.TrimSpace(r.PostForm.Get("rater"))
		if rater == "" {
			base := filepath.Base(strings.ReplaceAll(files[0].Filename, `\`, "/"))
			rater = strings.TrimSuffix(base, filepath.Ext(base))
		}
		file, failed := files[0].Open()
		if failed != nil {
			return failed
		}
		defer file.Close()
		var s crawl.RaterStanding
		s, err = h.Workspace.TakeSheet(r.Context(), id, name, rater, file, r.PostForm.Get("replace") != "")
		said.Text = fmt.Sprintf("The sheet of %s is here: %d of %d pages are answered.", s.Rater, s.Answered, s.Pages)
	}
	if err != nil {
		said = Flash{Text: err.Error(), Bad: true}
	}
	leave(w, r, to, said)
	return nil
}
