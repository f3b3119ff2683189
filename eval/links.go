package eval

import (
	"iter"

	"orbweaver/ledger"
)

// A Graph is the web's links as a crawl knows them. The crawl's ledger is one.
type Graph interface {
	// Outlinks ranges over the targets of the links of a page, each once.
	Outlinks(url string) iter.Seq[string]
	// Open reports whether a URL that has no line may still come to have one: it waits, or was asked for
	// after the last line. One that is refused for good, by whomever, or was never met, is not open.
	Open(url string) bool
}

// A turner is a Graph of a crawl that continues, which may be asked between two of its steps alone.
type turner interface {
	// Turn runs f, which asks.
	Turn(f func()) error
}

// LinkOptions define the true class of a page.
type LinkOptions struct {
	// Embedded makes HTML with data in it HR, whatever it links to: the page's reasons have the rule
	// "embedded" then. Else HR is HTML with a link to RDF, as the paper has it.
	Embedded bool
}

// LinkCounts count the followed links with a predicted class.
type LinkCounts struct {
	Predicted int // as the class
	Right     int // of them, truly of the class
	Open      int // of them, to HTML of which it is not known yet whether it links to RDF
	Absent    int // of them, to what the archive does not hold: nobody knows what it is
}

// decided is how many predictions can be told right from wrong.
func (c LinkCounts) decided() int { return c.Predicted - c.Open - c.Absent }

func (c *LinkCounts) add(other LinkCounts) {
	c.Predicted += other.Predicted
	c.Right += other.Right
	c.Open += other.Open
	c.Absent += other.Absent
}

// A Share is a ratio over all domains together, and as a mean over the domains that have one, each
// counting the same. Where Domains is 0 there is none: nothing by nothing.
type Share struct {
	Pooled  float64 // 0..1
	Mean    float64 // 0..1
	Domains int
}

// A DomainLinks is what came of the requests to one pay-level domain, or to all.
type DomainLinks struct {
	Domain    string
	Requests  int           // that were made, the same one again not counted
	Documents int           // that answered 2xx
	RDF       int           // of them
	Classes   [4]LinkCounts // by predicted class, in the order of LinkClasses
}

// A RuleLinks is what one rule predicted. A link may have been predicted by several.
type RuleLinks struct {
	Class, Rule string
	LinkCounts
	Precision  Share // rightly predicted by the rule / predicted by it
	Recall     Share // rightly predicted by the rule / rightly predicted as its class by any
	RecallTrue Share // rightly predicted by the rule / links truly of its class, however predicted
}

// LinkFigures say how well the classes of links were predicted (paper 000, section IV.B).
//
// A link is one that was followed; redirects lead on to what answers in the end, which counts once, for
// the link it was first reached by, under its own domain. What failed is of class N; what an archive
// does not hold is of none. What scope, robots or the look of a trap kept the crawl from is no request
// and counts nowhere. An HTML page is truly HR when a target of it, through redirects, was fetched as
// RDF; H when all its targets are known, and none is; until then it is open, and precision leaves it out.
type LinkFigures struct {
	LinkOptions
	All       DomainLinks
	Precision [4]Share    // right / decided, by class
	Discovery Share       // documents of RDF / requests
	Foreseen  Share       // documents of RDF that were predicted R / documents: the paper's discovery rate
	Rules     []RuleLinks // of the classes R and HR, by class, the most frequent first
	Domains   int
	Top       []DomainLinks // the domains with most requests, at most 30
}

// LinkClasses are the classes of links, in the order of tables: a document of RDF, HTML that links to
// one, other HTML, anything else.
func LinkClasses() [4]string { return [4]string{"R", "HR", "H", "N"} }

// pagesATurn is how many pages a graph is asked about together: some ten milliseconds.
const pagesATurn = 128

// MeasureLinks tells how well the classes of links were predicted, from the lines of pages.jsonl, which are read
// twice, and the graph behind them. It is nil where no line has a predicted class. Memory is about 40 bytes per line,
// and twice that for a domain.
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

// decideAll finds out of the pages of HTML whether they link to RDF.
func (t *linkTally) decideAll(lines iter.Seq2[ledger.Line, error], graph Graph) error {
	left := t.lines
	var pages []string
	for l, err := range lines {
		if err != nil {
			return err
		}
		if left--; left < 0 {
			break // the crawl went on
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

// decide lets a graph tell of some pages.
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

// look decides one page.
func (t *linkTally) look(url string, graph Graph) {
	truth := classH
	for to := range graph.Outlinks(url) {
		key := t.keys.key(to)
		found := t.behind(key)
		if found == classR {
			truth = classHR
			break
		}
		// a redirect's target that has no line is to come: it goes ahead of all else
		if truth == classH && (found == moved || found == unmet && t.isOpen(to, key, graph)) {
			truth = html
		}
	}
	t.all[t.place(url, "")].truth = truth
}

// maxHops bounds a chain of redirects, which may be a circle.
const maxHops = 64

// behind returns what is behind a URL, by its key, through redirects: moved where they lead to what has no
// line, unmet where it has none itself.
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
	case truth == moved: // in a circle
		return classN
	case truth == unmet && end != at:
		return moved
	}
	return truth
}

// maxRemembered bounds how many URLs without a line are remembered to be open or not: pages of a site
// share most of their links.
const maxRemembered = 1 << 16

// isOpen asks for a URL without a line.
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
