package linkeddata

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/focus/linkeddata/online"
)

// maxExamples is how many of its latest followed links a worker shares for the online classifiers of others.
const maxExamples = 4096

// sharing is what workers of a crawl learn together: the words of links that led to RDF, as sums; and of the online classifier, which has no
// sums, the links themselves, each of which is learned once everywhere. What is known of hosts and folders each worker learns by itself: they are
// its own.
type sharing struct {
	words    learned          // of others, part of Focus.learned
	links    int64            // that the online classifier has learned of this worker
	taken    map[string]int64 // likewise of each other worker
	examples [][]byte         // the last of links, once Share was called
	on       bool             // it was
}

// example counts a link that the online classifier learns, and keeps it for others.
func (s *sharing) example(one example) {
	s.links++
	if !s.on {
		return
	}
	if len(s.examples) == maxExamples {
		s.examples = s.examples[1:]
	}
	s.examples = append(s.examples, online.AppendNote([]byte{one.code()}, one.features))
}

// Share writes the counts of words of this focus's own links, and the last of these.
func (f *Focus) Share(w io.Writer) error {
	f.sharing.on = true
	own := f.learned.plus(&f.sharing.words, -1)
	b := own.append([]byte{sharedVersion})
	b = binary.AppendUvarint(b, uint64(f.sharing.links))
	b = binary.AppendUvarint(b, uint64(len(f.sharing.examples)))
	for _, one := range f.sharing.examples {
		b = appendString(b, string(one))
	}
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("linked-data focus: share: %w", err)
	}
	return nil
}

// maxExample bounds an encoded example, in bytes.
const maxExample = 5 * (online.MaxFeatures + 8)

// sharedVersion changes when what older versions share can no longer be read.
const sharedVersion = 2

// A lesson is what a worker shares.
type lesson struct {
	words    learned
	links    int64
	examples []example // the last of links
}

// An example is a link that was followed. missing: what it leads to is not there.
type example struct {
	features []uint32
	actual   online.Class
	missing  bool
}

// absent is the code of an example that is missing; others have their class.
const absent = byte(online.R) + 1

func (e example) code() byte {
	if e.missing {
		return absent
	}
	return byte(e.actual)
}

// learnedBy teaches a model, and returns the keys of what is to be ranked again.
func (e example) learnedBy(m *online.Model) (stale []string) {
	if e.missing {
		return m.Miss(e.features)
	}
	return m.Learn(e.features, e.actual)
}

// lessonOf decodes what Share wrote; the error wraps orbweaver.ErrDamaged.
func lessonOf(b []byte) (l lesson, err error) {
	damaged := fmt.Errorf("linked-data focus: what another worker shares: %w", orbweaver.ErrDamaged)
	if len(b) == 0 || b[0] != sharedVersion {
		return l, damaged
	}
	in := stateReader{b: b[1:]}
	l.words, l.links = in.learned(), in.number()
	for n := in.length(maxExamples); n > 0 && !in.bad; n-- {
		one := in.bytes(maxExample)
		if len(one) == 0 || one[0] > absent {
			return l, damaged
		}
		features, rest, ok := online.ReadNote(nil, one[1:])
		if !ok || len(rest) > 0 {
			return l, damaged
		}
		of := example{features: features, missing: one[0] == absent}
		if !of.missing {
			of.actual = online.Class(one[0])
		}
		l.examples = append(l.examples, of)
	}
	if in.bad || len(in.b) > 0 || l.links < int64(len(l.examples)) {
		return l, damaged
	}
	return l, nil
}

// Take adds the counts of other workers, and has the online classifier learn those of their links that it has not learned yet.
func (f *Focus) Take(_ context.Context, shared map[string][]byte) (orbweaver.Lesson, error) {
	words := newLearned()
	workers := slices.Sorted(maps.Keys(shared))
	lessons := make([]lesson, len(workers))
	for i, from := range workers {
		var err error
		if lessons[i], err = lessonOf(shared[from]); err != nil {
			return orbweaver.Lesson{}, fmt.Errorf("%s: %w", from, err)
		}
		words = words.plus(&lessons[i].words, 1)
	}
	own := f.learned.plus(&f.sharing.words, -1)
	f.learned, f.sharing.words = own.plus(&words, 1), words
	stale := f.learned.moved()
	for i, from := range workers {
		stale = append(stale, f.follow(from, lessons[i])...)
	}
	if f.opts.Method != Focused || !f.opts.Beyond.Rerank {
		stale = nil
	}
	slices.Sort(stale)
	return orbweaver.Lesson{Stale: slices.Compact(stale)}, nil
}

// follow has the online classifier learn links of another worker.
func (f *Focus) follow(from string, l lesson) (stale []string) {
	if f.model == nil {
		return nil
	}
	if f.sharing.taken == nil {
		f.sharing.taken = map[string]int64{}
	}
	first := l.links - int64(len(l.examples))
	for i, one := range l.examples {
		if first+int64(i) >= f.sharing.taken[from] {
			stale = append(stale, one.learnedBy(f.model)...)
		}
	}
	f.sharing.taken[from] = l.links
	return stale
}

// plus adds counts, sign times.
func (l *learned) plus(more *learned, sign int64) learned {
	sum := newLearned()
	at := func(n int64) int64 { return max(0, n) }
	for _, one := range l.langs {
		if two := more.language(one.name); two != nil {
			one.links = at(one.links + sign*two.links)
			one.rdf = min(one.links, at(one.rdf+sign*two.rdf))
		}
		sum.langs = append(sum.langs, one)
	}
	for _, one := range more.langs {
		if sign > 0 && l.language(one.name) == nil && len(sum.langs) < maxLanguages {
			sum.langs = append(sum.langs, one)
		}
	}
	within := func(t learnedTerm) {
		lang, _, _ := strings.Cut(t.key, ":")
		of := sum.language(lang)
		if of == nil || len(sum.list) == maxLearned {
			return
		}
		t.links, t.rdf = min(t.links, of.links), min(t.rdf, of.rdf)
		if t.rdf = min(t.rdf, t.links); t.links > 0 {
			sum.put(t)
		}
	}
	for _, one := range l.list {
		if i, known := more.index[one.key]; known {
			one.links = at(one.links + sign*more.list[i].links)
			one.rdf = at(one.rdf + sign*more.list[i].rdf)
		}
		within(one)
	}
	for _, one := range more.list {
		if _, known := l.index[one.key]; sign > 0 && !known {
			one.reported = 0
			within(one)
		}
	}
	return sum
}

// moved returns the keys of words whose opinion on waiting links changed.
func (l *learned) moved() (stale []string) {
	for i := range l.list {
		stale = l.told(&l.list[i], stale)
	}
	return stale
}

// append encodes what is shared, for a snapshot.
func (s *sharing) append(b []byte) []byte {
	b = s.words.append(b)
	b = binary.AppendUvarint(b, uint64(s.links))
	b = binary.AppendUvarint(b, uint64(len(s.taken)))
	for _, from := range slices.Sorted(maps.Keys(s.taken)) {
		b = binary.AppendUvarint(appendString(b, from), uint64(s.taken[from]))
	}
	return b
}

// some reports whether anything was taken or given.
func (s *sharing) some() bool { return s.on || len(s.taken) > 0 || len(s.words.langs) > 0 }

// maxSharers bounds the workers of whom links were learned.
const maxSharers = math.MaxUint16

func (r *stateReader) sharing() sharing {
	s := sharing{on: true, words: r.learned(), links: r.number(), taken: map[string]int64{}}
	for n := r.length(maxSharers); n > 0 && !r.bad; n-- {
		from := r.text()
		s.taken[from] = r.number()
	}
	return s
}
