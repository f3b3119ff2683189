package link

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"orbweaver/internal/order"
	"orbweaver/text"
)

// A Builder builds a gazetteer from a stream of labels. The zero Builder is ready. Until Build it needs about 100
// bytes per label and the bytes of the IRIs.
type Builder struct {
	// Stop reports whether a lower-case word is a stop word. A label of stop words only ("It", "The Who") needs
	// strong evidence to be linked. nil: no stop words.
	Stop func(word string) bool

	iris     interned
	labels   []labelled
	prefixes []uint64 // proper prefixes of labels, with repetitions
	langs    []string
	parts    []part
}

// A labelled is a label: the hash of all its words, and its relation to an entity.
type labelled struct {
	hash  uint64
	name  name
	count uint32
}

// Add takes a label. A final parenthesis disambiguates and is not part of it: "Mercury (planet)" is an Alternative
// "Mercury". An error that wraps ErrLabel means that the label was skipped; the Builder remains usable.
func (b *Builder) Add(l Label) error {
	if l.IRI == "" || len(l.IRI) > maxIRI || strings.ContainsAny(l.IRI, "\n\r ") {
		return fmt.Errorf("label %.100q: %w: IRI %.100q", l.Text, ErrLabel, l.IRI)
	}
	text, kind := text.FormOf(l.Text).Text, l.Kind&3
	if plain, ok := unqualified(text); ok {
		text, kind = plain, max(kind, Alternative)
	}
	if len(text) > maxText {
		return fmt.Errorf("label %.100q: %w: %d bytes", text, ErrLabel, len(text))
	}
	b.parts = words(fold(b.parts[:0], text, 0))
	if len(b.parts) == 0 || len(b.parts) > maxWords {
		return fmt.Errorf("label %.100q: %w: %d words", text, ErrLabel, len(b.parts))
	}
	lang, err := b.lang(l.Lang)
	if err != nil {
		return fmt.Errorf("label %.100q: %w", text, err)
	}
	entity, ok := b.iris.number(l.IRI)
	if !ok || len(b.labels) >= 2*maxEntities {
		return fmt.Errorf("label %.100q: %w", text, ErrFull)
	}
	hash := uint64(hashStart)
	for i, p := range b.parts {
		if hash = step(hash, p.hash); i < len(b.parts)-1 {
			b.prefixes = append(b.prefixes, hash)
		}
	}
	n := name{entity, uint32(kind)<<1 | 1<<(3+shapeOf(b.parts)) | lang<<9 | b.stop(text)<<15}
	b.labels = append(b.labels, labelled{hash, n, uint32(min(max(l.Count, 0), math.MaxUint32))})
	return nil
}

// unqualified returns a label without its final parenthesis; false: it has none, or consists of it.
func unqualified(label string) (string, bool) {
	label = strings.TrimSpace(label)
	at := strings.LastIndexByte(label, '(')
	if at <= 0 || !strings.HasSuffix(label, ")") {
		return label, false
	}
	label = strings.TrimSpace(label[:at])
	return label, label != ""
}

// words drops the parts that end a match in texts, and signs at the ends.
func words(parts []part) []part {
	parts = slices.DeleteFunc(parts, func(p part) bool { return p.stop })
	for len(parts) > 0 && parts[0].sign {
		parts = parts[1:]
	}
	for len(parts) > 0 && parts[len(parts)-1].sign {
		parts = parts[:len(parts)-1]
	}
	return parts
}

// stop returns 1 if all words of a label are stop words.
func (b *Builder) stop(label string) uint32 {
	if b.Stop == nil {
		return 0
	}
	for word := range strings.FieldsSeq(label) {
		if !b.Stop(strings.ToLower(word)) {
			return 0
		}
	}
	return 1
}

// lang returns the number of a language, from 1; 0 for an empty tag.
func (b *Builder) lang(tag string) (uint32, error) {
	if tag = primary(tag); tag == "" {
		return 0, nil
	}
	i := slices.Index(b.langs, tag)
	if i < 0 {
		if i = len(b.langs); i == maxLangs {
			return 0, fmt.Errorf("%w: too many languages", ErrFull)
		}
		b.langs = append(b.langs, tag)
	}
	return uint32(i + 1), nil
}

// primary returns the primary subtag of a language tag, of at most 8 letters.
func primary(tag string) string {
	if i := strings.IndexAny(tag, "-_"); i >= 0 {
		tag = tag[:i]
	}
	if tag = strings.ToLower(tag); tag == "und" || len(tag) > 8 || strings.ContainsAny(tag, "\n\r") {
		return ""
	}
	return tag
}

// Build builds the gazetteer and empties the Builder. An error wraps ErrFull.
func (b *Builder) Build() (*Gazetteer, error) {
	b.renumber()
	support := b.supports()
	order.By(b.labels, func(x, y labelled) int {
		return cmp.Or(cmp.Compare(x.hash, y.hash), cmp.Compare(x.name.entity, y.name.entity),
			cmp.Compare(x.name.bits, y.name.bits), cmp.Compare(x.count, y.count))
	})
	b.merge()
	names := b.weigh(support)
	entries := b.entries()
	salt, table, err := tabulate(entries)
	if err != nil {
		return nil, err
	}
	iris, blocks := b.iris.packed()
	if len(iris) > math.MaxUint32 {
		return nil, fmt.Errorf("%w: %d bytes of IRIs", ErrFull, len(iris))
	}
	counted := slices.ContainsFunc(support, func(n uint32) bool { return n > 0 })
	entities, langs := b.iris.len(), strings.Join(b.langs, "\n")
	*b = Builder{Stop: b.Stop}
	parts := [sections][]byte{table, filtered(entries, salt), names, iris, blocks, []byte(langs)}
	if counted {
		parts[6] = bytesOf(support)
	}
	return assemble(salt, entities, parts), nil
}

func bytesOf(numbers []uint32) []byte {
	b := make([]byte, 0, len(numbers)*4)
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

// renumber numbers entities and languages in sorted order, so that the order of the stream does not matter.
func (b *Builder) renumber() {
	labelled := make([]bool, b.iris.len())
	for _, l := range b.labels {
		labelled[l.name.entity] = true
	}
	entities := b.iris.sort(labelled)
	sorted := slices.Clone(b.langs)
	slices.Sort(sorted)
	for i, l := range b.labels {
		l.name.entity = entities[l.name.entity]
		if lang := l.name.lang(); lang > 0 {
			to, _ := slices.BinarySearch(sorted, b.langs[lang-1])
			l.name.bits = l.name.bits&^(63<<9) | uint32(to+1)<<9
		}
		b.labels[i] = l
	}
	b.langs = sorted
}

// supports returns the count of each entity.
func (b *Builder) supports() []uint32 {
	support := make([]uint32, b.iris.len())
	for _, l := range b.labels {
		s := &support[l.name.entity]
		*s = uint32(min(uint64(*s)+uint64(l.count), math.MaxUint32))
	}
	return support
}

// merge joins the labels of one hash and entity: all shapes, the best kind, and the language if unique.
func (b *Builder) merge() {
	kept := b.labels[:0]
	for _, l := range b.labels {
		if k := len(kept) - 1; k >= 0 && kept[k].hash == l.hash && kept[k].name.entity == l.name.entity {
			n := &kept[k].name
			kind, lang := min(n.kind(), l.name.kind()), n.lang()
			if lang != l.name.lang() {
				lang = 0
			}
			n.bits = n.bits&^(3<<1|63<<9) | l.name.bits&(63<<3|1<<15) | uint32(kind)<<1 | lang<<9
			kept[k].count = uint32(min(uint64(kept[k].count)+uint64(l.count), math.MaxUint32))
			continue
		}
		kept = append(kept, l)
	}
	b.labels = kept
}

// weigh returns the names, ordered by weight within a label, and keeps in b.labels the first of each label, its count
// set to the number of that name.
func (b *Builder) weigh(support []uint32) []byte {
	counted := make([]bool, len(support))
	for _, l := range b.labels {
		counted[l.name.entity] = counted[l.name.entity] || l.count > 0
	}
	names := make([]byte, 0, len(b.labels)*8)
	kept, same := b.labels[:0], []name(nil)
	for i := 0; i < len(b.labels); {
		hash := b.labels[i].hash
		same = same[:0]
		for ; i < len(b.labels) && b.labels[i].hash == hash; i++ {
			l := b.labels[i]
			weight := float64(l.count) + l.name.kind().prior()
			if !counted[l.name.entity] {
				weight = l.name.kind().prior() * (1 + float64(support[l.name.entity]))
			}
			same = append(same, l.name.weighed(weight))
		}
		kept = append(kept, labelled{hash: hash, count: uint32(len(names) / 8)})
		names = appendNames(names, same)
	}
	b.labels = kept
	return names
}

// appendNames writes the names of one label.
func appendNames(dst []byte, names []name) []byte {
	order.By(names, heavier)
	names = names[:min(len(names), maxCandidates)]
	for i, n := range names {
		n.bits &^= 1
		if i == len(names)-1 {
			n.bits |= 1
		}
		dst = binary.LittleEndian.AppendUint32(dst, n.entity)
		dst = binary.LittleEndian.AppendUint32(dst, n.bits)
	}
	return dst
}

// An entry is a prefix and its value, as Gazetteer.find returns it.
type entry struct {
	prefix uint64
	value  uint32
}

// entries returns all prefixes, sorted, each once.
func (b *Builder) entries() []entry {
	slices.Sort(b.prefixes)
	b.prefixes = slices.Compact(b.prefixes)
	entries := make([]entry, 0, len(b.labels)+len(b.prefixes))
	inner := b.prefixes
	for _, l := range b.labels {
		for len(inner) > 0 && inner[0] < l.hash {
			entries = append(entries, entry{inner[0], goesOn})
			inner = inner[1:]
		}
		e := entry{l.hash, l.count + 1}
		if len(inner) > 0 && inner[0] == l.hash {
			e.value |= goesOn
			inner = inner[1:]
		}
		entries = append(entries, e)
	}
	for _, prefix := range inner {
		entries = append(entries, entry{prefix, goesOn})
	}
	b.labels, b.prefixes = nil, nil
	return entries
}

// tabulate makes the hash table, under the first salt without collisions.
func tabulate(entries []entry) (salt uint64, table []byte, err error) {
	buckets := len(entries)/7 + 1 // of eight
	table = make([]byte, buckets*bucket*8)
	for try := range uint64(64) {
		salt = mix(try+1) | 1
		clear(table)
		if fill(table, entries, salt) {
			return salt, table, nil
		}
	}
	return 0, nil, fmt.Errorf("%w: no salt separates its %d prefixes", ErrFull, len(entries))
}

// fill puts the entries into the table; false: two of them collide.
func fill(table []byte, entries []entry, salt uint64) bool {
	buckets := uint64(len(table) / (bucket * 8))
	for _, e := range entries {
		h := e.prefix * salt
		first, _ := bits.Mul64(h, buckets)
		at := first * bucket * 8
		for run := 0; ; run++ {
			there := binary.LittleEndian.Uint64(table[at:])
			if there == 0 {
				break
			}
			if uint32(there) == uint32(h) || run == maxRun/2 {
				return false
			}
			if at += 8; at == uint64(len(table)) {
				at = 0
			}
		}
		binary.LittleEndian.PutUint64(table[at:], uint64(e.value)<<32|uint64(uint32(h)))
	}
	return true
}

// filtered makes the filter of prefixes.
func filtered(entries []entry, salt uint64) []byte {
	filter := make([]byte, len(entries)/2+1)
	g := Gazetteer{salt: salt, filter: filter}
	for _, e := range entries {
		at, bit := g.bit(e.prefix)
		filter[at] |= 1 << bit
	}
	return filter
}
