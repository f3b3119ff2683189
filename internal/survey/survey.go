package survey

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/fetch/archive"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/gate"
	"orbweaver/internal/sitemap"
	"orbweaver/internal/urllist"
	"orbweaver/text"
	"orbweaver/weburl"
)

// Survey is the ground truth of an archive: which documents are relevant, and which are reachable over
// links. If each item has its own truth, truth is nil, reachable and relevant are 0, and likeness computes
// the truths.
type Survey struct {
	Truth     eval.Truth
	Likeness  *eval.Likeness
	Topics    *eval.ItemTopics // with likeness: computes the truths in its place; may be nil
	Items     []string         // with likeness: HTML documents with enough text, in the archive's order
	Name      string           // of the relevant documents, to print
	Graph     *eval.Web
	Documents int // distinct URLs in scope that answered 2xx, without robots.txt files
	Reachable int // reachable relevant documents
	Relevant  int
	Reached   int // reachable documents

	given *sitemap.Web   // nil: hosts were given no sitemaps
	lists *urllist.Lists // nil: none
}

// Web reads every document of an archive once.
func Web(ctx context.Context, web *archive.Web, lens *Lens, gate *gate.Gate, truth *crawlfile.Truth, seeds []string) (*Survey, error) {
	s := &Survey{Graph: eval.NewWeb(), given: lens.Given, lists: lens.Lists}
	var rule *eval.PageTruth
	switch {
	case truth.Of != "":
		topics, err := eval.LoadItemTopics(truth.File, truth.Topics, lens.Given.Canonical)
		if err != nil {
			return nil, err
		}
		s.Likeness, s.Topics, s.Name = eval.NewLikeness(), topics, "pages that have a topic of the item"
	case truth.File != "":
		topics, err := eval.LoadTopics(truth.File, truth.Topics, lens.Given.Canonical)
		if err != nil {
			return nil, err
		}
		s.Truth, s.Name = topics, "topics "+strings.Join(truth.Topics, ", ")
	case truth.Class != "":
		rule, s.Name = eval.NewPageTruth(eval.IsRDF), "RDF documents"
	case len(truth.Keywords) > 0:
		rule, s.Name = eval.NewPageTruth(eval.HoldsAny(truth.Keywords)), "pages that hold "+strings.Join(truth.Keywords, ", ")
	default:
		s.Likeness, s.Name = eval.NewLikeness(), fmt.Sprintf("pages whose cosine to the item is above %g", *truth.Cosine)
	}
	if err := s.read(ctx, web, lens, gate, rule); err != nil {
		return nil, err
	}
	if rule != nil {
		s.Truth = rule
	}
	s.list(s.given, gate)
	if err := s.listAll(gate); err != nil {
		return nil, err
	}
	s.Graph.Freeze()
	set := s.Graph.Reachable(s.Starts(seeds))
	s.Reached = set.Len()
	if s.Likeness != nil {
		s.Likeness.Freeze()
		return s, nil
	}
	s.Reachable, s.Relevant = set.Relevant(s.Truth), s.Graph.Relevant(s.Truth)
	return s, nil
}

// list adds the sitemaps that hosts were given to the graph.
func (s *Survey) list(given *sitemap.Web, gate *gate.Gate) {
	for host := range given.Hosts() {
		links := slices.DeleteFunc(given.Links(host), func(to string) bool {
			ok, _ := gate.Admits(to)
			return !ok
		})
		s.Graph.AddList(given.Of(host), links)
	}
}

// listAll adds the lists of URLs to the graph: of their URLs, those that a link or the archive has.
func (s *Survey) listAll(gate *gate.Gate) error {
	for _, document := range s.lists.Documents() {
		list, part := s.lists.Find(document)
		urls, err := list.Part(part)
		if err != nil {
			return err
		}
		var links []string
		for _, url := range urls {
			url = s.given.Shown(url)
			if ok, _ := gate.Admits(url); ok && s.Graph.Has(url) {
				links = append(links, url)
			}
		}
		s.Graph.AddList(document, links)
	}
	return nil
}

// Starts returns the URLs where a crawl from these seeds starts: the seeds, the lists of URLs, and the sitemaps that the
// seeds' hosts were given.
func (s *Survey) Starts(seeds []string) []string {
	starts := slices.Concat(seeds, s.lists.Documents())
	for _, url := range seeds {
		if at := s.given.Of(weburl.Host(url)); at != "" && !slices.Contains(starts, at) {
			starts = append(starts, at)
		}
	}
	return starts
}

// sight is a document of the archive as read by the survey.
type sight struct {
	entry    archive.Entry
	redirect string
	page     *orbweaver.Page
	terms    text.Terms // if the survey has a likeness
	ready    chan struct{}
}

// read reads documents in parallel and adds them to the graph in the archive's order.
func (s *Survey) read(ctx context.Context, web *archive.Web, lens *Lens, gate *gate.Gate, rule *eval.PageTruth) error {
	workers := runtime.GOMAXPROCS(0)
	queue, order := make(chan *sight), make(chan *sight, 4*workers)
	var pool sync.WaitGroup
	for range workers {
		pool.Go(func() {
			for v := range queue {
				v.look(ctx, lens, s.Likeness)
				close(v.ready)
			}
		})
	}
	go func() {
		defer close(order)
		defer close(queue)
		for entry := range web.All() {
			entry.URL = lens.Given.Shown(entry.URL)
			v := &sight{entry: entry, ready: make(chan struct{})}
			select {
			case order <- v:
				queue <- v
			case <-ctx.Done():
				return
			}
		}
	}()
	for v := range order {
		<-v.ready
		s.add(v, lens, gate, rule)
	}
	pool.Wait()
	if ctx.Err() != nil {
		return fmt.Errorf("reading the archive for its truth: %w", console.ErrInterrupted)
	}
	return nil
}

// look fetches and reads a document, and counts its terms if there is a likeness. A document that cannot
// be read has no links: the crawl that meets it reports the error.
func (v *sight) look(ctx context.Context, lens *Lens, likeness *eval.Likeness) {
	response, p, err := lens.Look(ctx, v.entry.URL)
	if response != nil {
		v.redirect = response.Redirect
	}
	if err != nil || p == nil {
		return
	}
	if v.page = p; likeness != nil {
		v.terms = likeness.Count(p)
	}
}

// add puts a document into the graph if scope and robots.txt allow it.
func (s *Survey) add(v *sight, lens *Lens, gate *gate.Gate, rule *eval.PageTruth) {
	if ok, _ := gate.Scope.Allows(v.entry.URL); !ok || strings.HasSuffix(v.entry.URL, "/robots.txt") {
		return
	}
	if v.entry.Status/100 == 2 {
		s.Documents++
	}
	if ok, _ := gate.Admits(v.entry.URL); !ok {
		return
	}
	if v.redirect != "" {
		if ok, _ := gate.Admits(v.redirect); !ok {
			v.redirect = ""
		}
	}
	var links []string
	if v.page != nil {
		links = lens.leads(v.page, gate)
		if rule != nil {
			rule.Add(v.page)
		}
		if s.Likeness != nil {
			s.addTerms(v)
		}
	}
	s.Graph.Add(v.entry.URL, v.entry.Status, v.redirect, links)
}

// ItemWords is the minimum number of words, without stop words, of an item.
const ItemWords = 50

// addTerms adds a document to the likeness, and to the items if it has enough text.
func (s *Survey) addTerms(v *sight) {
	s.Likeness.Add(v.entry.URL, v.terms)
	switch v.page.MediaType {
	case "text/html", "application/xhtml+xml":
		if v.terms.Total >= ItemWords {
			s.Items = append(s.Items, v.entry.URL)
		}
	}
}

// followable returns the targets of a page's links that a crawl may request.
func followable(p *orbweaver.Page, gate *gate.Gate) []string {
	if p.NoFollow {
		return nil
	}
	var links []string
	for _, l := range p.Links {
		if ok, _ := gate.Admits(l.To); ok && !l.NoFollow() {
			links = append(links, l.To)
		}
	}
	return links
}
