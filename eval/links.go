package eval

import (
	"iter"

	"orbweaver/ledger"
)

// A Graph is the link graph of a crawl. The crawl's ledger implements it.
type Graph interface {
	// Outlinks ranges over the targets of the links of a page, each once.
	Outlinks(url string) iter.Seq[string]
	// Open reports whether a URL without a line may get one: it is queued, or was requested after the last
	// line. A URL that is refused permanently, or is unknown, is not open.
	Open(url string) bool
}

// A turner is a Graph of a running crawl, which may only be read between two steps.
type turner interface {
	// Turn runs f, which reads the graph.
	Turn(f func()) error
}

// LinkOptions define the true class of a page.
type LinkOptions struct {
	// Embedded makes HTML with embedded data HR, whatever its links: such a page has a reason with the rule
	// "embedded". Otherwise HR is HTML with a link to RDF, as in the paper.
	Embedded bool
	// Features are rules of predictions that are features of a classifier, and not rules that predict a class: figures by rule
	// leave them out.
	Features []string
}

// LinkCounts count the followed links with a predicted class.
type LinkCounts struct {
	Predicted int // as the class
	Right     int // of them, truly of the class
	Open      int // of them, to HTML not known to link to RDF or not
	Absent    int // of them, to URLs missing in the archive, of unknown class
}

// decided is the number of predictions whose truth is known.
func (c LinkCounts) decided() int { return c.Predicted - c.Open - c.Absent }

func (c *LinkCounts) add(other LinkCounts) {
	c.Predicted += other.Predicted
	c.Right += other.Right
	c.Open += other.Open
	c.Absent += other.Absent
}

// A Share is a ratio over all domains together, and its unweighted mean over the domains where it is defined.
// If Domains is 0 it is undefined.
type Share struct {
	Pooled  float64 // 0..1
	Mean    float64 // 0..1
	Domains int
}

// A DomainLinks is the outcome of the requests to one pay-level domain, or to all.
type DomainLinks struct {
	Domain    string
	Requests  int           // requests, without repetitions
	Documents int           // that answered 2xx
	RDF       int           // of them
	Classes   [4]LinkCounts // by predicted class, in the order of LinkClasses
}

// A RuleLinks is the predictions of one rule. Several rules may predict one link.
type RuleLinks struct {
	Class, Rule string
	LinkCounts
	Precision  Share // rightly predicted by the rule / predicted by it
	Recall     Share // rightly predicted by the rule / rightly predicted as its class by any
	RecallTrue Share // rightly predicted by the rule / links truly of its class
}

// LinkFigures measure the prediction of link classes (paper 000, section IV.B).
//
// A link is one that was followed, through redirects, to its final response, which counts once, for the link it
// was first reached by, under its own domain. A failure is of class N; a URL missing in an archive has no
// class. Links refused by scope, robots or the trap detector were not requested and do not count. An HTML page
// is truly HR if a target of it, through redirects, was fetched as RDF; H if the class of all its targets is
// known and none is RDF; otherwise it is open, and precision excludes it.
type LinkFigures struct {
	LinkOptions
	All       DomainLinks
	Actual    [4][4]int   // links with a known true class, by predicted and by true class
	Precision [4]Share    // right / decided, by class
	Present   [4]Share    // right / (decided + absent): what is absent counts as wrong
	Recall    [4]Share    // right / links truly of the class, whatever was predicted
	Discovery Share       // documents of RDF / requests
	Foreseen  Share       // documents of RDF that were predicted R / documents: the paper's discovery rate
	Rules     []RuleLinks // of the classes R and HR, by class, the most frequent first
	Domains   int
	Top       []DomainLinks // at most 30 domains, those with most requests
}

// LinkClasses are the classes of links, in the order of tables: a document of RDF, HTML that links to
// one, other HTML, anything else.
func LinkClasses() [4]string { return [4]string{"R", "HR", "H", "N"} }

// pagesATurn is the number of pages per turn of a graph: about ten milliseconds.
const pagesATurn = 128

// MeasureLinks measures the prediction of link classes, from the lines of pages.jsonl, which are read twice,
// and the graph. It is nil if no line has a predicted class. Memory is about 40 bytes per line, and twice that
// per host.
func MeasureLinks(o LinkOptions, lines iter.Seq2[ledger.Line, error], graph Graph) (*LinkFigures, error) {
	t := newLinkTally(o)
	for l, err := range lines {
		if err != nil {
			return nil, err
		}
		t.add(&l)
	}
	if !t.predicts {
		return nil, nil
	}
	if err := t.decideAll(lines, graph); err != nil {
		return nil, err
	}
	return t.figures(), nil
}

// decideAll determines which HTML pages link to RDF.
func (t *linkTally) decideAll(lines iter.Seq2[ledger.Line, error], graph Graph) error {
	left := t.lines
	var pages []string
	for l, err := range lines {
		if err != nil {
			return err
		}
		if left--; left < 0 {
			break // the crawl continued
		}
		if t.isUndecided(&l) {
			pages = append(pages, l.URL)
		}
		if len(pages) == pagesATurn {
			if err := t.decide(pages, graph); err != nil {
				return err
			}
			pages = pages[:0]
		}
	}
	return t.decide(pages, graph)
}

// decide determines the class of some pages by the graph.
func (t *linkTally) decide(pages []string, graph Graph) error {
	all := func() {
		for _, url := range pages {
			t.look(url, graph)
		}
	}
	if g, ok := graph.(turner); ok && len(pages) > 0 {
		return g.Turn(all)
	}
	all()
	return nil
}

// look determines the class of one page.
func (t *linkTally) look(url string, graph Graph) {
	truth := classH
	for to := range graph.Outlinks(url) {
		key := t.keys.key(to)
		found := t.behind(key)
		if found == classR {
			truth = classHR
			break
		}
		// a redirect target without a line will get one: it has the highest priority
		if truth == classH && (found == moved || found == unmet && t.isOpen(to, key, graph)) {
			truth = html
		}
	}
	if f := &t.all[t.place(url, "")]; f.is&isHTML != 0 { // no later line says otherwise
		f.truth = truth
	}
}

// maxHops bounds a redirect chain, which may be a cycle.
const maxHops = 64

// behind returns the class of a URL, by its key, through redirects: moved if they lead to a URL without a line,
// unmet if it has no line itself.
func (t *linkTally) behind(key uint64) linkClass {
	at, met := t.places[key]
	if !met {
		return unmet
	}
	end := at
	for range maxHops {
		if t.all[end].truth != moved {
			break
		}
		end = t.all[end].more
	}
	truth := t.all[end].truth
	_, negotiated := t.negotiated[end]
	switch {
	case negotiated:
		return classR
	case truth == moved: // a cycle
		return classN
	case truth == unmet && end != at:
		return moved
	}
	return truth
}

// maxRemembered bounds the cache of URLs without a line: pages of a site share most of their links.
const maxRemembered = 1 << 16

// isOpen queries the graph for a URL without a line.
func (t *linkTally) isOpen(url string, key uint64, graph Graph) bool {
	open, ok := t.open[key]
	if !ok {
		if len(t.open) == maxRemembered {
			clear(t.open)
		}
		open = graph.Open(url)
		t.open[key] = open
	}
	return open
}
