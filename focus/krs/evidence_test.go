package krs

import (
	"context"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	kb "orbweaver/kb/krs"
)

// placed is a words annotator that provides positions, in title and text.
type placed struct{}

func (placed) Annotate(ctx context.Context, p *orbweaver.Page) (kb.Document, error) {
	whole := p.Title + "\n\n" + p.Text
	d, err := words{}.Annotate(ctx, page(whole))
	at := 0
	for i := range d.Nouns {
		at += strings.Index(whole[at:], d.Nouns[i].Words)
		d.Nouns[i].Start = int32(at)
		at += len(d.Nouns[i].Words)
	}
	return d, err
}

// TestEvidence: spans of nouns by both rules; none without positions from the annotator.
func TestEvidence(t *testing.T) {
	p := page("über Insulin day\n\nGlucose Insulin")
	p.Title = "Glucose"
	f := focus(t, Options{Snapshot: schema(t, topical, everyday), Annotator: placed{}})
	got, err := f.Evidence(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	span := func(field string, start, end int, rule, name string) orbweaver.Span {
		s := orbweaver.Span{Field: field, Start: start, End: end, Rule: rule, Name: name}
		if rule == RuleNoun {
			s.IRI = "http://kb.test/" + name
		}
		return s
	}
	want := []orbweaver.Span{
		span("title", 0, 7, RuleNoun, "Glucose"), span("text", 6, 13, RuleNoun, "Insulin"), span("text", 14, 17, RuleOther, "day"),
		span("text", 19, 26, RuleNoun, "Glucose"), span("text", 27, 34, RuleNoun, "Insulin"),
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	f = focus(t, Options{Snapshot: schema(t, topical, everyday)})
	p.Title = ""
	if got, err := f.Evidence(t.Context(), p); err != nil || len(got) != 0 {
		t.Errorf("without places: %+v, %v", got, err)
	}
	p.Lang = "de"
	f = focus(t, Options{Snapshot: schema(t, topical, everyday), Annotator: placed{}, Lang: "en"})
	if got, err := f.Evidence(t.Context(), p); err != nil || len(got) != 0 {
		t.Errorf("in another language: %+v, %v", got, err)
	}
}
