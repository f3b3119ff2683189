package metadata

import (
	"slices"

	"orbweaver"
	"orbweaver/kb/terms"
	"orbweaver/rdf"
)

// A dataset is the state of querying one dataset.
type dataset struct {
	Queue    []Question     `json:"queue,omitempty"`  // of this round; the first is in flight if Asking
	Asking   bool           `json:"asking,omitempty"` // the first question is in flight
	Levels   map[string]int `json:"levels,omitempty"` // by processor: the level of questions that it can answer
	Failures int            `json:"failures,omitempty"`
	Off      string         `json:"off,omitempty"` // why it is no longer queried
	Partial  bool           `json:"partial,omitempty"`
	Modern   bool           `json:"modern,omitempty"` // it answered a COUNT: SPARQL 1.1
	Spared   int            `json:"spared,omitempty"`
	Answers  []terms.Answer `json:"answers,omitempty"` // by processor, in the order first asked
	Counts   []terms.Count  `json:"counts,omitempty"`
	Terms    []string       `json:"terms,omitempty"` // terms it has statements about
	Found    []Found        `json:"found,omitempty"` // in this round
	Said     []rdf.Quad     `json:"said,omitempty"`  // in this round, about candidates
	Large    []rdf.Quad     `json:"-"`               // about classes in general: Learn adds it to the background at once
	Facts    facts          `json:"facts,omitzero"`
}

// clone copies the parts that an answer changes.
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

// next returns the question to send now, in a form that the dataset supports; nil if none is left. The
// question stays at the head of the queue.
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

// label sets dataset and terms of follow-up questions.
func (f *Focus) label(of Question, all []Question) []Question {
	for i := range all {
		all[i].Dataset, all[i].Processor = of.Dataset, of.Processor
	}
	return all
}

// asker returns the processor of a name.
func (f *Focus) asker(name string) Asker {
	for _, a := range f.askers {
		if a.Name() == name {
			return a
		}
	}
	return nil
}

// answered processes the answer to the head of the queue. A truncated answer without a next page is asked for
// again in simpler questions, if there are any: their answers may be short enough to be complete.
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

// take records the content of an answer.
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

// failed records that the head of the queue has no answer. A failure that may be due to the form of the query
// is retried with simpler questions.
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

// isDown reports whether the endpoint will not answer anything for now.
func isDown(why orbweaver.Failure) bool {
	switch why {
	case orbweaver.ErrGaveUp, orbweaver.ErrConnect, orbweaver.ErrNoHost, orbweaver.ErrLookup, orbweaver.ErrTLS,
		orbweaver.ErrPrivate, orbweaver.ErrRobots, orbweaver.ErrScope, orbweaver.ErrBadURL:
		return true
	}
	return false
}

// isOfWords reports whether the form of the query may have caused a failure. Firewalls reject queries that
// resemble SQL injection, UNION SELECT above all, some with an HTML page.
func isOfWords(why orbweaver.Failure) bool {
	switch why {
	case orbweaver.ErrQuery, orbweaver.ErrEndpoint, orbweaver.ErrTimeout, orbweaver.ErrTooLarge, orbweaver.ErrAnswer,
		orbweaver.ErrForbidden, orbweaver.ErrNoEndpoint, orbweaver.ErrStatus, orbweaver.ErrUnreadable, orbweaver.ErrCut, orbweaver.ErrMalformed:
		return true
	}
	return false
}

// longestMessage bounds the part of an endpoint's error message that is kept, in bytes.
const longestMessage = 300

// reason returns why the latest unanswered question of a processor failed.
func (d *dataset) reason(processor string) string {
	i := slices.IndexFunc(d.Answers, func(a terms.Answer) bool { return a.Question == processor })
	return d.Answers[i].Reason
}

// note counts a question and keeps the latest reason for a failure. The end of the crawl's queries to an
// endpoint does not replace a reason that the endpoint gave.
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
