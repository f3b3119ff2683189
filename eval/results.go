package eval

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"mime"
	"slices"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/ledger"
)

// The script that filters, sorts and pages results, and their template; embedded and read-only.
var (
	//go:embed results.js
	resultsScript string
	//go:embed results.html
	resultsPart string
)

// Limits of the results in a report.
const (
	resultsBytes  = 8 << 20 // of their data
	firstResults  = 50      // shown without a script, and per page with it; the same for RDF documents
	nearestPages  = 20      // shown if no page was accepted
	shownWhy      = 3       // reasons of a result
	shownCopies   = 10      // URLs of copies of a result
	longestURL    = 2000    // bytes; a result with a longer one is left out
	longestReason = 200     // bytes
)

// resultsView is the accepted pages at the start of a report.
type resultsView struct {
	Topic      []string // what was searched for
	Focus      string
	Pages, RDF []hit  // those shown without a script
	PageCount  int    // in the data
	RDFCount   int    // likewise
	Left       int    // accepted, but not in the data
	Copies     int    // accepted, and merged with their originals
	RDFFirst   bool   // the best is a document of RDF
	From       string // the acceptance threshold; "": none
	None       bool   // no page was accepted: these have the highest scores
	Folder     string
	Data       template.JS // all of them
	Script     template.JS
}

// hit is a page, or an RDF document, in the results. Its title and snippet are split into parts, of which every
// second one is highlighted.
type hit struct {
	URL      string   `json:"u"`
	Title    []string `json:"t,omitempty"`
	Snippet  []string `json:"s,omitempty"`
	Host     string   `json:"h"`
	Score    float64  `json:"p"`
	Shown    string   `json:"q"` // the score, written
	Class    string   `json:"c,omitempty"`
	Why      []string `json:"w,omitempty"`
	Copies   []string `json:"d,omitempty"`
	More     int      `json:"m,omitempty"` // copies that are not listed
	Relevant bool     `json:"r,omitempty"`
	Order    int64    `json:"n"`
}

// Linked is the URL as a link; "": it is not http or https.
func (h hit) Linked() string {
	if strings.HasPrefix(h.URL, "http://") || strings.HasPrefix(h.URL, "https://") {
		return h.URL
	}
	return ""
}

// Address is the URL as text.
func (h hit) Address() string { return printable(h.URL, 300) }

// policy is the Content-Security-Policy of a report: run its one script, and load nothing.
func policy() string {
	sum := sha256.Sum256([]byte(resultsScript))
	return "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'"
}

// results are the accepted pages of a tally, best first; without any, those of highest score.
func (t *tally) results(facts *CrawlFacts) (*resultsView, error) {
	v := &resultsView{Focus: printable(facts.Focus, 200), Folder: printable(facts.Folder, 200), Script: template.JS(resultsScript)}
	if t.threshold > 0 {
		v.From = fixed(t.threshold)
	}
	for _, target := range facts.Target {
		v.Topic = append(v.Topic, printable(localName(target), 100))
	}
	lines := t.best.list()
	if v.None = t.standing.accepted == 0; v.None {
		lines = lines[:min(len(lines), nearestPages)]
	} else if end := slices.IndexFunc(lines, func(l ledger.Line) bool { return !l.Accepted }); end >= 0 {
		lines = lines[:end]
	}
	lines, folded := t.fold(lines)
	var all struct {
		Pages []hit `json:"pages"`
		RDF   []hit `json:"rdf"`
	}
	size := 0
	for _, l := range lines {
		h := hitOf(l, folded[l.URL], facts.Truth)
		text, err := json.Marshal(h)
		if err != nil {
			return nil, err
		}
		if size += len(text) + 1; size > resultsBytes || len(h.URL) > longestURL {
			size -= len(text) + 1
			continue
		}
		v.Copies += len(h.Copies) + h.More
		if isRDF(l.Type) {
			all.RDF = append(all.RDF, h)
		} else {
			all.Pages = append(all.Pages, h)
		}
	}
	v.PageCount, v.RDFCount = len(all.Pages), len(all.RDF)
	v.RDFFirst = v.RDFCount > 0 && (v.PageCount == 0 || all.RDF[0].Score > all.Pages[0].Score)
	if !v.None {
		v.Left = max(0, t.standing.accepted-v.PageCount-v.RDFCount-v.Copies)
	}
	v.Pages, v.RDF = all.Pages[:min(firstResults, len(all.Pages))], all.RDF[:min(firstResults, len(all.RDF))]
	data, err := json.Marshal(all) // with < > & escaped: it cannot end the element it is in
	v.Data = template.JS(data)
	return v, err
}

// fold merges accepted copies with their originals, and returns the URLs of copies by original. Of copies whose
// original is not among the lines, because it changed or is gone, the first is kept as a line.
func (t *tally) fold(lines []ledger.Line) (all []ledger.Line, copies map[string][]string) {
	shown := make(map[string]string, len(lines)) // original → the URL under which it is reported
	for _, l := range lines {
		shown[l.URL] = l.URL
	}
	copies = map[string][]string{}
	for _, l := range t.copies.list() {
		if !l.Accepted {
			break
		}
		of := originalOf(l)
		under, known := shown[of]
		if !known {
			shown[of] = l.URL
			lines = append(lines, l)
			continue
		}
		copies[under] = append(copies[under], l.URL)
	}
	order.Stably(lines, compareLines)
	return lines, copies
}

// originalOf is the page whose content a line repeats; "": none.
func originalOf(l ledger.Line) string {
	at := slices.IndexFunc(l.Reasons, func(r orbweaver.Reason) bool { return r.Rule == ruleDuplicate || r.Rule == ruleNearDuplicate })
	if at < 0 {
		return ""
	}
	return l.Reasons[at].Evidence
}

// hitOf converts a line to a result.
func hitOf(l ledger.Line, copies []string, truth Truth) hit {
	h := hit{
		URL: harmless(l.URL), Host: printable(hostOf(l.URL), 100), Score: l.Score, Shown: strconv.FormatFloat(l.Score, 'f', 3, 64), Class: printable(l.Class, 60),
		Title: marked(l.Title, l.Reasons), Snippet: marked(l.Snippet, l.Reasons), Order: l.N, Relevant: truth != nil && truth.Relevant(l.URL),
	}
	raw := slices.ContainsFunc(l.Reasons, func(r orbweaver.Reason) bool { return r.Rule == "entity" })
	for _, r := range l.Reasons {
		if len(h.Why) < shownWhy && r.Rule != orbweaver.RuleThreshold && !(raw && r.Rule == "raw") { // entities say it better
			h.Why = append(h.Why, printable(Because(r), longestReason))
		}
	}
	for _, url := range copies {
		if len(h.Copies) == shownCopies {
			h.More = len(copies) - shownCopies
			break
		}
		h.Copies = append(h.Copies, printable(url, 300))
	}
	return h
}

// marked splits a text: reasons name every second part.
func marked(text string, reasons []orbweaver.Reason) (parts []string) {
	if text == "" {
		return nil
	}
	last := 0
	for _, m := range ledger.Marks(text, reasons) {
		parts = append(parts, harmless(text[last:m.Start]), harmless(text[m.Start:m.End]))
		last = m.End
	}
	return append(parts, harmless(text[last:]))
}

// isRDF reports whether a media type is that of an RDF syntax.
func isRDF(mediaType string) bool {
	if parsed, _, err := mime.ParseMediaType(mediaType); err == nil {
		mediaType = parsed
	}
	switch mediaType {
	case "text/turtle", "application/rdf+xml", "application/ld+json", "application/n-triples", "application/n-quads", "application/trig", "text/n3":
		return true
	}
	return false
}
