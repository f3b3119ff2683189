package crawlfile

import (
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"orbweaver/internal/crawlfile/notation"
	"orbweaver/weburl"
)

// checkPrefixes reports invalid prefixes and namespaces that are not IRIs.
func (d *decoding) checkPrefixes(prefixes map[string]string) {
	for _, prefix := range sortedKeys(prefixes) {
		key := join("prefixes", prefix)
		if strings.ContainsFunc(prefix, func(r rune) bool {
			return r != '_' && r != '-' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}) {
			d.problem(key, "a prefix has letters, digits, _, - and . only", "the colon is not part of it")
		}
		if why := badIRI(prefixes[prefix]); why != "" {
			d.problem(key, shorten(prefixes[prefix])+" is no IRI: "+why, "")
		}
	}
}

// badIRI returns the reason why a text is not an absolute IRI, or "" if it is one.
func badIRI(iri string) string {
	scheme, _, found := strings.Cut(iri, ":")
	switch {
	case !found || scheme == "":
		return "it has no scheme"
	case strings.ContainsFunc(iri, func(r rune) bool { return r <= ' ' || strings.ContainsRune("<>\"{}|^`\\", r) }):
		return "it holds a space or one of <>\"{}|^`\\"
	case strings.ContainsFunc(scheme, func(r rune) bool { return !isSchemeRune(r) }) || !isLetter(rune(scheme[0])):
		return shorten(scheme) + " is no scheme"
	}
	return ""
}

// isLetter reports whether r is an ASCII letter.
func isLetter(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' }

// isSchemeRune reports whether r may occur in a URI scheme (RFC 3986, section 3.1).
func isSchemeRune(r rune) bool {
	return isLetter(r) || '0' <= r && r <= '9' || r == '+' || r == '-' || r == '.'
}

// expand returns the IRI of a name. A name in angle brackets or with :// after its scheme is an IRI. A name with a
// known prefix is a prefixed name. Other names are IRIs if they begin with urn: or tag:.
func expand(name string, prefixes map[string]string) (iri, msg, hint string) {
	name = strings.TrimSpace(name)
	if inner, ok := strings.CutPrefix(name, "<"); ok {
		inner, ok = strings.CutSuffix(inner, ">")
		if !ok {
			return "", shorten(name) + " has no closing >", ""
		}
		return checkedIRI(inner)
	}
	prefix, local, found := strings.Cut(name, ":")
	namespace, known := prefixes[prefix]
	switch {
	case !found:
		return "", shorten(name) + " is neither an IRI nor a prefixed name", "write it as ex:" + name + ", with ex: under prefixes"
	case strings.HasPrefix(local, "//"):
		return checkedIRI(name)
	case known:
		return checkedIRI(namespace + local)
	case prefix == "urn" || prefix == "tag":
		return checkedIRI(name)
	}
	hint = "add it to prefixes, or write <" + name + "> if this is an IRI"
	if near := notation.Nearest(prefix, sortedKeys(prefixes)); near != "" {
		hint = "did you mean " + near + ":" + local + "?"
	}
	return "", "prefix " + shorten(prefix) + " is not defined", hint
}

// checkedIRI returns an IRI, or a message if it is invalid.
func checkedIRI(iri string) (string, string, string) {
	if why := badIRI(iri); why != "" {
		return "", shorten(iri) + " is no IRI: " + why, ""
	}
	return iri, "", ""
}

// checkDocuments reports prefixes that no canonical URL starts with.
func (d *decoding) checkDocuments(documents map[string]string) {
	for _, prefix := range sortedKeys(documents) {
		if canonical, err := weburl.Canonical(prefix); err != nil {
			msg, hint := badURL(prefix, err)
			d.problem(join("documents", prefix), msg, hint)
		} else if canonical != prefix {
			d.problem(join("documents", prefix), "no URL starts so", "in canonical form it is "+canonical)
		}
	}
}

// checkPoliteness reports values that are invalid in a request header, and invalid proxies.
func (d *decoding) checkPoliteness(p *Politeness) {
	for key, text := range map[string]string{"user_agent": p.UserAgent, "contact": p.Contact} {
		if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
			d.problem(join("politeness", key), shorten(text)+" cannot stand in a request", "letters, digits and signs of ASCII")
		}
	}
	if weburl.Redacted(p.Contact) != p.Contact {
		d.problem("politeness.contact", "holds a user name or password", "every site would read them")
	}
	if strings.ContainsAny(p.Contact, "()\\") {
		d.problem("politeness.contact", "holds a parenthesis or backslash", "a URL or an e-mail address is wanted")
	}
	if p.Proxy == "" {
		return
	}
	if _, ok := proxyURL(p.Proxy, "http", "https"); !ok {
		d.problem("politeness.proxy", shorten(p.Proxy)+" is no proxy", "write it as http://proxy.example:3128")
	}
}

// proxyURL parses the URL of a proxy; false if it is none of these schemes.
func proxyURL(text string, schemes ...string) (*url.URL, bool) {
	proxy, err := url.Parse(text)
	return proxy, err == nil && slices.Contains(schemes, proxy.Scheme) && proxy.Hostname() != "" && (proxy.Path == "" || proxy.Path == "/")
}

// checkScope reports patterns that do not compile.
func (d *decoding) checkScope(s *Scope) {
	for i := range max(len(s.Include), len(s.Exclude), len(s.Hosts)) {
		d.checkPattern("scope.include", s.Include, i, func(p []string) error { return compileError(p, nil, nil) })
		d.checkPattern("scope.exclude", s.Exclude, i, func(p []string) error { return compileError(nil, p, nil) })
		d.checkPattern("scope.hosts", s.Hosts, i, func(p []string) error { return compileError(nil, nil, p) })
	}
}

// checkSources reports patterns that do not compile.
func (d *decoding) checkSources(patterns []string) {
	for i := range patterns {
		d.checkPattern("sources", patterns, i, func(p []string) error { return compileError(nil, p, nil) })
	}
}

// compileError returns the error of compiling a scope.
func compileError(include, exclude, hosts []string) error {
	_, err := weburl.CompileScope(include, exclude, hosts)
	return err
}

// checkPattern compiles one pattern of a list, so that the problem gets the pattern's own line.
func (d *decoding) checkPattern(key string, patterns []string, i int, compile func([]string) error) {
	if i >= len(patterns) {
		return
	}
	err := compile(patterns[i : i+1])
	if err == nil {
		return
	}
	if item := fmt.Sprintf("%s[%d]", key, i+1); d.given(item) {
		key = item
	}
	_, why, found := strings.Cut(err.Error(), fmt.Sprintf("pattern %q: ", strings.TrimSpace(patterns[i])))
	if !found {
		why = err.Error()
	}
	d.problem(key, "bad pattern "+shorten(patterns[i])+": "+why, "")
}

// checkWeb reports archives in the output folder, where the crawl writes its own, and opens the list of a sitemap.
func (d *decoding) checkWeb(web *Web, output string) {
	if web == nil {
		return
	}
	if d.checkSitemap(&web.Sitemap); output == "" {
		return
	}
	for _, path := range web.Archive {
		if rel, err := filepath.Rel(output, path); err == nil && filepath.IsLocal(rel) {
			d.problem("web.archive", path+" lies in the output folder", "write to another folder: output: PATH")
		}
	}
}

// checkFocus checks that there is exactly one focus, and checks its section by its kind.
func (d *decoding) checkFocus(f Focus, key string, c *Check) {
	if d.schema == nil {
		return
	}
	switch {
	case len(f.named) > 1:
		d.problem(key, "has "+strings.Join(f.named, " and ")+", but takes exactly one focus", "focus.blend joins several, and a comparison file runs several")
	case len(f.named) == 0 && d.given(key) && !d.troubled(key):
		d.problem(key, "names no focus", hintOf(d.schema.Keys()))
	}
	if f.kind != nil {
		c.d, c.key = d, join(key, f.Key())
		f.kind.Check(f.section, c)
	}
}

// item returns the path of a list's i-th item, counted from 0. If the file has a single value instead of the list, it
// returns the path of the list.
func (d *decoding) item(list string, i int) string {
	if path := fmt.Sprintf("%s[%d]", list, i+1); d.given(path) {
		return path
	}
	return list
}

// troubled reports whether a section or one of its keys has a problem.
func (d *decoding) troubled(key string) bool {
	return slices.ContainsFunc(d.problems, func(p Problem) bool {
		return p.Key == key || strings.HasPrefix(p.Key, key+".")
	})
}

// checkTruth checks that there is exactly one kind of truth.
func (d *decoding) checkTruth(t *Truth) {
	var kinds []string
	for _, kind := range []string{"file", "keywords", "class", "cosine"} {
		if d.given(join("truth", kind)) {
			kinds = append(kinds, kind)
		}
	}
	switch {
	case len(kinds) > 1:
		d.problem("truth", "has "+strings.Join(kinds, " and ")+", but there is one truth", "keep one of them")
	case len(kinds) == 0 && !d.troubled("truth"):
		d.problem("truth", "says nothing", "write one of: {file: PATH, topics: [...]}, {keywords: [...]}, {class: R}")
	}
	if !d.troubled("truth") && d.given("truth.file") && len(t.Topics) == 0 && t.Of == "" {
		d.problem("truth.topics", "is missing", "which topics of the file are relevant")
	}
	if d.given("truth.topics") && !d.given("truth.file") {
		d.problem("truth.topics", "has no file to be looked up in", "add file: PATH")
	}
	if d.given("truth.of") && !d.given("truth.file") {
		d.problem("truth.of", "has no file to be looked up in", "add file: PATH")
	}
	if d.given("truth.keywords") && len(t.Keywords) == 0 && !d.troubled("truth") {
		d.problem("truth.keywords", "is empty", "")
	}
}

// checkRuns checks the focus of each run, and reports names that are duplicate, reserved or invalid.
func (d *decoding) checkRuns(c *Comparison) {
	first := map[string]int{}
	for i := range c.Runs {
		run := &c.Runs[i]
		key := d.item("runs", i)
		d.checkFocus(run.Focus, join(key, "focus"), &Check{Prefixes: c.Prefixes})
		d.checkRecorded(run, key, c.Each != nil || d.given("each"))
		if run.Name == "" {
			continue
		}
		if before, twice := first[run.Name]; twice {
			d.problem(join(key, "name"), shorten(run.Name)+" is the name of another run", fmt.Sprintf("runs[%d]", before+1))
		} else {
			first[run.Name] = i
		}
		d.checkRunName(run, join(key, "name"))
	}
}

// checkBaseline reports a baseline that is no run.
func (d *decoding) checkBaseline(c *Comparison) {
	names := []string{}
	for _, run := range c.Runs {
		names = append(names, run.Name)
	}
	if d.schema == nil || !d.given("baseline") || slices.Contains(names, c.Baseline) || d.schema.always(c.Baseline) != nil || d.troubled("baseline") {
		return
	}
	d.problem("baseline", "no run is called "+shorten(c.Baseline), hintOf(names))
}

// checkRecorded checks that a run has either a focus or the requests of another crawler.
func (d *decoding) checkRecorded(run *Run, key string, items bool) {
	focus, requests := d.given(join(key, "focus")), d.given(join(key, "requests"))
	switch {
	case !focus && !requests && !d.troubled(key):
		d.problem(join(key, "focus"), "is missing", "")
	case focus && requests:
		d.problem(join(key, "requests"), "cannot be beside focus", "a run is either a crawl of ours or the requests of another crawler")
	case requests && items:
		d.problem(join(key, "requests"), "cannot be beside each", "the log of another crawler is of one crawl, and each repeats all runs for every item")
	}
}

// checkRunName reports names that are reserved or invalid in a table or path.
func (d *decoding) checkRunName(run *Run, key string) {
	always := d.schema.always(run.Name)
	switch {
	case always != nil && run.Focus.Key() != "" && run.Focus.Key() != always.Traits().Key:
		d.problem(key, shorten(run.Name)+" is the name of a run that is always there", "choose another name")
	case len(run.Name) > 64:
		d.problem(key, "longer than 64 bytes", "")
	case strings.ContainsFunc(run.Name, func(r rune) bool { return !unicode.IsPrint(r) || strings.ContainsRune("/\\", r) }),
		strings.HasPrefix(run.Name, "."), strings.TrimSpace(run.Name) != run.Name:
		d.problem(key, shorten(run.Name)+" is no name for a run", "letters, digits, spaces and signs other than / and \\, not starting with a dot")
	}
}
