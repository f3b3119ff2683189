package online_test

import (
	"io"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/focus/linkeddata"
	"orbweaver/focus/linkeddata/online"
	"orbweaver/internal/realdata"
	"orbweaver/page"
	"orbweaver/weburl"
)

// known are the rules of the linked-data focus.
func known() []online.Rule {
	var all []online.Rule
	for class, names := range [...][]string{
		online.N: {linkeddata.RuleProtocol, linkeddata.RuleOtherExtension, linkeddata.RuleOtherwise},
		online.H: {linkeddata.RuleHTMLExtension, linkeddata.RuleHTMLLink}, online.HR: {linkeddata.RuleSimilar},
		online.R: {
			linkeddata.RuleTypeTerm, linkeddata.RuleTitleTerm, linkeddata.RulePathTerm, linkeddata.RuleFileTerm,
			linkeddata.RuleAnchorTerm, linkeddata.RuleContextTerm, linkeddata.RuleTypeContent, linkeddata.RuleTitleContent,
			linkeddata.RuleAnchorContent, linkeddata.RuleContextContent, linkeddata.RuleExtension, linkeddata.RuleRDFLink,
			linkeddata.RuleVocabulary,
		},
	} {
		for _, name := range names {
			all = append(all, online.Rule{Name: name, Class: online.Class(class)})
		}
	}
	return all
}

// A walk traverses an archive breadth-first by the links that the rules do not drop: no ranking affects what
// is seen.
type walk struct {
	web    *archive.Web
	reader *page.Reader
	focus  *linkeddata.Focus
	pages  map[string]*orbweaver.Page // by requested URL; nil: no answer
	leads  map[string]bool            // URLs that lead to RDF, redirects followed
	met    map[string]bool
	hosts  map[string]bool // of the archive
}

// get returns the page of a URL after redirects.
func (w *walk) get(tb testing.TB, url string) *orbweaver.Page {
	if p, known := w.pages[url]; known {
		return p
	}
	w.pages[url] = nil
	next := url
	for range 5 {
		resp, err := w.web.Fetch(tb.Context(), orbweaver.Request{URL: next})
		if err != nil {
			return nil
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		switch {
		case resp.Redirect != "":
			next = resp.Redirect
			continue
		case err != nil || resp.Status/100 != 2:
			return nil
		}
		if p, err := w.reader.Read(tb.Context(), resp, body); err == nil {
			w.pages[url] = p
		}
		return w.pages[url]
	}
	return nil
}

// class returns the true class of a page, given the whole archive.
func (w *walk) class(tb testing.TB, url string) online.Class {
	p := w.get(tb, url)
	if p == nil {
		return online.N
	}
	j, err := w.focus.Judge(tb.Context(), p)
	if err != nil {
		tb.Fatal(err)
	}
	class, _ := online.ParseClass(j.Class)
	if class != online.H && class != online.HR {
		return class
	}
	for i := range p.Links {
		if w.rdf(tb, p.Links[i].To) {
			return online.HR
		}
	}
	return online.H
}

func (w *walk) rdf(tb testing.TB, url string) bool {
	if is, known := w.leads[url]; known {
		return is
	}
	p := w.get(tb, url)
	if p != nil {
		j, _ := w.focus.Judge(tb.Context(), p)
		w.leads[url] = j.Class == linkeddata.ClassR
	}
	return w.leads[url]
}

// A tally is the accuracy of a predictor.
type tally struct {
	loss                    float64 // sum of −ln P(true class)
	predicted, right, truly int     // R
	exact                   int     // the class, whichever
}

func (t *tally) count(p online.Prediction, class, actual online.Class) {
	t.loss -= math.Log(max(p[actual], 1e-9))
	if class == online.R {
		t.predicted++
	}
	if actual == online.R {
		t.truly++
		if class == online.R {
			t.right++
		}
	}
	if class == actual {
		t.exact++
	}
}

func (t *tally) report(b *testing.B, name string, n int) {
	b.ReportMetric(t.loss/float64(n), name+"-loss")
	b.ReportMetric(float64(t.right)/float64(max(t.predicted, 1)), name+"-R-precision")
	b.ReportMetric(float64(t.right)/float64(max(t.truly, 1)), name+"-R-recall")
	b.ReportMetric(float64(t.exact)/float64(n), name+"-accuracy")
}

// seen returns a link as input of the model. Similarity counts as a rule.
func seen(q *waiting) *online.Sight {
	s := &online.Sight{Link: q.Via, FromHTML: q.class == linkeddata.ClassH || q.class == linkeddata.ClassHR}
	s.PageClass, _ = online.ParseClass(q.class)
	for _, r := range q.Reasons {
		s.Rules = append(s.Rules, r.Rule)
	}
	s.Vocabulary = slices.Contains(s.Rules, linkeddata.RuleVocabulary)
	return s
}

// A waiting link, with its page.
type waiting struct {
	orbweaver.Proposal
	from  *orbweaver.Page
	class string // of the page
}

// follow returns the links of a page not seen before, to hosts of the archive.
func (w *walk) follow(tb testing.TB, p *orbweaver.Page) (next []waiting) {
	if p == nil {
		return nil
	}
	j, err := w.focus.Judge(tb.Context(), p)
	if err != nil {
		tb.Fatal(err)
	}
	plan, err := w.focus.Plan(tb.Context(), p, j)
	if err != nil {
		tb.Fatal(err)
	}
	for _, q := range plan {
		if q.Parent = p.URL; !q.Drop && !w.met[q.URL] && w.hosts[weburl.Host(q.URL)] {
			w.met[q.URL] = true
			next = append(next, waiting{q, p, j.Class})
		}
	}
	return next
}

// A contest compares three predictors on the same links: the rules, with the model's initial confidence; the
// rules, with the share of each true class among their earlier predictions of that class; and the model. Each
// link is predicted, then learned.
type contest struct {
	rules, shares, learned tally
	model, untrained       *online.Model
	table                  [4]online.Prediction // true classes of the links that the rules gave a class
	links, bytes, stale    int
}

func (c *contest) meet(s *online.Sight, said, actual online.Class) {
	features := c.model.Features(nil, s)
	c.bytes += len(online.AppendNote(nil, features))
	byRules := c.untrained.Predict(features, 0)
	share, sum := byRules, 1.0
	for class, times := range c.table[said] {
		share[class] += times
		sum += times
	}
	for class := range share {
		share[class] /= sum
	}
	c.table[said][actual]++
	predicted := c.model.Predict(features, 0)
	c.rules.count(byRules, said, actual)
	c.shares.count(share, share.Class(), actual)
	c.learned.count(predicted, predicted.Class(), actual)
	c.stale += len(c.model.Learn(features, actual))
	c.links++
}

// progressive runs a contest over the links of an archive.
func progressive(b *testing.B, file string, seeds ...string) {
	web, err := archive.OpenWeb([]string{file}, archive.WebOptions{})
	if err != nil {
		b.Fatal(err)
	}
	defer web.Close()
	focus, err := linkeddata.New(linkeddata.DefaultOptions())
	if err != nil {
		b.Fatal(err)
	}
	w := newWalk(web, focus)
	c := contest{model: online.New(1, known()), untrained: online.New(1, known())}
	var queue []waiting
	for _, url := range seeds {
		w.met[url] = true
		queue = append(queue, w.follow(b, w.get(b, url))...)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		q := queue[0]
		q.Judgement = focus.Rerank(nil, q.Proposal)
		said, _ := online.ParseClass(q.Class)
		c.meet(seen(&q), said, w.class(b, q.URL))
		if p := w.get(b, q.URL); p != nil {
			if _, err := focus.Learn(b.Context(), orbweaver.Outcome{Request: q.Request, Page: p, Status: 200}); err != nil {
				b.Fatal(err)
			}
			queue = append(queue, w.follow(b, p)...)
		}
	}
	c.rules.report(b, "rules", c.links)
	c.shares.report(b, "shares", c.links)
	c.learned.report(b, "online", c.links)
	b.ReportMetric(float64(c.links), "links")
	b.ReportMetric(float64(c.learned.truly), "R")
	b.ReportMetric(float64(c.bytes)/float64(c.links), "B/note")
	b.ReportMetric(float64(c.stale), "stale")
	var state countingWriter
	if err := c.model.Snapshot(&state); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(state), "B/snapshot")
}

// A countingWriter counts the bytes written.
type countingWriter int

func (c *countingWriter) Write(b []byte) (int, error) {
	*c += countingWriter(len(b))
	return len(b), nil
}

func newWalk(web *archive.Web, focus *linkeddata.Focus) *walk {
	w := &walk{
		web: web, reader: page.NewReader(page.Options{}), focus: focus,
		pages: map[string]*orbweaver.Page{}, leads: map[string]bool{}, met: map[string]bool{}, hosts: map[string]bool{},
	}
	for e := range web.All() {
		w.hosts[weburl.Host(e.URL)] = true
	}
	return w
}

// BenchmarkProgressive measures how well links of archives are predicted.
func BenchmarkProgressive(b *testing.B) {
	b.Run("demo", func(b *testing.B) {
		root := filepath.Join(realdata.Root(b), "examples")
		for b.Loop() {
			progressive(b, filepath.Join(root, "demo.warc.gz"), demoSeeds()...)
		}
	})
	b.Run("linked-data-sites", func(b *testing.B) {
		file := realdata.File(b, "linked-data-sites.warc.gz")
		for b.Loop() {
			progressive(b, file, linkedDataSeeds()...)
		}
	})
}

func linkedDataSeeds() []string {
	return []string{
		"https://w3id.org/dpv/", "https://schema.org/docs/", "https://schema.org/docs/documents.html",
		"https://schema.org/docs/developers.html", "https://json-ld.org/spec/", "https://json-ld.org/primer/latest/",
		"https://json-ld.org/test-suite/", "https://json-ld.org/playground/",
	}
}

func demoSeeds() []string {
	return []string{"http://tidings.example/", "http://signpost.example/", "http://wayfarer.example/"}
}

// BenchmarkDiscovery measures the number of requests until half, nine tenths and all RDF documents are found,
// best first by the rules and by the model. Classes are those known when the page arrives.
func BenchmarkDiscovery(b *testing.B) {
	for _, by := range []string{"rules", "value", "hope"} {
		b.Run(by, func(b *testing.B) {
			file := realdata.File(b, "linked-data-sites.warc.gz")
			for b.Loop() {
				discover(b, file, by, linkedDataSeeds()...)
			}
		})
	}
}

// A ranking is a best-first queue that reranks stale requests, as the engine does.
type ranking struct {
	focus *linkeddata.Focus
	model *online.Model
	by    string
	queue []ranked
}

type ranked struct {
	waiting
	features []uint32
	keys     []string
	score    float64
}

func (r *ranking) add(all []waiting) {
	for _, q := range all {
		one := ranked{waiting: q, features: r.model.Features(nil, seen(&q))}
		one.keys = online.Keys(append([]string(nil), q.Keys...), one.features)
		r.rank(&one)
		r.queue = append(r.queue, one)
	}
}

func (r *ranking) rank(q *ranked) {
	q.Judgement = r.focus.Rerank(nil, q.Proposal)
	q.score = q.Score
	if r.by != "rules" && slices.ContainsFunc(q.Reasons, func(why orbweaver.Reason) bool { return why.Rule == linkeddata.RuleSimilar }) {
		q.features = r.model.WithRule(q.features, linkeddata.RuleSimilar)
	}
	switch r.by {
	case "value":
		q.score = r.model.Predict(q.features, 0).Value()
	case "hope":
		q.score = r.model.Hope(q.features, 0)
	}
}

// again reranks the requests with stale keys.
func (r *ranking) again(stale []string) {
	if len(stale) == 0 {
		return
	}
	all := slices.Contains(stale, "*")
	for i := range r.queue {
		q := &r.queue[i]
		if all || slices.ContainsFunc(q.keys, func(key string) bool { return slices.Contains(stale, key) }) {
			r.rank(q)
		}
	}
}

// take returns the best request, the first of equals.
func (r *ranking) take() ranked {
	best := 0
	for i := range r.queue {
		if r.queue[i].score > r.queue[best].score {
			best = i
		}
	}
	q := r.queue[best]
	r.queue = slices.Delete(r.queue, best, best+1)
	return q
}

// discover crawls an archive, best first.
func discover(b *testing.B, file, by string, seeds ...string) {
	web, err := archive.OpenWeb([]string{file}, archive.WebOptions{})
	if err != nil {
		b.Fatal(err)
	}
	defer web.Close()
	focus, err := linkeddata.New(linkeddata.DefaultOptions())
	if err != nil {
		b.Fatal(err)
	}
	w := newWalk(web, focus)
	r := ranking{focus: focus, model: online.New(1, known()), by: by}
	for _, url := range seeds {
		w.met[url] = true
		r.add(w.follow(b, w.get(b, url)))
	}
	var found []int // numbers of requests
	for requests := 1; len(r.queue) > 0; requests++ {
		q := r.take()
		class := online.N
		if p := w.get(b, q.URL); p != nil {
			j, _ := focus.Judge(b.Context(), p)
			if class, _ = online.ParseClass(j.Class); class == online.R {
				found = append(found, requests)
			}
			lesson, err := focus.Learn(b.Context(), orbweaver.Outcome{Request: q.Request, Page: p, Status: 200})
			if err != nil {
				b.Fatal(err)
			}
			r.again(lesson.Stale)
			r.add(w.follow(b, p))
		}
		r.again(r.model.Learn(q.features, class))
	}
	b.ReportMetric(float64(found[len(found)/2]), "requests-to-half")
	b.ReportMetric(float64(found[len(found)*9/10]), "requests-to-nine-tenths")
	b.ReportMetric(float64(found[len(found)-1]), "requests-to-all")
	b.ReportMetric(float64(len(found)), "R")
}
