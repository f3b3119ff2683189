//go:build e2e

package crawls_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/crawl"
)

// acceptedNow returns the accepted pages as of now, with their scores, and the number of all; those that repeat another page are as that one.
func crawlAcceptedNow(t *testing.T, c *crawl.Crawl) (accepted map[string]float64, all int) {
	t.Helper()
	accepted = map[string]float64{}
	for p, err := range c.PagesNow(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if all++; p.Accepted {
			accepted[p.URL] = p.Score
		}
	}
	for p, err := range c.AllPages(t.Context(), crawl.PageQuery{}) {
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Reasons) == 1 && strings.HasSuffix(p.Reasons[0].Rule, "duplicate") {
			all++
			if score, ok := accepted[p.Reasons[0].Evidence]; ok {
				accepted[p.URL] = score
			}
		}
	}
	return accepted, all
}

// agree checks an effect against the accepted pages before and after.
func agree(t *testing.T, e crawl.Effect, before, after map[string]float64, all int) {
	t.Helper()
	if !e.Complete || e.Pages != all || e.Judged != all || e.Before != len(before) || e.After != len(after) {
		t.Errorf("%d of %d pages, complete %v, %d accepted, then %d; want %d, %d, %d", e.Judged, e.Pages, e.Complete, e.Before, e.After, all, len(before), len(after))
	}
	came, went := maps.Clone(after), maps.Clone(before)
	maps.DeleteFunc(came, func(url string, _ float64) bool { _, was := before[url]; return was })
	maps.DeleteFunc(went, func(url string, _ float64) bool { _, is := after[url]; return is })
	if e.Came != len(came) || e.Went != len(went) || len(e.In) < min(50, len(came)-e.Copies) || len(e.Out) < min(50, len(went)-e.Copies) {
		t.Errorf("%d came, %d went; want %d and %d", e.Came, e.Went, len(came), len(went))
	}
	for _, p := range e.In {
		if score, ok := came[p.URL]; !ok || score != p.Score || p.Was >= p.Score {
			t.Errorf("%s came with %v from %v, want %v", p.URL, p.Score, p.Was, score)
		}
	}
	least := 1.0
	for _, p := range e.Out {
		if score, ok := went[p.URL]; !ok || score != p.Was || p.Was <= p.Score || p.Was-p.Score > least {
			t.Errorf("%s went with %v from %v, want %v; before it a change of %v", p.URL, p.Score, p.Was, score, least)
		}
		least = p.Was - p.Score
	}
}

const glider = `
av:Glider a owl:Class ; rdfs:subClassOf av:Airplane ; rdfs:label "school"@en , "timetable"@en , "harbour"@en , "museum"@en .
`

// TestEffect: the effect of an edited ontology is what judging by it gives page by page, once the file is so; asking changes nothing.
func TestCrawlEffect(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "planes")
	c := planes(t, folder, 150)
	if _, err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(filepath.Dir(folder), "aircraft.ttl")
	was, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	more := append(was[:len(was):len(was)], glider...)
	less := []byte(strings.ReplaceAll(string(was), `"plane"@en`, `"aeroplane"@en`))
	before, all := crawlAcceptedNow(t, c)
	for name, content := range map[string][]byte{"more": more, "less": less, "the same": was} {
		e, err := c.Effect(t.Context(), crawl.Revision{Files: map[string][]byte{file: content}})
		if err != nil {
			t.Fatal(err)
		}
		if again, err := c.Effect(t.Context(), crawl.Revision{Files: map[string][]byte{file: content}}); err != nil || !reflect.DeepEqual(e, again) {
			t.Errorf("%s: asked again, it is another effect: %v", name, err)
		}
		if now, _ := crawlAcceptedNow(t, c); !reflect.DeepEqual(now, before) {
			t.Errorf("%s: asking changed something", name)
		}
		if err := os.WriteFile(file, content, 0o666); err != nil {
			t.Fatal(err)
		}
		after, _ := crawlAcceptedNow(t, c)
		if moves := !reflect.DeepEqual(before, after); moves == (name == "the same") || moves != (e.Changed > 0) {
			t.Errorf("%s: changes %d scores", name, e.Changed)
		}
		agree(t, e, before, after, all)
		if err := os.WriteFile(file, was, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestEffectOfKeys: where nothing is learned, the effect of other keys is what a crawl with them judges.
func TestEffectOfKeys(t *testing.T) {
	made := func(more ...crawl.Option) *crawl.Crawl {
		c, err := crawl.New(append([]crawl.Option{
			crawl.Seeds("http://tidings.example/"), crawl.Archive("../../examples/demo.warc.gz"), crawl.Folder(filepath.Join(t.TempDir(), "c")),
			crawl.Set("focus.ontology.files", "../../examples/aircraft.ttl"), crawl.Set("focus.ontology.target", "Airplane"),
			crawl.Set("focus.ontology.idf", "none"), crawl.Set("focus.ontology.telling", "off"), crawl.Set("focus.ontology.accept", 0.5),
		}, more...)...)
		if err == nil {
			_, err = c.Run(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := made()
	before, all := crawlAcceptedNow(t, c)
	e, err := c.Effect(t.Context(), crawl.Revision{Keys: map[string]string{"focus.ontology.relevance": "single", "focus.ontology.target": "Pilot"}})
	if err != nil {
		t.Fatal(err)
	}
	after, others := crawlAcceptedNow(t, made(crawl.Set("focus.ontology.relevance", "single"), crawl.Set("focus.ontology.target", "Pilot")))
	accepted := 0
	for p, err := range c.AllPages(t.Context(), crawl.PageQuery{Accepted: true}) {
		if err != nil {
			t.Fatal(err)
		}
		if p.Accepted {
			accepted++
		}
	}
	if e.Before != accepted || e.Copies == 0 {
		t.Errorf("%d accepted, of the crawl's %d; %d pages repeat others", e.Before, accepted, e.Copies)
	}
	if e.Judged != all || e.Before != len(before) || len(e.In) == 0 || len(e.Out) != 50 || others < all-5 {
		t.Errorf("%d pages and %d, %d in, %d out", all, others, len(e.In), len(e.Out))
	}
	for _, p := range e.In { // it followed other links, so that pages which repeat others are others
		if after[p.URL] != p.Score {
			t.Errorf("%s has %v, not %v", p.URL, p.Score, after[p.URL])
		}
	}
	for _, p := range e.Out {
		if _, accepted := after[p.URL]; accepted || before[p.URL] != p.Was {
			t.Errorf("%s: %v", p.URL, p.Was)
		}
	}
}

// TestEffectOfAccepting: what accepting a suggestion would do is what it does; a page is tried with both. All of it is the same while
// the crawl runs, here and over the socket.
func TestEffectOfAccepting(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "planes")
	if _, err := planes(t, folder, 150).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := planes(t, folder, 200)
	list, err := c.Proposals(t.Context(), crawl.ProposalQuery{Kind: orbweaver.SuggestWord})
	if err != nil || len(list.Proposals) < 3 {
		t.Fatal(len(list.Proposals), err)
	}
	if _, err := c.Verdict(t.Context(), crawl.Verdict{URL: list.Proposals[0].Pages[0].URL, Relevant: false}); err != nil {
		t.Fatal(err)
	}
	choices := []crawl.Choice{
		{ID: list.Proposals[0].ID, Accepted: true, As: orbweaver.AsEntry, Entity: "Airplane"},
		{ID: list.Proposals[1].ID, Accepted: true, As: orbweaver.AsSubclass, Entity: "Airplane", Text: "school"},
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	events, over := c.Events(ctx), make(chan error, 1)
	go func() {
		_, err := c.Run(ctx)
		over <- err
	}()
	other, err := crawl.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	for e := range events {
		if e.Kind == crawl.Begin {
			if err := c.Pause(ctx); err != nil {
				t.Fatal(err)
			}
			before, all := crawlAcceptedNow(t, c)
			for _, choice := range choices {
				effect, err := c.ProposalEffect(ctx, choice)
				there, problem := other.ProposalEffect(ctx, choice)
				if err = errors.Join(err, problem); err != nil || inJSON(t, effect) != inJSON(t, there) {
					t.Fatalf("another over the socket: %v", err)
				}
				decided(t, other, choice)
				after, _ := crawlAcceptedNow(t, c)
				agree(t, effect, before, after, all)
				before = after
			}
			if err := c.Stop(ctx); err != nil {
				t.Fatal(err)
			}
		}
		if e.Kind == crawl.End {
			break
		}
	}
	<-over
	if _, err := c.ProposalEffect(t.Context(), crawl.Choice{ID: list.Proposals[2].ID}); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("the effect of rejecting: %v", err)
	}
}

func inJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestEffectOfBlend: an ontology is one part of what judges pages.
func TestEffectOfBlend(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "my aircraft.ttl")
	was, err := os.ReadFile("../../examples/aircraft.ttl")
	if err != nil {
		t.Fatal(err)
	}
	archive, err := filepath.Abs("../../examples/demo.warc.gz")
	text := "seeds: [http://tidings.example/]\nweb: {archive: " + archive + "}\nlimits: {requests: 120}\noutput: out\nfocus:\n  blend:\n    combine: any\n    parts:\n" +
		"      - {name: topic, weight: 2, ontology: {files: 'my aircraft.ttl', target: Airplane, idf: none}}\n      - {name: words, keyword: {terms: [chess]}}\n"
	for path, content := range map[string][]byte{file: was, filepath.Join(folder, "c.yaml"): []byte(text)} {
		err = errors.Join(err, os.WriteFile(path, content, 0o666))
	}
	if err != nil {
		t.Fatal(err)
	}
	c, err := crawl.Load(filepath.Join(folder, "c.yaml"))
	if err == nil {
		_, err = c.Run(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	before, all := crawlAcceptedNow(t, c)
	more := append(was[:len(was):len(was)], glider...)
	e, err := c.Effect(t.Context(), crawl.Revision{Files: map[string][]byte{file: more}})
	if err != nil || e.Changed == 0 {
		t.Fatalf("%d changed, %v", e.Changed, err)
	}
	list, err := c.Proposals(t.Context(), crawl.ProposalQuery{Limit: 1})
	if err != nil || len(list.Proposals) != 1 || list.Proposals[0].Name == "" {
		t.Fatalf("%+v, %v", list, err)
	}
	choice := crawl.Choice{ID: list.Proposals[0].ID, Accepted: true}
	would, err := c.ProposalEffect(t.Context(), choice)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, more, 0o666); err != nil {
		t.Fatal(err)
	}
	after, _ := crawlAcceptedNow(t, c)
	agree(t, e, before, after, all)
	if err := os.WriteFile(file, was, 0o666); err != nil {
		t.Fatal(err)
	}
	decided(t, c, choice)
	after, _ = crawlAcceptedNow(t, c)
	agree(t, would, before, after, all)
	decided(t, c, crawl.Choice{ID: choice.ID, Withdrawn: true})
	if now, err := os.ReadFile(file); err != nil || string(now) != string(was) {
		t.Errorf("the file is not as it was: %v", err)
	}
}

// TestTryBoth: a page is judged with the crawl's knowledge, also what it accepted, and with a revision.
func TestTryBoth(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "planes")
	c := planes(t, folder, 120)
	if _, err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	list, err := c.Proposals(t.Context(), crawl.ProposalQuery{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	decided(t, c, crawl.Choice{ID: list.Proposals[0].ID, Accepted: true, Text: "zeppelin", As: orbweaver.AsSubclass, Entity: "Airplane"})
	file := filepath.Join(filepath.Dir(folder), "aircraft.ttl")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	sample := crawl.Sample{Text: "A zeppelin " + strings.Repeat("is a thing. ", 20) + "The harbour is near."}
	now, then, err := c.TryBoth(t.Context(), sample, crawl.Revision{Files: map[string][]byte{file: append(text, glider...)}})
	if err != nil || now.Score <= 0 || then.Score <= now.Score || len(now.Page.Spans) != 1 || len(then.Page.Spans) != 2 || !strings.Contains(now.AsOf, "after 120 requests") {
		t.Errorf("%+v\n%+v\n%v", now, then, err)
	}
	for _, p := range mostly(t, c) {
		now, then, err := c.TryBoth(t.Context(), crawl.Sample{URL: p.URL}, crawl.Revision{Keys: map[string]string{"focus.ontology.base": "0.5"}})
		if err != nil || now.Score != p.Score || then.Score != p.Score || now.Accepted != p.Accepted {
			t.Errorf("%s: %v, %v, not %v: %v", p.URL, now.Score, then.Score, p.Score, err)
		}
	}
}

// mostly returns the first pages as of now.
func mostly(t *testing.T, c *crawl.Crawl) (some []crawl.Page) {
	t.Helper()
	for p, err := range c.PagesNow(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if some = append(some, p); len(some) == 5 {
			break
		}
	}
	return some
}

// TestEffectRefused: a revision that cannot be is refused with its reason.
func TestEffectRefused(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "planes")
	c := planes(t, folder, 20)
	if _, err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(filepath.Dir(folder), "aircraft.ttl")
	for want, r := range map[string]crawl.Revision{
		"only those below focus": {Keys: map[string]string{"limits.pages": "3"}},
		"bases":                  {Keys: map[string]string{"focus.ontology.bases": "3"}},
		"focus.ontology.base":    {Keys: map[string]string{"focus.ontology.base": "3"}},
		"names no such file":     {Files: map[string][]byte{"/nowhere.ttl": []byte("<urn:a> a <urn:b> .")}},
		"aircraft.ttl:1":         {Files: map[string][]byte{file: []byte("<urn:a a")}},
		"Airplane":               {Files: map[string][]byte{file: []byte("<urn:a> a <urn:b> .")}},
	} {
		if _, err := c.Effect(t.Context(), r); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
