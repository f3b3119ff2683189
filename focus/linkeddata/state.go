package linkeddata

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"orbweaver"
)

// A snapshot starts with its version and holds the learned state, each list in insertion order: documents,
// terms, hosts, folder patterns, file patterns, records, domains, hosts requested, the online model, the learned terms, directories, the counts of
// hosts asked for descriptions, and unsettled pages.
// Numbers are uvarints, hashes and floats eight bytes (little-endian); strings are preceded by their length.

// snapshotVersion changes when an older snapshot can no longer be read.
const (
	snapshotVersion = 6
	withSharing     = 7 // the same, with what workers of a crawl share at the end
	withoutPlaces   = 4 // the version before directories, descriptions of hosts and unsettled pages, which it lacks
	sharingNoPlaces = 5 // likewise, with what workers share
	withoutTerms    = 3 // the version before learned terms, which it lacks
)

// maxModel bounds the encoded model, in bytes.
const maxModel = 32 << 20

// maxSnapshot bounds the size of a snapshot, in bytes: all lists full.
const maxSnapshot = 16*(2*maxDocuments+maxTerms+maxHosts) + 3*maxPatterns*(maxPattern+8*maxFailed+8) + 2*maxDomains*(maxPattern+30) + maxModel + maxLearned*(maxLearnedWord+40) + maxUnsettled*(maxExample+16) + maxDomains*(maxPattern+40)

// Snapshot writes the learned state: equal states give equal bytes.
func (f *Focus) Snapshot(w io.Writer) error {
	b := append(make([]byte, 0, 16+16*len(f.documents.list)), snapshotVersion)
	b = f.documents.append(b)
	b = f.terms.append(b)
	b = f.hosts.append(b)
	b = f.similar.folders.append(b)
	b = f.similar.files.append(b)
	b = f.records.append(b)
	b = f.domains.append(b)
	b = f.asked.append(b)
	b, err := f.appendModel(b)
	b = f.learned.append(b)
	b = f.places.append(b)
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(f.descriptions.asked)), uint64(f.descriptions.found))
	b = f.unsettled.append(b)
	b = f.yields.append(b)
	if f.sharing.some() {
		b[0] = withSharing
		b = f.sharing.append(b)
	}
	if err == nil {
		_, err = w.Write(b)
	}
	if err != nil {
		return fmt.Errorf("linked-data focus: snapshot: %w", err)
	}
	return nil
}

func (p *pairs) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(p.list)))
	for _, key := range p.list {
		b = binary.LittleEndian.AppendUint64(b, key)
		b = binary.LittleEndian.AppendUint64(b, p.to[key])
	}
	return b
}

func (p *patterns) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(p.list)))
	for _, one := range p.list {
		several := byte(0)
		if one.several {
			several = 1
		}
		b = append(appendString(b, one.key), several)
		b = binary.LittleEndian.AppendUint64(b, one.first)
	}
	return b
}

func (r *records) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(r.list)))
	for _, one := range r.list {
		b = append(appendString(b, one.key), byte(len(one.failed)))
		for _, h := range one.failed {
			b = binary.LittleEndian.AppendUint64(b, h)
		}
	}
	return b
}

func (d *domains) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(d.list)))
	for _, one := range d.list {
		b = appendString(b, one.name)
		b = binary.AppendUvarint(b, uint64(one.rdf))
		b = binary.AppendUvarint(b, uint64(one.requests))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(one.reported))
	}
	return b
}

func (l *learned) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(l.langs)))
	for _, one := range l.langs {
		b = appendString(b, one.name)
		b = binary.AppendUvarint(b, uint64(one.rdf))
		b = binary.AppendUvarint(b, uint64(one.links))
	}
	b = binary.AppendUvarint(b, uint64(len(l.list)))
	for _, one := range l.list {
		b = appendString(b, one.key)
		b = binary.AppendUvarint(b, uint64(one.rdf))
		b = binary.AppendUvarint(b, uint64(one.links))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(one.reported))
	}
	return binary.AppendUvarint(b, uint64(l.spare))
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// Restore replaces the learned state by a snapshot. An invalid snapshot leaves the focus unchanged and
// returns an error that wraps orbweaver.ErrDamaged.
func (f *Focus) Restore(r io.Reader) error {
	b, err := io.ReadAll(io.LimitReader(r, maxSnapshot))
	if err != nil {
		return fmt.Errorf("linked-data focus: snapshot: %w: %w", orbweaver.ErrDamaged, err)
	}
	if len(b) == 0 || b[0] < withoutTerms || b[0] > withSharing {
		return fmt.Errorf("linked-data focus: snapshot of another version: %w", orbweaver.ErrDamaged)
	}
	in := stateReader{b: b[1:]}
	found, terms, hosts := in.pairs(maxDocuments), in.pairs(maxTerms), in.pairs(maxHosts)
	alike := similar{folders: in.patterns(), files: in.patterns()}
	failed, names, asked := in.records(), in.domains(), in.domains()
	model := in.bytes(maxModel)
	words := newLearned()
	if b[0] != withoutTerms {
		words = in.learned()
	}
	places, asks, pending, yielded := newPairs(maxDocuments), descriptions{}, newUnsettled(), newYields()
	if b[0] >= snapshotVersion {
		places, asks, pending = in.pairs(maxDocuments), descriptions{in.number(), in.number()}, in.unsettled()
		yielded = in.yields()
		in.expect(asks.found <= asks.asked)
	}
	var others sharing
	if b[0] == withSharing || b[0] == sharingNoPlaces {
		others = in.sharing()
	}
	if in.expect((f.model != nil) == (len(model) > 0)); in.bad || len(in.b) > 0 {
		return fmt.Errorf("linked-data focus: snapshot is damaged: %w", orbweaver.ErrDamaged)
	}
	if f.model != nil {
		if err := f.model.Restore(bytes.NewReader(model)); err != nil {
			return fmt.Errorf("linked-data focus: %w", err)
		}
	}
	f.documents, f.terms, f.hosts = found, terms, hosts
	f.places, f.descriptions, f.unsettled, f.yields = places, asks, pending, yielded
	f.similar, f.records, f.domains, f.asked, f.learned, f.sharing = alike, failed, names, asked, words, others
	return nil
}

// A stateReader decodes a snapshot. After the first error all numbers are 0 and all strings empty.
type stateReader struct {
	b   []byte
	bad bool
}

func (r *stateReader) expect(ok bool) {
	if !ok {
		r.bad, r.b = true, nil
	}
}

func (r *stateReader) number() int64 {
	n, size := binary.Uvarint(r.b)
	if r.expect(size > 0 && n < 1<<62); r.bad {
		return 0
	}
	r.b = r.b[size:]
	return int64(n)
}

// length reads a number of elements, at most most.
func (r *stateReader) length(most int) int {
	n := r.number()
	if r.expect(n <= int64(most) && n <= int64(len(r.b))); r.bad {
		return 0
	}
	return int(n)
}

func (r *stateReader) word() uint64 {
	if r.expect(len(r.b) >= 8); r.bad {
		return 0
	}
	w := binary.LittleEndian.Uint64(r.b)
	r.b = r.b[8:]
	return w
}

func (r *stateReader) text() string { return string(r.bytes(maxPattern)) }

func (r *stateReader) bytes(most int) []byte {
	n := r.length(most)
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *stateReader) pairs(most int) pairs {
	p := newPairs(most)
	for n := r.length(most); n > 0 && !r.bad; n-- {
		key, value := r.word(), r.word()
		r.expect(!p.has(key))
		p.add(key, value)
	}
	return p
}

func (r *stateReader) patterns() patterns {
	p := newPatterns()
	for n := r.length(maxPatterns); n > 0 && !r.bad; n-- {
		one := pattern{key: r.text()}
		if r.expect(len(r.b) > 0 && r.b[0] <= 1); r.bad {
			break
		}
		one.several = r.b[0] == 1
		r.b = r.b[1:]
		one.first = r.word()
		if _, again := p.index[one.key]; !again {
			p.put(one)
			continue
		}
		r.expect(false)
	}
	return p
}

func (r *stateReader) records() records {
	all := newRecords()
	for n := r.length(maxPatterns); n > 0 && !r.bad; n-- {
		one := record{key: r.text()}
		for failed := r.length(maxFailed); failed > 0; failed-- {
			h := r.word()
			r.expect(!slices.Contains(one.failed, h))
			one.failed = append(one.failed, h)
		}
		_, again := all.index[one.key]
		r.expect(!again)
		all.put(one)
	}
	return all
}

func (r *stateReader) domains() domains {
	d := newDomains()
	for n := r.length(maxDomains); n > 0 && !r.bad; n-- {
		one := domain{name: r.text(), rdf: r.number(), requests: r.number(), reported: math.Float64frombits(r.word())}
		_, again := d.index[one.name]
		r.expect(!again && one.rdf <= one.requests && one.requests < 1<<40 && one.reported >= 0 && one.reported <= 1)
		d.put(one)
	}
	return d
}

// learned reads the learned terms: every count is at most that of its language.
func (r *stateReader) learned() learned {
	l := newLearned()
	for n := r.length(maxLanguages); n > 0 && !r.bad; n-- {
		one := language{name: r.text(), rdf: r.number(), links: r.number()}
		r.expect(l.language(one.name) == nil && one.rdf <= one.links)
		l.langs = append(l.langs, one)
	}
	for n := r.length(maxLearned); n > 0 && !r.bad; n-- {
		one := learnedTerm{key: r.text(), rdf: r.number(), links: r.number(), reported: math.Float64frombits(r.word())}
		_, again := l.index[one.key]
		lang, word, ok := strings.Cut(one.key, ":")
		of := l.language(lang)
		r.expect(ok && !again && word != "" && of != nil && one.rdf <= one.links && one.reported >= 0 && one.reported <= 1)
		if !r.bad {
			r.expect(one.links <= of.links && one.rdf <= of.rdf)
			l.put(one)
		}
	}
	l.spare = int(r.number())
	r.expect(l.spare == 0 || l.spare < len(l.list))
	return l
}
