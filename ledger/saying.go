package ledger

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver"
	"orbweaver/internal/database/kv"
	"orbweaver/text"
)

// What a page says is what PageQuery.Holds asks of it: media type, language, entities, and as text.Key has them its title, snippet and URL. The
// listing has it of each outcome, by number, so that a list of pages that say something goes through these rows on all cores and not
// through the outcomes, which take ten times as many bytes.

// sayingKey returns the key of what an outcome's page says.
func sayingKey(n int64) []byte {
	return binary.BigEndian.AppendUint64([]byte{tablePages, listedSaying}, uint64(n))
}

// sayingOf returns what an outcome's page says.
func sayingOf(o orbweaver.Outcome) []byte {
	line := Line{URL: o.Request.URL, Reasons: heaviest(o.Actual.Reasons, MaxReasons)}
	if p := o.Page; p != nil {
		line.Type, line.Lang, line.Title, line.Snippet = p.MediaType, p.Lang, titleOf(p), o.Snippet
	}
	b := make([]byte, 0, 64+len(line.Title)+len(line.Snippet)+len(line.URL))
	b = appendString(appendString(b, line.Type), line.Lang)
	entities := EntitiesOf(line)
	for i, name := range entities {
		entities[i] = text.Fold(name)
	}
	b = appendStrings(b, entities)
	for _, s := range [...]string{line.Title, line.Snippet, line.URL} {
		b = appendString(b, text.Key(s))
	}
	return b
}

// A sought is a query as it is compared with what pages say.
type sought struct{ kind, lang, entity, text []byte }

func (q PageQuery) sought() sought {
	return sought{[]byte(q.Type), []byte(q.Lang), []byte(text.Fold(q.Entity)), []byte(text.Key(q.Text))}
}

// in reports what Holds does.
func (q sought) in(said []byte) (holds, ok bool) {
	f := fieldsOf{said}
	kind, lang := f.next(), f.next()
	entity := len(q.entity) == 0
	names := f.varint()
	if names > uint64(len(f.b)) {
		return false, false
	}
	for range names {
		entity = bytes.Equal(f.next(), q.entity) || entity
	}
	has := len(q.text) == 0
	for range 3 {
		has = has || bytes.Contains(f.next(), q.text)
	}
	rest, of := bytes.CutPrefix(kind, q.kind)
	of = of && (len(q.kind) == 0 || len(rest) == 0 || rest[0] == '/')
	return of && entity && has && (len(q.lang) == 0 || bytes.Equal(lang, q.lang)), f.b != nil
}

// fieldsOf reads strings that appendString wrote, in place. After one that does not fit it is nil.
type fieldsOf struct{ b []byte }

func (f *fieldsOf) next() []byte {
	n, width := binary.Uvarint(f.b)
	if width <= 0 || n > uint64(len(f.b)-width) {
		f.b = nil
		return nil
	}
	s := f.b[width : width+int(n)]
	f.b = f.b[width+int(n):]
	return s
}

// numbers is a set of outcome numbers, a bit each; nil has all.
type numbers []uint64

func (s numbers) has(n int64) bool { return s == nil || s[n/64]>>(n%64)&1 != 0 }

// saying returns the outcomes whose pages say what a query asks for; nil if it asks for nothing.
func (l *Ledger) saying(s kv.Snapshot, q PageQuery) (numbers, error) {
	if !q.Reads() {
		return nil, nil
	}
	words := uint64(l.state.Listed)/64 + 1
	found, want := make(numbers, words), q.sought()
	err := inParts(0, words, func(_ int, from, to uint64) error {
		it, err := s.NewIter(&pebble.IterOptions{LowerBound: sayingKey(int64(64 * from)), UpperBound: sayingKey(int64(64 * to))})
		if err != nil {
			return err
		}
		for ok := it.First(); ok && err == nil; ok = it.Next() {
			n := binary.BigEndian.Uint64(it.Key()[2:])
			holds, whole := want.in(it.Value())
			if !whole || n >= 64*words {
				err = orbweaver.ErrDamaged
			} else if holds {
				found[n/64] |= 1 << (n % 64)
			}
		}
		return errors.Join(err, it.Close())
	})
	return found, l.damage(err)
}

// varint reads a number as binary.AppendUvarint writes it.
func (f *fieldsOf) varint() uint64 {
	n, width := binary.Uvarint(f.b)
	if width <= 0 {
		f.b = nil
		return 0
	}
	f.b = f.b[width:]
	return n
}
