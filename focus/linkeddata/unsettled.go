package linkeddata

import (
	"encoding/binary"
	"slices"

	"orbweaver/focus/linkeddata/online"
)

// maxUnsettled bounds the pages whose class may still turn out to be HR.
const maxUnsettled = 4096

// unsettled are HTML pages of class H that may turn out to be HR: what their links lead to is not known when they arrive. The online classifier
// learns the class of a page when the first of its links has an outcome, and again when RDF arrives after that; at once where no link looks
// like RDF.
type unsettled struct {
	list []uint64 // hashes of URLs, in the order of arrival
	of   map[uint64]pending
}

// A pending page: what was known of the link that led to it.
type pending struct {
	features []uint32
	learned  bool // as H
}

func newUnsettled() unsettled { return unsettled{of: map[uint64]pending{}} }

func (u *unsettled) remove(key uint64) {
	delete(u.of, key)
	u.list = slices.DeleteFunc(u.list, func(one uint64) bool { return one == key })
}

// add adds a page, and returns the one that it displaces.
func (u *unsettled) add(key uint64, one pending) (displaced pending, full bool) {
	if _, known := u.of[key]; known {
		u.remove(key)
	}
	if full = len(u.list) == maxUnsettled; full {
		displaced = u.of[u.list[0]]
		delete(u.of, u.list[0])
		u.list = u.list[1:]
	}
	u.list, u.of[key] = append(u.list, key), one
	return displaced, full
}

// promises reports whether a link of a page looks like RDF.
func promises(found *findings) bool {
	return slices.ContainsFunc(found.targets, func(t target) bool { return !t.mute && !t.vocabulary && t.verdict.class == ClassR })
}

// settle learns the class of a page by the outcome of one of its links.
func (f *Focus) settle(parent string, rdf bool) (stale []string) {
	key := hash(parent)
	one, known := f.unsettled.of[key]
	switch {
	case !known:
	case rdf:
		f.unsettled.remove(key)
		return f.lesson(example{features: one.features, actual: online.HR})
	case !one.learned:
		f.unsettled.of[key] = pending{one.features, true}
		return f.lesson(example{features: one.features, actual: online.H})
	}
	return nil
}

// wait keeps a page of class H whose class is not settled, and has the classifier learn it where no link looks like RDF.
func (f *Focus) wait(url string, found *findings, features []uint32) (stale []string) {
	one := pending{features, !promises(found)}
	if one.learned {
		stale = f.lesson(example{features: features, actual: online.H})
	}
	if displaced, full := f.unsettled.add(hash(url), one); full && !displaced.learned {
		stale = append(stale, f.lesson(example{features: displaced.features, actual: online.H})...)
	}
	return stale
}

// lesson teaches the classifier, and others.
func (f *Focus) lesson(one example) (stale []string) {
	f.sharing.example(one)
	return one.learnedBy(f.model)
}

func (u *unsettled) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(u.list)))
	for _, key := range u.list {
		b = binary.LittleEndian.AppendUint64(b, key)
		one, learned := u.of[key], byte(0)
		if one.learned {
			learned = 1
		}
		b = appendString(b, string(online.AppendNote([]byte{learned}, one.features)))
	}
	return b
}

func (r *stateReader) unsettled() unsettled {
	u := newUnsettled()
	for n := r.length(maxUnsettled); n > 0 && !r.bad; n-- {
		key, note := r.word(), r.bytes(maxExample)
		if r.expect(len(note) > 0 && note[0] <= 1); r.bad {
			break
		}
		features, rest, ok := online.ReadNote(nil, note[1:])
		_, again := u.of[key]
		if r.expect(ok && len(rest) == 0 && !again); r.bad {
			break
		}
		u.add(key, pending{features, note[0] == 1})
	}
	return u
}
