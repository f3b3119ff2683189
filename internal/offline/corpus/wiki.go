package corpus

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/fetch/mediawiki"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/step"
	"orbweaver/page"
	"orbweaver/weburl"
)

// Job configures Fetch.
type Job struct {
	Category string // "Category:Diabetes", or "Diabetes"
	Depth    int    // levels of subcategories whose pages count too
	Lang     string // language edition of Wikipedia, as in its address; empty: "en"
	API      string // address of another wiki's api.php; empty: Wikipedia's
	Limit    int    // pages of the category, including those of earlier runs; 0: all
	Out      string // the output folder
	Persons  bool   // include pages about persons
	Contact  string // URL or e-mail address, sent with each request
	Delay    time.Duration

	AllowPrivate crawlfile.Private // private addresses that the wiki may have
	Wire         wire.Wire         // transport; zero value: the system's

	Progress func(kept, limit int64) // told how many articles the folder has, in place of the console; limit is that of the job; nil: nobody
}

// Fetch writes the articles of a category into a folder: a text file for each, whose first line is the
// title, and a line for each page in its corpus.jsonl. It leaves out persons (see mediawiki.Subject), list
// pages, redirects, pages without text and pages beyond 32 MB; these have a line only. A redirect is
// represented by its target page. The folder is new, empty, or one that Fetch wrote. Fetch does not
// request pages again that the folder has, so that the same job continues where it stopped, and several
// jobs may share a folder.
//
// Errors wrap ErrInput if the job is invalid or the category has no page to keep, ErrForeign if the folder
// holds something else, and ErrInterrupted if the context ended; other errors describe a failure of the
// wiki or the network. Written files stay.
func Fetch(ctx context.Context, con *console.Console, job Job) error {
	api, err := job.check()
	if err == nil && job.Out == "" {
		err = fmt.Errorf("corpus: name the folder that it goes to (%w)", orbweaver.ErrInput)
	}
	if err != nil {
		return err
	}
	folder, err := openCorpusFolder(job.Out, api)
	if err != nil {
		return err
	}
	job.warn(con)
	g := wire.NewGetter(job.Wire, job.AllowPrivate, job.Contact)
	wiki, err := mediawiki.New(api, g, job.Delay)
	if err != nil {
		return errors.Join(err, folder.Close(), g.Close())
	}
	h := &gathering{
		Console: con, job: job, wiki: wiki, folder: folder, kept: map[int64]struct{}{},
		reader: page.NewReader(page.Options{MaxBody: wire.MaxGot, MaxLinks: 1}),
	}
	err = h.run(ctx)
	h.progress(true)
	if ctx.Err() != nil {
		err = fmt.Errorf("%s: %w; run the same command to continue", console.Relative(job.Out), console.ErrInterrupted)
	}
	if err = errors.Join(err, folder.Close(), g.Close()); err == nil {
		err = h.conclude()
	}
	return err
}

// check finds all problems of a job, and returns the address of its API.
func (j Job) check() (api string, err error) {
	var problems []error
	wrong := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf("corpus: "+format+" (%w)", append(args, orbweaver.ErrInput)...))
	}
	if strings.Trim(strings.TrimPrefix(j.Category, "Category:"), " _:") == "" {
		wrong("name a category, as in Category:Diabetes")
	}
	if j.Depth < 0 || j.Limit < 0 {
		wrong("depth and limit are 0 or more")
	}
	lang := j.Lang
	if lang == "" {
		lang = "en"
	}
	switch api = j.API; {
	case api != "" && j.Lang != "":
		wrong("a language is that of a Wikipedia: name it, or another API")
	case api == "" && strings.Trim(lang, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || len(lang) > 20 || strings.Trim(lang, "-") != lang:
		wrong("no Wikipedia is called %q", lang)
	case api == "":
		api = "https://" + lang + ".wikipedia.org/w/api.php"
	}
	if len(problems) == 0 {
		if api, err = weburl.Canonical(api); err != nil {
			wrong("%v", err)
		}
	}
	return api, errors.Join(problems...)
}

// warn says that a contact is missing.
func (j Job) warn(con *console.Console) {
	if j.Contact == "" {
		console.Say(con.Err, "warning: no contact: the wiki may refuse requests without one; give a URL or an e-mail address with --contact")
	}
}

// gathering is one run of Fetch.
type gathering struct {
	*console.Console
	job    Job
	wiki   *mediawiki.Client
	folder *corpusFolder
	reader *page.Reader // for HTML, if the wiki returns no plain text

	met, written int
	kept         map[int64]struct{} // pages that are in the folder
	left         [len(leftOut)]int
	reported     time.Time
}

// leftOut lists the reasons for leaving out a page, as corpus.jsonl has them.
var leftOut = [...]string{leftPerson, leftList, leftRedirect, leftSilent, leftAbsent, leftLarge}

const (
	leftPerson   = "person"
	leftList     = "disambiguation"
	leftRedirect = "redirect"
	leftSilent   = "no-text"
	leftAbsent   = "absent"
	leftLarge    = "too-large"
)

// full reports whether the limit is reached.
func (h *gathering) full() bool { return h.job.Limit > 0 && len(h.kept) >= h.job.Limit }

// run reads the members of the category, and requests the unknown ones in batches.
func (h *gathering) run(ctx context.Context) error {
	h.reported = time.Now()
	var batch []mediawiki.Member
	for m, err := range h.wiki.Members(ctx, h.job.Category, mediawiki.Walk{Depth: h.job.Depth}) {
		switch {
		case errors.Is(err, orbweaver.ErrTooLarge):
			console.Say(h.Err, "warning: %v; the rest is left out", err)
			continue // the last batch
		case err != nil:
			return err
		}
		h.met++
		if !h.before(m.ID) {
			batch = append(batch, m)
		}
		if len(batch) == mediawiki.Batch {
			if err := h.take(ctx, batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
		if h.full() {
			return nil
		}
		h.progress(false)
	}
	return h.take(ctx, batch)
}

// before counts a page that an earlier run handled. It returns false if none did, or if the page is wanted
// now.
func (h *gathering) before(id int64) bool {
	p, known := h.folder.known[id]
	switch {
	case !known || h.wanted(p):
		return false
	case p.left == "":
		h.kept[id] = struct{}{}
		return true
	case h.there(p.target):
		h.kept[p.target] = struct{}{}
	}
	h.count(p.left)
	return true
}

// wanted reports whether a page that was left out is wanted now.
func (h *gathering) wanted(p corpusPage) bool { return p.left == leftPerson && h.job.Persons }

// there reports whether a page is in the folder.
func (h *gathering) there(id int64) bool {
	p, known := h.folder.known[id]
	return known && p.left == ""
}

func (h *gathering) count(why string) {
	for i, reason := range leftOut {
		if reason == why {
			h.left[i]++
		}
	}
}

// take requests a batch of pages, up to the limit.
func (h *gathering) take(ctx context.Context, batch []mediawiki.Member) error {
	subjects, err := h.wiki.Subjects(ctx, batch)
	if err != nil {
		return err
	}
	for i, s := range subjects {
		if h.full() {
			return nil
		}
		if err := h.page(ctx, batch[i], s); err != nil {
			return err
		}
		h.progress(false)
	}
	return nil
}

// page writes a page, or the reason for leaving it out.
func (h *gathering) page(ctx context.Context, m mediawiki.Member, s mediawiki.Subject) error {
	line := corpusLine{ID: m.ID, Title: m.Title, Category: m.Category}
	switch {
	case s.ID == 0:
		return h.leave(line, leftAbsent, "")
	case s.Disambiguation:
		return h.leave(line, leftList, "")
	case s.Person != "" && !h.job.Persons:
		return h.leave(line, leftPerson, s.Person)
	}
	if !h.there(s.ID) { // a redirect of the same batch may lead to it
		why, err := h.fetch(ctx, m, s)
		if err != nil {
			return err
		}
		if why != "" {
			return h.leave(line, why, "")
		}
	}
	h.kept[s.ID] = struct{}{}
	if s.ID == m.ID {
		return nil
	}
	line.Target = s.ID
	return h.leave(line, leftRedirect, s.Title)
}

// fetch requests a page and writes it, or returns the reason for leaving it out.
func (h *gathering) fetch(ctx context.Context, m mediawiki.Member, s mediawiki.Subject) (why string, err error) {
	p, text, err := h.read(ctx, s.ID)
	switch {
	case errors.Is(err, orbweaver.ErrAbsent):
		return leftAbsent, nil
	case errors.Is(err, orbweaver.ErrTooLarge):
		console.Say(h.Err, "warning: skipped: %s: %v", console.OneLine(s.Title), err)
		return leftLarge, nil
	case err != nil:
		return "", err
	case text == "":
		return leftSilent, nil
	}
	h.written++
	line := corpusLine{ID: s.ID, Title: p.Title, Category: m.Category, URL: p.URL, Lang: p.Lang, Redirects: p.Redirects}
	return "", h.folder.write(line, text)
}

// leave records the reason for leaving out a page.
func (h *gathering) leave(line corpusLine, why, evidence string) error {
	line.Left, line.Evidence = why, evidence
	h.count(why)
	return h.folder.note(line)
}

// read requests a page and extracts its text.
func (h *gathering) read(ctx context.Context, id int64) (mediawiki.Page, string, error) {
	p, err := h.wiki.Page(ctx, id)
	if err != nil || p.HTML == "" {
		return p, p.Text, err
	}
	r := &step.Response{Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}}
	r.Request.URL = p.URL
	if _, err := weburl.Canonical(p.URL); err != nil {
		r.Request.URL = "http://wiki.invalid/" // never shown
	}
	read, err := h.reader.Read(ctx, r, []byte("<!DOCTYPE html><body><article>"+p.HTML))
	if err != nil {
		return p, "", err
	}
	return p, read.Text, nil
}

// progress reports the figures now and then: on one terminal line, which end completes.
func (h *gathering) progress(end bool) {
	if h.job.Progress != nil {
		h.job.Progress(int64(len(h.kept)), int64(h.job.Limit))
		return
	}
	every := console.Rewrite
	if h.Terminal {
		every = console.Redraw
	}
	drawn := !h.reported.IsZero() && time.Since(h.reported) >= every
	if h.Terminal && (drawn || end && h.met > 0) {
		fmt.Fprintf(h.Err, "\r%s\x1b[K", h.figures())
	}
	if h.Terminal && end && h.met > 0 {
		fmt.Fprintln(h.Err)
	}
	if !h.Terminal && drawn && !end {
		console.Say(h.Err, "%s", h.figures())
	}
	if drawn {
		h.reported = time.Now()
	}
}

// figures returns the counts so far.
func (h *gathering) figures() string {
	s := fmt.Sprintf("%d pages, %d of them new", len(h.kept), h.written)
	for i, why := range leftOut {
		if h.left[i] > 0 {
			s += fmt.Sprintf("; left out: %d %s", h.left[i], why)
		}
	}
	return s
}

// noMember says that a category has no page.
func noMember(category string) error {
	return fmt.Errorf("%s: the wiki has no page in this category: check its name (%w)", category, orbweaver.ErrInput)
}

// conclude reports the result.
func (h *gathering) conclude() error {
	switch {
	case h.met == 0:
		return noMember(h.job.Category)
	case len(h.kept) == 0:
		return fmt.Errorf("%s: no page to keep: %s (%w)", h.job.Category, h.figures(), orbweaver.ErrInput)
	}
	console.Say(h.Out, "%s: %s", console.Relative(h.job.Out), h.figures())
	return nil
}
