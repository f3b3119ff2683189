package catalog

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"orbweaver/rdf/iri"
	"orbweaver/weburl"
)

// The maximum lengths of texts, in bytes.
const (
	maxName        = 100
	maxTitle       = 500
	maxDescription = 2000
)

// A draft is a dataset being read: additions are validated, and problems reported under its name.
type draft struct {
	*reading
	entry string // its name in problems
	d     Dataset
	full  map[string]bool // lists that are full: each is reported once
}

// draft begins a dataset with the catalogue's name for it.
func (r *reading) draft(entry string) *draft {
	return &draft{reading: r, entry: entry, d: Dataset{Name: slug(entry)}}
}

// done adds the dataset to the catalogue.
func (b *draft) done() {
	if !b.fits() {
		return
	}
	d := b.d
	if d.Name == "" {
		d.Name = nameFor(d)
	}
	slices.Sort(d.Aliases)
	slices.Sort(d.Same)
	slices.Sort(d.Keywords)
	slices.Sort(d.Links)
	d.Complete = complete(d)
	d.Sources = []string{b.name}
	b.catalogue.Datasets = append(b.catalogue.Datasets, d)
}

// nameFor derives a name for a dataset without one.
func nameFor(d Dataset) string {
	if name := slug(d.Title); name != "" {
		return strings.ToLower(name)
	}
	for _, address := range slices.Concat(d.Endpoints, []string{d.Homepage}, d.Void) {
		if name := slug(weburl.Hostname(address)); name != "" {
			return name
		}
	}
	return "dataset"
}

// complete computes Dataset.Complete: the properties are distinct, each states its triples, and these add up
// to the dataset's.
func complete(d Dataset) bool {
	if d.Triples <= 0 || len(d.Properties) == 0 {
		return false
	}
	left, seen := d.Triples, make(map[string]bool, len(d.Properties))
	for _, p := range d.Properties {
		if p.Triples <= 0 || p.Triples > left || seen[p.IRI] {
			return false
		}
		seen[p.IRI] = true
		left -= p.Triples
	}
	return left == 0
}

func (b *draft) report(format string, args ...any) { b.problem(b.entry, format, args...) }

// fitsIn reports whether a list may grow.
func (b *draft) fitsIn(list string, length int) bool {
	return b.fitsWithin(list, length, b.limits.Entries)
}

func (b *draft) fitsWithin(list string, length, most int) bool {
	if length < most {
		return true
	}
	if !b.full[list] {
		if b.full == nil {
			b.full = map[string]bool{}
		}
		b.full[list] = true
		b.report("more than %d of %s: the others are left out", most, list)
	}
	return false
}

// put adds a text to a list unless it is there.
func (b *draft) put(list string, to *[]string, text string) {
	if text != "" && b.fitsIn(list, len(*to)) && !slices.Contains(*to, text) {
		*to = append(*to, text)
	}
}

// putURL adds a Web address to a list.
func (b *draft) putURL(list string, to *[]string, raw string) {
	if canonical := b.address(list, raw); canonical != "" {
		b.put(list, to, canonical)
	}
}

// address returns the canonical form of an address; empty if missing or invalid.
func (b *draft) address(what, raw string) string {
	raw = strings.TrimSpace(raw)
	if raw == "" {
		return ""
	}
	canonical, err := weburl.Canonical(raw)
	if err != nil {
		b.report("%s: %w", what, err)
		return ""
	}
	return canonical
}

// putIRI adds an IRI unchanged: names must not be normalized.
func (b *draft) putIRI(list string, to *[]string, raw string) {
	raw = strings.TrimSpace(raw)
	if raw == "" {
		return
	}
	if !isAbsolute(raw) {
		b.report("%s: %q is no IRI", list, clipped(raw, 80))
		return
	}
	b.put(list, to, raw)
}

// isAbsolute reports whether a text is an absolute IRI.
func isAbsolute(s string) bool { return len(s) <= weburl.MaxLength && iri.Check(s) == nil }

// endpoint adds an endpoint. Default graphs in its address are moved to the dataset.
func (b *draft) endpoint(raw string) {
	canonical := b.address("endpoint", raw)
	if canonical == "" {
		return
	}
	address, graphs := withoutGraphs(canonical)
	b.put("endpoint", &b.d.Endpoints, address)
	for _, g := range graphs {
		b.putIRI("graph", &b.d.Graphs, g)
	}
}

// withoutGraphs removes the default graphs and the query from an endpoint's address.
func withoutGraphs(endpoint string) (address string, graphs []string) {
	base, query, found := strings.Cut(endpoint, "?")
	if !found {
		return endpoint, nil
	}
	var rest []string
	for parameter := range strings.SplitSeq(query, "&") {
		key, value, _ := strings.Cut(parameter, "=")
		switch key {
		case "default-graph-uri":
			if graph, err := url.QueryUnescape(value); err == nil && graph != "" {
				graphs = append(graphs, graph)
			}
		case "query", "":
		default:
			rest = append(rest, parameter)
		}
	}
	if len(rest) > 0 {
		base += "?" + strings.Join(rest, "&")
	}
	return base, graphs
}

// dump adds a dump with a media type, which may be empty.
func (b *draft) dump(raw, mediaType string) {
	if canonical := b.address("dump", raw); canonical != "" {
		b.putDump(Dump{URL: canonical, MediaType: mediaType})
	}
}

func (b *draft) putDump(d Dump) {
	same := func(other Dump) bool { return other.URL == d.URL }
	if b.fitsIn("dump", len(b.d.Dumps)) && !slices.ContainsFunc(b.d.Dumps, same) {
		b.d.Dumps = append(b.d.Dumps, d)
	}
}

// count parses a number as catalogues write it, such as "1,648,890"; 0 if invalid.
func (b *draft) count(what, text string) int64 {
	digits := strings.Map(func(c rune) rune {
		if strings.ContainsRune(", _'\u00a0\u202f", c) {
			return -1
		}
		return c
	}, strings.TrimSpace(text))
	if digits == "" {
		return 0
	}
	var n int64
	for _, c := range []byte(strings.TrimSuffix(digits, ".0")) {
		if c < '0' || c > '9' || n > (1<<62)/10 {
			b.report("%s: %q is no number", what, clipped(text, 40))
			return 0
		}
		n = n*10 + int64(c-'0')
	}
	return n
}

// date parses a date or a time; the dataset keeps the latest.
func (b *draft) date(text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	for _, layout := range [...]string{time.RFC3339Nano, "2006-01-02T15:04:05.999999", "2006-01-02Z07:00", "2006-01-02", "2006-01", "2006"} {
		if t, err := time.Parse(layout, text); err == nil && t.Year() > 0 && t.Year() < 10_000 {
			if t = t.UTC(); t.After(b.d.Modified) {
				b.d.Modified = t
			}
			return
		}
	}
	b.report("modified: %q is no date", clipped(text, 40))
}

// keyword adds a keyword.
func (b *draft) keyword(text string) {
	b.put("keyword", &b.d.Keywords, clipped(oneLine(text), maxName))
}

// resource adds a resource listed with a format: see roleOf. It reports whether the resource was usable.
func (b *draft) resource(format, address, words string) bool {
	role, mediaType := roleOf(format, address, words)
	switch role {
	case isEndpoint:
		b.endpoint(address)
	case isDump:
		b.dump(address, mediaType)
	case isVoid:
		b.putURL("VoID", &b.d.Void, address)
	case isExample:
		b.putURL("example", &b.d.Examples, address)
	case isSchema:
		b.putURL("vocabulary", &b.d.Vocabulary, address)
	}
	return role != isOther
}

// oneLine replaces each run of white space by one space.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// clipped truncates a text to length bytes, at a character boundary, and makes it valid UTF-8.
func clipped(text string, length int) string {
	if len(text) > length {
		for length > 0 && !utf8.RuneStart(text[length]) {
			length--
		}
		text = text[:length]
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// slug derives a name from a text: each invalid character becomes "-".
func slug(text string) string {
	var s strings.Builder
	for _, c := range clipped(text, 4*maxName) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '.', c == '_':
			s.WriteRune(c)
		case s.Len() > 0 && !strings.HasSuffix(s.String(), "-"):
			s.WriteByte('-')
		}
	}
	return strings.Trim(clipped(s.String(), maxName), "-.")
}

// nth names an entry without a name by its position.
func nth(i int) string { return fmt.Sprintf("entry %d", i+1) }
