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

// A Job says what corpus is made of a wiki.
type Job struct {
	Category string // "Category:Diabetes", or "Diabetes"
	Depth    int    // of categories within it whose pages count too
	Lang     string // of the Wikipedia, as in its address; empty: "en"
	API      string // address of another wiki's api.php; empty: a Wikipedia's
	Limit    int    // pages of the category, those had before included; 0: all
	Out      string // the folder
	Persons  bool   // pages about persons count too
	Contact  string // URL or e-mail address, told with each request
	Delay    time.Duration

	AllowPrivate crawlfile.Private // private addresses that the wiki may have
	Wire         wire.Wire         // how it is reached; the zero value: by the system
}

// Fetch writes the articles of a category into a folder: a text file each, whose first line is the
// title, and a line each in its corpus.jsonl, also for those that are left out: persons (see
// mediawiki.Subject), pages that list others, redirects, for which the page stands that they lead to, pages without text or beyond 32 MB. The
// folder is new, empty, or one of Corpus; what it has is not asked for again, so that the same job goes on where it
// stopped, and several may share a folder.
//
// Errors wrap ErrInput where the job makes no sense or the category has no page to keep, ErrForeign
// for a folder of something else, ErrInterrupted when the context is over; else they say what the wiki
// or the network did. What was written stays.
func Fetch(ctx context.Context, con *console.Console, job Job) error {
	api, err := job.check()
	if err != nil {
		return err
	}
	folder, err := openCorpusFolder(job.Out, api)
	if err != nil {
		return err
	}
	if job.Contact == "" {
		console.Say(con.Err, "warning: no contact: the wiki cannot tell who asks, and may refuse; name a URL or an e-mail address")
	}
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
		err = fmt.Errorf("%s: %w; the same command goes on", console.Relative(job.Out), console.ErrInterrupted)
	}
	if err = errors.Join(err, folder.Close(), g.Close()); err == nil {
		err = h.conclude()
	}
	return err
}

// check finds all that is wrong with a job, and returns the address of its API.
func (j Job) check() (api string, err error) {
	var problems []error
	wrong := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf("corpus: "+format+" (%w)", append(args, orbweaver.ErrInput)...))
	}
	if strings.Trim(strings.TrimPrefix(j.Category, "Category:"), " _:") == "" {
		wrong("name a category, as in Category:Diabetes")
	}
	if j.Out == "" {
		wrong("name the folder that it goes to")
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

// A gathering is one run of Corpus.
type gathering struct {
	*console.Console
	job    Job
	wiki   *mediawiki.Client
	folder *corpusFolder
	reader *page.Reader // of HTML, where the wiki makes no text

	met, written int
	kept         map[int64]struct{} // pages that are in the folder
	left         [len(leftOut)]int
	told         time.Time
}

// leftOut are the reasons for which a page is left out, as corpus.jsonl has them.
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

// run goes through the members of the category, a batch of those that are not known at a time.
func (h *gathering) run(ctx context.Context) error {
	h.told = time.Now()
	var batch []mediawiki.Member
	for m, err := range h.wiki.Members(ctx, h.job.Category, mediawiki.Walk{Depth: h.job.Depth}) {
		switch {
		case errors.Is(err, orbweaver.ErrTooLarge):
			console.Say(h.Err, "warning: %v; the rest is left out", err)
			continue // it is the last
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

// before counts a page that an earlier run saw; false: none did, or it is wanted now.
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

// take asks for some pages, up to the limit.
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

// page writes a page, or why it is left out.
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

// fetch asks for a page and writes it, or returns why it is left out.
func (h *gathering) fetch(ctx context.Context, m mediawiki.Member, s mediawiki.Subject) (why string, err error) {
	p, text, err := h.read(ctx, s.ID)
	switch {
	case errors.Is(err, orbweaver.ErrAbsent):
		return leftAbsent, nil
	case errors.Is(err, orbweaver.ErrTooLarge):
		console.Say(h.Err, "warning: passed over: %s: %v", console.OneLine(s.Title), err)
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

// leave notes why a page is left out.
func (h *gathering) leave(line corpusLine, why, evidence string) error {
	line.Left, line.Evidence = why, evidence
	h.count(why)
	return h.folder.note(line)
}

// read asks for a page and its text.
func (h *gathering) read(ctx context.Context, id int64) (mediawiki.Page, string, error) {
	p, err := h.wiki.Page(ctx, id)
	if err != nil || p.HTML == "" {
		return p, p.Text, err
	}
	r := &step.Response{Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}}
	r.Request.URL = p.URL
	if _, err := weburl.Canonical(p.URL); err != nil {
		r.Request.URL = "http://wiki.invalid/" // which nobody sees
	}
	read, err := h.reader.Read(ctx, r, []byte("<!DOCTYPE html><body><article>"+p.HTML))
	if err != nil {
		return p, "", err
	}
	return p, read.Text, nil
}

// progress tells now and then how far it has come; on a terminal in one line, which is ended in the end.
func (h *gathering) progress(end bool) {
	every := console.Rewrite
	if h.Terminal {
		every = console.Redraw
	}
	drawn := !h.told.IsZero() && time.Since(h.told) >= every
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
		h.told = time.Now()
	}
}

// figures tell how far it has come.
func (h *gathering) figures() string {
	s := fmt.Sprintf("%d pages, %d of them new", len(h.kept), h.written)
	for i, why := range leftOut {
		if h.left[i] > 0 {
			s += fmt.Sprintf("; left out: %d %s", h.left[i], why)
		}
	}
	return s
}

// conclude tells what came of it.
func (h *gathering) conclude() error {
	switch {
	case h.met == 0:
		return fmt.Errorf("%s: the wiki has no page in it: is that its name? (%w)", h.job.Category, orbweaver.ErrInput)
	case len(h.kept) == 0:
		return fmt.Errorf("%s: no page to keep: %s (%w)", h.job.Category, h.figures(), orbweaver.ErrInput)
	}
	console.Say(h.Out, "%s: %s", console.Relative(h.job.Out), h.figures())
	return nil
}
