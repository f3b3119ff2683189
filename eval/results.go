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
	"orbweaver/ledger"
)

// The script that filters, sorts and pages results, and their part of a report; nothing writes them.
var (
	//go:embed results.js
	resultsScript string
	//go:embed results.html
	resultsPart string
)

// Bounds of the results that a report has within it.
const (
	resultsBytes  = 8 << 20 // of their data
	firstResults  = 50      // that are there without a script, and on each page with it; of RDF documents as many
	nearestPages  = 20      // shown where none was accepted
	shownWhy      = 3       // reasons of a result
	shownCopies   = 10      // addresses of copies of a result
	longestURL    = 2000    // bytes; a result with a longer one is left out
	longestReason = 200     // bytes
)

// resultsView is what was accepted, as a report opens with it.
type resultsView struct {
	Topic      []string // what was looked for
	Focus      string
	Pages, RDF []hit  // those shown without a script
	PageCount  int    // in the data
	RDFCount   int    // likewise
	Left       int    // accepted, and not in the data
	Copies     int    // accepted, and folded into their originals
	RDFFirst   bool   // the best is a document of RDF
	From       string // the score from which pages are accepted; "": there is none
	None       bool   // nothing was accepted: these came nearest
	Folder     string
	Data       template.JS // all of them
	Script     template.JS
}

// hit is a page, or a document of RDF, among the results. Its title and snippet are parts, of which every
// second one is to be marked.
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
	More     int      `json:"m,omitempty"` // copies that are not named
	Relevant bool     `json:"r,omitempty"`
	Order    int64    `json:"n"`
}

// Linked is the address as one may follow it; "": it is that of no page.
func (h hit) Linked() string {
	if strings.HasPrefix(h.URL, "http://") || strings.HasPrefix(h.URL, "https://") {
		return h.URL
	}
	return ""
}

// Address is the address as it is shown.
func (h hit) Address() string { return printable(h.URL, 300) }

// policy is what a browser may do with a report: run the one script in it, and load nothing.
func policy() string {
	sum := sha256.Sum256([]byte(resultsScript))
	return "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'"
}

// results are the accepted pages of a tally, the best first; where there are none, those that came nearest.
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

// fold puts accepted copies under their originals, and returns their addresses by those. Of copies whose
// original is not among the lines, since it changed or went since, the first is one of the lines.
func (t *tally) fold(lines []ledger.Line) (all []ledger.Line, copies map[string][]string) {
	shown := make(map[string]string, len(lines)) // original → the address that it is reported under
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
	slices.SortStableFunc(lines, compareLines)
	return lines, copies
}

// originalOf is the page whose content a line repeats; "": it repeats none.
func originalOf(l ledger.Line) string {
	at := slices.IndexFunc(l.Reasons, func(r orbweaver.Reason) bool { return r.Rule == ruleDuplicate || r.Rule == ruleNearDuplicate })
	if at < 0 {
		return ""
	}
	return l.Reasons[at].Evidence
}

// hitOf is a line as a result.
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

// marked parts a text: every second part is what reasons name.
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

// isRDF reports whether a media type is that of a document of RDF.
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
