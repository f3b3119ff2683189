// Package linkeddata is the focus that finds RDF (Emamdadi, Kahani and Zarrinkalam, "A Focused Linked
// Data Crawler based on HTML Link Analysis", section III).
//
// Every link gets a class before it is followed: R, if its properties indicate RDF (Relevancy_R,
// relevancy.go); HR, if its URL is similar to that of a page that led to RDF (Relevancy_HR, similar.go); H,
// another HTML page; N, anything else, which is not followed. R precedes HR, HR precedes H; within a class
// the order is that of discovery. Links that look like RDF but resemble many that failed go last (record.go).
// Beyond the paper, directories in which RDF was found go before other pages (places.go), HR counts by what such
// pages led to (yields.go), and a classifier learns the classes of links and pages (classifier.go, unsettled.go), and predicts them when there is evidence.
// Every page gets a class by its bytes and header (prepare.go). The learned state is a fold over outcomes:
// the same outcomes in the same order give the same crawl.
//
// The paper's comparison methods follow the same links in other orders: see Method. The terms, extensions and
// content types of RDF are data: see Config. The accuracy of predictions, and whether an HTML page is HR once
// all its links are known, are computed elsewhere from the outcomes.
//
// This package is not part of the stable API.
package linkeddata

import (
	"fmt"
	"sync"

	"orbweaver"
	"orbweaver/focus/linkeddata/online"
)

// The classes of pages and links.
const (
	ClassR  = "R"  // an RDF document, in any syntax
	ClassHR = "HR" // an HTML page with a link to RDF, or with embedded data: see Lead
	ClassH  = "H"  // an HTML page of neither known kind
	ClassN  = "N"  // anything else
)

// A Method is the order in which links are followed.
type Method uint8

// The methods.
const (
	Focused       Method = iota // by class
	NonFocused                  // one priority for all, the paper's baseline
	DomainRanking               // by the share of RDF that the pay-level domain returned so far
	DynamicDepth                // by the number of links the path may still go: RDF adds some, every other page takes one
)

// ParseMethod returns the method of a name used in crawl files.
func ParseMethod(name string) (Method, bool) {
	switch name {
	case "focused":
		return Focused, true
	case "non_focused":
		return NonFocused, true
	case "pld":
		return DomainRanking, true
	case "dynamic_depth":
		return DynamicDepth, true
	}
	return Focused, false
}

// A Lead is the evidence that makes an HTML page HR.
type Lead uint8

// The kinds of evidence.
const (
	LeadEmbedded Lead = iota // a link to RDF, or embedded data that is not layout
	LeadLink                 // a link to RDF, as in the paper
)

// ParseLead returns the lead of a name used in crawl files.
func ParseLead(name string) (Lead, bool) {
	switch name {
	case "embedded":
		return LeadEmbedded, true
	case "paper":
		return LeadLink, true
	}
	return LeadEmbedded, false
}

// Options configure a crawl. DefaultOptions has values for all.
type Options struct {
	Config     Config
	Method     Method
	HR         Lead
	Hosts      HostOrder  // with Focused
	Classifier Classifier // with Focused
	Seed       uint64     // with Online: which features share a cell; the same seed gives the same crawl
	KeepN      bool       // follow class N as well; not with Focused
	Depth      int        // with DynamicDepth: length of a path without RDF from its seed, in links, 1..64
	Grow       int        // with DynamicDepth: links that an RDF document adds to the path, 0..64

	HarvestMost int64 // with Beyond.Harvest: statements asked of one graph of an endpoint; 0: 1 000 000

	Beyond   Beyond
	Readings Readings
}

// DefaultOptions returns the focused method with the rules and everything beyond the paper, HR by embedded
// data, the lists of DefaultConfig, and for DynamicDepth 3 links, of which an RDF document adds 1.
func DefaultOptions() Options {
	return Options{Config: DefaultConfig(), Depth: 3, Grow: 1, HarvestMost: 1_000_000, Beyond: everything()}
}

// maxAllowance bounds the links that a path may still go.
const maxAllowance = 64

// A Focus finds RDF. Prepare is safe for concurrent use; all other methods are not.
type Focus struct {
	opts    Options
	lists   *lists
	readers sync.Pool // of *reader, for Prepare's workers

	similar      similar
	places       pairs        // directories in which documents of RDF were found → 0
	descriptions descriptions // of hosts
	records      records
	documents    pairs         // URLs of RDF documents, and URLs that redirect there → document
	terms        pairs         // URLs of terms → the document that defines them
	hosts        pairs         // hosts with at least one fetched page → 0
	domains      domains       // pay-level; with DomainRanking
	asked        domains       // hosts; unless HostsFound
	learned      learned       // with Beyond.LearnTerms
	model        *online.Model // with Online; else nil
	yields       yields        // of hosts
	unsettled    unsettled     // with Online
	sharing      sharing
	redone       redone
}

// The bounds of the learned state: documents; terms, three times the number in the vocabularies of Linked
// Open Vocabularies.
const maxDocuments, maxTerms = 1 << 20, 1 << 18

// redone is the page last prepared by the deciding goroutine itself.
type redone struct {
	page  *orbweaver.Page
	found *findings
}

// New checks options and returns a focus. It reports every problem; each wraps orbweaver.ErrInput.
func New(opts Options) (*Focus, error) {
	lists, problems := compile(opts.Config)
	if opts.Method > DynamicDepth {
		problems = append(problems, fmt.Errorf("method: unknown value %d: %w", opts.Method, orbweaver.ErrInput))
	}
	if opts.Hosts > HostsBandit {
		problems = append(problems, fmt.Errorf("hosts: unknown value %d: %w", opts.Hosts, orbweaver.ErrInput))
	}
	if opts.Method != Focused && opts.Hosts != HostsFound {
		problems = append(problems, fmt.Errorf("hosts: only method focused orders hosts: choose it, or leave hosts out: %w", orbweaver.ErrInput))
	}
	if opts.Classifier > Online {
		problems = append(problems, fmt.Errorf("classifier: unknown value %d: %w", opts.Classifier, orbweaver.ErrInput))
	}
	if opts.Method != Focused && opts.Classifier != Rules {
		problems = append(problems, fmt.Errorf("classifier: only method focused uses an online classifier: choose it, or leave classifier out: %w", orbweaver.ErrInput))
	}
	if opts.HR > LeadLink {
		problems = append(problems, fmt.Errorf("hr: unknown value %d: %w", opts.HR, orbweaver.ErrInput))
	}
	if opts.Method == Focused && opts.KeepN {
		problems = append(problems, fmt.Errorf("keep_n: method focused does not follow links of class N: choose another, or leave keep_n out: %w", orbweaver.ErrInput))
	}
	if opts.Method == DynamicDepth {
		if opts.Depth < 1 || opts.Depth > maxAllowance {
			problems = append(problems, fmt.Errorf("depth: %d is not within 1 and %d: %w", opts.Depth, maxAllowance, orbweaver.ErrInput))
		}
		if opts.Grow < 0 || opts.Grow > maxAllowance {
			problems = append(problems, fmt.Errorf("grow: %d is not within 0 and %d: %w", opts.Grow, maxAllowance, orbweaver.ErrInput))
		}
	}
	if err := join(problems, &opts); err != nil {
		return nil, err
	}
	if opts.HarvestMost <= 0 {
		opts.HarvestMost = DefaultOptions().HarvestMost
	}
	lists.packs = opts.Beyond.Harvest
	lists.anySuffix, lists.letters = !opts.Beyond.Plausible, opts.Readings.Match == MatchLetters
	f := &Focus{
		opts: opts, lists: lists, similar: newSimilar(), places: newPairs(maxDocuments), records: newRecords(), documents: newPairs(maxDocuments), terms: newPairs(maxTerms),
		hosts: newPairs(maxHosts), domains: newDomains(), asked: newDomains(), learned: newLearned(),
		unsettled: newUnsettled(), yields: newYields(),
	}
	if opts.Classifier == Online {
		f.model = online.New(opts.Seed, onlineRules())
	}
	return f, nil
}
