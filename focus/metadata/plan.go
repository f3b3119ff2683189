package metadata

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"orbweaver"
	"orbweaver/weburl"
)

// Seeds proposes the descriptions of datasets if there are any, else the first stage.
func (f *Focus) Seeds(_ context.Context, known orbweaver.Known) ([]orbweaver.Proposal, error) {
	var seeds []orbweaver.Proposal
	asked := map[string]bool{}
	for _, d := range f.opts.Datasets {
		for _, url := range d.Void {
			if !asked[url] {
				asked[url] = true
				seeds = append(seeds, proposal(orbweaver.Request{URL: url}, "void", "describes "+d.Name, 1))
			}
		}
	}
	if len(seeds) > 0 {
		return seeds, nil
	}
	return f.begin(f.opts.Terms), nil
}

// proposal returns a request with a single reason.
func proposal(r orbweaver.Request, rule, evidence string, score float64) orbweaver.Proposal {
	return orbweaver.Proposal{Request: r, Judgement: orbweaver.Judgement{
		Score: score, Reasons: []orbweaver.Reason{{Rule: rule, Evidence: evidence, Weight: score}},
	}}
}

// Judge accepts a document with data and an answer with rows.
func (f *Focus) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	switch {
	case p.Results != nil:
		return judged("answer", len(p.Results.Rows) > 0, fmt.Sprintf("%d rows", len(p.Results.Rows))), nil
	case p.Quads == nil:
		return judged("no-data", false, "no RDF in a document of "+p.MediaType), nil
	}
	for _, err := range p.Quads {
		if err == nil {
			return judged("document", true, "it has data"), nil
		}
		return judged("no-data", false, err.Error()), nil
	}
	return judged("no-data", false, "it has no statements"), nil
}

// judged returns a judgement with a single reason.
func judged(class string, accepted bool, evidence string) orbweaver.Judgement {
	j := orbweaver.Judgement{Accepted: accepted, Class: class, Reasons: []orbweaver.Reason{{Rule: class, Evidence: evidence}}}
	if accepted {
		j.Score, j.Reasons[0].Weight = 1, 1
	}
	return j
}

// Plan proposes the next question to a dataset that answered. Documents lead to nothing until the round ends.
func (f *Focus) Plan(_ context.Context, p *orbweaver.Page, _ orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	return f.further(p.Request, p, nil), nil
}

// Recover proposes the next question to a dataset that failed to answer, or the same question in a simpler
// form.
func (f *Focus) Recover(_ context.Context, o orbweaver.Outcome) ([]orbweaver.Proposal, error) {
	return f.further(o.Request, nil, o.Err), nil
}

// Rephrases reports whether the question in flight has a simpler form.
func (f *Focus) Rephrases(r orbweaver.Request) bool {
	place, asked := f.asked(r)
	if !asked {
		return false
	}
	q := f.state.Datasets[place].Queue[0]
	return len(f.asker(q.Processor).Simpler(q)) > 0
}

// further returns the next question to a request's dataset. It changes no state: Learn receives the same
// outcome.
func (f *Focus) further(r orbweaver.Request, p *orbweaver.Page, err error) []orbweaver.Proposal {
	place, asked := f.asked(r)
	if !asked {
		return nil
	}
	d := f.state.Datasets[place].clone()
	f.apply(&d, p, err)
	if q := f.next(&d); q != nil {
		return []orbweaver.Proposal{f.put(*q)}
	}
	return nil
}

// apply applies the outcome of the question in flight.
func (f *Focus) apply(d *dataset, p *orbweaver.Page, err error) {
	switch {
	case err != nil:
		f.failed(d, err)
	case p == nil || p.Results == nil:
		f.failed(d, fmt.Errorf("no rows: %w", orbweaver.ErrAnswer))
	default:
		f.answered(d, p.Results)
	}
}

// asked returns the dataset whose question in flight a request carries.
func (f *Focus) asked(r orbweaver.Request) (place int, ok bool) {
	if r.Purpose != orbweaver.ForQuery {
		return 0, false
	}
	var q Question
	if json.Unmarshal(r.Note, &q) != nil {
		return 0, false
	}
	place, ok = f.places[q.Dataset]
	return place, ok && f.state.Datasets[place].Asking && len(f.state.Datasets[place].Queue) > 0
}

// put returns a question as a request.
func (f *Focus) put(q Question) orbweaver.Proposal {
	d := f.opts.Datasets[f.places[q.Dataset]]
	note, _ := json.Marshal(q)
	r := orbweaver.Request{URL: d.Endpoint, Query: f.asker(q.Processor).Text(q), Purpose: orbweaver.ForQuery, Note: note}
	return proposal(r, q.Processor, fmt.Sprintf("%s, %d terms", d.Name, len(q.Terms)), 0.5)
}

// begin begins a stage with terms: it requests their documents and gives every dataset its first question.
func (f *Focus) begin(stage []string) (proposals []orbweaver.Proposal) {
	s := &f.state
	s.Phase, s.Current = relating, stage
	s.Stage++
	for _, t := range stage {
		s.Terms[t].Processed = true
		s.Processed++
		if len(f.lookers) > 0 {
			proposals = append(proposals, f.document(t)...)
		}
	}
	return append(proposals, f.ask(func(a Asker, place int) []string { return f.unspared(a, place, stage) })...)
}

// document requests the document of a term whose IRI can be dereferenced.
func (f *Focus) document(t string) []orbweaver.Proposal {
	url, err := weburl.Canonical(t)
	if err != nil {
		return nil
	}
	return []orbweaver.Proposal{proposal(orbweaver.Request{URL: url}, "dereference", t, 1)}
}

// ask queues the processors' questions at every dataset for the terms that about returns, and proposes the
// first of each.
func (f *Focus) ask(about func(a Asker, place int) []string) (proposals []orbweaver.Proposal) {
	for _, place := range f.ranked() {
		d, name := &f.state.Datasets[place], f.opts.Datasets[place].Name
		if d.Levels == nil {
			d.Levels = map[string]int{}
		}
		if d.Queue = nil; d.Off != "" {
			continue
		}
		for _, a := range f.askers {
			of := Question{Dataset: name, Processor: a.Name()}
			for _, some := range f.portions(about(a, place)) {
				d.Queue = append(d.Queue, f.label(of, a.Ask(some))...)
			}
		}
		if q := f.next(d); q != nil {
			proposals = append(proposals, f.put(*q))
		}
	}
	return proposals
}

// portions returns the terms that are asked about together.
func (f *Focus) portions(all []string) [][]string {
	if !f.opts.Single {
		return [][]string{all}
	}
	return slices.Collect(slices.Chunk(all, 1))
}
