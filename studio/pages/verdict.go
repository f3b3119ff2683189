package pages

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"orbweaver/crawl"
)

// verdictWords are verdicts as they are said and shown.
var verdictWords = map[string]string{crawl.SaidAbout: "relevant", crawl.SaidPart: "relevant in part", crawl.SaidNot: "not relevant"}

// withdraw is the value of the field relevant that takes a verdict back.
const withdraw = "withdraw"

// verdictFields are the values of the field relevant with the verdicts that they give, as the buttons stand.
var verdictFields = []struct{ value, said, label string }{
	{"yes", crawl.SaidAbout, "Relevant"}, {"part", crawl.SaidPart, "In part"}, {"no", crawl.SaidNot, "Not relevant"}, {withdraw, "", "Withdraw it"},
}

// saidBy returns the verdict that a value of the field relevant gives; empty: it withdraws one.
func saidBy(value string) (said string, ok bool) {
	for _, f := range verdictFields {
		if f.value == value {
			return f.said, true
		}
	}
	return "", false
}

// verdictButtons are what can be said of the page: what is not said already.
func (v *pageView) verdictButtons(held string) (all []Button) {
	b := v.Button(v.Base()+"/verdict", "", "").With("url", v.URL)
	for _, f := range verdictFields {
		if f.said != held {
			one := b.With("relevant", f.value)
			one.Label = f.label
			all = append(all, one)
		}
	}
	return all
}

// verdict gives the crawl a person's verdict on pages, or withdraws it. What gives verdicts is undone by their withdrawal.
func (h *Handler) verdict(r *http.Request) (string, Flash, error) {
	urls := r.PostForm["url"]
	said, ok := saidBy(r.PostForm.Get("relevant"))
	to := crawlPath(r.PathValue("crawl")) + "/results"
	switch {
	case r.PostForm.Get("list") == "teach":
		to = crawlPath(r.PathValue("crawl")) + "/teach"
	case len(urls) == 1 && r.PostForm.Get("list") == "":
		to = pagePath(r.PathValue("crawl"), urls[0])
	}
	switch {
	case len(urls) == 0:
		return to, Flash{}, errors.New("choose at least one page")
	case !ok:
		return to, Flash{}, fmt.Errorf("relevant is yes, part, no or %s, not %q", withdraw, cut(r.PostForm.Get("relevant"), 40))
	}
	var all []crawl.Verdict
	for _, u := range urls {
		all = append(all, crawl.Verdict{URL: u, Said: said, Withdrawn: said == ""})
	}
	taken, err := h.give(r, all)
	if said == "" {
		return to, Flash{Text: fmt.Sprintf("Your verdict is withdrawn (%d pages). Pages judged later are judged without it; what it did until now stays.", taken)}, err
	}
	flash := Flash{
		Text: fmt.Sprintf("Your verdict: %s (%d pages). Pages judged later move by it. Undo withdraws it.", verdictWords[said], taken),
		Undo: r.URL.Path, Fields: []Field{{"relevant", withdraw}},
	}
	for _, u := range urls {
		flash.Fields = append(flash.Fields, Field{"url", u})
	}
	if list := r.PostForm.Get("list"); list != "" {
		flash.Fields = append(flash.Fields, Field{"list", list})
	}
	return to, flash, err
}

// give gives verdicts to the crawl of a request, and returns how many were taken.
func (h *Handler) give(r *http.Request, all []crawl.Verdict) (taken int, err error) {
	err = h.use(r, func(ctx context.Context, c *crawl.Crawl) error {
		given, err := c.Verdicts(ctx, all...)
		taken = len(given)
		return err
	})
	if err != nil && taken > 0 {
		err = fmt.Errorf("of %d pages the first %d were taken: %w", len(all), taken, err)
	}
	return taken, err
}
