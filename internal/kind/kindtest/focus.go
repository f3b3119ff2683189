package kindtest

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"orbweaver"
	"orbweaver/rdf"
)

// ruleSighting is the rule of reasons: a page names a thing. Its evidence is name and IRI.
const ruleSighting = "sighting"

// A focus judges pages by the things that they name. Links of a page are worth what the page is.
type focus struct {
	section
	seen seen // pages that name each thing, by its name: what it learned
}

// seen counts pages by the name of a thing.
type seen map[string]int

// newFocus has seen nothing.
func newFocus(s section) *focus { return &focus{section: s, seen: seen{}} }

// Judge counts what a page names.
func (f *focus) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	text := strings.ToLower(p.Title + "\n" + p.Text)
	total, times := 0, map[string]int{}
	for name := range f.Things {
		times[name] = strings.Count(text, strings.ToLower(name))
		total += times[name]
	}
	j := orbweaver.Judgement{Score: float64(total) / float64(total+f.Least), Accepted: total >= f.Least}
	for _, name := range f.names() {
		if n := times[name]; n > 0 {
			j.Reasons = append(j.Reasons, orbweaver.Reason{
				Rule: ruleSighting, Evidence: name + " <" + f.Things[name] + ">", Weight: j.Score * float64(n) / float64(total),
			})
		}
	}
	return j, nil
}

// Plan follows all links.
func (f *focus) Plan(_ context.Context, p *orbweaver.Page, j orbweaver.Judgement) (plan []orbweaver.Proposal, err error) {
	for i := range p.Links {
		plan = append(plan, orbweaver.Proposal{
			Request:   orbweaver.Request{URL: p.Links[i].To, Via: &p.Links[i]},
			Judgement: orbweaver.Judgement{Score: j.Score, Reasons: j.Reasons},
		})
	}
	return plan, nil
}

// Learn counts the page for the things it names, and states of each where it is named.
func (f *focus) Learn(_ context.Context, o orbweaver.Outcome) (lesson orbweaver.Lesson, err error) {
	if o.Page == nil {
		return lesson, nil
	}
	for _, r := range o.Actual.Reasons {
		if seen := (Kind{}).Names(r); seen.IRI != "" {
			f.seen[seen.Names[0]]++
			lesson.Facts = append(lesson.Facts, rdf.Quad{
				S: rdf.NewIRI(seen.IRI), P: rdf.NewIRI("http://purl.org/dc/terms/isReferencedBy"), O: rdf.NewIRI(o.Request.URL),
			})
		}
	}
	return lesson, nil
}

// Snapshot writes what was learned.
func (f *focus) Snapshot(w io.Writer) error { return json.NewEncoder(w).Encode(f.seen) }

// Restore reads it.
func (f *focus) Restore(r io.Reader) error {
	f.seen = seen{}
	return json.NewDecoder(r).Decode(&f.seen)
}
