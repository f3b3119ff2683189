package rdfa

import "orbweaver/rdf"

// An output gathers triples up to the limits of a page.
type output struct {
	triples []rdf.Triple
	made    int  // triples and members of lists
	left    int  // bytes left for literals
	full    bool // a limit was reached
}

// emit adds a triple and returns its index. The object may be set later.
func (o *output) emit(s, p, object rdf.Term) int {
	if !o.charge() {
		return -1
	}
	o.triples = append(o.triples, rdf.Triple{S: s, P: p, O: object})
	return len(o.triples) - 1
}

// charge reports whether one more triple is allowed.
func (o *output) charge() bool {
	if o.made++; o.made > maxTriples {
		o.full = true
	}
	return !o.full
}

// chargeText reports whether times literals of length bytes are allowed.
func (o *output) chargeText(length, times int) bool {
	if length > 0 && times > o.left/length {
		o.full = true
		return false
	}
	o.left -= length * times
	return true
}

// settle drops the triples without an object.
func (o *output) settle() {
	kept := o.triples[:0]
	for _, t := range o.triples {
		if !t.O.IsZero() {
			kept = append(kept, t)
		}
	}
	o.triples = kept
}

// lists are the list mapping of an evaluation context. Lists are keyed by subject, too: a mapping outlives
// its subject if elements chain.
type lists struct {
	known map[listKey]*list
	order []*list
}

type listKey struct{ subject, predicate rdf.Term }

// A list is the value of a property, as a sequence of members.
type list struct {
	listKey
	items []rdf.Term
}

// of returns a subject's list for a predicate.
func (l *lists) of(subject, predicate rdf.Term) *list {
	key := listKey{subject, predicate}
	known := l.known[key]
	if known == nil {
		known = &list{listKey: key}
		if l.known == nil {
			l.known = map[listKey]*list{}
		}
		l.known[key] = known
		l.order = append(l.order, known)
	}
	return known
}

// append appends a member to a list and returns its index. The member may be set later.
func (o *output) append(l *list, member rdf.Term) int {
	if !o.charge() {
		return -1
	}
	l.items = append(l.items, member)
	return len(l.items) - 1
}

// close emits the lists.
func (o *output) close(l *lists, n *names) {
	for _, list := range l.order {
		node, at := rdf.NewIRI(rdfNil), -1
		if len(list.items) > 0 {
			node = n.fresh()
		}
		at = o.emit(list.subject, list.predicate, node)
		for i, item := range list.items {
			if at < 0 {
				return
			}
			next := rdf.NewIRI(rdfNil)
			if i+1 < len(list.items) {
				next = n.fresh()
			}
			o.emit(node, rdf.NewIRI(rdfFirst), item)
			at = o.emit(node, rdf.NewIRI(rdfRest), next)
			node = next
		}
	}
}
