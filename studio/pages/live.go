package pages

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

// liveView is a crawl as it stands now.
type liveView struct {
	Frame
	Standing Standing
	Delete   *Button
	Text     string // of its crawl file
	Lists    bool   // it has lists, or will have them while the page is looked at
	Runs     bool   // a session runs that takes URLs, limits and exclusions
}

// live shows how a crawl stands.
func (h *Handler) live(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("crawl")
	s, err := h.standing(r.Context(), id)
	if err != nil {
		return err
	}
	v := liveView{Frame: h.frame(r, id), Standing: s, Runs: s.State == workspace.Running || s.State == workspace.Paused && s.Status != nil && s.Status.PID != 0}
	v.Lists = s.Status != nil || s.State == workspace.Running || s.State == workspace.Queued
	if text, err := h.Workspace.Text(id); err == nil {
		v.Text = cut(shown(string(text)), maxFormText)
	}
	if v.MayWrite && deletable(s.State) {
		b := v.Button(v.Base()+"/delete", "Yes, move it to the trash", "danger")
		v.Delete = &b
	}
	return h.show(w, http.StatusOK, "live", v)
}

// maxFormText is the size of a text that a page shows whole, in bytes.
const maxFormText = 1 << 20

// add offers seeds to a running crawl.
func (h *Handler) add(r *http.Request) (string, Flash, error) {
	urls := strings.Fields(r.PostForm.Get("urls"))
	if len(urls) == 0 {
		return back(r), Flash{}, errors.New("write at least one URL")
	}
	var results []crawl.Added
	err := h.use(r, func(ctx context.Context, c *crawl.Crawl) (err error) {
		results, err = c.Add(ctx, urls...)
		return err
	})
	var said []string
	for _, a := range results {
		said = append(said, a.URL+": "+a.Result)
	}
	return back(r), Flash{Text: strings.Join(said, "; ")}, err
}

// limits changes the limits of the running session. Empty fields leave a limit as it is.
func (h *Handler) limits(r *http.Request) (string, Flash, error) {
	l, err := limitsOf(r.PostForm)
	if err != nil {
		return back(r), Flash{}, err
	}
	err = h.use(r, func(ctx context.Context, c *crawl.Crawl) (err error) {
		l, err = c.SetLimits(ctx, l)
		return err
	})
	return back(r), Flash{Text: "Limits of this session: " + limitWords(l) + ". The next session uses those of the crawl file again."}, err
}

func limitsOf(form url.Values) (l crawl.Limits, err error) {
	var wrong []error
	number := func(key string) *int64 {
		text := strings.TrimSpace(form.Get(key))
		if text == "" {
			return nil
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			wrong = append(wrong, fmt.Errorf("%s: write a number, or 0 for no limit (%w)", key, orbweaver.ErrInput))
		}
		return &n
	}
	l.Requests, l.Pages = number("requests"), number("pages")
	if minutes := number("minutes"); minutes != nil {
		d := time.Duration(*minutes) * time.Minute
		l.Time = &d
	}
	if depth := number("depth"); depth != nil {
		n := int(*depth)
		l.Depth = &n
	}
	return l, errors.Join(wrong...)
}

func limitWords(l crawl.Limits) string {
	var said []string
	say := func(what string, n int64) {
		said = append(said, what+" "+map[bool]string{true: "without limit", false: count(n)}[n == 0])
	}
	if l.Requests != nil {
		say("requests", *l.Requests)
	}
	if l.Pages != nil {
		say("pages", *l.Pages)
	}
	if l.Time != nil && *l.Time > 0 {
		said = append(said, "time "+l.Time.String())
	}
	if l.Depth != nil {
		say("depth", int64(*l.Depth))
	}
	return strings.Join(said, ", ")
}
