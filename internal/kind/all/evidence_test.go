package all

import (
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/focus/keyword"
	focuskrs "orbweaver/focus/krs"
	focusontology "orbweaver/focus/ontology"
	"orbweaver/internal/console"
	"orbweaver/internal/kind"
	"orbweaver/internal/kind/krs"
	"orbweaver/internal/realdata"
	"orbweaver/kb/ontology"
	"orbweaver/page"
	"orbweaver/text"
	"orbweaver/text/lemma"
	"orbweaver/text/tag"
)

// demo are the pages of the demo web, by URL, and their URLs in order.
func demo(t *testing.T) (pages map[string]*orbweaver.Page, urls []string) {
	t.Helper()
	web, err := archive.OpenWeb([]string{filepath.Join(realdata.Root(t), "examples/demo.warc.gz")}, archive.WebOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	reader := page.NewReader(page.Options{})
	pages = map[string]*orbweaver.Page{}
	for entry := range web.All() {
		answer, err := web.Fetch(t.Context(), orbweaver.Request{URL: entry.URL})
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if answer.Redirect != "" || answer.Status != 200 {
			continue
		}
		if p, err := reader.Read(t.Context(), answer, body); err == nil && len(p.Text) > 200 {
			pages[entry.URL] = p
			urls = append(urls, entry.URL)
		}
	}
	if len(urls) < 500 {
		t.Fatalf("%d pages", len(urls))
	}
	return pages, urls
}

// instanceOf makes a focus by its section of a crawl file.
func instanceOf(t *testing.T, section string) kind.Instance {
	t.Helper()
	file, err := Kinds().Schema().Read("crawl.yaml", t.TempDir(), []byte("seeds: [http://s.test/]\nfocus: "+section))
	if err != nil {
		t.Fatal(err)
	}
	in, err := kind.New(t.Context(), file.Focus, &kind.Env{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	})
	return in
}

// schemaOf learns a KRS from pages about aircraft, against those of the other sites.
func schemaOf(t *testing.T, pages map[string]*orbweaver.Page, urls []string) string {
	t.Helper()
	folder := t.TempDir()
	var corpus, others []string
	for i, url := range urls {
		name := filepath.Join(folder, fmt.Sprintf("%03d.txt", i))
		if err := os.WriteFile(name, []byte(pages[url].Title+"\n\n"+pages[url].Text+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(url, "//skylines.") {
			corpus = append(corpus, name)
		} else if i%5 == 0 {
			others = append(others, name)
		}
	}
	dir := filepath.Join(folder, "aircraft.krs")
	jobs := krs.Jobs{Console: console.Console{Out: io.Discard, Err: io.Discard}}
	if err := jobs.Build(t.Context(), krs.Job{Dir: dir, Topic: "aircraft", Corpus: corpus, Background: others}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// times are the counts in a reason.
var times = regexp.MustCompile(`×(\d+)`)

// count adds up the first n counts of a reason; n < 0: all.
func count(t *testing.T, evidence string, n int) (sum int) {
	t.Helper()
	for _, found := range times.FindAllStringSubmatch(evidence, n) {
		more, err := strconv.Atoi(found[1])
		if err != nil {
			t.Fatal(err)
		}
		sum += more
	}
	return sum
}

// A named is what a reason names, and how often the page has it as the reason tells; -1: it does not.
type named struct {
	rule, name string
	times      int
}

// TestEvidence: on each page of the demo web every name in a reason has the spans that its count says, every span is of a
// name in a reason, and its words are a form of what it names.
func TestEvidence(t *testing.T) {
	pages, urls := demo(t)
	root := filepath.Join(realdata.Root(t), "examples")
	item := filepath.Join(t.TempDir(), "item.html")
	about := pages["http://skylines.example/types/a320.html"]
	source := "<title>" + html.EscapeString(about.Title) + "</title><p>" + strings.ReplaceAll(html.EscapeString(about.Text), "\n\n", "</p><p>")
	if err := os.WriteFile(item, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	aircraft, err := ontology.Load(filepath.Join(root, "aircraft.ttl"))
	if err != nil {
		t.Fatal(err)
	}
	entity := func(t *testing.T, r orbweaver.Reason) []named {
		name, _, ok := focusontology.EntityOf(r)
		switch {
		case !ok:
			return nil
		case strings.HasSuffix(r.Evidence, "…"):
			return []named{{r.Rule, name, -1}}
		}
		return []named{{r.Rule, name, count(t, r.Evidence, -1)}}
	}
	entries := func(s orbweaver.Span, _ string) (forms []string) {
		i, _ := aircraft.Find(s.IRI)
		for _, e := range aircraft.EntriesOf(i) {
			forms = append(forms, e.Text)
		}
		return forms
	}
	noun := func(t *testing.T, r orbweaver.Reason) []named {
		n, ok := focuskrs.NounOf(r)
		if !ok {
			return nil
		}
		return []named{{r.Rule, n.Words, count(t, r.Evidence, 1)}}
	}
	lemmas := lemma.New()
	nouns := func(s orbweaver.Span, words string) []string {
		switch {
		case s.IRI != "":
			return nil // a gazetteer has names that are spelled otherwise
		case lemmas.Lemma(words, tag.NNS) == lemmas.Lemma(s.Name, tag.NNS): // leaf, leaves
			return []string{s.Name, words}
		}
		return []string{s.Name}
	}
	dir := schemaOf(t, pages, urls)
	for _, tc := range []struct {
		name, section string
		names         func(*testing.T, orbweaver.Reason) []named
		forms         func(s orbweaver.Span, words string) []string // of what a span of such words names; nil: not known
		every, least  int                                           // pages looked at, and those with a span
	}{
		{"ontology", fmt.Sprintf("{ontology: {files: [%s/aircraft.ttl], target: ['http://orbweaver.example/aircraft#Airplane']}}", root), entity, entries, 1, 500},
		{"two targets", fmt.Sprintf("{ontology: {files: [%s/aircraft.ttl], target: ['http://orbweaver.example/aircraft#Airplane', 'http://orbweaver.example/aircraft#Airport'], combine: max}}", root), entity, entries, 1, 500},
		{"keyword", "{keyword: {terms: [airplane, jet engine, wing, plane, garden]}}", func(_ *testing.T, r orbweaver.Reason) []named {
			if name, _, ok := strings.Cut(r.Evidence, ": "); ok && r.Rule == keyword.RuleTerm {
				return []named{{r.Rule, name, -1}}
			}
			return nil
		}, func(s orbweaver.Span, _ string) []string { return []string{s.Name} }, 1, 200},
		{"crossref", fmt.Sprintf("{crossref: {item: %s}}", item), func(_ *testing.T, r orbweaver.Reason) (all []named) {
			if r.Rule == "terms" {
				for name := range strings.SplitSeq(r.Evidence, ", ") {
					all = append(all, named{r.Rule, name, -1})
				}
			}
			return all
		}, func(s orbweaver.Span, _ string) []string { return []string{s.Name} }, 1, 200},
		{"krs", fmt.Sprintf("{krs: {file: %s}}", dir), noun, nouns, 4, 150},
		{"krs, the paper's rule", fmt.Sprintf("{krs: {file: %s, rule: paper}}", dir), noun, nouns, 4, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			focus := instanceOf(t, tc.section).Focus()
			shows, ok := kind.Evidencer(focus)
			if !ok {
				t.Fatalf("%T shows no evidence", focus)
			}
			some := 0
			for i, url := range urls {
				if i%tc.every != 0 {
					continue
				}
				p := pages[url]
				j, err := focus.Judge(t.Context(), p)
				if err != nil {
					t.Fatal(err)
				}
				spans, err := shows.Evidence(t.Context(), p)
				if err != nil {
					t.Fatal(err)
				}
				if len(spans) > 0 {
					some++
				}
				inOrder(t, p, spans)
				counted(t, url, j, spans, tc.names)
				formed(t, p, spans, tc.forms)
			}
			if some < tc.least {
				t.Errorf("evidence on %d pages, not %d", some, tc.least)
			}
		})
	}
	if _, ok := kind.Evidencer(instanceOf(t, "{breadth_first: {}}").Focus()); ok {
		t.Error("a focus without reasons shows evidence")
	}
}

// inOrder checks where spans stand.
func inOrder(t *testing.T, p *orbweaver.Page, spans []orbweaver.Span) {
	t.Helper()
	if len(spans) > 1000 {
		t.Errorf("%s: %d spans", p.URL, len(spans))
	}
	for i, s := range spans {
		in, ok := map[string]string{orbweaver.InTitle: p.Title, orbweaver.InText: p.Text}[s.Field]
		if !ok || s.Start < 0 || s.Start >= s.End || s.End > len(in) || !utf8.ValidString(in[:s.Start]) || !utf8.ValidString(in[s.Start:s.End]) {
			t.Fatalf("%s: %+v", p.URL, s)
		}
		if i > 0 && (spans[i-1].Field == orbweaver.InText && s.Field == orbweaver.InTitle || spans[i-1].Field == s.Field && spans[i-1].Start > s.Start) {
			t.Errorf("%s: %+v before %+v", p.URL, spans[i-1], s)
		}
	}
}

// counted checks that reasons and spans name the same, as often.
func counted(t *testing.T, url string, j orbweaver.Judgement, spans []orbweaver.Span, names func(*testing.T, orbweaver.Reason) []named) {
	t.Helper()
	type of struct{ rule, name string }
	met := map[of]int{}
	for _, s := range spans {
		met[of{s.Rule, s.Name}]++
	}
	told := map[of]int{}
	for _, r := range j.Reasons {
		for _, n := range names(t, r) {
			is := of{n.rule, n.name}
			if was, again := told[is]; again && was >= 0 && n.times >= 0 {
				n.times += was
			}
			told[is] = n.times
		}
	}
	for is, n := range told {
		if met[is] == 0 || n >= 0 && met[is] != n {
			t.Errorf("%s: %v stands there %d times, and %d spans show it", url, is, n, met[is])
		}
		delete(met, is)
	}
	for is, n := range met {
		t.Errorf("%s: %d spans of %v, which no reason names", url, n, is)
	}
}

// formed checks that the words of spans are forms of what they name.
func formed(t *testing.T, p *orbweaver.Page, spans []orbweaver.Span, forms func(orbweaver.Span, string) []string) {
	t.Helper()
	for _, s := range spans {
		in := p.Text
		if s.Field == orbweaver.InTitle {
			in = p.Title
		}
		in = in[s.Start:s.End]
		var phrases []text.Phrase
		for _, form := range forms(s, in) {
			phrases = append(phrases, text.Phrase{Text: form})
		}
		if phrases == nil {
			continue
		}
		m := text.NewFoldedLexicon(phrases).Matcher(p.Lang)
		if got := m.Match(in); len(got) != 1 || got[0].Start != 0 || got[0].End != len(in) {
			t.Errorf("%s: %q is no form of %s", p.URL, in, s.Name)
		}
		m.Release()
	}
}
