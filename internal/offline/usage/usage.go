// Package usage collects what a page, its response and the files of its host say about uses of the page by language models, and under which
// licence it is: hints, each with what it is, where it stands and its value. It draws no legal conclusions: a page without hints may be
// reserved, and a hint may not bind whoever reads it.
//
// Sources are robots.txt (groups for crawlers of language models; Content-Usage by draft-ietf-aipref-attach and -vocab; Content-Signal by
// contentsignals.org), the header fields of the same names, X-Robots-Tag and <meta name="robots"> (noai, noimageai, noml), the TDM Reservation
// Protocol (W3C community group report: header field, <meta>, /.well-known/tdmrep.json), and licences: rel=license, <meta> of Dublin Core and
// others, and the page's data about what it is mainly about. What stands in PDF and EPUB files themselves is not read.
//
// Input is hostile: sizes and numbers are bounded, and what cannot be read says nothing.
//
// This package is not part of the stable API.
package usage

import (
	"bytes"
	"iter"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"orbweaver"
	"orbweaver/fetch/robots"
	"orbweaver/page/dublin"
	"orbweaver/rdf"
)

// The kinds of hints.
const (
	AgentDisallowed = "agent-disallowed" // robots.txt disallows the page for a crawler of language models, in a group of that name
	ContentUsage    = "content-usage"    // a Content-Usage preference
	ContentSignal   = "content-signal"   // a Content-Signal
	Robots          = "robots"           // a robots directive about language models: noai, noimageai, noml
	TDMReservation  = "tdm-reservation"  // TDM Reservation Protocol: 1 reserved, 0 not
	TDMPolicy       = "tdm-policy"       // where its policy stands
	License         = "license"          // an IRI or path of a licence
	Rights          = "rights"           // a statement of rights
)

// A Hint is one thing that is said.
type Hint struct {
	Kind   string   `json:"kind"`
	From   string   `json:"from"` // "robots.txt", "header NAME", "meta NAME", "link", "data" or "tdmrep.json"
	Value  string   `json:"value"`
	Agents []string `json:"agents,omitempty"` // for whom it is said, if not for all
	// Reserves: it asks that text of the page is not used to train or feed language models, by its own words.
	Reserves bool `json:"reserves,omitempty"`
}

// Limits of reading.
const (
	maxSource = 1 << 20 // bytes of a page that are looked through for <meta>
	maxValue  = 300     // bytes of a value
	maxHints  = 64      // of a page
	maxFields = 32      // header fields of a name
)

// A Host is what the files of a host say; the zero Host says nothing.
type Host struct {
	usages *robots.Usages
	agents []agent
	tdm    []rule
}

// agent is a crawler of language models that robots.txt has a group for.
type agent struct {
	name  string
	rules *robots.Rules
}

// NewHost reads robots.txt and tdmrep.json of a host; nil: there is none.
func NewHost(robotsTxt, tdmrep []byte) *Host {
	h := &Host{usages: robots.ParseUsages(robotsTxt), tdm: parseTDM(tdmrep)}
	for _, name := range Agents() {
		if _, named := slices.BinarySearch(h.usages.Named(), strings.ToLower(name)); named {
			h.agents = append(h.agents, agent{name, robots.Parse(robotsTxt, name)})
		}
	}
	return h
}

// Agents returns the product tokens of crawlers that collect pages for language models, to train them or to answer with, as their
// operators name them, sorted regardless of case. Names with digits are no product tokens, and left out.
func Agents() []string {
	return []string{
		"Amazonbot", "anthropic-ai", "Applebot-Extended", "bedrockbot", "Bytespider", "CCBot", "ChatGPT-User", "Claude-SearchBot",
		"Claude-User", "Claude-Web", "ClaudeBot", "cohere-ai", "cohere-training-data-crawler", "DeepSeekBot", "Diffbot", "DuckAssistBot",
		"FacebookBot", "Google-CloudVertexBot", "Google-Extended", "GPTBot", "Meta-ExternalAgent", "Meta-ExternalFetcher",
		"MistralAI-User", "OAI-SearchBot", "Omgilibot", "PanguBot", "Perplexity-User", "PerplexityBot", "Timpibot", "Webzio-Extended", "YouBot",
	}
}

// isAgent reports whether a name is that of such a crawler.
func isAgent(name string) bool {
	return slices.ContainsFunc(Agents(), func(known string) bool { return strings.EqualFold(known, name) })
}

// Of returns the hints of a page, in the order of the sources above, without repetitions. path is that of its URL, with the query; header that
// of the response; p was read with page.Options.KeepBody; data are its statements, nil: none. host may be nil.
func Of(path string, header http.Header, p *orbweaver.Page, data iter.Seq[rdf.Triple], host *Host) []Hint {
	f := &finding{}
	f.host(path, host)
	f.header(header)
	f.meta(p.Body)
	f.licences(p, data)
	f.settle()
	return f.hints
}

// Reserved reports whether one of the hints reserves.
func Reserved(hints []Hint) bool {
	return slices.ContainsFunc(hints, func(h Hint) bool { return h.Reserves })
}

// finding collects hints.
type finding struct {
	hints []Hint
}

func (f *finding) add(h Hint) {
	h.Value = clean(h.Value)
	if h.Value == "" || len(f.hints) >= maxHints {
		return
	}
	for i := range f.hints {
		if k := &f.hints[i]; k.Kind == h.Kind && k.From == h.From && k.Value == h.Value && (len(k.Agents) > 0) == (len(h.Agents) > 0) {
			k.Agents = append(k.Agents, h.Agents...)
			slices.Sort(k.Agents)
			k.Agents = slices.Compact(k.Agents)
			return
		}
	}
	f.hints = append(f.hints, h)
}

// clean returns a value on one line, without control characters, of limited length.
func clean(s string) string {
	s = strings.ToValidUTF8(s[:min(len(s), 8*maxValue)], "\ufffd")
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= maxValue {
		return s
	}
	n := maxValue
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// host adds what the files of the host say of a path.
func (f *finding) host(path string, h *Host) {
	if h == nil {
		return
	}
	for _, a := range h.agents {
		if allowed, line := a.rules.Allows(path); !allowed {
			f.add(Hint{Kind: AgentDisallowed, From: "robots.txt", Value: line, Agents: []string{a.name}, Reserves: true})
		}
	}
	for _, u := range h.usages.For(path) {
		agents, all := []string(nil), slices.Contains(u.Agents, "*")
		for _, name := range u.Agents {
			if !all && isAgent(name) {
				agents = append(agents, name)
			}
		}
		if all || len(agents) > 0 {
			f.add(Hint{Kind: u.Field, From: "robots.txt", Value: u.Value, Agents: agents, Reserves: denies(u.Value)})
		}
	}
	for _, r := range h.tdm {
		if robots.Match(r.Location, path) {
			f.reservation("tdmrep.json", r.reservation, r.Policy)
			break
		}
	}
}

// denies reports whether a list of preferences denies training or input of models: "train-ai=n", "ai-train=no", "ai-input=no".
func denies(list string) bool {
	for item := range strings.SplitSeq(list, ",") {
		item, _, _ = strings.Cut(item, ";") // parameters of structured fields
		key, value, _ := strings.Cut(item, "=")
		value = strings.ToLower(strings.Trim(strings.TrimSpace(value), `"`))
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "train-ai", "train-genai", "ai-train", "ai-input":
			if value == "n" || value == "no" {
				return true
			}
		}
	}
	return false
}

// header adds what header fields say.
func (f *finding) header(h http.Header) {
	fields := func(name string) []string {
		all := h[http.CanonicalHeaderKey(name)]
		return all[:min(len(all), maxFields)]
	}
	for _, v := range fields("Content-Usage") {
		f.add(Hint{Kind: ContentUsage, From: "header Content-Usage", Value: v, Reserves: denies(v)})
	}
	for _, v := range fields("Content-Signal") {
		f.add(Hint{Kind: ContentSignal, From: "header Content-Signal", Value: v, Reserves: denies(v)})
	}
	for _, v := range fields("X-Robots-Tag") {
		f.directives("header X-Robots-Tag", v, "")
	}
	f.reservation("header", h.Get("Tdm-Reservation"), h.Get("Tdm-Policy"))
}

// directives adds those robots directives that are about models. agent is whom all are for; empty: all, or the one named before a colon.
func (f *finding) directives(from, list, agent string) {
	for directive := range strings.SplitSeq(list[:min(len(list), 4*maxValue)], ",") {
		if name, rest, named := strings.Cut(directive, ":"); named {
			agent, directive = strings.TrimSpace(name), rest
		}
		switch word := strings.ToLower(strings.TrimSpace(directive)); word {
		case "noai", "noimageai", "noml":
			h := Hint{Kind: Robots, From: from, Value: word, Reserves: word != "noimageai"}
			if agent != "" && agent != "*" {
				h.Agents = []string{clean(agent)}
			}
			f.add(h)
		}
	}
}

// reservation adds a statement of the TDM Reservation Protocol. What it says of values other than 0 and 1 is: unset.
func (f *finding) reservation(from, value, policy string) {
	value = strings.TrimSpace(value)
	named := func(name string) string {
		if from == "tdmrep.json" {
			return from
		}
		return from + " " + name
	}
	if value == "0" || value == "1" {
		f.add(Hint{Kind: TDMReservation, From: named(TDMReservation), Value: value})
	}
	if policy != "" {
		f.add(Hint{Kind: TDMPolicy, From: named(TDMPolicy), Value: policy})
	}
}

// settle lets the last statement of the TDM Reservation Protocol reserve: <meta> overrides the header field, and that the file of the host.
func (f *finding) settle() {
	for i := len(f.hints) - 1; i >= 0; i-- {
		if h := &f.hints[i]; h.Kind == TDMReservation {
			h.Reserves = h.Value == "1"
			return
		}
	}
}

// meta reads the <meta> of a page.
func (f *finding) meta(source []byte) {
	z := html.NewTokenizer(bytes.NewReader(source[:min(len(source), maxSource)]))
	reserved, policy := "", ""
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		tag, more := z.TagName()
		if string(tag) != "meta" {
			continue
		}
		name, content := "", ""
		for more {
			var key, value []byte
			switch key, value, more = z.TagAttr(); string(key) {
			case "name", "property":
				name = string(value[:min(len(value), maxValue)])
			case "content":
				content = string(value[:min(len(value), 8*maxValue)])
			}
		}
		switch lower := strings.ToLower(strings.ReplaceAll(name, ":", ".")); {
		case lower == "robots":
			f.directives("meta robots", content, "")
		case isAgent(name):
			f.directives("meta "+name, content, name)
		case lower == TDMReservation && reserved == "":
			reserved = content
		case lower == TDMPolicy && policy == "":
			policy = content
		case slices.Contains([]string{"dc.rights", "dcterms.rights", "dcterms.license", "dc.rights.license", "dcterms.accessrights", "rights", "license", "copyright"}, lower):
			f.add(terms("meta "+lower, content))
		}
	}
	f.reservation("meta", reserved, policy)
}

// terms returns a hint of a licence, if the value is an address, or else of rights.
func terms(from, value string) Hint {
	if value = strings.TrimSpace(value); strings.Contains(value, "://") && !strings.ContainsAny(value, " \t\n") {
		return Hint{Kind: License, From: from, Value: value}
	}
	return Hint{Kind: Rights, From: from, Value: value}
}

// maxLicences bounds the links to licences: galleries have one for each picture.
const maxLicences = 8

// licences adds links to licences, and what the page's data says of what it is mainly about.
func (f *finding) licences(p *orbweaver.Page, data iter.Seq[rdf.Triple]) {
	n := 0
	for _, l := range p.Links {
		if !slices.Contains(strings.Fields(l.Rel), "license") || l.Origin == orbweaver.FromTriple {
			continue
		}
		if n++; n > maxLicences {
			break
		}
		from := "link"
		if l.Origin == orbweaver.FromHeader {
			from = "header Link"
		}
		f.add(Hint{Kind: License, From: from, Value: l.To})
	}
	if data == nil {
		return
	}
	alone := *p // without what was read above
	alone.Body, alone.Links = nil, nil
	if rights := dublin.Of(&alone, data).Rights; rights != "" {
		f.add(terms("data", rights))
	}
}
