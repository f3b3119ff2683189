package labelmodel

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/kb/labels"
	"orbweaver/kb/stream"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

// subjectModel returns a model about kites, soups and boats.
func subjectModel(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	dir := filepath.Join(folder, "m")
	must(t, Training{Stream: []string{lineStream(t, folder, "s.jsonl", 0, 200)}, Out: dir, Lang: "en"})
	return dir
}

// printed returns the output of a printing function.
func printed(t *testing.T, f func(*console.Console) error) string {
	t.Helper()
	var out bytes.Buffer
	if err := f(&console.Console{Out: &out, Err: &out}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestShow: figures, labels and rules, as text and as JSON.
func TestShow(t *testing.T) {
	dir := subjectModel(t)
	text := printed(t, func(c *console.Console) error { return Show(c, dir, "", ShowOptions{Top: 3}) })
	for _, want := range []string{"items       200", "digest ", "kites\n", "→ ", "alpha"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	var shown struct {
		Labels []struct {
			Label string
			Items float64
		}
		Rules []struct {
			Label, Set string
			P, Support float64
		}
		Statistics labels.Statistics
	}
	asJSON := printed(t, func(c *console.Console) error { return Show(c, dir, "", ShowOptions{Label: "KITES", JSON: true}) })
	if err := json.Unmarshal([]byte(asJSON), &shown); err != nil || shown.Statistics.Labels != len(shown.Labels) || len(shown.Rules) == 0 {
		t.Fatalf("%v, %+v", err, shown)
	}
	for i, r := range shown.Rules {
		if r.Label != "kites" || r.P < 0.5 || r.Support < 6 || i > 0 && r.Support > shown.Rules[i-1].Support {
			t.Errorf("rule %d: %+v", i, r)
		}
	}
	err := Show(&console.Console{Out: &bytes.Buffer{}}, dir, "", ShowOptions{Label: "kitesurf"})
	if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "near are kites") {
		t.Error(err)
	}
}

// TestTree: each label stands below its nearest broader ones, and the RDF agrees.
func TestTree(t *testing.T) {
	dir := subjectModel(t)
	m, _, err := Open(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	text := printed(t, func(c *console.Console) error { return Tree(t.Context(), c, dir, "", "", "text") })
	var path []string
	lines, edges := 0, map[[2]string]bool{}
	for line := range strings.Lines(text) {
		name, _, ok := strings.Cut(strings.TrimSpace(line), " (")
		if !ok {
			continue
		}
		depth := (len(line) - len(strings.TrimLeft(line, " "))) / 2
		path = append(path[:depth], name)
		if lines++; depth > 0 {
			edges[[2]string{path[depth-1], name}] = true
		}
	}
	want := 0
	for _, l := range m.Labels.Labels() {
		for _, b := range m.Labels.Broader(l.Text) {
			if want++; !edges[[2]string{m.Show(b), m.Show(l.Text)}] {
				t.Errorf("%s is not below %s in\n%s", m.Show(l.Text), m.Show(b), text)
			}
		}
	}
	if want != len(edges) || want < 15 {
		t.Errorf("%d edges, %d shown", want, len(edges))
	}
	part := printed(t, func(c *console.Console) error { return Tree(t.Context(), c, dir, "", "bridle", "text") })
	if !strings.HasPrefix(part, "kites") || !strings.Contains(part, "\nbridle (") || strings.Contains(part, "soups") {
		t.Errorf("a part:\n%s", part)
	}
	for format, least := range map[string]int{"skos": 0, "swrl": 1} {
		text := printed(t, func(c *console.Console) error { return Tree(t.Context(), c, dir, "", "", format) })
		broader, rules := 0, 0
		for q, err := range turtle.Read(strings.NewReader(text), syntax.Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(q.P.Value, "core#broader") {
				broader++
			}
			if strings.HasSuffix(q.O.Value, "swrl#Imp") {
				rules++
			}
		}
		if broader != want || (rules > 0) != (least > 0) {
			t.Errorf("%s: %d broader, %d rules", format, broader, rules)
		}
	}
}

// TestWhy: labels that are terms, that rules derive and that are broader, each with its evidence.
func TestWhy(t *testing.T) {
	dir := subjectModel(t)
	m, _, err := Open(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	doc := Text{ID: "note", Lang: "en", Text: "A spar and a bridle."}
	x, err := Explain(m, doc)
	if err != nil || len(x.Terms) != 2 {
		t.Fatalf("%+v, %v", x, err)
	}
	found := map[string]heldBecause{}
	for _, l := range x.Labels {
		found[l.Label] = l
		for _, p := range l.Proofs {
			if p.Chain[len(p.Chain)-1] != l.Label || !p.Own && len(p.Alpha)+len(p.Beta) == 0 {
				t.Errorf("%s does not follow: %+v", l.Label, p)
			}
			for _, e := range append(p.Alpha, p.Beta...) {
				if e.Both > e.Has || e.P < e.Both/e.Has-1e-9 || e.P > e.Both/e.Has+1e-9 {
					t.Errorf("%s: %+v", l.Label, e)
				}
			}
		}
	}
	if k := found["kites"]; k.By != labels.ByAlpha || k.Strength < 0.9 || found["bridle"].By != labels.ByTerm || len(found["soups"].Proofs) > 0 {
		t.Errorf("%+v", found)
	}
	text := printed(t, func(c *console.Console) error { return Why(c, m, doc, false) })
	for _, want := range []string{"is one of its terms: bridle", "Alpha rule: bridle → kites: 18 items have the term", "broader: bridle < kites"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "%!") {
		t.Error(text)
	}
	var again Explanation
	if err := json.Unmarshal([]byte(printed(t, func(c *console.Console) error { return Why(c, m, doc, true) })), &again); err != nil || len(again.Labels) != len(x.Labels) {
		t.Error(err)
	}
	for _, tc := range []struct{ text, says string }{{"", "no word"}, {"12 3", "numbers"}, {"the and of", "stop words"}, {"Zzyzx qwrtz.", "none of its words"}} {
		if _, err := Explain(m, Text{ID: "odd", Lang: "en", Text: tc.text}); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%q: %v", tc.text, err)
		}
		if held := Held(m, Text{Text: tc.text}); len(held) > 0 {
			t.Errorf("%q has %v", tc.text, held)
		}
	}
	if named := Named(m, "soups with salt"); !named["soup"] || named["kite"] || Named(nil, "x") != nil {
		t.Errorf("%v", named)
	}
}

// TestDrift: the changes since an item or a day.
func TestDrift(t *testing.T) {
	dir := subjectModel(t)
	count := func(o DriftOptions) int {
		return strings.Count(printed(t, func(c *console.Console) error { return Drift(t.Context(), c, dir, "", o) }), "\n")
	}
	all, kinds := count(DriftOptions{}), 0
	for _, k := range []labels.Kind{labels.OfLabel, labels.OfRule, labels.OfBroader} {
		n := count(DriftOptions{Kind: k})
		if kinds += n; n == 0 {
			t.Errorf("no change of kind %s", k)
		}
	}
	terms := count(DriftOptions{Kind: labels.OfTerm})
	lines := bytes.Count(content(t, filepath.Join(dir, stream.DriftFile)), []byte("\n"))
	if all != kinds || all+terms != lines || count(DriftOptions{Since: "1", JSON: true}) != all {
		t.Errorf("%d changes, %d by kind, %d terms, %d lines", all, kinds, terms, lines)
	}
	if late := count(DriftOptions{Since: "100"}); late == 0 || late >= all {
		t.Errorf("%d of %d since the 100th", late, all)
	}
	if day := count(DriftOptions{Since: "2020-01-28"}); day == 0 || day >= all {
		t.Errorf("%d of %d on the last day", day, all)
	}
	if got := count(DriftOptions{Since: "2020-02-01"}); got != 0 {
		t.Errorf("%d after all", got)
	}
	con := &console.Console{Out: &bytes.Buffer{}}
	if err := Drift(t.Context(), con, dir, "", DriftOptions{Since: "June"}); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "June") {
		t.Error(err)
	}
	put(t, dir, stream.DriftFile, "{\"item\":1}\nbad\n")
	if err := Drift(t.Context(), con, dir, "", DriftOptions{}); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), stream.DriftFile+":2") {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(dir, stream.DriftFile)); err != nil {
		t.Fatal(err)
	}
	if err := Drift(t.Context(), con, dir, "", DriftOptions{}); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "no log") {
		t.Error(err)
	}
}

// TestWhereThereIsNoModel: the error names the missing model.
func TestWhereThereIsNoModel(t *testing.T) {
	crawl := t.TempDir()
	put(t, crawl, "crawl.yaml", "x")
	for dir, says := range map[string]string{crawl: "the crawl has no model", t.TempDir(): "neither a model nor a crawl", "/nowhere": "no such folder"} {
		if _, _, err := Open(dir, ""); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(fmt.Sprint(err), says) {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// TestReadText: a file, standard input, and missing text.
func TestReadText(t *testing.T) {
	con := &console.Console{In: strings.NewReader("words"), Err: &bytes.Buffer{}}
	if x, err := ReadText(t.Context(), con, "-"); err != nil || x.Text != "words" {
		t.Errorf("%+v, %v", x, err)
	}
	if x, err := ReadText(t.Context(), con, put(t, t.TempDir(), "a.html", somePage)); err != nil || x.Title != "Kites" || strings.Contains(x.Text, "<") {
		t.Errorf("%+v, %v", x, err)
	}
	for _, name := range []string{"/nowhere", put(t, t.TempDir(), "e.txt", " ")} {
		if _, err := ReadText(t.Context(), con, name); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

const somePage = "<title>Kites</title><p>A kite flies on a line in the wind, and its tail is long enough for all of us.</p>"
