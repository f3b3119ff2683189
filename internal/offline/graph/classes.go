package graph

import (
	"cmp"
	"crypto/sha256"
	"strings"

	"orbweaver/internal/order"
	"orbweaver/rdf"
)

// maxMembers bounds the entities and key values of all classes, some 150 bytes each.
const maxMembers = 1 << 20

// digest identifies an entity or a key value.
type digest [16]byte

// classes are the classes of equal entities: a union-find over IRIs, blank nodes and key values. A class depends on the statements
// alone, not on their order, as long as there are at most maxMembers members.
type classes struct {
	limit   int // IRIs and key values of a class
	most    int // members
	index   map[digest]int32
	members []member
	refused int64 // entities and values beyond maxMembers
}

// member is an entity or a key value and, if it is a root, its class.
type member struct {
	parent   int32
	term     rdf.Term // of an entity; zero: a key value
	best     int32    // of a root: the member that the class is named by; -1: it has no entity
	weight   int32    // of a root: IRIs and key values of the class
	entities int32    // of a root: IRIs and blank nodes
}

func newClasses(limit int) *classes {
	return &classes{limit: cmp.Or(limit, DefaultClass), most: maxMembers, index: map[digest]int32{}}
}

// entity returns the member of an IRI or a blank node; with make it is added. -1: there is none.
func (c *classes) entity(t rdf.Term, make bool) int32 {
	sum := sha256.Sum256([]byte(string(rune('0'+t.Kind)) + t.Value))
	at := c.at(digest(sum[:16]), make)
	if at >= 0 && make && c.members[at].term.IsZero() {
		m := &c.members[at]
		m.term, m.best, m.entities = t, at, 1
		if t.Kind == rdf.Blank {
			m.weight = 0
		}
	}
	return at
}

// value returns the member of a key's value.
func (c *classes) value(key string) int32 {
	sum := sha256.Sum256([]byte("key " + key))
	return c.at(digest(sum[:16]), true)
}

// at returns the member of a digest, a new one of weight 1 if need be.
func (c *classes) at(d digest, make bool) int32 {
	if at, known := c.index[d]; known {
		return at
	}
	if !make {
		return -1
	}
	if len(c.members) >= c.most {
		c.refused++
		return -1
	}
	at := int32(len(c.members))
	c.index[d] = at
	c.members = append(c.members, member{parent: at, best: -1, weight: 1})
	return at
}

// root returns the root of a member's class.
func (c *classes) root(at int32) int32 {
	for c.members[at].parent != at {
		up := c.members[at].parent
		c.members[at].parent = c.members[up].parent
		at = up
	}
	return at
}

// unite makes two members equal. Members that do not exist are not.
func (c *classes) unite(a, b int32) {
	if a < 0 || b < 0 {
		return
	}
	a, b = c.root(a), c.root(b)
	if a == b {
		return
	}
	if c.members[a].entities+c.members[a].weight < c.members[b].entities+c.members[b].weight {
		a, b = b, a
	}
	into, from := &c.members[a], &c.members[b]
	from.parent = a
	into.weight += from.weight
	into.entities += from.entities
	if into.best < 0 || from.best >= 0 && compareEntities(c.members[from.best].term, c.members[into.best].term) < 0 {
		into.best = from.best
	}
}

// compareEntities orders the entities of a class: the first one names it. IRIs come before blank nodes, shorter ones first.
func compareEntities(a, b rdf.Term) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(len(a.Value), len(b.Value)), strings.Compare(a.Value, b.Value))
}

// of returns the entity that a class is named by, and whether the term is another one.
func (c *classes) of(t rdf.Term) (rdf.Term, bool) {
	if len(c.members) == 0 || t.Kind != rdf.IRI && t.Kind != rdf.Blank {
		return t, false
	}
	at := c.entity(t, false)
	if at < 0 {
		return t, false
	}
	root := &c.members[c.root(at)]
	if int(root.weight) > c.limit || root.best < 0 {
		return t, false
	}
	best := c.members[root.best].term
	return best, best != t
}

// counts are what the classes come to.
type counts struct {
	entities, merged int      // entities that are equal to others, and those that they become
	apart            int      // classes that exceed the limit
	example          rdf.Term // of one of these
}

func (c *classes) counts() (n counts) {
	for at := range c.members {
		m := &c.members[at]
		switch {
		case m.parent != int32(at) || m.entities < 2:
		case int(m.weight) > c.limit:
			n.apart++
			if best := c.members[m.best].term; n.example.IsZero() || compareEntities(best, n.example) < 0 {
				n.example = best
			}
		default:
			n.entities += int(m.entities)
			n.merged++
		}
	}
	return n
}

// aliases returns the IRIs that became another one, with that one, sorted.
func (c *classes) aliases() (out []rdf.Triple) {
	for at := range c.members {
		t := c.members[at].term
		if t.Kind != rdf.IRI {
			continue
		}
		if best, other := c.of(t); other {
			out = append(out, rdf.Triple{S: best, P: sameAs, O: t})
		}
	}
	order.By(out, compareTriples)
	return out
}

// compareTriples orders triples by their texts, IRIs first.
func compareTriples(a, b rdf.Triple) int {
	return cmp.Or(compareTerms(a.S, b.S), compareTerms(a.P, b.P), compareTerms(a.O, b.O))
}

func compareTerms(a, b rdf.Term) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Value, b.Value), strings.Compare(a.Datatype, b.Datatype), strings.Compare(a.Lang, b.Lang))
}
