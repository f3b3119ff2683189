package ontology

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"orbweaver"
	kb "orbweaver/kb/ontology"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

// TestFactor checks factors against numbers computed by hand. After 100 pages whose scores sum to 23, without and with are the means
// shrunk by 20 pages.
func TestFactor(t *testing.T) {
	for _, tc := range []struct {
		name string
		told told
		want float64
	}{
		{"on no page", told{}, 1},
		// without: (23-8+3)/(60+20) = 0.225; with: (8+4.5)/60 = 0.2083
		// log odds -1.3350 and -1.2368: 0.9018, shrunk by 40/60: 0.9345
		{"a little less than others", told{Pages: 40, Sum: 8, Rest: 8}, 0.9345},
		{"more than others", told{Pages: 40, Sum: 20, Rest: 18}, 1},
		// without: (23-8+3)/80 = 0.225; with: 4.5/60 = 0.075, log odds -2.5123: below 0.25, shrunk to 1 - 0.75·40/60
		{"nothing else", told{Pages: 40, Sum: 8}, 0.5},
		// all scores are its own: without 3/80 = 0.0375, with 0.75/60 = 0.0125: log odds -4.3694 and -3.2452
		{"all by itself", told{Pages: 40, Sum: 23}, 0.5},
	} {
		f := newTelling(1)
		f.pages, f.sum, f.list[0] = 100, 23, tc.told
		if got := f.factor(0); math.Abs(got-tc.want) > 1e-4 {
			t.Errorf("%s: %.4f, want %.4f", tc.name, got, tc.want)
		}
	}
	if got := (*telling)(nil).factor(7); got != 1 {
		t.Errorf("not learned: %v", got)
	}
}

// staff has a bad relation: whatever names an address counts half as much for professors as they do.
const staff = `
@prefix ex: <http://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:Professor a owl:Class ; rdfs:label "professor" .
ex:Chair a owl:Class ; rdfs:label "chair" .
ex:Email a owl:Class ; rdfs:label "email" .
ex:holds rdfs:domain ex:Professor ; rdfs:range ex:Chair .
ex:reads rdfs:domain ex:Professor ; rdfs:range ex:Email .
`

func staffed(t *testing.T, telling bool, combine Combine) *Focus {
	t.Helper()
	o, err := kb.Build(turtle.Read(strings.NewReader(staff), syntax.Options{Name: "staff.ttl"}))
	if err != nil {
		t.Fatal(err)
	}
	return focus(t, Options{
		Ontology: o, Targets: []string{"http://example.org/Professor"}, Relevance: kb.Total,
		IDF: Learned, Measure: Presence, Telling: telling, Combine: combine,
	})
}

// staffText returns the text of page i of a university: a fifth is about professors and chairs, the rest has
// addresses; so have half of the professors.
func staffText(i int) (text string, relevant bool) {
	filler := strings.Repeat("the room is open on some days and closed on others ", 6)
	switch {
	case i%10 == 0:
		return "professor of logic holds a chair with email and another professor " + filler, true
	case i%10 == 5:
		return "professor who holds the chair of music, a professor " + filler, true
	}
	return "email for us, or an email to the office, email for orders " + filler, false
}

// TestMisleadingRelation crawls pages that a bad relation misleads. Where telling is learned, the relation is found out: it counts for
// little, is suggested, pages with it alone score less, and the good relation keeps its weight.
func TestMisleadingRelation(t *testing.T) {
	for _, combine := range []Combine{Sum, Max} {
		plain, learned := staffed(t, false, combine), staffed(t, true, combine)
		for i := range 100 {
			text, _ := staffText(i)
			for _, f := range []*Focus{plain, learned} {
				learnPage(t, f, i, text)
			}
		}
		lure, _ := staffText(1)
		good, _ := staffText(5)
		before, _ := judged(t, plain, page(lure))
		after, _ := judged(t, learned, page(lure))
		if !(after.Score < 0.6*before.Score) {
			t.Errorf("a page of addresses scores %.3f, and %.3f where all entities count alike", after.Score, before.Score)
		}
		if before, after := must(judged(t, plain, page(good))), must(judged(t, learned, page(good))); after < before-1e-9 {
			t.Errorf("a professor scores %.3f, and %.3f where all entities count alike", after, before)
		}
		if last := after.Reasons[len(after.Reasons)-2:]; !strings.Contains(fmt.Sprint(last), "telling email ×0.") && !strings.Contains(fmt.Sprint(after.Reasons), "email ×0.") {
			t.Errorf("reasons %v do not say that addresses count for less", after.Reasons)
		}
		var little []string
		list, err := learned.Suggestions(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			if s.Kind == orbweaver.SuggestLittle {
				little = append(little, s.Text)
			}
		}
		if got := strings.Join(little, "; "); got != "counts for little: email" {
			t.Errorf("suggested: %q", got)
		}
	}
}

func must(j orbweaver.Judgement, _ float64) float64 { return j.Score }

func learnPage(t *testing.T, f *Focus, i int, text string) {
	t.Helper()
	p := page(text)
	p.URL = fmt.Sprintf("http://staff.test/%d", i)
	j, err := f.Judge(context.Background(), p)
	if err == nil {
		_, err = f.Learn(context.Background(), orbweaver.Outcome{Page: p, Actual: j})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestTellingSurvivesSnapshot(t *testing.T) {
	first, second := staffed(t, true, Sum), staffed(t, true, Sum)
	for i := range 30 {
		text, _ := staffText(i)
		learnPage(t, first, i, text)
	}
	var state bytes.Buffer
	if err := first.Snapshot(&state); err != nil {
		t.Fatal(err)
	}
	text := state.String()
	if err := second.Restore(&state); err != nil {
		t.Fatal(err)
	}
	for i := range first.telling.list {
		if first.telling.factor(int32(i)) != second.telling.factor(int32(i)) {
			t.Errorf("entity %d: %v, restored %v", i, first.telling.factor(int32(i)), second.telling.factor(int32(i)))
		}
	}
	var again bytes.Buffer
	if err := second.Snapshot(&again); err != nil || again.String() != text {
		t.Errorf("restored %s, want %s (%v)", again.String(), text, err)
	}
	for broken, want := range map[string]orbweaver.Failure{
		`"telling":{"pages":-1`: orbweaver.ErrDamaged,
		`"telling":{"pages":7`:  orbweaver.ErrDamaged,
	} {
		bad := strings.Replace(text, `"telling":{"pages":30`, broken, 1)
		if err := second.Restore(strings.NewReader(bad)); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", broken, err, want)
		}
	}
	bad := strings.Replace(text, `"entities":{"http://example.org/`, `"entities":{"http://other.example/`, 1)
	if err := second.Restore(strings.NewReader(bad)); !errors.Is(err, orbweaver.ErrForeign) {
		t.Errorf("an entity of another ontology: %v", err)
	}
}
