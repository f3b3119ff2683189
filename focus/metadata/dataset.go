package metadata

import (
	"slices"

	"orbweaver"
	"orbweaver/kb/terms"
	"orbweaver/rdf"
)

// A dataset is how far the asking of one has come.
type dataset struct {
	Queue    []Question     `json:"queue,omitempty"`  // questions of this round; the first is in flight if Asking
	Asking   bool           `json:"asking,omitempty"` // a request with the first question is made
	Levels   map[string]int `json:"levels,omitempty"` // by processor: the questions that it can answer
	Failures int            `json:"failures,omitempty"`
	Off      string         `json:"off,omitempty"` // why it is left alone
	Partial  bool           `json:"partial,omitempty"`
	Modern   bool           `json:"modern,omitempty"` // it counted
	Spared   int            `json:"spared,omitempty"`
	Answers  []terms.Answer `json:"answers,omitempty"` // by processor, in the order first asked
	Counts   []terms.Count  `json:"counts,omitempty"`
	Terms    []string       `json:"terms,omitempty"` // that it stated something of
	Found    []Found        `json:"found,omitempty"` // in this round
	Said     []rdf.Quad     `json:"said,omitempty"`  // in this round, about candidates
	Large    []rdf.Quad     `json:"-"`               // about classes at large: Learn takes it up at once
	Facts    facts          `json:"facts,omitzero"`
}

// clone is a copy of what an answer changes.
func (d dataset) clone() dataset {
	d.Queue, d.Answers = slices.Clone(d.Queue), slices.Clone(d.Answers)
	levels := make(map[string]int, len(d.Levels))
	for k, v := range d.Levels {
		levels[k] = v
	}
	d.Levels = levels
	d.Said, d.Large = slices.Clip(d.Said), slices.Clip(d.Large)
	d.Counts, d.Terms, d.Found = slices.Clip(d.Counts), slices.Clip(d.Terms), slices.Clip(d.Found)
	return d
}

// next is the question to ask now, in a dialect that the dataset supports; nil: none left. It stays at the head of
// the queue.
func (f *Focus) next(d *dataset) *Question {
	for len(d.Queue) > 0 && d.Off == "" {
		q := d.Queue[0]
		asker := f.asker(q.Processor)
		if q.Level >= d.Levels[q.Processor] {
			d.Asking = true
			return &q
		}
		simpler := asker.Simpler(q)
		if len(simpler) == 0 {
			d.Asking = true
			return &q
		}
		d.Queue = slices.Concat(f.label(q, simpler), d.Queue[1:])
	}
	d.Asking, d.Queue = false, nil
	return nil
}

// label sets the dataset asked, and the terms asked for, of questions that follow from another.
func (f *Focus) label(of Question, all []Question) []Question {
	for i := range all {
		all[i].Dataset, all[i].Processor = of.Dataset, of.Processor
	}
	return all
}

// asker is the processor of a name.
func (f *Focus) asker(name string) Asker {
	for _, a := range f.askers {
		if a.Name() == name {
			return a
		}
	}
	return nil
}

// answered takes the answer to the question at the head of the queue. What was cut, and has no next page, is
// asked again in simpler words, where there are some: they may be short enough to be whole.
func (f *Focus) answered(d *dataset, r *rdf.Results) {
	q := d.Queue[0]
	d.Queue = d.Queue[1:]
	a := f.asker(q.Processor)
	d.Failures = 0
	d.note(q.Processor, nil)
	read, more := a.Read(q, r)
	if simpler := a.Simpler(q); r.Cut != "" && len(more) == 0 && len(simpler) > 0 {
		d.Queue = slices.Concat(f.label(q, simpler), d.Queue)
		return
	}
	d.Partial = d.Partial || r.Cut != "" && len(more) == 0 && len(r.Rows) > 0
	d.Modern = d.Modern || slices.ContainsFunc(read.Counts, func(c terms.Count) bool { return c.How == terms.Counted })
	d.Queue = slices.Concat(f.label(q, more), d.Queue)
	d.take(read)
}

// take keeps what an answer says.
func (d *dataset) take(read Reading) {
	for _, c := range read.Counts {
		if c.N > 0 {
			d.Terms = append(d.Terms, c.Class)
		}
		d.Counts = append(d.Counts, c)
	}
	for _, found := range read.Found {
		d.Terms = append(d.Terms, found.Item, found.Term)
		d.Found = append(d.Found, found)
	}
	d.Terms = sortedSet(d.Terms)
	if read.Large {
		d.Large = append(d.Large, read.Said...)
	} else {
		d.Said = append(d.Said, read.Said...)
	}
}

// failed takes it that the question at the head of the queue has no answer. What may be a matter of its
// words is asked in simpler ones.
func (f *Focus) failed(d *dataset, err error) {
	q := d.Queue[0]
	d.Queue = d.Queue[1:]
	why := orbweaver.FailureOf(err)
	d.Failures++
	d.note(q.Processor, err)
	switch {
	case isDown(why) || d.Failures >= f.opts.Breaker:
		d.Off, d.Queue = d.reason(q.Processor), nil
	case isOfWords(why):
		if simpler := f.asker(q.Processor).Simpler(q); len(simpler) > 0 {
			d.Levels[q.Processor] = max(d.Levels[q.Processor], q.Level+1)
			d.Queue = slices.Concat(f.label(q, simpler), d.Queue)
		}
	}
}

// isDown reports whether a failure says that the endpoint will answer nothing now.
func isDown(why orbweaver.Failure) bool {
	switch why {
	case orbweaver.ErrGaveUp, orbweaver.ErrConnect, orbweaver.ErrNoHost, orbweaver.ErrLookup, orbweaver.ErrTLS,
		orbweaver.ErrPrivate, orbweaver.ErrRobots, orbweaver.ErrScope, orbweaver.ErrBadURL:
		return true
	}
	return false
}

// isOfWords reports whether a failure may be one of how a question was put. Firewalls forbid words that look
// like an attack, UNION SELECT above all, or answer them with a page.
func isOfWords(why orbweaver.Failure) bool {
	switch why {
	case orbweaver.ErrQuery, orbweaver.ErrEndpoint, orbweaver.ErrTimeout, orbweaver.ErrTooLarge, orbweaver.ErrAnswer,
		orbweaver.ErrForbidden, orbweaver.ErrNoEndpoint, orbweaver.ErrStatus, orbweaver.ErrUnreadable, orbweaver.ErrCut, orbweaver.ErrMalformed:
		return true
	}
	return false
}

// longestMessage bounds what is kept of an endpoint's own words, in bytes.
const longestMessage = 300

// reason is why the latest question of a processor that was not answered was not.
func (d *dataset) reason(processor string) string {
	i := slices.IndexFunc(d.Answers, func(a terms.Answer) bool { return a.Question == processor })
	return d.Answers[i].Reason
}

// note counts a question, and keeps the latest reason for which one was not answered. That the crawl asks
// no more is none where the endpoint itself gave one before.
func (d *dataset) note(processor string, err error) {
	i := slices.IndexFunc(d.Answers, func(a terms.Answer) bool { return a.Question == processor })
	if i < 0 {
		i = len(d.Answers)
		d.Answers = append(d.Answers, terms.Answer{Question: processor})
	}
	a := &d.Answers[i]
	a.Asked++
	if err == nil {
		a.Answered++
		return
	}
	why := orbweaver.FailureOf(err)
	if why == orbweaver.ErrGaveUp && a.Reason != "" {
		return
	}
	a.Reason, a.Message = string(why), err.Error()
	if len(a.Message) > longestMessage {
		a.Message = a.Message[:longestMessage]
	}
}
