package metadata

import (
	"context"
	"encoding/json"
	"fmt"

	"orbweaver"
	"orbweaver/weburl"
)

// Seeds asks for the descriptions of datasets, if there are some, and else begins the first stage.
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

// proposal is a request with its one reason.
func proposal(r orbweaver.Request, rule, evidence string, score float64) orbweaver.Proposal {
	return orbweaver.Proposal{Request: r, Judgement: orbweaver.Judgement{
		Score: score, Reasons: []orbweaver.Reason{{Rule: rule, Evidence: evidence, Weight: score}},
	}}
}

// Judge accepts what says something: a document with data, an answer with rows.
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

// judged is a judgement with its one reason.
func judged(class string, accepted bool, evidence string) orbweaver.Judgement {
	j := orbweaver.Judgement{Accepted: accepted, Class: class, Reasons: []orbweaver.Reason{{Rule: class, Evidence: evidence}}}
	if accepted {
		j.Score, j.Reasons[0].Weight = 1, 1
	}
	return j
}

// Plan asks a dataset that answered the next question. Documents lead to nothing before the round's end.
func (f *Focus) Plan(_ context.Context, p *orbweaver.Page, _ orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	return f.further(p.Request, p, nil), nil
}

// Recover asks a dataset that did not answer the next question, or the same in simpler words.
func (f *Focus) Recover(_ context.Context, o orbweaver.Outcome) ([]orbweaver.Proposal, error) {
	return f.further(o.Request, nil, o.Err), nil
}

// Rephrases reports whether the question under way can be put in simpler words.
func (f *Focus) Rephrases(r orbweaver.Request) bool {
	place, asked := f.asked(r)
	if !asked {
		return false
	}
	q := f.state.Datasets[place].Queue[0]
	return len(f.asker(q.Processor).Simpler(q)) > 0
}

// further is the next question to a request's dataset. It learns nothing: Learn receives the same outcome.
func (f *Focus) further(r orbweaver.Request, p *orbweaver.Page, err error) []orbweaver.Proposal {
	place, asked := f.asked(r)
	if !asked {
		return nil
	}
	d := f.state.Datasets[place].clone()
	f.heard(&d, p, err)
	if q := f.next(&d); q != nil {
		return []orbweaver.Proposal{f.put(*q)}
	}
	return nil
}

// heard takes what came of the question under way.
func (f *Focus) heard(d *dataset, p *orbweaver.Page, err error) {
	switch {
	case err != nil:
		f.failed(d, err)
	case p == nil || p.Results == nil:
		f.failed(d, fmt.Errorf("no rows: %w", orbweaver.ErrAnswer))
	default:
		f.answered(d, p.Results)
	}
}

// asked is the dataset that a request puts the question under way to.
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

// put is a question as a request.
func (f *Focus) put(q Question) orbweaver.Proposal {
	d := f.opts.Datasets[f.places[q.Dataset]]
	note, _ := json.Marshal(q)
	r := orbweaver.Request{URL: d.Endpoint, Query: f.asker(q.Processor).Text(q), Purpose: orbweaver.ForQuery, Note: note}
	return proposal(r, q.Processor, fmt.Sprintf("%s, %d terms", d.Name, len(q.Terms)), 0.5)
}

// begin begins a stage with terms: their documents are asked for, and every dataset gets its first
// question.
func (f *Focus) begin(stage []string) (proposals []orbweaver.Proposal) {
	s := &f.state
	s.Phase, s.Current = relating, stage
	s.Stage++
	for _, t := range stage {
		s.Terms[t].Processed = true
		s.Told++
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

// ask gives every dataset the questions of the processors, as far as about says that there is something
// to ask about, and returns the first of each.
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
			d.Queue = append(d.Queue, f.label(of, a.Ask(about(a, place)))...)
		}
		if q := f.next(d); q != nil {
			proposals = append(proposals, f.put(*q))
		}
	}
	return proposals
}
