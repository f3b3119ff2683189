package blend

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"orbweaver"
	"orbweaver/focus/chance"
)

// firstRanking is the number of links followed after which all waiting requests are ranked again by what the links led to;
// then after half as many more each time. In between chances stand still, so that requests are compared by the same
// measure.
const firstRanking = 16

// Learn teaches each part the outcome as its own: with its Note, its prediction and its judgement. It also learns what the
// link led to, by each part.
func (f *Focus) Learn(ctx context.Context, o orbweaver.Outcome) (lesson orbweaver.Lesson, err error) {
	var all *judged
	if o.Page != nil && o.Request.Purpose == orbweaver.ForPage {
		if all, err = f.judge(ctx, o.Page); err == nil && all.ahead == nil {
			_, err = f.Plan(ctx, o.Page, o.Actual)
		}
		if err != nil {
			return lesson, err
		}
	}
	seen := make([]orbweaver.Outcome, len(f.parts)) // before any part learns
	for i := range f.parts {
		seen[i] = f.outcome(o, all, i)
	}
	lesson.Stale = f.calibrate(o, all, seen)
	for i, part := range f.parts {
		if part.learner == nil {
			continue
		}
		own, err := part.learner.Learn(ctx, seen[i])
		if err != nil {
			return lesson, fmt.Errorf("part %s: %w", part.Name, err)
		}
		lesson.Facts = append(lesson.Facts, own.Facts...)
		lesson.Stale = part.stale(lesson.Stale, own.Stale)
	}
	f.judged = judged{}
	return lesson, nil
}

// outcome returns an outcome as a part's own. all, if not nil, are the judgements of its page.
func (f *Focus) outcome(o orbweaver.Outcome, all *judged, i int) orbweaver.Outcome {
	part := f.parts[i]
	n, ok := readNote(o.Request.Note, len(f.parts))
	p := orbweaver.Proposal{Request: o.Request, Judgement: o.Predicted}
	o.Plan = nil
	if ok {
		one := note{parts: make([]standing, len(f.parts))}
		one.parts[i] = n.parts[i]
		o.Predicted = f.predictions(nil, p, one)[i]
	}
	o.Request = f.request(o.Request, i)
	if all != nil {
		o.Page, o.Actual = all.views[i], all.by[i]
		return o
	}
	if o.Page != nil {
		v := *o.Page
		v.Findings, v.Request = nil, o.Request
		o.Page = &v
	}
	o.Actual = orbweaver.Judgement{Class: part.class(o.Actual.Class)}
	return o
}

// calibrate learns, for each part, what score its pages and links have, and what the links led to. It returns what is to be
// ranked again.
func (f *Focus) calibrate(o orbweaver.Outcome, all *judged, seen []orbweaver.Outcome) []string {
	followed := o.Request.Via != nil && o.Request.Purpose == orbweaver.ForPage && (o.Page != nil || o.Redirect == "")
	for i, part := range f.parts {
		if all != nil && all.silent[i] {
			continue
		}
		if followed {
			score, accepted, worth := seen[i].Predicted.Score, false, 0.0
			if all != nil {
				accepted, worth = all.by[i].Accepted, payoff(all.by[i].Accepted, all.ahead[i])
			}
			part.links.chance.Add(score, accepted)
			part.links.reach.add(score, worth)
		}
		if all != nil {
			part.pages.Add(all.by[i])
		}
	}
	if followed {
		f.taught++
	}
	if f.taught < f.next {
		return nil
	}
	f.next = f.taught + f.taught/2
	for _, part := range f.parts {
		part.now = part.links
	}
	return []string{"*"}
}

// stale adds a part's stale keys to those of the blend.
func (p *part) stale(to, keys []string) []string {
	for _, key := range keys {
		if key != "*" {
			key = p.prefix + key
		}
		to = append(to, key)
	}
	slices.Sort(to)
	return slices.Compact(to)
}

// snapshotVersion is the first byte of a snapshot.
const snapshotVersion = 1

// Snapshot writes the version, then of each part its name, its state, and its chances: strings with their length.
func (f *Focus) Snapshot(w io.Writer) error {
	b := binary.AppendUvarint([]byte{snapshotVersion}, uint64(f.taught))
	b = binary.AppendUvarint(b, uint64(f.next))
	for _, part := range f.parts {
		var state bytes.Buffer
		if part.learner != nil {
			if err := part.learner.Snapshot(&state); err != nil {
				return fmt.Errorf("part %s: %w", part.Name, err)
			}
		}
		for _, piece := range [...][]byte{[]byte(part.Name), state.Bytes(), part.links.append(), part.now.append(), part.pages.Append(nil)} {
			b = append(binary.AppendUvarint(b, uint64(len(piece))), piece...)
		}
	}
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("blend: snapshot: %w", err)
	}
	return nil
}

// maxSnapshot bounds the bytes of a snapshot.
const maxSnapshot = 2 << 30

// A state is what a snapshot holds.
type state struct {
	taught, next int64
	parts        []partState
}

// A partState is a part's share of it.
type partState struct {
	state      []byte // of the part's focus, in its own encoding
	links, now links
	pages      chance.Pages
}

// Restore reads a snapshot. An error wraps orbweaver.ErrDamaged, or orbweaver.ErrForeign if the parts are others.
func (f *Focus) Restore(r io.Reader) error {
	b, err := io.ReadAll(io.LimitReader(r, maxSnapshot))
	if err != nil {
		return fmt.Errorf("blend: snapshot: %w", err)
	}
	s, err := f.read(b)
	if err != nil {
		return err
	}
	for i, part := range f.parts {
		if part.learner == nil {
			continue
		}
		if err := part.learner.Restore(bytes.NewReader(s.parts[i].state)); err != nil {
			return fmt.Errorf("part %s: %w", part.Name, err)
		}
	}
	f.use(s)
	return nil
}

// use replaces what the blend itself knows.
func (f *Focus) use(s *state) {
	f.taught, f.next, f.judged = s.taught, s.next, judged{}
	for i, part := range f.parts {
		part.links, part.now, part.pages = s.parts[i].links, s.parts[i].now, s.parts[i].pages
	}
}

// read decodes a snapshot, but for the states of the parts' focuses; errors are those of Restore.
func (f *Focus) read(b []byte) (*state, error) {
	var err error
	damaged := fmt.Errorf("blend: snapshot: %w", orbweaver.ErrDamaged)
	if len(b) == 0 || b[0] != snapshotVersion {
		return nil, damaged
	}
	b = b[1:]
	number := func() uint64 {
		n, size := binary.Uvarint(b)
		if size <= 0 {
			err, size = damaged, len(b)
		}
		b = b[size:]
		return n
	}
	piece := func() []byte {
		n := number()
		if n > uint64(len(b)) {
			err, n = damaged, 0
		}
		p := b[:n]
		b = b[n:]
		return p
	}
	taught, next := number(), number()
	s := &state{taught: int64(taught), next: int64(next)}
	for _, part := range f.parts {
		if name := string(piece()); err == nil && name != part.Name {
			return nil, fmt.Errorf("blend: snapshot: part %s, not %s: %w", name, part.Name, orbweaver.ErrForeign)
		}
		own, followed, ranked, judged := piece(), piece(), piece(), piece()
		links, unread := readLinks(followed)
		now, failed := readLinks(ranked)
		pages, wrong := chance.ReadPages(judged)
		if err = errors.Join(err, unread, failed, wrong); err != nil {
			return nil, fmt.Errorf("part %s: %w", part.Name, err)
		}
		s.parts = append(s.parts, partState{own, links, now, *pages})
	}
	if err != nil || len(b) > 0 || next == 0 || next > 1<<62 || taught > next {
		return nil, damaged
	}
	return s, nil
}

// append encodes what is known of links: the reach, which has a fixed length, before the chances.
func (l *links) append() []byte { return l.chance.Append(l.reach.append(nil)) }

// readLinks decodes what append encoded. The error wraps orbweaver.ErrDamaged.
func readLinks(b []byte) (l links, err error) {
	at := min(len(b), reachSize)
	if l.reach, err = readReach(b[:at]); err != nil {
		return l, err
	}
	known, err := chance.ReadLinks(b[at:])
	if err == nil {
		l.chance = *known
	}
	return l, err
}
