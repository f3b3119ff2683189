package link

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"orbweaver/internal/order"
)

// Bounds of a Trainer.
const (
	maxFeatures = 64      // features of an entity's context: the most informative
	near        = 12      // parts on either side of a mention, and mentions, that form its context
	maxSeen     = 1 << 24 // distinct pairs of entity and feature; beyond that, pairs seen once are dropped
	smoothing   = 0.2     // λ: the share of an entity's own words near it; the rest is background
	leastGain   = 0.5     // least gain of a retained feature
	gainUnit    = 16      // resolution of a stored gain
)

// A Truth is an annotated mention of an example.
type Truth struct {
	First, Last int // tokens, both inclusive
	IRI         string
}

// A Trainer learns from examples how often labels are mentions, which entity they mean, and the context of entities.
// It needs 16 bytes per pair of an entity and a nearby word, 512 MB at most, and 16 bytes per name of the gazetteer.
type Trainer struct {
	gazetteer *Gazetteer
	matcher   *Matcher
	uses      []uint32          // by name, document counts: lower.of, lower.all, other.of, other.all
	meant     map[uint32]uint32 // by name: mentions of its entity by its label
	seen      []seen            // sorted and distinct up to merged
	merged    int
	anywhere  map[uint32]uint32 // by feature: its count
	total     float64           // sum of anywhere
	labels    []occurrence      // of the current document
}

// A seen counts a feature near an entity: the entity's number, 24 bits of the feature.
type seen struct {
	pair  uint64
	count uint32
}

// An occurrence is an occurrence of a label in a document.
type occurrence struct {
	label uint32
	lower bool
	of    bool // it is a mention
}

// NewTrainer returns a trainer for a gazetteer. Uses and contexts from earlier training are discarded.
func NewTrainer(g *Gazetteer) *Trainer {
	return &Trainer{
		gazetteer: g, matcher: NewMatcher(g),
		uses:  make([]uint32, 4*g.Names()),
		meant: map[uint32]uint32{}, anywhere: map[uint32]uint32{},
	}
}

// wordFeature is the feature of a word in a context.
func wordFeature(hash uint64) uint32 { return uint32(hash >> 40) }

// entityFeature is the feature of an entity in the context of another.
func entityFeature(entity uint32) uint32 { return uint32(mix(uint64(entity)+hashStart) >> 40) }

// Describe learns that a document describes an entity. It reports whether the gazetteer has the entity.
func (t *Trainer) Describe(iri string, doc Document) bool {
	entity, ok := t.gazetteer.entity(iri)
	if !ok {
		return false
	}
	t.matcher.read(doc)
	for _, p := range t.matcher.parts {
		if !p.stop && !p.sign {
			t.see(entity, wordFeature(p.hash))
		}
	}
	t.tidy()
	return true
}

// Learn learns from a document with annotations of all mentions, or of each entity's first. Truths must be in order
// and not overlap; others are ignored.
func (t *Trainer) Learn(doc Document, truths []Truth) {
	spans := outer(t.matcher.Match(doc), truths)
	var entities []uint32 // of the previous mentions
	t.labels = t.labels[:0]
	covered, next := 0, 0 // tokens covered by truths; spans examined
	for _, truth := range truths {
		if truth.First < covered || truth.Last < truth.First || truth.Last >= len(doc.Words) {
			continue
		}
		for next < len(spans) && spans[next].First < truth.First {
			if spans[next].First >= covered && spans[next].Last < truth.First {
				t.note(spans[next], false)
			}
			next++
		}
		covered = truth.Last + 1
		entity, known := t.gazetteer.entity(truth.IRI)
		for ; next < len(spans) && spans[next].First == truth.First; next++ {
			if spans[next].Last == truth.Last {
				t.note(spans[next], true)
				if known {
					t.mean(spans[next].Label, entity)
				}
			}
		}
		if known {
			t.around(entity, truth)
			t.beside(entity, entities)
			entities = append(entities, entity)
		}
	}
	for ; next < len(spans); next++ {
		if spans[next].First >= covered {
			t.note(spans[next], false)
		}
	}
	t.count()
	t.tidy()
}

// outer drops spans within longer ones, which are linked only if those are not, except truths.
func outer(spans []Span, truths []Truth) []Span {
	reach := -1 // last token of earlier spans
	kept := spans[:0]
	for i, s := range spans {
		for len(truths) > 0 && truths[0].First < s.First {
			truths = truths[1:]
		}
		truth := len(truths) > 0 && truths[0].First == s.First && truths[0].Last == s.Last
		inner := s.Last <= reach || i+1 < len(spans) && spans[i+1].First == s.First
		if i+1 < len(spans) && spans[i+1].First > s.First {
			reach = max(reach, s.Last)
		}
		if truth || !inner {
			kept = append(kept, s)
		}
	}
	return kept
}

func (t *Trainer) note(s Span, of bool) {
	t.labels = append(t.labels, occurrence{s.Label, s.shape == lower, of})
}

// mean counts one use of a label for an entity.
func (t *Trainer) mean(label, entity uint32) {
	for i := label; ; i++ {
		n := t.gazetteer.name(i)
		if n.entity == entity {
			t.meant[i]++
			return
		}
		if n.last() {
			return
		}
	}
}

// around learns the words near a mention.
func (t *Trainer) around(entity uint32, truth Truth) {
	parts := t.matcher.parts
	from, _ := slices.BinarySearchFunc(parts, int32(truth.First), byToken)
	to, _ := slices.BinarySearchFunc(parts, int32(truth.Last+1), byToken)
	for i := max(0, from-near); i < min(len(parts), to+near); i++ {
		if (i < from || i >= to) && !parts[i].stop && !parts[i].sign {
			t.see(entity, wordFeature(parts[i].hash))
		}
	}
}

func byToken(p part, token int32) int { return cmp.Compare(p.token, token) }

// beside learns the co-occurrence of an entity with those mentioned before it.
func (t *Trainer) beside(entity uint32, before []uint32) {
	for _, other := range before[max(0, len(before)-near):] {
		if other != entity {
			t.see(entity, entityFeature(other))
			t.see(other, entityFeature(entity))
		}
	}
}

func (t *Trainer) see(entity, feature uint32) {
	t.seen = append(t.seen, seen{uint64(entity)<<24 | uint64(feature), 1})
	t.anywhere[feature]++
	t.total++
}

// count counts each label of a document once: as a mention if any occurrence is one, since later ones need no link.
func (t *Trainer) count() {
	order.By(t.labels, func(a, b occurrence) int {
		return cmp.Or(cmp.Compare(a.label, b.label), -compareBool(a.of, b.of), compareBool(a.lower, b.lower))
	})
	for i := 0; i < len(t.labels); {
		first := t.labels[i]
		var lower, other bool
		for ; i < len(t.labels) && t.labels[i].label == first.label; i++ {
			if t.labels[i].of == first.of {
				lower, other = lower || t.labels[i].lower, other || !t.labels[i].lower
			}
		}
		u := t.uses[4*first.label : 4*first.label+4]
		for at, there := range [2]bool{lower, other} {
			if there {
				u[2*at+1]++
			}
			if there && first.of {
				u[2*at]++
			}
		}
	}
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// tidy merges the counts when they have doubled.
func (t *Trainer) tidy() {
	if len(t.seen) > max(2*t.merged, 1<<20) {
		t.merge()
		for least := uint32(2); len(t.seen) > maxSeen; least *= 2 {
			t.seen = slices.DeleteFunc(t.seen, func(s seen) bool { return s.count < least })
			t.merged = len(t.seen)
		}
	}
}

func (t *Trainer) merge() {
	order.By(t.seen, func(a, b seen) int { return cmp.Compare(a.pair, b.pair) })
	kept := t.seen[:0]
	for _, s := range t.seen {
		if k := len(kept) - 1; k >= 0 && kept[k].pair == s.pair {
			kept[k].count += s.count
			continue
		}
		kept = append(kept, s)
	}
	t.seen, t.merged = kept, len(kept)
}

// Gazetteer returns the gazetteer with all learned statistics.
func (t *Trainer) Gazetteer() (*Gazetteer, error) {
	parts, err := sectionsOf(t.gazetteer.data)
	if err != nil {
		return nil, err
	}
	t.merge()
	parts[2] = t.weighed()
	parts[7] = t.usesOf()
	parts[8], parts[9] = t.contexts()
	return assemble(t.gazetteer.salt, t.gazetteer.entities, parts), nil
}

// weighed returns the names with the counted mentions added to their weights.
func (t *Trainer) weighed() []byte {
	names := make([]byte, 0, len(t.gazetteer.names))
	var same []name
	for i := range uint32(t.gazetteer.Names()) {
		n := t.gazetteer.name(i)
		last := n.last()
		if count := t.meant[i]; count > 0 {
			n = n.weighed(math.Exp(n.weight()) + float64(count))
		}
		if same = append(same, n); last {
			names = appendNames(names, same)
			same = same[:0]
		}
	}
	return names
}

// usesOf returns the counts of uses scaled to bytes.
func (t *Trainer) usesOf() []byte {
	b := make([]byte, 0, len(t.uses))
	for i := 0; i < len(t.uses); i += 2 {
		of, all := t.uses[i], t.uses[i+1]
		if all > math.MaxUint8 {
			of, all = uint32((uint64(of)*math.MaxUint8+uint64(all)-1)/uint64(all)), math.MaxUint8
		}
		b = append(b, uint8(of), uint8(all))
	}
	return b
}

// A informative is a feature of an entity with its gain.
type informative struct {
	feature uint32
	count   uint32
	gain    float64
}

// contexts returns the most informative features of each entity, and the start of each entity's.
func (t *Trainer) contexts() (contexts, starts []byte) {
	rest := t.seen
	for entity := range uint32(t.gazetteer.entities) {
		starts = binary.LittleEndian.AppendUint32(starts, uint32(len(contexts)/4))
		end := 0
		for end < len(rest) && uint32(rest[end].pair>>24) == entity {
			end++
		}
		for _, f := range t.telling(rest[:end]) {
			gain := min(uint32(math.Round(f.gain*gainUnit)), math.MaxUint8)
			contexts = binary.LittleEndian.AppendUint32(contexts, f.feature<<8|gain)
		}
		rest = rest[end:]
	}
	return contexts, binary.LittleEndian.AppendUint32(starts, uint32(len(contexts)/4))
}

// telling returns the best features of one entity, by number: frequent ones with a high likelihood ratio against the
// background.
func (t *Trainer) telling(near []seen) []informative {
	total := 0.0
	for _, s := range near {
		total += float64(s.count)
	}
	var all []informative
	for _, s := range near {
		feature := uint32(s.pair & (1<<24 - 1))
		here, anywhere := float64(s.count)/total, float64(t.anywhere[feature])/t.total
		gain := math.Log(smoothing*here/anywhere + 1 - smoothing)
		if s.count > 1 && gain >= leastGain {
			all = append(all, informative{feature, s.count, gain})
		}
	}
	order.By(all, func(a, b informative) int {
		return cmp.Or(cmp.Compare(float64(b.count)*b.gain, float64(a.count)*a.gain), cmp.Compare(a.feature, b.feature))
	})
	all = all[:min(len(all), maxFeatures)]
	order.By(all, func(a, b informative) int { return cmp.Compare(a.feature, b.feature) })
	return all
}
