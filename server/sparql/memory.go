package sparql

import (
	"context"
	"errors"
	"iter"
	"sync/atomic"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/eval"
)

// A Memory is a Store and an Updater in memory. Queries see the store after its last update, while the next
// one runs. An update is atomic.
type Memory struct {
	quads   *quads.Memory
	writing chan struct{} // held by the running update
	latest  atomic.Pointer[quads.Reader]
}

// NewMemory wraps a store, which must not be changed elsewhere.
func NewMemory(m *quads.Memory) *Memory {
	s := &Memory{quads: m, writing: make(chan struct{}, 1)}
	s.publish()
	return s
}

func (s *Memory) publish() {
	r := s.quads.Snapshot()
	s.latest.Store(&r)
}

// Snapshot returns the store after its last update. Releasing it does nothing.
func (s *Memory) Snapshot() (quads.Reader, func() error, error) {
	return *s.latest.Load(), func() error { return nil }, nil
}

// Update changes the store, or undoes the changes before an error or a panic of change.
func (s *Memory) Update(ctx context.Context, change func(eval.Store) error) (err error) {
	select {
	case s.writing <- struct{}{}:
		defer func() { <-s.writing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	c, done := &changing{ctx: ctx, memory: s.quads}, false
	defer func() {
		if !done {
			err = errors.Join(err, c.undo())
			return
		}
		s.publish()
	}()
	err = change(c)
	done = err == nil
	return err
}

// A changing is a running update with its undo log.
type changing struct {
	ctx    context.Context
	memory *quads.Memory
	log    []changed
}

// A changed is an entry of the undo log.
type changed struct {
	quad    rdf.Quad
	added   bool         // else removed
	cleared quads.Reader // the store before the quad's graph was cleared; nil: it was not
}

// View returns the store.
func (c *changing) View() (quads.Reader, func() error, error) {
	return c.memory.Snapshot(), func() error { return nil }, nil
}

// Add adds a quad, unless the context has ended.
func (c *changing) Add(q rdf.Quad) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	added, err := c.memory.Add(q, "")
	if added {
		c.log = append(c.log, changed{quad: q, added: true})
	}
	return err
}

// Remove removes a quad, unless the context has ended.
func (c *changing) Remove(q rdf.Quad) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	removed, err := c.memory.Remove(q, "")
	if removed {
		c.log = append(c.log, changed{quad: q})
	}
	return err
}

// Clear removes a graph.
func (c *changing) Clear(graph rdf.Term) error {
	before := c.memory.Snapshot()
	c.log = append(c.log, changed{quad: rdf.Quad{G: graph}, cleared: before})
	_, err := c.memory.Drop(graph)
	return err
}

// undo reverts all changes, last first.
func (c *changing) undo() (err error) {
	for i := len(c.log) - 1; i >= 0; i-- {
		switch did := c.log[i]; {
		case did.cleared != nil:
			err = errors.Join(err, c.restore(did.cleared, did.quad.G))
		case did.added:
			_, failed := c.memory.Remove(did.quad, "")
			err = errors.Join(err, failed)
		default:
			_, failed := c.memory.Add(did.quad, "")
			err = errors.Join(err, failed)
		}
	}
	return err
}

// restore adds the quads of a graph that was cleared.
func (c *changing) restore(before quads.Reader, graph rdf.Term) error {
	id := quads.Default
	if !graph.IsZero() {
		found, ok, err := before.Lookup(graph)
		if err != nil || !ok {
			return err
		}
		id = found
	}
	var all []rdf.Quad // before loading, which locks the store
	for q, err := range Quads(before, id) {
		if err != nil {
			return err
		}
		all = append(all, q)
	}
	_, err := c.memory.Load(func(yield func(rdf.Quad, error) bool) {
		for _, q := range all {
			if !yield(q, nil) {
				return
			}
		}
	}, "")
	return err
}

// Quads iterates over the quads of a graph of a store; quads.Any means all graphs.
func Quads(r quads.Reader, graph quads.ID) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		c := r.Cursor()
		defer c.Close()
		c.Seek(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: graph})
		for c.Next() {
			if q, err := quads.Terms(r, c.Quad()); !yield(q, err) || err != nil {
				return
			}
		}
		if err := c.Err(); err != nil {
			yield(rdf.Quad{}, err)
		}
	}
}
