// Package linkeddata is the focus that finds RDF (Emamdadi, Kahani and Zarrinkalam, "A Focused Linked
// Data Crawler based on HTML Link Analysis", section III).
//
// Every link gets a class before it is followed: R, where its properties say that RDF is behind it
// (Relevancy_R, relevancy.go); HR, where its URL is similar to that of a page that led to RDF
// (Relevancy_HR, similar.go); H, another page of HTML; N, anything else, which is not followed. R goes
// before HR, HR before H, and within a class what was found first. What looks like RDF, and like much
// that was not there, goes last (record.go). Every page gets a class by its bytes and header
// (prepare.go). What is learned is a fold over outcomes: the same in the same order give the same crawl.
//
// The methods that the paper compares with follow the same links in another order: see Method. What
// counts as a term, an extension or a content type of RDF is data: see Config. How well classes were
// predicted is not its business, nor whether an HTML page is truly HR once all its links are known:
// both are views of the outcomes.
//
// This package is not part of the stable API.
package linkeddata

import (
	"errors"
	"fmt"
	"sync"

	"orbweaver"
	"orbweaver/focus/linkeddata/online"
)

// The classes of pages and links.
const (
	ClassR  = "R"  // a document of RDF, in any syntax
	ClassHR = "HR" // an HTML page with a link to RDF, or with data in it: see Lead
	ClassH  = "H"  // an HTML page of neither known kind
	ClassN  = "N"  // anything else
)

// A Method is an order in which links are followed.
type Method uint8

// The methods.
const (
	Focused       Method = iota // by class
	NonFocused                  // one priority for all, as the paper compares with
	DomainRanking               // by the share of RDF that the link's pay-level domain returned so far
	DynamicDepth                // as far as the path has links left: RDF adds some, every other page takes one
)

// ParseMethod returns the method of a name as it stands in crawl files.
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

// A Lead is what makes a page of HTML HR.
type Lead uint8

// The leads.
const (
	LeadEmbedded Lead = iota // a link to RDF, or data in the page that is not of its layout
	LeadLink                 // a link to RDF, as in the paper
)

// ParseLead returns the lead of a name as it stands in crawl files.
func ParseLead(name string) (Lead, bool) {
	switch name {
	case "embedded":
		return LeadEmbedded, true
	case "paper":
		return LeadLink, true
	}
	return LeadEmbedded, false
}

// Options say how RDF is looked for. DefaultOptions has values for all.
type Options struct {
	Config     Config
	Method     Method
	HR         Lead
	Hosts      HostOrder  // of the focused method
	Classifier Classifier // of the focused method
	Seed       uint64     // of Online: which features share a cell; the same seed gives the same crawl
	KeepN      bool       // class N is followed too; not with Focused
	Depth      int        // of DynamicDepth: links that a path without RDF goes from its seed, 1..64
	Grow       int        // of DynamicDepth: links that a document of RDF adds, 0..64
}

// DefaultOptions are the focused method by the rules, pages with data as HR, the lists of DefaultConfig,
// and for DynamicDepth 3 links, of which a document of RDF adds 1.
func DefaultOptions() Options { return Options{Config: DefaultConfig(), Depth: 3, Grow: 1} }

// maxAllowance bounds how many links a path may still go.
const maxAllowance = 64

// A Focus finds RDF. Prepare may run on any number of goroutines; all else on one.
type Focus struct {
	opts    Options
	lists   *lists
	readers sync.Pool // of *reader, for Prepare's workers

	similar   similar
	records   records
	documents pairs         // URLs at which RDF was found, or that redirect there → where it was found
	terms     pairs         // terms with an address of their own → the document that defines them
	hosts     pairs         // hosts of which a page arrived → 0
	domains   domains       // pay-level, of DomainRanking
	asked     domains       // hosts, unless HostsFound
	model     *online.Model // of Online; else nil
	redone    redone
}

// The bounds of what is learned: documents; terms, three times as many as the vocabularies that Linked
// Open Vocabularies knows have.
const maxDocuments, maxTerms = 1 << 20, 1 << 18

// redone is the page last prepared by the deciding goroutine itself.
type redone struct {
	page  *orbweaver.Page
	found *findings
}

// New checks options and makes a focus of them. Every problem is reported; all wrap
// orbweaver.ErrInput.
func New(opts Options) (*Focus, error) {
	lists, problems := compile(opts.Config)
	if opts.Method > DynamicDepth {
		problems = append(problems, fmt.Errorf("method: %d is none: %w", opts.Method, orbweaver.ErrInput))
	}
	if opts.Hosts > HostsBandit {
		problems = append(problems, fmt.Errorf("hosts: %d is none: %w", opts.Hosts, orbweaver.ErrInput))
	}
	if opts.Method != Focused && opts.Hosts != HostsFound {
		problems = append(problems, fmt.Errorf("hosts: the focused method alone chooses among hosts: %w", orbweaver.ErrInput))
	}
	if opts.Classifier > Online {
		problems = append(problems, fmt.Errorf("classifier: %d is none: %w", opts.Classifier, orbweaver.ErrInput))
	}
	if opts.Method != Focused && opts.Classifier != Rules {
		problems = append(problems, fmt.Errorf("classifier: the focused method alone goes by what is learned: %w", orbweaver.ErrInput))
	}
	if opts.HR > LeadLink {
		problems = append(problems, fmt.Errorf("hr: %d is none: %w", opts.HR, orbweaver.ErrInput))
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
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	f := &Focus{
		opts: opts, lists: lists, similar: newSimilar(), records: newRecords(), documents: newPairs(maxDocuments), terms: newPairs(maxTerms),
		hosts: newPairs(maxHosts), domains: newDomains(), asked: newDomains(),
	}
	if opts.Classifier == Online {
		f.model = online.New(opts.Seed, onlineRules())
	}
	return f, nil
}
